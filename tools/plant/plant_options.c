/* plant_options.c - the table of options: set, print, read, explain.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plant_options.h"

#include <stdlib.h>

#include "base/words/suggest.h"
#include "plant_kind.h"

typedef enum shape { NUMBER, SHARE, REAL, KINDS, PRESET } shape;

typedef struct row {
    const char *name, *value, *help;
    shape       shape;
    size_t      at;  /* in plant_options */
    uint64_t    min, max;
} row;

#define AT(field) offsetof(plant_options, field)

static const row rows[] = {
    {"preset", "NAME", "kdd08: 7.87 M URLs, 1.83 M contents, 356 hosts, no singletons\n"
                       "sigir17: one site of 20,000 pages in crawl order (see --redundant)\n"
                       "options after it change what it says",
     PRESET, 0, 0, 0},
    {"urls", "N", "URLs (100000)", NUMBER, AT(urls), 1, 1000000000000},
    {"hosts", "N", "hosts (40)", NUMBER, AT(hosts), 1, 100000000},
    {"seed", "N", "another number, another web (1)", NUMBER, AT(seed), 0, INT64_MAX},
    {"contents", "N", "different contents, about; chooses --zipf. 0: no matter", NUMBER, AT(contents), 0,
     1000000000000},
    {"redundant", "P", "the same as a share of URLs that show nothing new", SHARE, AT(redundant), 0, 0},
    {"singletons", "P", "share of the contents that have one URL (0.5)", SHARE, AT(singletons), 0, 0},
    {"zipf", "A", "the other contents have k URLs in proportion to k^-A (2.5)", REAL, AT(zipf), 0, 0},
    {"max-size", "N", "most URLs of a content (200)", NUMBER, AT(max_size), 2, 100000},
    {"host-zipf", "A", "host number h has URLs in proportion to h^-A (0.8)", REAL, AT(host_zipf), 0, 0},
    {"missing", "P", "share of a content's further URLs that nobody has seen (0)", SHARE, AT(missing), 0, 0},
    {"noise", "P", "share of wrong labels in --clusters (0)", SHARE, AT(noise), 0, 0},
    {"size-jitter", "N", "bytes by which the sizes of equal pages differ (0)", NUMBER, AT(size_jitter), 0, 100000},
    {"crawl", "N", "mix hosts and clusters in a window of N URLs (0: in order)", NUMBER, AT(crawl), 0, 10000000},
    {"hard", "[0|1]", "sites with traps that depend on context (0)", NUMBER, AT(hard), 0, 1},
    {"only", "NAMES", "kinds that sites may hold, joined by commas; docs/planted.md has them (all)", KINDS, AT(only), 0,
     0},
};

static const row *find(dp_str name)
{
    for (size_t i = 0; i < DP_COUNT(rows); i++) {
        if (dp_str_eq(name, dp_str_c(rows[i].name)))
            return &rows[i];
    }
    return NULL;
}

bool plant_option_known(dp_str name)
{
    return find(name) != NULL;
}

/* ---- values --------------------------------------------------------------------------------------- */

static bool read_number(uint64_t *out, dp_str s)
{
    uint64_t v = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9' || v > UINT64_MAX / 10 - 1)
            return false;
        v = v * 10 + (uint64_t)(s.p[i] - '0');
    }
    *out = v;
    return s.n > 0;
}

static bool read_real(double *out, dp_str s)
{
    char  z[32], *end;
    if (!s.n || s.n >= sizeof z)
        return false;
    memcpy(z, s.p, s.n);
    z[s.n] = 0;
    *out = strtod(z, &end);
    return *end == 0 && *out == *out;
}

/* "slug,case" as bits; every row of these names, `software` all that are as web software makes them. */
static bool read_kinds(uint64_t *out, dp_str s)
{
    *out = 0;
    while (s.n) {
        const char *comma = memchr(s.p, ',', s.n);
        dp_str      name = {s.p, comma ? (size_t)(comma - s.p) : s.n};
        uint64_t    bits = 0;
        for (unsigned i = 0; i < plant_kind_count; i++) {
            if (dp_str_eq(name, dp_str_c(plant_kinds[i].name)) ||
                (dp_str_eq(name, DP_STR("software")) && plant_kinds[i].flags & PLANT_ASKED))
                bits |= (uint64_t)1 << i;
        }
        if (!bits && !dp_str_eq(name, DP_STR("all")))
            return false;
        *out |= bits ? bits : UINT64_MAX;
        s = dp_str_cut(s, name.n + (comma != NULL), s.n);
    }
    return true;
}

static bool set_preset(plant_options *o, dp_str name)
{
    if (dp_str_eq(name, DP_STR("kdd08"))) {
        o->urls = 7870000;
        o->contents = 1830000;
        o->hosts = 356;
        o->singletons = 0;
        o->max_size = 1000;
        return true;
    }
    if (dp_str_eq(name, DP_STR("sigir17"))) {
        o->urls = o->crawl = 20000;
        o->hosts = 1;
        o->redundant = 0.164; /* the mean of the paper's five sites */
        o->singletons = 0.9;
        return true;
    }
    return false;
}

dp_err plant_option_set(plant_options *o, dp_str name, dp_str value, dp_error *err)
{
    const row *r = find(name);
    bool       fits = false;
    if (!r)
        return dp_fail(err, DP_EINVALID, "no option --%.*s", DP_FMT(name));
    char *at = (char *)o + r->at;
    switch (r->shape) {
    case NUMBER: {
        uint64_t v = 0;
        fits = read_number(&v, value) && v >= r->min && v <= r->max;
        if (fits)
            memcpy(at, &v, sizeof v);
        break;
    }
    case SHARE:
    case REAL: {
        double v = 0, most = r->shape == SHARE ? 1 : 20;
        fits = read_real(&v, value) && v <= most && (v >= 0 || r->at == AT(redundant));
        if (fits)
            memcpy(at, &v, sizeof v);
        break;
    }
    case KINDS: fits = read_kinds(&o->only, value); break;
    case PRESET: fits = set_preset(o, value); break;
    }
    if (!fits)
        return dp_fail(err, DP_EINVALID, "--%s: '%.*s' is not %s", r->name, DP_FMT(value),
                       r->shape == PRESET ? "kdd08 or sigir17" : r->shape == KINDS ? "a list of known kinds" :
                       r->shape == SHARE  ? "a share from 0 to 1" : "a number that fits");
    return DP_OK;
}

/* ---- text ------------------------------------------------------------------------------------------ */

void plant_options_help(dp_buf *out)
{
    for (size_t i = 0; i < DP_COUNT(rows); i++) {
        const char *help = rows[i].help;
        size_t      start = out->n;
        dp_buf_printf(out, "  --%s %s", rows[i].name, rows[i].value);
        for (;;) {
            do
                dp_buf_byte(out, ' ');
            while (out->n - start < 22 && !out->failed);
            const char *end = strchr(help, '\n');
            dp_buf_add(out, help, end ? (size_t)(end - help) : strlen(help));
            dp_buf_byte(out, '\n');
            start = out->n;
            if (!end)
                break;
            help = end + 1;
        }
    }
}

static void print_kinds(dp_buf *out, uint64_t only)
{
    const char *last = "";
    if (only == UINT64_MAX) {
        dp_buf_c(out, "all");
        return;
    }
    for (unsigned i = 0; i < plant_kind_count; i++) {
        if ((only >> i & 1) && strcmp(plant_kinds[i].name, last) != 0) {
            dp_buf_printf(out, "%s%s", *last ? "," : "", plant_kinds[i].name);
            last = plant_kinds[i].name;
        }
    }
}

void plant_options_print(dp_buf *out, const plant_options *o)
{
    dp_buf_printf(out, "plant %d", PLANT_VERSION);
    for (size_t i = 0; i < DP_COUNT(rows); i++) {
        const char *at = (const char *)o + rows[i].at;
        uint64_t    n;
        double      x;
        memcpy(&n, at, sizeof n);
        memcpy(&x, at, sizeof x);
        if (rows[i].shape == PRESET)
            continue;
        dp_buf_printf(out, " --%s ", rows[i].name);
        if (rows[i].shape == NUMBER)
            dp_buf_printf(out, "%llu", (unsigned long long)n);
        else if (rows[i].shape == KINDS)
            print_kinds(out, o->only);
        else
            dp_buf_printf(out, "%g", x);
    }
}

static dp_str next_word(dp_str *rest)
{
    size_t from = 0;
    while (from < rest->n && rest->p[from] == ' ')
        from++;
    size_t to = from;
    while (to < rest->n && rest->p[to] != ' ')
        to++;
    dp_str word = dp_str_cut(*rest, from, to);
    *rest = dp_str_cut(*rest, to, rest->n);
    return word;
}

dp_err plant_options_read(plant_options *o, dp_str text, dp_error *err)
{
    uint64_t version = 0;
    *o = PLANT_OPTIONS_INIT;
    if (!dp_str_eq(next_word(&text), DP_STR("plant")) || !read_number(&version, next_word(&text)))
        return dp_fail(err, DP_ESYNTAX, "no header '# plant %d ...': not a truth that plant wrote", PLANT_VERSION);
    if (version != PLANT_VERSION)
        return dp_fail(err, DP_ESYNTAX, "made by version %llu of plant, this is version %d: generate again",
                       (unsigned long long)version, PLANT_VERSION);
    for (;;) {
        dp_str name = next_word(&text), value = next_word(&text);
        if (!name.n)
            return DP_OK;
        if (!dp_str_starts(name, DP_STR("--")))
            return dp_fail(err, DP_ESYNTAX, "header: '%.*s' is no option", DP_FMT(name));
        DP_TRY(plant_option_set(o, dp_str_cut(name, 2, name.n), value, err));
    }
}
