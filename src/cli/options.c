/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/outfile.h"
#include "base/words/suggest.h"
#include "cli/say.h"

enum { HELP_COLUMN = 28 };

dp_list dp_list_or_stdin(dp_list l)
{
    static const char *standard_input[] = {"-"};
    return l.n ? l : (dp_list){standard_input, 1};
}

bool dp_list_has_stdin(dp_list l)
{
    for (size_t i = 0; i < l.n; i++) {
        if (strcmp(l.v[i], "-") == 0)
            return true;
    }
    return false;
}

const char *dp_list_name(dp_list l, const char *else_name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+,:@%-";
    bool              is_word = l.n == 1 && l.v[0][0] != '-' && l.v[0][0] && !l.v[0][strspn(l.v[0], plain)];
    return is_word ? l.v[0] : else_name;
}

/* What is being parsed. */
typedef struct parser {
    const dp_usage *u;
    char          **argv;
    size_t          argc, at; /* of the next argument */
    dp_arena       *a;
} parser;

/* ---- help ----------------------------------------------------------------------------------- */

/* Text that begins at the current column; its further lines are indented to `column`. */
static void add_block(dp_buf *b, const char *text, int column)
{
    for (const char *p = text; *p; p++) {
        dp_buf_byte(b, *p);
        if (*p == '\n')
            dp_buf_printf(b, "%*s", column, "");
    }
    dp_buf_byte(b, '\n');
}

static void add_option(dp_buf *b, const dp_option *o)
{
    if (o->heading)
        dp_buf_printf(b, "\n%s\n", o->heading);
    size_t start = b->n;
    if (o->letter)
        dp_buf_printf(b, "  -%c, --%s", o->letter, o->name);
    else
        dp_buf_printf(b, "      --%s", o->name);
    if (o->value)
        dp_buf_printf(b, " %s", o->value);
    if (b->n - start > HELP_COLUMN - 2)
        dp_buf_printf(b, "\n%*s", HELP_COLUMN, "");
    else
        dp_buf_printf(b, "%*s", HELP_COLUMN - (int)(b->n - start), "");
    add_block(b, o->help, HELP_COLUMN);
}

static bool has_rare(const dp_usage *u)
{
    for (size_t i = 0; i < u->noption; i++) {
        if (u->option[i].rare)
            return true;
    }
    return false;
}

/* The rows of --help and --help-all themselves, below the last group when there are groups. */
static void add_help(dp_buf *b, const dp_usage *u, bool has_groups)
{
    static const dp_option help = {.letter = 'h', .name = "help", .help = "show this help"};
    static const dp_option help_all = {.name = "help-all",
                                       .help = "show all options, also those for reproducing papers and experiments"};
    if (has_groups)
        dp_buf_byte(b, '\n');
    add_option(b, &help);
    if (has_rare(u))
        add_option(b, &help_all);
}

static int print_help(const dp_usage *u, bool all)
{
    dp_buf   b = {0};
    dp_error err = {0};
    bool     has_groups = false;
    dp_buf_printf(&b, "usage: dustpan %s [options] %s\n\n", u->command, u->operands);
    add_block(&b, u->about, 0);
    dp_buf_byte(&b, '\n');
    for (size_t i = 0; i < u->noption; i++) {
        if (all || !u->option[i].rare) {
            add_option(&b, &u->option[i]);
            has_groups |= u->option[i].heading != NULL;
        }
    }
    add_help(&b, u, has_groups);
    dp_err code = b.failed ? dp_fail_as(&err, DP_ENOMEM)
                           : dp_write_all(STDOUT_FILENO, b.p, b.n, "standard output", &err);
    dp_buf_done(&b);
    return code == DP_OK ? 0 : dp_say_error(&err);
}

/* ---- values --------------------------------------------------------------------------------- */

static bool takes_value(const dp_option *o)
{
    return !o->flag;
}

static int bad_value(const parser *p, const dp_option *o, const char *value, const char *want)
{
    return dp_say_usage(p->u->command, "--%s: expected %s, found '%s'", o->name, want, value);
}

static int set_number(const parser *p, const dp_option *o, const char *value)
{
    char     *end;
    long long n = strtoll(value, &end, 10);
    if (*value >= '0' && *value <= '9' && !*end && n <= o->max) {
        *o->number = n;
        return DP_GO_ON;
    }
    return dp_say_usage(p->u->command, "--%s: expected a number from 0 to %lld, found '%s'", o->name, (long long)o->max,
                        value);
}

static int set_share(const parser *p, const dp_option *o, const char *value)
{
    char  *end;
    double x = strtod(value, &end);
    bool   is_number = (*value >= '0' && *value <= '9') || *value == '.';
    if (!is_number || *end || !(x >= 0 && x <= 1))
        return bad_value(p, o, value, "a number from 0 to 1");
    *o->share = x;
    return DP_GO_ON;
}

/* "0.5" as 500 thousandths; -1: not from .001 to 1000. */
static int64_t read_rate(const char *text)
{
    int64_t v = 0;
    int     decimals = -1;
    for (const char *p = text; *p; p++) {
        if (*p == '.' && decimals < 0) {
            decimals = 0;
        } else if (*p >= '0' && *p <= '9' && decimals < 3 && v < 1000000000) {
            v = v * 10 + (*p - '0');
            decimals += decimals >= 0;
        } else {
            return -1;
        }
    }
    for (decimals = decimals < 0 ? 0 : decimals; decimals < 3; decimals++)
        v *= 10;
    return v >= 1 && v <= 1000000 ? v : -1;
}

static int set_rate(const parser *p, const dp_option *o, const char *value)
{
    int64_t rate = read_rate(value);
    if (rate < 0)
        return bad_value(p, o, value, "a number from .001 to 1000");
    *o->rate = rate;
    return DP_GO_ON;
}

static int set_choice(const parser *p, const dp_option *o, const char *value)
{
    dp_str all = dp_str_c(o->value), word = dp_str_c(value);
    int    number = 0;
    for (size_t i = 0, j; i < all.n; i = j + 1, number++) {
        for (j = i; j < all.n && all.p[j] != '|'; j++) {}
        if (dp_str_eq(dp_str_cut(all, i, j), word)) {
            *o->choice = number;
            return DP_GO_ON;
        }
    }
    return bad_value(p, o, value, o->value);
}

static int add_to_list(const parser *p, dp_list *list, const char *value)
{
    if (!list->v && !(list->v = DP_NEWS(p->a, p->argc + 1, const char *)))
        return dp_say_usage(p->u->command, "out of memory");
    list->v[list->n++] = value;
    return DP_GO_ON;
}

static int set_value(const parser *p, const dp_option *o, const char *value)
{
    if (o->text)
        *o->text = value;
    else if (o->list)
        return add_to_list(p, o->list, value);
    else if (o->number)
        return set_number(p, o, value);
    else if (o->share)
        return set_share(p, o, value);
    else if (o->rate)
        return set_rate(p, o, value);
    else
        return set_choice(p, o, value);
    return DP_GO_ON;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static const dp_option *find_letter(const dp_usage *u, char letter)
{
    for (size_t i = 0; i < u->noption; i++) {
        if (u->option[i].letter == letter)
            return &u->option[i];
    }
    return NULL;
}

static const dp_option *find_name(const dp_usage *u, dp_str name)
{
    for (size_t i = 0; i < u->noption; i++) {
        if (dp_str_eq(dp_str_c(u->option[i].name), name))
            return &u->option[i];
    }
    return NULL;
}

static int unknown_option(const parser *p, dp_str name)
{
    dp_buf words = {.max = 4096};
    for (size_t i = 0; i < p->u->noption; i++)
        dp_buf_printf(&words, "%s ", p->u->option[i].name);
    dp_buf_c(&words, has_rare(p->u) ? "help help-all" : "help");
    dp_buf_byte(&words, 0);
    dp_str near = words.failed ? (dp_str){"", 0} : dp_suggest(name, words.p);
    if (near.n)
        dp_say_usage(p->u->command, "unknown option '--%.*s' (did you mean '--%.*s'?)", DP_FMT(name), DP_FMT(near));
    else
        dp_say_usage(p->u->command, "unknown option '--%.*s'", DP_FMT(name));
    dp_buf_done(&words);
    return DP_EXIT_ERROR;
}

/* "name" or "name=value". */
static int parse_long(parser *p, const char *arg)
{
    const char      *eq = strchr(arg, '=');
    dp_str           name = {arg, eq ? (size_t)(eq - arg) : strlen(arg)};
    const dp_option *o = find_name(p->u, name);
    if (dp_str_eq(name, DP_STR("help")) && !eq)
        return print_help(p->u, false);
    if (dp_str_eq(name, DP_STR("help-all")) && !eq)
        return print_help(p->u, true);
    if (!o)
        return unknown_option(p, name);
    if (!takes_value(o)) {
        *o->flag = true;
        return eq ? dp_say_usage(p->u->command, "--%s takes no value", o->name) : DP_GO_ON;
    }
    if (!eq && p->at == p->argc)
        return dp_say_usage(p->u->command, "--%s needs a value: %s", o->name, o->value);
    return set_value(p, o, eq ? eq + 1 : p->argv[p->at++]);
}

/* Letters after one '-': flags, and at most one, the last, with a value. */
static int parse_short(parser *p, const char *arg)
{
    for (; *arg; arg++) {
        const dp_option *o = find_letter(p->u, *arg);
        if (*arg == 'h' && !o)
            return print_help(p->u, false);
        if (!o)
            return dp_say_usage(p->u->command, "unknown option '-%c'", *arg);
        if (!takes_value(o)) {
            *o->flag = true;
            continue;
        }
        if (!arg[1] && p->at == p->argc)
            return dp_say_usage(p->u->command, "-%c needs a value: %s", *arg, o->value);
        return set_value(p, o, arg[1] ? arg + 1 : p->argv[p->at++]);
    }
    return DP_GO_ON;
}

int dp_options_parse(const dp_usage *u, int argc, char **argv, dp_list *operands, dp_arena *a)
{
    parser p = {.u = u, .argv = argv, .argc = (size_t)argc, .a = a};
    bool   ended = false; /* by -- */
    while (p.at < p.argc) {
        const char *arg = argv[p.at++];
        int         status = DP_GO_ON;
        if (ended || arg[0] != '-' || !arg[1])
            status = add_to_list(&p, operands, arg);
        else if (strcmp(arg, "--") == 0)
            ended = true;
        else if (arg[1] == '-')
            status = parse_long(&p, arg + 2);
        else
            status = parse_short(&p, arg + 1);
        if (status != DP_GO_ON)
            return status;
    }
    if (operands->n < u->min)
        return dp_say_usage(u->command, "expected %s", u->operands);
    if (operands->n > u->max)
        return dp_say_usage(u->command, "'%s' is one operand too many: expected %s", operands->v[u->max], u->operands);
    return DP_GO_ON;
}
