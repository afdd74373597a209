/* SPDX-License-Identifier: Apache-2.0 */
#include "support/url_laws.h"

#include <stdio.h>

#include "url/deep.h"
#include "url/host.h"
#include "url/keys.h"
#include "url/normalize.h"
#include "url/percent.h"
#include "url/scan.h"
#include "url/split.h"
#include "url/token.h"

#define LAW(holds, words)  \
    do {                   \
        if (!(holds))      \
            return words;  \
    } while (0)

#define KEEP(check)                    \
    do {                               \
        const char *broken_ = (check); \
        if (broken_)                   \
            return broken_;            \
    } while (0)

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* ---- any bytes ------------------------------------------------------------------------- */

static const char *check_split(url_laws *l, dp_str text)
{
    dp_split s;
    if (!dp_split_url(&s, text))
        return NULL;
    dp_buf_reset(&l->work);
    dp_split_join(&l->work, &s);
    LAW(dp_str_eq(text, dp_buf_view(&l->work)), "split joins to the text");
    return NULL;
}

static const char *check_percent(url_laws *l, dp_str text)
{
    dp_buf_reset(&l->work);
    dp_percent_normalize(&l->work, text);
    LAW(dp_percent_is_normal(text) == dp_str_eq(text, dp_buf_view(&l->work)), "the percent pass leaves what is normal");
    LAW(dp_percent_is_normal(dp_buf_view(&l->work)), "the percent pass is idempotent");
    return NULL;
}

static const char *check_scan(dp_str text)
{
    for (size_t i = 0; i < text.n; i += 61) {
        dp_scan fast = dp_scan_bytes(text.p + i, text.n - i), plain = dp_scan_bytes_plain(text.p + i, text.n - i);
        LAW(fast.special == plain.special && fast.foreign == plain.foreign, "both scans see the same");
    }
    return NULL;
}

static bool same_class(char c, char d)
{
    return (is_digit(c) && is_digit(d)) || (is_lower(c) && is_lower(d)) || (is_upper(c) && is_upper(d));
}

static const char *check_deep(url_laws *l, dp_str value)
{
    dp_deep_runs r;
    LAW(dp_deep_cut(&r, value, &l->a) == DP_OK, "runs are there");
    size_t at = 0;
    for (uint32_t i = 0; i <= r.n; i++) {
        size_t begin = i < r.n ? r.v[i].at : value.n;
        LAW(begin >= at, "runs stand in order");
        for (; at < begin; at++) {
            bool escape = begin - at >= 3 && value.p[at] == '%';
            LAW(!same_class(value.p[at], value.p[at]), "between runs there are delimiters");
            at += escape && same_class(value.p[at + 1], value.p[at + 1]) ? 2 : 0;
        }
        if (i == r.n)
            break;
        const dp_deep_run *run = &r.v[i];
        at = run->end;
        LAW(at > begin && at <= value.n, "a run is not empty");
        for (size_t j = begin + 1; j < at; j++)
            LAW(same_class(value.p[begin], value.p[j]), "a run has one class");
        LAW(at == value.n || !same_class(value.p[begin], value.p[at]), "runs are maximal");
        LAW((run->right.kind == DP_EDGE_END) == (at == value.n), "the last run ends at the end");
        LAW((run->right.kind == DP_EDGE_UNIT) == (i + 1 < r.n && r.v[i + 1].at == at), "a unit change has a neighbour");
        LAW(run->right.kind != DP_EDGE_UNIT || run->right.what == r.v[i + 1].unit, "the neighbour's unit is told");
        LAW(run->right.kind != DP_EDGE_BYTE || run->right.what == (unsigned char)value.p[at], "the delimiter is told");
        LAW((run->left.kind == DP_EDGE_END) == (begin == 0), "the first run begins at the beginning");
        LAW((run->left.kind == DP_EDGE_UNIT) == (i > 0 && r.v[i - 1].end == begin), "both neighbours say so");
    }
    return NULL;
}

/* ---- stage-0 text ---------------------------------------------------------------------- */

/* Go over the text in the order of the frame; it must end at the end, with nothing left out. */
static const char *check_cover(const dp_frame *f)
{
    const char *s = f->s;
    uint32_t    at = f->scheme_n;
    if (f->scheme_n) {
        LAW(memcmp(s + at, "://", 3) == 0, "a scheme stands before ://");
        at += 3;
    }
    if (f->user_end) {
        LAW(f->user == at && s[f->user_end] == '@', "userinfo stands before @");
        at = f->user_end + 1;
    }
    LAW(f->host == at && f->host_end > at, "the host comes next");
    at = f->host_end;
    if (f->port >= 0) {
        char digits[16];
        int  n = snprintf(digits, sizeof digits, ":%d", f->port);
        LAW(memcmp(s + at, digits, (size_t)n) == 0, "the port is that of the text");
        at += (uint32_t)n;
    }
    LAW(f->path == at && f->nseg > 0, "the path comes next");
    for (uint32_t i = 0; i < f->nseg; i++) {
        LAW(s[at] == '/' && f->seg[i] == at + 1, "a segment stands after /");
        at = f->seg[i + 1] - 1;
        LAW(!memchr(s + f->seg[i], '/', at - f->seg[i]), "a segment has no /");
    }
    LAW(f->path_end == at, "the path ends with its last segment");
    for (uint32_t i = 0; i < f->npair; i++) {
        const dp_pair *p = &f->pair[i];
        LAW(s[at] == (i ? p->sep : '?') && p->at == at + 1, "a pair stands after its separator");
        LAW(p->at <= p->eq && p->eq <= p->end && p->end > p->at, "a pair has bytes");
        LAW(!memchr(s + p->at, '=', p->eq - p->at), "a name has no =");
        LAW(p->has_eq == (p->eq < p->end) && (!p->has_eq || s[p->eq] == '='), "a name ends at = or with its pair");
        at = p->end;
        LAW(!memchr(s + p->at, '&', at - p->at) && !memchr(s + p->at, ';', at - p->at), "a pair has no separator");
    }
    LAW(at == f->n, "the frame covers every byte");
    return NULL;
}

static const char *check_sort(url_laws *l)
{
    dp_frame sorted = {0};
    dp_buf_reset(&l->work);
    bool was_sorted = dp_frame_is_sorted(&l->f);
    LAW(dp_frame_sort(&l->f, &l->work), "pairs are sorted");
    dp_str text = dp_buf_view(&l->work);
    bool   ok = dp_frame_read(&sorted, text) == DP_FRAME_OK && dp_frame_is_sorted(&sorted);
    bool   same = dp_str_eq(text, (dp_str){l->f.s, l->f.n});
    bool   as_many = sorted.n == l->f.n && sorted.npair == l->f.npair && sorted.nseg == l->f.nseg;
    dp_frame_done(&sorted);
    LAW(ok, "sorted text is in stage-0 form, and sorted");
    LAW(as_many, "sorting loses nothing");
    LAW(same == was_sorted, "sorting changes what is not sorted");
    return NULL;
}

static const char *check_keys(url_laws *l)
{
    enum { FEW = 40 }; /* comparing all pairs of keys */
    dp_keys k;
    LAW(dp_keys_read(&k, &l->f, &l->a) == DP_OK, "keys are there");
    dp_buf_reset(&l->work);
    dp_keys_join(&l->work, &k);
    LAW(dp_str_eq((dp_str){l->f.s, l->f.n}, dp_buf_view(&l->work)), "keys join to the text");
    for (uint32_t i = 0; i < k.n; i++) {
        const dp_key *a = &k.v[i];
        LAW(a->x == 0 || a->x + a->y == k.ncomponent + 1, "x and y name the same place");
        KEEP(check_deep(l, dp_key_value(&k, a)));
        for (uint32_t j = 0; j < i && k.n < FEW; j++) {
            const dp_key *b = &k.v[j];
            LAW(a->kind != b->kind || a->x != b->x || a->nth != b->nth ||
                    !dp_str_eq(dp_key_name(&k, a), dp_key_name(&k, b)),
                "keys are different from each other");
        }
    }
    return NULL;
}

static const char *check_seq(url_laws *l, const char *delimiters)
{
    dp_seq_tokens t, u;
    LAW(dp_seq_tokenize(&t, &l->f, delimiters, &l->a) == DP_OK, "seq tokens are there");
    const char *at = l->f.s + l->f.path, *end = l->f.s + l->f.n;
    for (size_t i = 2; i < t.n; i++) {
        for (; at < t.v[i].p; at++)
            LAW(*at == '/', "seq tokens leave out slashes only");
        LAW(t.v[i].n > 0, "a seq token is not empty");
        at += t.v[i].n;
    }
    for (; at < end; at++)
        LAW(*at == '/', "seq tokens leave out slashes only");

    dp_frame again = {0};
    dp_buf_reset(&l->work);
    dp_seq_join(&l->work, &t, delimiters);
    bool ok = dp_frame_read(&again, dp_buf_view(&l->work)) == DP_FRAME_OK &&
              dp_seq_tokenize(&u, &again, delimiters, &l->a) == DP_OK && u.n == t.n;
    for (size_t i = 0; ok && i < t.n; i++)
        ok = dp_str_eq(t.v[i], u.v[i]);
    dp_frame_done(&again);
    LAW(ok, "joined seq tokens are the same tokens");
    return NULL;
}

static const char *check_params(const dp_frame *f)
{
    uint32_t at = f->path;
    for (dp_param p; dp_frame_param(f, at, &p); at = p.end) {
        LAW(p.at >= at && p.end > p.at + 1 && p.end <= f->path_end, "parameters stand in order");
        LAW(f->s[p.at] == ';' && p.at < p.eq && p.eq <= p.end, "a parameter stands after ;");
        LAW(!memchr(f->s + p.at, '/', p.end - p.at), "a parameter is of one segment");
    }
    return NULL;
}

static const char *check_normal(url_laws *l)
{
    const dp_frame *f = &l->f;
    dp_str          text = {f->s, f->n}, host = dp_frame_host(f), domain = dp_host_domain(host);
    dp_buf_reset(&l->again);
    LAW(dp_normalize(&l->again, text) && dp_str_eq(text, dp_buf_view(&l->again)), "stage 0 is idempotent");
    LAW(!dp_normalize_forbids(text, dp_frame_empties(f)), "stage-0 text is not forbidden");
    LAW(domain.n <= host.n && domain.p + domain.n == host.p + host.n, "the domain is a suffix of the host");
    KEEP(check_cover(f));
    KEEP(check_params(f));
    KEEP(check_keys(l));
    KEEP(check_seq(l, DP_SEQ_DELIMITERS));
    KEEP(check_seq(l, "=&"));
    return check_sort(l);
}

const char *url_laws_check(url_laws *l, dp_str text)
{
    dp_arena_reset(&l->a);
    dp_buf_reset(&l->normal);
    KEEP(check_split(l, text));
    KEEP(check_percent(l, text));
    KEEP(check_scan(text));
    KEEP(check_deep(l, text));
    l->is_url = dp_normalize(&l->normal, text);
    LAW(!l->normal.failed, "memory is there");
    l->is_normal = l->is_url && dp_str_eq(text, dp_buf_view(&l->normal));
    dp_frame_result r = dp_frame_read(&l->f, text);
    LAW(r == (l->is_normal ? DP_FRAME_OK : DP_FRAME_NOT_NORMAL), "a frame is read if stage 0 changes nothing");
    if (!l->is_url)
        return NULL;
    LAW(dp_frame_read(&l->f, dp_buf_view(&l->normal)) == DP_FRAME_OK, "stage-0 text has a frame");
    return check_normal(l);
}

void url_laws_done(url_laws *l)
{
    dp_arena_done(&l->a);
    dp_frame_done(&l->f);
    dp_buf_done(&l->normal);
    dp_buf_done(&l->work);
    dp_buf_done(&l->again);
}
