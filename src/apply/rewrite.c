/* SPDX-License-Identifier: Apache-2.0 */
#include "apply/rewrite.h"

#include "rule/rule.h"
#include "url/chars.h"
#include "url/host.h"
#include "url/percent.h"

bool dp_keeps_hold(dp_keeps keeps, dp_str name, bool param)
{
    for (size_t i = 0; i < keeps.n; i++)
        for (uint32_t j = 0; j < keeps.v[i].n; j++) {
            const dp_im_rule *k = dp_im_body(keeps.im, keeps.im->keep[keeps.v[i].at + j]);
            if (((k->flags & DP_RULE_PARAMS) != 0) == param && dp_match_names(k, name))
                return true;
        }
    return false;
}

/* ---- left => right ----------------------------------------------------------------------- */

/* Whether a byte is written otherwise when it comes into the query, or out of it into the path. */
static bool changes_moved(char c, bool into_query)
{
    return c == '+' || (into_query ? c == '&' || c == ';' || c == '=' : c == '?' || c == '#');
}

static bool any_changes_moved(dp_str text, bool into_query)
{
    bool any = false;
    for (size_t i = 0; i < text.n; i++)
        any |= changes_moved(text.p[i], into_query);
    return any;
}

static void append_moved(dp_buf *out, dp_str text, bool into_query)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (!changes_moved(c, into_query))
            dp_buf_byte(out, c);
        else if (c == '+' && !into_query)
            dp_buf_c(out, "%20");
        else
            dp_percent_escape(out, c);
    }
}

/* Append what a capture holds: escaped if it changes between path and query, then converted. */
static void append_capture(dp_buf *out, const dp_frame *f, dp_match *m, const dp_im_item *it, bool in_query)
{
    const dp_capture *c = &m->slot[it->slot];
    dp_str            text = dp_frame_cut(f, c->at, c->end);
    if (c->in_query != in_query && any_changes_moved(text, in_query)) {
        dp_buf_reset(&m->moved);
        append_moved(&m->moved, text, in_query);
        out->failed |= m->moved.failed;
        text = dp_buf_view(&m->moved);
    }
    switch ((dp_conv)it->conv) {
    case DP_CONV_NONE: dp_buf_str(out, text); break;
    case DP_CONV_LOWER: dp_percent_lower(out, text); break;
    case DP_CONV_UPPER: dp_percent_upper(out, text); break;
    case DP_CONV_CAP: dp_percent_capital(out, text); break;
    case DP_CONV_INT: dp_percent_number(out, text); break;
    case DP_CONV_DECODE: dp_percent_decode(out, text, in_query); break;
    case DP_CONV_ENCODE: dp_percent_encode(out, text); break;
    }
}

static void append_pat(dp_buf *out, const dp_im_rule *r, const dp_frame *f, dp_match *m, dp_im_pat pat, bool in_query)
{
    const dp_im_item *item = dp_im_at(r, pat.at);
    for (uint32_t i = 0; i < pat.n; i++) {
        const dp_im_item *it = &item[i];
        if (it->kind == DP_ITEM_LITERAL)
            dp_buf_str(out, dp_im_literal(r, it->what));
        else if (it->kind == DP_ITEM_STAR)
            dp_buf_byte(out, '*');
        else
            append_capture(out, f, m, it, in_query);
    }
}

/* The host of {x}.name on the right, in m->moved; false when what x holds is not a label. */
static bool fill_label(const dp_im_rule *r, const dp_frame *f, const dp_im_template *t, dp_match *m)
{
    const dp_capture *c = &m->slot[t->label - 1];
    dp_buf_reset(&m->moved);
    dp_percent_lower(&m->moved, dp_frame_cut(f, c->at, c->end));
    for (size_t i = 0; i < m->moved.n; i++) {
        char b = m->moved.p[i];
        if (!dp_is(b, DP_CH_ALNUM) && b != '_' && b != '-')
            return false;
    }
    dp_buf_str(&m->moved, dp_im_literal(r, t->host));
    return true;
}

/* False when the host of the right side cannot be. */
static bool append_origin(dp_buf *out, const dp_im_rule *r, const dp_frame *f, const dp_im_template *t, dp_match *m)
{
    if (!t->scheme.n && !t->host.n && t->port < 0) {
        dp_buf_add(out, f->s, f->path);
        return true;
    }
    if (t->label && !fill_label(r, f, t, m))
        return false;
    dp_str scheme = t->scheme.n ? dp_im_literal(r, t->scheme) : dp_frame_scheme(f);
    dp_str host = t->label ? dp_buf_view(&m->moved) : t->host.n ? dp_im_literal(r, t->host) : dp_frame_host(f);
    out->failed |= t->label && m->moved.failed;
    int    port = t->port >= 0 ? t->port : f->port;
    if (f->scheme_n || !dp_str_eq(scheme, DP_STR("http")) || !dp_host_is_dotted(host)) {
        dp_buf_str(out, scheme);
        dp_buf_c(out, "://");
    }
    if (f->user_end) {
        dp_buf_str(out, dp_frame_cut(f, f->user, f->user_end));
        dp_buf_byte(out, '@');
    }
    dp_buf_str(out, host);
    if (port >= 0)
        dp_buf_printf(out, ":%d", port);
    return true;
}

static void append_pair(dp_buf *out, char sep, bool *first)
{
    dp_buf_byte(out, *first ? '?' : sep);
    *first = false;
}

static void append_path(dp_buf *out, const dp_im_rule *r, const dp_frame *f, dp_match *m, dp_frame *new)
{
    const dp_im_template *right = dp_im_at(r, r->right);
    const dp_im_pat      *seg = dp_im_at(r, right->seg.at);
    new->nseg = 0;
    for (uint32_t i = 0; i < right->seg.n; i++) {
        if (i != right->glob) {
            dp_buf_byte(out, '/');
            new->seg[new->nseg++] = (uint32_t)out->n;
            append_pat(out, r, f, m, seg[i], false);
        } else if (m->glob_end > m->glob_at) {
            uint32_t from = f->seg[m->glob_at] - 1, at = (uint32_t)out->n;
            for (uint32_t k = m->glob_at; k < m->glob_end; k++)
                new->seg[new->nseg++] = f->seg[k] - from + at;
            dp_buf_str(out, dp_frame_cut(f, from, f->seg[m->glob_end] - 1));
        }
    }
    new->path_end = (uint32_t)out->n;
    new->seg[new->nseg] = new->path_end + 1;
}

static void append_query(dp_buf *out, const dp_im_rule *r, const dp_frame *f, dp_match *m, dp_frame *new)
{
    const dp_im_template *right = dp_im_at(r, r->right);
    const dp_im_query    *query = dp_im_at(r, right->query.at);
    bool                  first = true;
    new->npair = 0;
    for (uint32_t i = 0; i < right->query.n; i++) {
        const dp_im_query *q = &query[i];
        dp_pair           *p = &new->pair[new->npair++];
        append_pair(out, '&', &first);
        *p = (dp_pair){.at = (uint32_t)out->n, .has_eq = q->kind == DP_QUERY_VALUE, .sep = '&'};
        dp_buf_str(out, dp_im_literal(r, q->name));
        p->eq = (uint32_t)out->n;
        if (p->has_eq) {
            dp_buf_byte(out, '=');
            append_pat(out, r, f, m, q->pat, true);
        }
        p->end = (uint32_t)out->n;
    }
    for (uint32_t i = 0; i < f->npair && right->open; i++)
        if (!m->taken[i]) {
            dp_pair p = f->pair[i];
            if (first)
                p.sep = '&';
            append_pair(out, p.sep, &first);
            new->pair[new->npair++] = dp_pair_moved(p, (uint32_t)out->n);
            dp_buf_str(out, dp_frame_cut(f, p.at, p.end));
        }
}

static void append_old_query(dp_buf *out, const dp_frame *f, dp_frame *new)
{
    new->npair = f->npair;
    for (uint32_t i = 0; i < f->npair; i++)
        new->pair[i] = dp_pair_moved(f->pair[i], f->pair[i].at - f->path_end + new->path_end);
    dp_buf_str(out, dp_frame_cut(f, f->path_end, f->n));
}

/* Whether the path has a segment that stage 0 resolves. */
static bool has_dots(const dp_frame *f)
{
    for (uint32_t i = 0; i < f->nseg; i++) {
        dp_str seg = dp_frame_seg(f, i);
        if ((seg.n == 1 || seg.n == 2) && seg.p[0] == '.' && seg.p[seg.n - 1] == '.')
            return true;
    }
    return false;
}

static dp_rewritten rewrite_template(const dp_im_rule *r, const dp_frame *f, dp_match *m, dp_buf *out, dp_frame *new)
{
    const dp_im_template *left = dp_im_at(r, r->left), *right = dp_im_at(r, r->right);
    if (!dp_match_left(r, f, m))
        return DP_REWRITE_NOTHING;
    if (!dp_frame_room(new, right->seg.n + f->nseg, right->query.n + f->npair))
        return DP_REWRITE_NOMEM;
    if (!append_origin(out, r, f, right, m))
        return DP_REWRITE_NOTHING;
    append_path(out, r, f, m, new);
    if (!left->has_query && !right->has_query)
        append_old_query(out, f, new);
    else
        append_query(out, r, f, m, new);
    /* {**} that takes nothing may leave no path at all. */
    if (!(r->flags & DP_RULE_FRAMED) || new->nseg == 0 || out->n > INT32_MAX || out->failed)
        return DP_REWRITE_TEXT;
    dp_frame_take_origin(new, f);
    new->s = out->p;
    new->n = (uint32_t)out->n;
    uint32_t empties = dp_frame_empties(new);
    if (has_dots(new) || (empties && empties > dp_frame_empties(f)) ||
        dp_str_eq((dp_str){new->s, new->n}, (dp_str){f->s, f->n}))
        return DP_REWRITE_NOTHING;
    return DP_REWRITE_FRAME;
}

/* ---- drop, only, erase, set ---------------------------------------------------------------- */

typedef enum fate { STAYS, GOES, CHANGES } fate;

/* What becomes of one parameter; CHANGES: its value is replaced by `*value`. */
static fate decide(const dp_im_rule *r, dp_keeps keeps, dp_str name, const dp_str *old, dp_str *value)
{
    bool params = (r->flags & DP_RULE_PARAMS) != 0;
    if (dp_match_names(r, name) == (r->kind == DP_RULE_ONLY) || (keeps.n && dp_keeps_hold(keeps, name, params)))
        return STAYS;
    switch (r->kind) {
    case DP_RULE_ONLY: return GOES;
    case DP_RULE_DROP:
        return !(r->flags & DP_RULE_HAS_IF) || (old && dp_str_eq(*old, dp_im_literal(r, r->value))) ? GOES : STAYS;
    case DP_RULE_ERASE:
        *value = DP_STR("*");
        return old && old->n && !dp_str_eq(*old, *value) ? CHANGES : STAYS;
    default:
        *value = dp_im_literal(r, r->value);
        return old && old->n && !dp_str_eq(*old, *value) && !memchr(old->p, '*', old->n) ? CHANGES : STAYS;
    }
}

static fate decide_pair(const dp_im_rule *r, dp_keeps keeps, const dp_frame *f, const dp_pair *p, dp_str *value)
{
    dp_str old = dp_pair_value(f, p);
    return decide(r, keeps, dp_pair_name(f, p), p->has_eq ? &old : NULL, value);
}

/* Removing pairs and replacing values keeps the stage-0 form and the order, so the new frame
 * is the old one moved: nothing need be read again. */
static dp_rewritten rewrite_pairs(const dp_im_rule *r, const dp_frame *f, dp_keeps keeps, dp_buf *out, dp_frame *new)
{
    dp_str   value = {0};
    uint32_t i = 0;
    fate     what = STAYS;
    while (i < f->npair && (what = decide_pair(r, keeps, f, &f->pair[i], &value)) == STAYS)
        i++;
    if (i == f->npair)
        return DP_REWRITE_NOTHING;
    if (!dp_frame_copy(new, f))
        return DP_REWRITE_NOMEM;
    dp_buf_add(out, f->s, i ? f->pair[i - 1].end : f->path_end);
    for (new->npair = i;;) {
        if (what != GOES) {
            dp_pair p = f->pair[i];
            if (new->npair == 0)
                p.sep = '&';
            dp_buf_byte(out, new->npair ? p.sep : '?');
            dp_pair moved = dp_pair_moved(p, (uint32_t)out->n);
            dp_buf_str(out, dp_frame_cut(f, p.at, what == CHANGES ? p.eq + 1 : p.end));
            if (what == CHANGES)
                dp_buf_str(out, value);
            moved.end = (uint32_t)out->n;
            new->pair[new->npair++] = moved;
        }
        if (++i == f->npair)
            break;
        what = decide_pair(r, keeps, f, &f->pair[i], &value);
    }
    new->s = out->p;
    new->n = (uint32_t)out->n;
    return DP_REWRITE_FRAME;
}

static bool rewrite_params(const dp_im_rule *r, const dp_frame *f, dp_keeps keeps, dp_buf *out)
{
    bool     changed = false;
    uint32_t copied = 0;
    dp_param p;
    for (uint32_t at = f->path; dp_frame_param(f, at, &p); at = p.end) {
        dp_str old = dp_frame_cut(f, p.eq + (p.has_eq ? 1u : 0u), p.end), value = {0};
        fate   what = decide(r, keeps, dp_frame_cut(f, p.at + 1, p.eq), p.has_eq ? &old : NULL, &value);
        if (what == STAYS)
            continue;
        changed = true;
        dp_buf_str(out, dp_frame_cut(f, copied, what == GOES ? p.at : p.eq + 1));
        if (what == CHANGES)
            dp_buf_str(out, value);
        copied = p.end;
    }
    dp_buf_str(out, dp_frame_cut(f, copied, f->n));
    return changed;
}

/* ---- fold, sub -------------------------------------------------------------------------------- */

static bool has_upper(dp_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '%')
            i += 2;
        else if (dp_is(s.p[i], DP_CH_UPPER))
            return true;
    }
    return false;
}

static bool fold_path(const dp_frame *f, dp_buf *out)
{
    dp_str path = dp_frame_cut(f, f->path, f->path_end);
    if (!has_upper(path))
        return false;
    dp_buf_add(out, f->s, f->path);
    dp_percent_lower(out, path);
    dp_buf_str(out, dp_frame_cut(f, f->path_end, f->n));
    return true;
}

static bool fold_query(const dp_frame *f, dp_keeps keeps, bool names_alone, dp_buf *out)
{
    if (!has_upper(dp_frame_cut(f, f->path_end, f->n)))
        return false;
    bool first = true;
    dp_buf_add(out, f->s, f->path_end);
    for (uint32_t i = 0; i < f->npair; i++) {
        const dp_pair *p = &f->pair[i];
        dp_str         text = dp_frame_cut(f, p->at, p->end);
        append_pair(out, p->sep, &first);
        if (keeps.n && dp_keeps_hold(keeps, dp_pair_name(f, p), false)) {
            dp_buf_str(out, text);
            continue;
        }
        size_t folded = names_alone ? p->eq - p->at : text.n;
        dp_percent_lower(out, dp_str_cut(text, 0, folded));
        dp_buf_str(out, dp_str_cut(text, folded, text.n));
    }
    return true;
}

static void substitute(const dp_im_rule *r, const dp_frame *f, uint32_t place, dp_buf *out)
{
    dp_buf_add(out, f->s, place);
    dp_buf_str(out, dp_im_literal(r, r->beta));
    dp_buf_str(out, dp_frame_cut(f, place + r->alpha.n, f->n));
}

dp_rewritten dp_rewrite(const dp_im_rule *r, const dp_frame *f, dp_keeps keeps, uint32_t place, dp_match *m,
                        dp_buf *out, dp_frame *new)
{
    const uint16_t *unless = dp_im_at(r, r->unless.at);
    bool            done = false;
    if (r->on && !dp_match_condition(r, r->on, f, m))
        return DP_REWRITE_NOTHING;
    for (uint32_t i = 0; i < r->unless.n; i++)
        if (dp_match_condition(r, unless[i], f, m))
            return DP_REWRITE_NOTHING;
    switch ((dp_rule_kind)r->kind) {
    case DP_RULE_REWRITE: return rewrite_template(r, f, m, out, new);
    case DP_RULE_DROP:
    case DP_RULE_ONLY:
    case DP_RULE_ERASE:
    case DP_RULE_SET:
        if (!(r->flags & DP_RULE_PARAMS))
            return rewrite_pairs(r, f, keeps, out, new);
        done = rewrite_params(r, f, keeps, out);
        break;
    case DP_RULE_FOLD_PATH: done = fold_path(f, out); break;
    case DP_RULE_FOLD_QUERY:
    case DP_RULE_FOLD_NAMES: done = fold_query(f, keeps, r->kind == DP_RULE_FOLD_NAMES, out); break;
    case DP_RULE_SUB:
        substitute(r, f, place, out);
        done = true;
        break;
    }
    return done ? DP_REWRITE_TEXT : DP_REWRITE_NOTHING;
}
