/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/propose/sinkline.h"

#include <stdlib.h>

#include "base/room.h"
#include "learn/auto/propose/propose.h"
#include "learn/auto/thresholds.h"
#include "url/chars.h"

enum {
    MOST_FIELDS = 26,
    MOST_FIXED = 3 /* pairs that a condition names */
};

/* What one URL has in one place. */
typedef struct value {
    dp_str   name; /* of a parameter; n == 0: a component */
    uint32_t at;   /* number of the component */
    dp_str   text;
    bool     has_eq;
} value;

/* A place, over all URLs. */
typedef struct field {
    dp_str   name;
    uint32_t at;
    dp_str   text; /* the first of its values */
    bool     has_eq;
    size_t   urls, values; /* that have it, that it has; an empty one is none */
    bool     empty;        /* is among them */
} field;

typedef struct line {
    const dp_sink_form *s;
    value              *v;
    size_t              n, cap;
    field               field[MOST_FIELDS];
    size_t              nfield;
    uint32_t            nseg;
    dp_buf              names, path, to, pairs, text;
} line;

static int by_place(const void *x, const void *y)
{
    const value *a = x, *b = y;
    int          c = dp_str_cmp(a->name, b->name);
    if (c || a->at != b->at)
        return c ? c : a->at < b->at ? -1 : 1;
    return dp_str_cmp(a->text, b->text);
}

/* A name once a URL: of several the first speaks. */
static bool is_first(const dp_frame *f, uint32_t i)
{
    dp_str name = dp_pair_name(f, &f->pair[i]);
    for (uint32_t k = 0; k < i; k++)
        if (dp_str_eq(name, dp_pair_name(f, &f->pair[k])))
            return false;
    return name.n > 0;
}

static dp_err gather(line *l, dp_frame *f)
{
    for (size_t k = 0; k < l->s->n; k++) {
        dp_frame_result got = dp_frame_read(f, l->s->forms->text[l->s->form[k]]);
        if (got != DP_FRAME_OK)
            return got == DP_FRAME_NOMEM ? DP_ENOMEM : DP_OK;
        if (!DP_ROOM_FOR(l->v, l->n + f->nseg + f->npair, l->cap))
            return DP_ENOMEM;
        l->nseg = f->nseg;
        for (uint32_t i = 0; i < f->nseg; i++)
            l->v[l->n++] = (value){.name = {f->s, 0}, .at = i, .text = dp_frame_seg(f, i)};
        for (uint32_t i = 0; i < f->npair; i++)
            if (is_first(f, i))
                l->v[l->n++] = (value){.name = dp_pair_name(f, &f->pair[i]), .text = dp_pair_value(f, &f->pair[i]),
                                       .has_eq = f->pair[i].has_eq};
    }
    if (l->n)
        qsort(l->v, l->n, sizeof *l->v, by_place);
    return DP_OK;
}

/* The places and how many values each has; false when there are too many. */
static bool count_fields(line *l)
{
    for (size_t i = 0; i < l->n; i++) {
        const value *v = &l->v[i];
        field       *f = l->nfield ? &l->field[l->nfield - 1] : NULL;
        if (!f || f->at != v->at || !dp_str_eq(f->name, v->name)) {
            if (l->nfield == MOST_FIELDS)
                return false;
            f = &l->field[l->nfield++];
            *f = (field){.name = v->name, .at = v->at, .text = v->text, .has_eq = v->has_eq};
        }
        f->urls++;
        f->empty |= !v->text.n;
        f->values += v->text.n && (f->urls == 1 || !dp_str_eq(v->text, l->v[i - 1].text));
    }
    return true;
}

static bool is_component(const field *f)
{
    return !f->name.n;
}

/* All URLs have it, with one value. */
static bool is_fixed(const line *l, const field *f)
{
    return f->urls == l->s->n && f->values + f->empty == 1;
}

static bool is_erased(const line *l, const field *f)
{
    return f->values >= l->s->least && !(is_component(f) && f->empty);
}

/* Whether a literal is the id of a page: a rule about that page is no rule about a form. */
static bool is_id(dp_str s)
{
    size_t digits = 0;
    for (size_t i = 0; i < s.n; i++)
        digits += dp_is(s.p[i], DP_CH_DIGIT);
    return digits >= DP_ID_DIGITS;
}

static bool names_a_page(const line *l)
{
    bool found = false;
    for (size_t i = 0; i < l->nfield && !found; i++)
        found = is_fixed(l, &l->field[i]) && is_id(l->field[i].text);
    return found;
}

/* The path on both sides, and what is literal in it. Components come first and in order. */
static bool put_path(line *l, bool *erases)
{
    bool literal = false;
    *erases = false;
    for (size_t i = 0; i < l->nfield && is_component(&l->field[i]); i++) {
        const field *f = &l->field[i];
        dp_buf_byte(&l->path, '/');
        dp_buf_byte(&l->to, '/');
        literal |= is_fixed(l, f) && f->text.n;
        if (is_fixed(l, f)) {
            dp_buf_str(&l->path, f->text);
            dp_buf_str(&l->to, f->text);
            continue;
        }
        dp_put_capture(&l->path, (char)('a' + i));
        *erases |= is_erased(l, f);
        if (is_erased(l, f))
            dp_buf_byte(&l->to, '*');
        else
            dp_put_capture(&l->to, (char)('a' + i));
    }
    return literal;
}

/* The pairs that all URLs have, and the names of what is erased; how many of the former. */
static size_t put_query(line *l, size_t *names, bool *always)
{
    size_t fixed = 0;
    *names = 0;
    *always = false;
    for (size_t i = 0; i < l->nfield; i++) {
        const field *f = &l->field[i];
        if (is_component(f))
            continue;
        if (is_erased(l, f)) {
            dp_buf_c(&l->names, *names ? "," : "");
            dp_buf_str(&l->names, f->name);
            *always |= f->urls == l->s->n;
            ++*names;
        } else if (is_fixed(l, f) && f->has_eq && fixed < MOST_FIXED) {
            dp_buf_byte(&l->pairs, fixed++ ? '&' : '?');
            dp_buf_str(&l->pairs, f->name);
            dp_buf_byte(&l->pairs, '=');
            dp_buf_str(&l->pairs, f->text);
        }
    }
    return fixed;
}

static uint32_t least_drawn(const line *l)
{
    size_t least = l->s->n;
    for (size_t i = 0; i < l->nfield; i++)
        if (is_erased(l, &l->field[i]) && l->field[i].values < least)
            least = l->field[i].values;
    return (uint32_t)least;
}

/* The line about components: /edit/{a}?do=x&... => the same with a star */
static void put_template(line *l, dp_buf *out)
{
    const char *rest = l->pairs.n ? "&..." : "";
    dp_buf_str(out, dp_buf_view(&l->path));
    dp_buf_str(out, dp_buf_view(&l->pairs));
    dp_buf_c(out, rest);
    dp_buf_c(out, " => ");
    dp_buf_str(out, dp_buf_view(&l->to));
    dp_buf_str(out, dp_buf_view(&l->pairs));
    dp_buf_c(out, rest);
}

/* The line about parameters: erase ?a,b on /login */
static void put_verb(line *l, dp_buf *out, bool always)
{
    dp_buf_c(out, always ? "erase ?" : "drop ?");
    dp_buf_str(out, dp_buf_view(&l->names));
    dp_buf_c(out, " on ");
    dp_buf_str(out, dp_buf_view(&l->path));
    dp_buf_str(out, dp_buf_view(&l->pairs));
}

static dp_err propose(line *l, dp_ideas *out)
{
    bool   erases, always;
    size_t names, at = 0;
    bool   literal = put_path(l, &erases);
    literal |= put_query(l, &names, &always) > 0;
    if ((!erases && !names) || (erases && !literal))
        return DP_OK;
    if (erases)
        put_template(l, &l->text);
    at = l->text.n;
    if (names)
        put_verb(l, &l->text, always);
    if (l->text.failed || l->path.failed || l->to.failed || l->pairs.failed || l->names.failed)
        return DP_ENOMEM;
    dp_str  all = dp_buf_view(&l->text);
    dp_idea one = {.text = {dp_str_cut(all, 0, erases ? at : all.n), dp_str_cut(all, erases ? at : all.n, all.n)},
                   .tier = DP_TIER_MASK, .family = DP_FAMILY_FORGET, .depth = (uint8_t)l->s->depth,
                   .drawn = least_drawn(l)};
    dp_proposer by = {l->s->cluster, l->s->forms->site->fold[l->s->cluster]};
    return dp_ideas_add(out, &one, by) ? DP_OK : DP_ENOMEM;
}

dp_err dp_sink_print(dp_ideas *out, const dp_sink_form *s, dp_frame *room)
{
    line   l = {.s = s};
    dp_err code = gather(&l, room);
    if (code == DP_OK && l.n && count_fields(&l) && !names_a_page(&l))
        code = propose(&l, out);
    free(l.v);
    dp_buf_done(&l.names);
    dp_buf_done(&l.path);
    dp_buf_done(&l.to);
    dp_buf_done(&l.pairs);
    dp_buf_done(&l.text);
    return code;
}
