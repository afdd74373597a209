/* from_lines.c - formats of one line a rule: AdGuard's $removeparam, Clean-param of robots.txt.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/words/case.h"
#include "exchange/import.h"

/* ---- AdGuard ------------------------------------------------------------------------------------------------ */

static bool add_hosts(dp_buf *hosts, dp_str name)
{
    bool point = false;
    for (size_t i = 0; i < name.n; i++) {
        if (strchr("*/^|:,~? ", name.p[i]))
            return false;
        point |= name.p[i] == '.' && i && i + 1 < name.n;
    }
    if (!point || name.p[name.n - 1] == '.')
        return false;
    dp_buf_printf(hosts, "%s%.*s, *.%.*s", hosts->n ? ", " : "", DP_FMT(name), DP_FMT(name));
    return true;
}

/* ||host^, or without its end, which holds for more; false when it says something else. */
static bool read_pattern(dp_buf *hosts, dp_str p)
{
    dp_buf_reset(hosts);
    if (!p.n || dp_str_eq(p, DP_STR("*"))) {
        dp_buf_c(hosts, "any");
        return true;
    }
    if (!dp_str_starts(p, DP_STR("||")) || p.n < 4)
        return false;
    return add_hosts(hosts, dp_str_cut(p, 2, dp_str_ends(p, DP_STR("^")) ? p.n - 1 : p.n));
}

/* domain=a.com|b.com of a filter for all hosts: who asks for a page of theirs is taken for one of their pages. */
static bool read_domains(dp_buf *hosts, dp_str list)
{
    bool good = list.n && dp_str_eq(dp_buf_view(hosts), DP_STR("any"));
    dp_buf_reset(hosts);
    while (good && list.n)
        good = add_hosts(hosts, dp_next_field(&list, '|'));
    return good;
}

/* A name; /^prefix/ or /^(a|b)=/, which look at "name=value"; false when it is none of them. */
static bool read_name(dp_buf *names, dp_str v)
{
    bool      regex = v.n > 3 && dp_str_starts(v, DP_STR("/^")) && v.p[v.n - 1] == '/';
    bool      whole = regex && dp_str_ends(v, DP_STR("=/"));
    dp_arena  a = {0};
    dp_finite f;
    dp_buf_reset(names);
    if (regex) {
        v = dp_str_cut(v, 2, v.n - (whole ? 2 : 1));
        regex = dp_finite_read(&f, v, &a) && !memchr(v.p, '=', v.n);
        dp_import_names(names, &f, !whole);
        dp_arena_done(&a);
        return regex;
    }
    for (size_t i = 0; i < v.n; i++) {
        if (strchr("*/~|", v.p[i]))
            return false;
    }
    dp_buf_str(names, v);
    return v.n > 0;
}

/* The value of $removeparam: up to the next modifier. Commas of a regular expression have a '\\' before them. */
static dp_str cut_value(dp_str *v)
{
    size_t end = 0;
    while (end < v->n && (v->p[end] != ',' || (end && v->p[end - 1] == '\\')))
        end++;
    dp_str head = {v->p, end};
    *v = end < v->n ? dp_str_cut(*v, end + 1, v->n) : (dp_str){v->p + v->n, 0};
    return head;
}

static const char *read_filter(dp_str line, dp_buf *hosts, dp_buf *name)
{
    const char *dollar = memrchr(line.p, '$', line.n);
    /* A '$' in a regular expression is no end of the pattern. */
    const char *option = memmem(line.p, line.n, "$removeparam", 12);
    if (!option)
        return "not a $removeparam filter";
    dp_str pattern = {line.p, (size_t)(option - line.p)}, v = dp_str_cut(line, pattern.n + 12, line.n);
    if (!v.n || v.p[0] == ',')
        return "it is about all parameters; a rule needs names";
    if (v.p[0] != '=' || dollar > option)
        return "this form of $removeparam is not supported";
    v = dp_str_cut(v, 1, v.n);
    dp_str value = cut_value(&v);
    if (!read_pattern(hosts, pattern))
        return "its pattern is not just a host name";
    if (v.n && (!dp_str_starts(v, DP_STR("domain=")) || memchr(v.p, ',', v.n) ||
                !read_domains(hosts, dp_str_cut(v, 7, v.n))))
        return "it has modifiers other than domain=";
    return read_name(name, value) ? NULL : "the regular expression is neither a short list of names nor a prefix";
}

dp_err dp_import_adguard(dp_import *i)
{
    dp_str rest = i->text, line;
    dp_buf hosts = {0}, name = {0};
    for (size_t number = 1; dp_next_line(&rest, &line); number++) {
        line = dp_str_trim_blanks(line);
        if (!line.n || line.p[0] == '!' || line.p[0] == '[')
            continue;
        bool        spares = dp_str_starts(line, DP_STR("@@"));
        const char *why = read_filter(spares ? dp_str_cut(line, 2, line.n) : line, &hosts, &name);
        i->out.failed |= hosts.failed || name.failed;
        if (why)
            dp_import_refuse(i, number, line, why);
        else if (spares)
            dp_import_keep(i, dp_buf_view(&hosts), dp_buf_view(&name), number);
        else
            dp_import_drop(i, dp_buf_view(&hosts), dp_buf_view(&name), number);
    }
    dp_buf_done(&hosts);
    dp_buf_done(&name);
    return DP_OK;
}

/* ---- Clean-param --------------------------------------------------------------------------------------------- */

static void add_param_line(dp_import *i, dp_str value, dp_str hosts, dp_buf *names, size_t number)
{
    dp_str whole = value, list = dp_next_field(&value, ' ');
    value = dp_str_trim_blanks(value);
    if (value.n && !dp_str_eq(value, DP_STR("/")) && !dp_str_eq(value, DP_STR("/*"))) {
        dp_import_refuse(i, number, whole, "it applies to a path, not to the whole site");
        return;
    }
    dp_buf_reset(names);
    while (list.n) {
        dp_str one = dp_next_field(&list, '&');
        if (one.n && names->n)
            dp_buf_byte(names, ',');
        if (memchr(one.p, '*', one.n) || memchr(one.p, ',', one.n))
            dp_buf_byte(names, '#'); /* it cannot be in a rule: refused as a whole */
        dp_buf_str(names, one);
    }
    i->out.failed |= names->failed;
    dp_import_drop(i, hosts, dp_buf_view(names), number);
}

/* The file does not say whose it is, so a comment has to: "# robots.txt of a.com, www.a.com". */
dp_err dp_import_clean_param(dp_import *i)
{
    const dp_str of = DP_STR("# robots.txt of ");
    dp_str       rest = i->text, line, hosts = {0};
    dp_buf       names = {0};
    dp_err       code = DP_OK;
    for (size_t number = 1; code == DP_OK && dp_next_line(&rest, &line); number++) {
        line = dp_str_trim_blanks(line);
        if (dp_str_starts_but_case(line, of)) {
            hosts = dp_str_trim_blanks(dp_str_cut(line, of.n, line.n));
            if (dp_str_eq(hosts, DP_STR("every host")))
                hosts = DP_STR("any");
        } else if (dp_str_starts_but_case(line, DP_STR("clean-param:"))) {
            if (!hosts.n)
                code = dp_fail_at(i->err, DP_ESYNTAX, i->name, number, 0,
                                  "the host is missing: put a line '# robots.txt of HOST' before this one");
            else
                add_param_line(i, dp_str_trim_blanks(dp_str_cut(line, 12, line.n)), hosts, &names, number);
        }
    }
    dp_buf_done(&names);
    return code;
}
