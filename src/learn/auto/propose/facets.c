/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/propose/facets.h"

#include "base/buf.h"
#include "url/chars.h"

enum {
    MOST_FORMS = 16, /* of a page that are compared, each with the one before it */
    MOST_SEGS = 24
};

/* The components of a path, without path parameters and the trailing slash. */
typedef struct path {
    const dp_frame *frame;
    dp_str          v[MOST_SEGS];
    size_t          n;
    bool            slash;
} path;

typedef struct facets {
    const dp_forms *forms;
    dp_ideas       *out;
    dp_buf          text;
    dp_frame        one, other;
    dp_proposer     by;
} facets;

static dp_str without_params(dp_str seg)
{
    const char *at = memchr(seg.p, ';', seg.n);
    return dp_str_cut(seg, 0, at ? (size_t)(at - seg.p) : seg.n);
}

/* False: it is too long. */
static bool read_path(path *p, const dp_frame *f)
{
    if (f->nseg > MOST_SEGS)
        return false;
    p->frame = f;
    p->n = f->nseg;
    for (size_t i = 0; i < p->n; i++)
        p->v[i] = without_params(dp_frame_seg(f, (uint32_t)i));
    p->slash = !p->v[p->n - 1].n;
    p->n -= p->slash;
    return true;
}

/* Whether it may be the name of a parameter. */
static bool is_name(dp_str s)
{
    bool ok = s.n > 0 && s.n <= 32 && dp_is(s.p[0], DP_CH_ALPHA);
    for (size_t i = 1; i < s.n && ok; i++)
        ok = dp_is(s.p[i], DP_CH_ALNUM) || s.p[i] == '_' || s.p[i] == '-';
    return ok;
}

/* Whether a pair stands somewhere behind component `from` of the other path, or in its query. */
static bool is_there(const path *p, size_t from, dp_str name, dp_str value)
{
    for (size_t i = from; i + 1 < p->n; i += 2)
        if (dp_str_eq(p->v[i], name) && dp_str_eq(p->v[i + 1], value))
            return true;
    for (uint32_t i = 0; i < p->frame->npair; i++)
        if (dp_str_eq(dp_pair_name(p->frame, &p->frame->pair[i]), name) &&
            dp_str_eq(dp_pair_value(p->frame, &p->frame->pair[i]), value))
            return true;
    return false;
}

/* Whether all from component `from` on are pairs, and the other has them, too, from `others` on. */
static bool are_pairs(const path *p, size_t from, const path *other, size_t others)
{
    bool ok = (p->n - from) % 2 == 0;
    for (size_t i = from; i < p->n && ok; i += 2)
        ok = is_name(p->v[i]) && p->v[i + 1].n && is_there(other, others, p->v[i], p->v[i + 1]);
    return ok;
}

static void propose(facets *f, const path *p, size_t from)
{
    for (size_t i = from; i < p->n; i += 2) {
        dp_idea     one = {.tier = DP_TIER_LITERAL, .family = DP_FAMILY_TEMPLATE};
        const char *slash = p->slash ? "/" : "";
        dp_buf_c(&f->text, "/{**}/");
        dp_buf_str(&f->text, p->v[i]);
        dp_buf_c(&f->text, "/{x}");
        dp_buf_c(&f->text, slash);
        dp_buf_c(&f->text, "?... => /{**}");
        dp_buf_c(&f->text, slash);
        dp_buf_byte(&f->text, '?');
        dp_buf_str(&f->text, p->v[i]);
        dp_buf_c(&f->text, "={x}&...");
        one.text[0] = dp_buf_view(&f->text);
        f->out->failed |= f->text.failed || !dp_ideas_add(f->out, &one, f->by);
        dp_buf_reset(&f->text);
    }
}

/* Where the pairs of two paths begin. */
typedef struct place {
    size_t u, v;
} place;

static bool are_facets_from(const path *u, const path *v, place at)
{
    return (u->n - at.u > 2 || v->n - at.v > 2) && are_pairs(u, at.u, v, at.v) && are_pairs(v, at.v, u, at.u);
}

/* Whether two paths are such: behind all that they begin with, or as many pairs at the end. */
static bool are_facets(const path *u, const path *v, place *at)
{
    size_t same = 0, most = u->n < v->n ? u->n : v->n;
    while (same < most && dp_str_eq(u->v[same], v->v[same]))
        same++;
    *at = (place){same, same};
    bool found = u->slash == v->slash && are_facets_from(u, v, *at);
    for (size_t n = 4; !found && u->slash == v->slash && n <= most - same; n += 2) {
        *at = (place){u->n - n, v->n - n};
        found = !dp_str_eq(u->v[at->u], v->v[at->v]) && are_facets_from(u, v, *at);
    }
    return found;
}

bool dp_facets_differ(const dp_frame *a, const dp_frame *b)
{
    path  u, v;
    place at;
    return read_path(&u, a) && read_path(&v, b) && are_facets(&u, &v, &at);
}

static void compare(facets *f)
{
    dp_idea order = {.text = {DP_STR("order any")}, .tier = DP_TIER_FORM, .family = DP_FAMILY_ORDER};
    path    u, v;
    place   at;
    if (!read_path(&u, &f->one) || !read_path(&v, &f->other) || !are_facets(&u, &v, &at))
        return;
    propose(f, &u, at.u);
    propose(f, &v, at.v);
    f->out->failed |= !dp_ideas_add(f->out, &order, f->by);
}

static bool read_form(facets *f, dp_frame *frame, dp_str text)
{
    dp_frame_result got = dp_form_is_bounded(text) ? dp_frame_read(frame, text) : DP_FRAME_NOT_NORMAL;
    f->out->failed |= got == DP_FRAME_NOMEM;
    return got == DP_FRAME_OK;
}

static void compare_forms(facets *f, uint32_t cluster)
{
    const dp_forms *forms = f->forms;
    uint32_t        begin = forms->first[cluster], end = forms->first[cluster + 1];
    end = end - begin > MOST_FORMS ? begin + MOST_FORMS : end;
    f->by = (dp_proposer){cluster, forms->site->fold[cluster]};
    for (uint32_t k = begin + 1; k < end; k++)
        if (read_form(f, &f->one, forms->text[forms->member[k - 1]]) &&
            read_form(f, &f->other, forms->text[forms->member[k]]))
            compare(f);
}

dp_err dp_facets_find(dp_ideas *out, const dp_forms *forms)
{
    facets f = {.forms = forms, .out = out};
    for (uint32_t i = 0; i < forms->site->nclusters && !out->failed; i++)
        if (forms->first[i + 1] - forms->first[i] > 1 && !forms->site->is_soft[i])
            compare_forms(&f, i);
    dp_buf_done(&f.text);
    dp_frame_done(&f.one);
    dp_frame_done(&f.other);
    return out->failed ? DP_ENOMEM : DP_OK;
}
