/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/run/settings.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/words/suggest.h"
#include "learn/accept/judge_each.h"
#include "rule/attr.h"
#include "rule/rulefile.h"

#define USUAL_CONFIDENCE .95 /* of --certify */

void dp_settings_init(dp_settings *s)
{
    *s = (dp_settings){.method = dp_methods[0], .min_precision = .99, .named = DP_BY_TEXT, .seed = 1,
                        .site_sample = 2000000, .first = 1, .confidence = USUAL_CONFIDENCE};
}

void dp_settings_done(dp_settings *s)
{
    dp_buf_done(&s->keep);
    dp_buf_done(&s->owners_file);
    dp_ownership_done(&s->owners);
    dp_buf_done(&s->tmp);
    dp_buf_done(&s->state);
    dp_strlist_done(&s->names);
    dp_strlist_done(&s->values);
    *s = (dp_settings){0};
}

/* ---- values -------------------------------------------------------------------------------------------- */

static dp_err misfit(dp_error *err, const char *name, const char *want, dp_str found)
{
    return dp_fail(err, DP_EINVALID, "--%s: expected %s, found '%.*s'", name, want, DP_FMT(found));
}

/* Which of the words of `words`, separated by '|', it is. */
static dp_err read_choice(int *out, const char *name, const char *words, dp_str value, dp_error *err)
{
    dp_str all = dp_str_c(words);
    int    number = 0;
    for (size_t i = 0, j; i < all.n; i = j + 1, number++) {
        for (j = i; j < all.n && all.p[j] != '|'; j++) {}
        if (dp_str_eq(dp_str_cut(all, i, j), value)) {
            *out = number;
            return DP_OK;
        }
    }
    return misfit(err, name, words, value);
}

static dp_err read_number(double *out, const char *name, double min, double max, dp_str value, dp_error *err)
{
    char want[96];
    bool is_number = dp_number_read(out, value);
    if (is_number && *out >= min && *out <= max)
        return DP_OK;
    dp_buf b = {0};
    dp_buf_printf(&b, "a number from %.12g to %.12g", min, max);
    size_t n = b.n < sizeof want - 1 ? b.n : sizeof want - 1;
    if (n)
        memcpy(want, b.p, n);
    want[n] = 0;
    dp_buf_done(&b);
    return misfit(err, name, want, value);
}

static dp_err read_whole(double *out, const dp_option_row *row, dp_str value, dp_error *err)
{
    DP_TRY(read_number(out, row->name, row->min, row->max, value, err));
    return *out == (double)(uint64_t)*out ? DP_OK : misfit(err, row->name, "a whole number", value);
}

static dp_err read_size(size_t *out, const char *name, dp_str value, dp_error *err)
{
    uint64_t n;
    if (!dp_size_read(&n, value))
        return misfit(err, name, "a size such as 400M or 4G", value);
    *out = n;
    return DP_OK;
}

/* Kinds of evidence by their names, separated by commas, as bits. */
static dp_err read_kinds(unsigned *out, const char *name, dp_str value, dp_error *err)
{
    *out = 0;
    for (size_t i = 0, j; i <= value.n; i = j + 1) {
        dp_by by;
        for (j = i; j < value.n && value.p[j] != ','; j++) {}
        if (!dp_by_find(&by, dp_str_cut(value, i, j)))
            return misfit(err, name, "some of list, size, near, canonical, redirect, text, digest, fetch", value);
        *out |= 1u << by;
    }
    return DP_OK;
}

/* ---- options of methods --------------------------------------------------------------------------------- */

static const dp_option_row *find_row(const dp_method *m, dp_str name)
{
    for (size_t i = 0; i < m->noption; i++) {
        if (dp_str_eq(dp_str_c(m->option[i].name), name))
            return &m->option[i];
    }
    return NULL;
}

/* Some method that has the option; NULL: none. */
static const dp_method *find_owner(dp_str name)
{
    for (size_t i = 0; i < dp_methods_count(); i++) {
        if (find_row(dp_methods[i], name))
            return dp_methods[i];
    }
    return NULL;
}

static dp_err put_choice(int *out, const dp_option_row *row, dp_str value, dp_error *err)
{
    dp_buf words = {0};
    for (int i = 0; row->choice[i]; i++)
        dp_buf_printf(&words, "%s%s", i ? "|" : "", row->choice[i]);
    dp_buf_byte(&words, 0);
    dp_err code = words.failed ? DP_ENOMEM : read_choice(out, row->name, words.p, value, err);
    dp_buf_done(&words);
    return code;
}

static dp_err put_option(char *options, const dp_option_row *row, dp_str value, dp_error *err)
{
    void  *field = options + row->offset;
    double n;
    int    word;
    switch (row->type) {
    case DP_OPTION_BOOL:
        DP_TRY(read_choice(&word, row->name, "0|1", value, err));
        *(bool *)field = word;
        return DP_OK;
    case DP_OPTION_CHOICE:
        DP_TRY(put_choice(&word, row, value, err));
        memcpy(field, &word, sizeof word);
        return DP_OK;
    case DP_OPTION_SIZE:
        return read_size(field, row->name, value, err);
    case DP_OPTION_UINT32:
        DP_TRY(read_whole(&n, row, value, err));
        *(uint32_t *)field = (uint32_t)n;
        return DP_OK;
    case DP_OPTION_UINT64:
        DP_TRY(read_whole(&n, row, value, err));
        *(uint64_t *)field = (uint64_t)n;
        return DP_OK;
    case DP_OPTION_DOUBLE:
        return read_number(field, row->name, row->min, row->max, value, err);
    case DP_OPTION_TEXT:
        *(dp_str *)field = value;
        return DP_OK;
    }
    return DP_OK;
}

bool dp_settings_is_text(const dp_settings *s, dp_str name)
{
    const dp_option_row *row = find_row(s->method, name);
    return row && row->type == DP_OPTION_TEXT;
}

uint64_t dp_settings_sample(const dp_settings *s)
{
    return s->method->whole ? 0 : s->site_sample;
}

/* What --certify can not do. */
static dp_err check_certify(const dp_settings *s, dp_error *err)
{
    if (s->certify && s->accept == DP_ACCEPT_PAPER)
        return dp_fail(err, DP_EINVALID, "--certify chooses rules by their votes: it has no --accept paper");
    if (!s->certify && fabs(s->confidence - USUAL_CONFIDENCE) > 0)
        return dp_fail(err, DP_EINVALID, "--confidence needs --certify: it says how sure that proof must be");
    if (s->certify && s->min_precision >= 1)
        return dp_fail(err, DP_EINVALID, "--certify needs a --min-precision below 1: no number of votes proves 1");
    return DP_OK;
}

dp_err dp_settings_options(void **out, const dp_settings *s, dp_error *err)
{
    DP_TRY(check_certify(s, err));
    char  *options = malloc(s->method->options_size + 1);
    dp_err code = options ? DP_OK : DP_ENOMEM;
    if (options && s->method->options_size)
        memcpy(options, s->method->options_init, s->method->options_size);
    for (size_t i = 0; i < s->names.n && code == DP_OK; i++) {
        dp_str               name = dp_strlist_get(&s->names, i);
        const dp_option_row *row = find_row(s->method, name);
        if (row)
            code = put_option(options, row, dp_strlist_get(&s->values, i), err);
        else
            code = dp_fail(err, DP_EINVALID, "--%.*s is an option of --method %s, not of %s", DP_FMT(name),
                           find_owner(name)->name, s->method->name);
    }
    if (code == DP_OK)
        *out = options;
    else
        free(options);
    return code;
}

/* ---- options that all share ---------------------------------------------------------------------------------- */

static dp_err set_method(dp_settings *s, dp_str value, dp_error *err)
{
    const dp_method *m = dp_method_find(value);
    dp_buf           words = {0};
    if (m) {
        s->method = m;
        return DP_OK;
    }
    for (size_t i = 0; i < dp_methods_count(); i++)
        dp_buf_printf(&words, "%s%s", i ? "|" : "", dp_methods[i]->name);
    dp_buf_byte(&words, 0);
    dp_err code = words.failed ? DP_ENOMEM : misfit(err, "method", words.p, value);
    dp_buf_done(&words);
    return code;
}

static dp_err set_path(dp_buf *out, dp_str path)
{
    dp_buf_reset(out);
    dp_buf_str(out, path);
    dp_buf_byte(out, 0);
    return out->failed ? DP_ENOMEM : DP_OK;
}

static dp_err set_labels(dp_settings *s, dp_str value, dp_error *err)
{
    unsigned kinds;
    DP_TRY(read_kinds(&kinds, "labels", value, err));
    if (kinds & (kinds - 1))
        return misfit(err, "labels", "one kind of evidence", value);
    s->named = (dp_by)__builtin_ctz(kinds);
    return DP_OK;
}

static dp_err set_trust(dp_settings *s, dp_str value, dp_error *err)
{
    return read_kinds(&s->trust, "trust", value, err);
}

static dp_err set_owners(dp_settings *s, dp_str path, dp_error *err)
{
    dp_buf file = {0};
    DP_TRY(set_path(&s->owners_file, path));
    dp_ownership_done(&s->owners);
    dp_err code = dp_rulefile_slurp(&file, s->owners_file.p, err);
    if (code == DP_OK)
        code = dp_ownership_read(&s->owners, dp_buf_view(&file), s->owners_file.p, err);
    dp_buf_done(&file);
    return code;
}

/* The keep line for "lang,page", "?lang" or ";v"; it must be one of the rule language. */
static dp_err set_keep(dp_settings *s, dp_str value, dp_error *err)
{
    dp_buf   *out = &s->keep;
    bool      has_kind = value.n && (value.p[0] == '?' || value.p[0] == ';' || value.p[0] == '/');
    dp_buf    file = {0};
    dp_rules *r = NULL;
    size_t    before = out->n;
    dp_buf_c(out, has_kind ? "keep " : "keep ?");
    dp_buf_str(out, value);
    dp_buf_byte(out, '\n');
    dp_buf_c(&file, "dustpan-rules 1\nhost any\n");
    dp_buf_add(&file, out->p + before, out->n - before);
    dp_err code = out->failed || file.failed ? DP_ENOMEM : dp_rules_new(&r);
    dp_error why = {0};
    if (code == DP_OK)
        code = dp_rules_parse(r, "--keep", file.p, file.n, &why);
    if (code == DP_ESYNTAX)
        code = dp_fail(err, DP_EINVALID, "--keep: %s", why.message);
    if (code != DP_OK)
        out->n = before;
    dp_rules_free(r);
    dp_buf_done(&file);
    return code;
}

static dp_err set_tmp(dp_settings *s, dp_str value, dp_error *err)
{
    (void)err;
    return set_path(&s->tmp, value);
}

static dp_err set_state(dp_settings *s, dp_str value, dp_error *err)
{
    (void)err;
    return set_path(&s->state, value);
}

/* An option that all methods share. */
typedef struct shared_row {
    dp_option_row row;
    const char   *heading;                                      /* a line before it in the help; NULL: none */
    dp_err (*set)(dp_settings *s, dp_str value, dp_error *err); /* NULL: by the type of the row */
} shared_row;

#define FIELD(name) .offset = offsetof(dp_settings, name)

static const char *const accepts[] = {"judge", "paper", NULL};
static const char *const groupings[] = {"linked", "domain", "host", NULL};

/* In the order of the help. */
static const shared_row shared[] = {
    {.row = {.name = "method", .arg = "METHOD", .help = "how rules are found; auto is the default:",
             .type = DP_OPTION_TEXT},
     .set = set_method},
    {.row = {.name = "min-precision", .arg = "P", .help = "expected precision that a rule needs; default .99",
             .type = DP_OPTION_DOUBLE, FIELD(min_precision), .max = 1}},
    {.row = {.name = "keep", .arg = "NAMES", .help = "parameters that no rule may change, such as lang,page",
             .type = DP_OPTION_TEXT},
     .set = set_keep},
    {.row = {.name = "accept", .arg = "judge|paper", .type = DP_OPTION_CHOICE, FIELD(accept), .choice = accepts,
             .paper = true,
             .help = "accept rules by their votes on other pages, the default, or by\nthe method's own test"}},
    {.row = {.name = "labels", .arg = "KIND", .type = DP_OPTION_TEXT,
             .help = "evidence behind the clusters in the input; default text"},
     .heading = "Evidence:",
     .set = set_labels},
    {.row = {.name = "trust", .arg = "KINDS", .type = DP_OPTION_TEXT,
             .help = "also activate rules with weak evidence: canonical, near, size, list"},
     .set = set_trust},
    {.row = {.name = "site", .arg = "linked|domain|host", .type = DP_OPTION_CHOICE, FIELD(grouping),
             .choice = groupings,
             .help = "what is one site; linked, the default: a domain, and rules between mirrors"}},
    {.row = {.name = "same-owner", .arg = "FILE", .type = DP_OPTION_TEXT,
             .help = "domains of one owner, one line per owner; rules lead to the first of them"},
     .set = set_owners},
    {.row = {.name = "rehearse", .type = DP_OPTION_BOOL, FIELD(relearn), .paper = true,
             .help = "test on pages kept out of learning on all sites, not only on some"}},
    {.row = {.name = "no-test", .type = DP_OPTION_BOOL, FIELD(untested), .paper = true,
             .help = "do not measure what the rules are worth: small inputs take half as long"}},
    {.row = {.name = "certify", .type = DP_OPTION_BOOL, FIELD(certify),
             .help = "only activate rules that pages kept out of learning prove to be precise"}},
    {.row = {.name = "confidence", .arg = "C", .type = DP_OPTION_DOUBLE, FIELD(confidence), .min = .5, .max = .999999,
             .paper = true, .help = "with --certify: how sure the proof must be; default .95"}},
    {.row = {.name = "state", .arg = "FILE", .type = DP_OPTION_TEXT,
             .help = "keep all records in FILE"},
     .heading = "Later, with new records:",
     .set = set_state},
    {.row = {.name = "update", .type = DP_OPTION_BOOL, FIELD(update),
             .help = "learn again, with new records; without --state: check rules of -o FILE"}},
    {.row = {.name = "memory", .arg = "SIZE", .type = DP_OPTION_SIZE, FIELD(memory),
             .help = "memory to use, such as 400M; default half of the machine's"},
     .heading = "Resources:"},
    {.row = {.name = "tmp", .arg = "FOLDER", .type = DP_OPTION_TEXT,
             .help = "folder for what does not fit; default /tmp"},
     .set = set_tmp},
    {.row = {.name = "threads", .arg = "N", .type = DP_OPTION_UINT32, FIELD(threads), .max = 1024,
             .help = "number of threads; 0, the default: one per core"}},
    {.row = {.name = "site-sample", .arg = "N", .type = DP_OPTION_UINT64, FIELD(site_sample), .max = 1e15,
             .help = "learn larger sites from N URLs, then check on all; default 2000000"}},
    {.row = {.name = "seed", .arg = "N", .type = DP_OPTION_UINT64, FIELD(seed), .max = 1e15, .paper = true,
             .help = "seed for random choices; default 1"}},
    {.row = {.name = "first", .arg = "SHARE", .type = DP_OPTION_DOUBLE, FIELD(first), .min = 1e-6, .max = 1,
             .paper = true, .help = "learn from this share of the records, the first ones; default 1"}},
    {.row = {.name = "keep-soft-errors", .type = DP_OPTION_BOOL, FIELD(keep_soft), .paper = true,
             .help = "also learn from pages that look like soft errors, as the papers do"}},
    {.row = {.name = "strict", .type = DP_OPTION_BOOL, FIELD(strict),
             .help = "stop at the first line that cannot be read"},
     .heading = "Input:"},
};

const dp_option_row *dp_settings_row(size_t i, const char **heading)
{
    if (i >= DP_COUNT(shared))
        return NULL;
    *heading = shared[i].heading;
    return &shared[i].row;
}

static const shared_row *find_shared(dp_str name)
{
    for (size_t i = 0; i < DP_COUNT(shared); i++) {
        if (dp_str_eq(dp_str_c(shared[i].row.name), name))
            return &shared[i];
    }
    return NULL;
}

dp_err dp_settings_set(dp_settings *s, const char *name, const char *value, dp_error *err)
{
    dp_str            option = dp_str_c(name), text = dp_str_c(value);
    const shared_row *shared_one = find_shared(option);
    if (shared_one)
        return shared_one->set ? shared_one->set(s, text, err) : put_option((char *)s, &shared_one->row, text, err);
    if (!find_owner(option))
        return dp_fail(err, DP_EINVALID, "unknown option '--%s'", name);
    return dp_strlist_add(&s->names, option) && dp_strlist_add(&s->values, text) ? DP_OK : DP_ENOMEM;
}
