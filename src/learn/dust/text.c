/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/dust/text.h"

#include "rule/print.h"
#include "url/chars.h"
#include "url/mask.h"
#include "url/percent.h"
#include "url/split.h"

enum { ID_BYTES = 8, FREQUENT = 10 /* one use in so many */ };

/* ---- direction -------------------------------------------------------------------------- */

static uint64_t weight(dp_str s)
{
    uint64_t w = 0;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        w += c == '*' ? 0 : c == '?' || c == '&' || c == ';' ? 3 : dp_is(c, DP_CH_UPPER) ? 2 : 1;
    }
    return w;
}

static bool is_lower(dp_str a, dp_str b)
{
    uint64_t x = weight(a), y = weight(b);
    if (x != y)
        return x < y;
    return a.n != b.n ? a.n < b.n : dp_str_cmp(a, b) < 0;
}

void dp_dust_orient(const dp_dust_rule *r, dp_str *from, dp_str *to)
{
    bool swap = is_lower(r->alpha, r->beta);
    *from = swap ? r->beta : r->alpha;
    *to = swap ? r->alpha : r->beta;
}

/* ---- what the language has words for ------------------------------------------------------- */

static bool holds(dp_str s, const char *any)
{
    for (size_t i = 0; i < s.n; i++)
        if (strchr(any, s.p[i]))
            return true;
    return false;
}

static bool is_literal(dp_str s)
{
    return dp_percent_is_normal(s) && !holds(s, "*#");
}

static bool is_name(dp_str s)
{
    return s.n && is_literal(s) && !holds(s, ",&;=") && s.p[0] != '+' && s.p[0] != '!' && !dp_str_eq(s, DP_STR("..."));
}

/* ---- templates ---------------------------------------------------------------------------- */

/* Where the query of `url` begins, behind its '?'; its length when it has none. */
static size_t query_at(dp_str url)
{
    const char *q = url.n ? memchr(url.p, '?', url.n) : NULL;
    return q ? (size_t)(q - url.p) + 1 : url.n;
}

dp_err dp_dust_forms_read(dp_dust_forms *out, const dp_str *url, size_t n, dp_arena *a)
{
    dp_dust_forms f = {0};
    size_t        count = 0;
    for (size_t i = 0; i < n; i++) {
        dp_split s;
        if (dp_split_url(&s, url[i]))
            f.odd_origin |= !s.has_scheme || s.has_user || s.has_port;
        size_t at = query_at(url[i]);
        count += at < url[i].n && memchr(url[i].p + at, '/', url[i].n - at);
    }
    dp_str *query = DP_NEWS(a, count, dp_str);
    if (!query)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        size_t at = query_at(url[i]);
        if (at < url[i].n && memchr(url[i].p + at, '/', url[i].n - at))
            query[f.nquery++] = dp_str_cut(url[i], at, url[i].n);
    }
    f.query = query;
    *out = f;
    return DP_OK;
}

/* Whether `s` is scheme://host/ and nothing else. */
static bool is_origin(dp_str s)
{
    dp_split p;
    if (!dp_split_url(&p, s) || !p.has_scheme || p.has_user || p.has_port || !dp_str_eq(p.path, DP_STR("/")))
        return false;
    return !p.has_query && !p.has_fragment;
}

/* "/" and the text of one segment: literal, and not one that stage 0 resolves. */
static bool is_last_segment(dp_str s)
{
    if (s.n == 0 || s.p[0] != '/')
        return false;
    dp_str segment = dp_str_cut(s, 1, s.n);
    return !holds(segment, "/?{}") && !dp_str_eq(segment, DP_STR(".")) && !dp_str_eq(segment, DP_STR(".."));
}

static bool ends_a_query(const dp_dust_forms *f, dp_str s)
{
    for (size_t i = 0; i < f->nquery; i++)
        if (dp_str_ends(f->query[i], s))
            return true;
    return false;
}

static void print_template(dp_buf *out, const char *before, dp_str from, dp_str to, const char *behind)
{
    dp_buf_c(out, before);
    dp_buf_str(out, from);
    dp_buf_c(out, behind);
    dp_buf_c(out, " => ");
    dp_buf_c(out, before);
    dp_buf_str(out, to);
    dp_buf_c(out, behind);
}

static bool print_as_template(dp_buf *out, const dp_dust_rule *r, dp_str from, dp_str to, const dp_dust_forms *f)
{
    if (r->at_start && !r->at_end && !f->odd_origin && is_origin(from) && is_origin(to)) {
        print_template(out, "", from, to, "{**}");
        return true;
    }
    if (r->at_end && !r->at_start && is_last_segment(from) && (to.n == 0 || is_last_segment(to)) &&
        !ends_a_query(f, from)) {
        print_template(out, "/{**}", from, to, "?");
        return true;
    }
    return false;
}

/* ---- rules -------------------------------------------------------------------------------- */

static void print_sub(dp_buf *out, const dp_dust_rule *r, dp_str from, dp_str to)
{
    dp_rule sub = {.kind = DP_RULE_SUB, .alpha = from, .beta = to, .at_start = r->at_start, .at_end = r->at_end};
    dp_print_text(out, &sub);
}

bool dp_dust_sub_text(dp_buf *out, const dp_dust_rule *r)
{
    dp_str from, to;
    dp_dust_orient(r, &from, &to);
    if (!is_literal(from) || !is_literal(to))
        return false;
    print_sub(out, r, from, to);
    return true;
}

bool dp_dust_rule_text(dp_buf *out, const dp_dust_rule *r, const dp_dust_forms *forms)
{
    dp_str from, to;
    dp_dust_orient(r, &from, &to);
    if (!is_literal(from) || !is_literal(to))
        return false;
    if (!print_as_template(out, r, from, to, forms))
        print_sub(out, r, from, to);
    return true;
}

/* Whether a value is written by people, and not the id of a visitor: many URLs have it, and it is short, or of letters
 * alone. */
static bool is_default(const dp_dust_param *p)
{
    size_t digits = 0;
    for (size_t i = 0; i < p->value.n; i++)
        digits += dp_is(p->value.p[i], DP_CH_DIGIT) != 0;
    bool like_an_id = p->value.n >= ID_BYTES && digits > 0;
    return !like_an_id && !dp_mask_is_secret(p->name) && p->times >= p->uses / FREQUENT;
}

bool dp_dust_param_text(dp_buf *out, const dp_dust_param *p)
{
    bool set = !p->omit && is_default(p);
    if (!is_name(p->name) || (set && (!is_literal(p->value) || holds(p->value, "&;"))))
        return false;
    dp_buf_c(out, p->omit ? "drop ?" : set ? "set ?" : "erase ?");
    dp_buf_str(out, p->name);
    if (set) {
        dp_buf_byte(out, '=');
        dp_buf_str(out, p->value);
    }
    return true;
}
