/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/context.h"

#include "base/room.h"

#include <math.h>
#include <stdlib.h>


enum {
    MOST_VALUES = 8,     /* of a list in a condition */
    MOST_SPARED = 6,     /* sections that do not speak for a rule */
    MOST_EXCEPTIONS = 3  /* unless clauses that one step may add */
};

#define LEAST_POS   2.5
#define LEAST_GAIN  2   /* of a split, in nats */
#define MOST_OF_ALL .93 /* groups that must share a feature */
#define SURE_GAIN   4
#define USUAL_NOISE .02
#define BY_ACCIDENT .01
#define TOO_STRANGE 2.3 /* nats: one section of ten is another world */
#define SILENCE     4   /* groups that should have spoken for it where none does */

typedef dp_feature_votes tally;

static uint32_t *slot_of(const dp_context *t, uint64_t hash)
{
    size_t i = hash & (t->nslot - 1);
    while (t->slot[i] && t->v[t->slot[i] - 1].f.hash != hash)
        i = (i + 1) & (t->nslot - 1);
    return &t->slot[i];
}

static bool grow(dp_context *t)
{
    if (!DP_ROOM(t->v, t->n, t->cap))
        return false;
    if (t->n * 2 >= t->nslot) {
        size_t    nslot = t->nslot ? t->nslot * 2 : 1024;
        uint32_t *slot = calloc(nslot, sizeof *slot);
        if (!slot)
            return false;
        free(t->slot);
        t->slot = slot;
        t->nslot = nslot;
        for (size_t i = 0; i < t->n; i++)
            *slot_of(t, t->v[i].f.hash) = (uint32_t)i + 1;
    }
    return true;
}

static tally *find(dp_context *t, const dp_feature *f)
{
    if (!grow(t)) {
        t->failed = true;
        return NULL;
    }
    uint32_t *slot = slot_of(t, f->hash);
    if (!*slot) {
        t->v[t->n++] = (tally){.f = *f};
        *slot = (uint32_t)t->n;
    }
    return &t->v[*slot - 1];
}

void dp_context_add(dp_context *c, dp_str form, const dp_testimony *what)
{
    dp_feature      f[DP_MOST_FEATURES];
    dp_frame_result got = dp_frame_read(&c->frame, form);
    c->failed |= got == DP_FRAME_NOMEM;
    c->pos += what->pos;
    c->neg += what->neg;
    c->fired += what->fired;
    c->groups += what->groups;
    if (got != DP_FRAME_OK)
        return;
    size_t n = c->sections ? dp_sections_of(f, &c->frame) : dp_features_of(f, &c->frame);
    for (size_t i = 0; i < n && !c->failed; i++) {
        tally *x = find(c, &f[i]);
        if (!x)
            return;
        x->pos += what->pos;
        x->neg += what->neg;
        x->fired += what->fired;
        x->groups += what->groups;
    }
}

void dp_context_done(dp_context *c)
{
    free(c->v);
    free(c->slot);
    dp_frame_done(&c->frame);
    *c = (dp_context){0};
}

/* Members of an idea and its groups come in one order: each form is read once. */
typedef struct hearing {
    dp_context     *c;
    const dp_forms *forms;
    const dp_member *next, *end;
} hearing;

/* The forms before `form`, which are in no group: the idea fires on them, and nobody says anything. */
static void hear_silent(hearing *h, uint32_t form)
{
    for (; h->next < h->end && h->next->item != form && !h->c->failed; h->next++)
        dp_context_add(h->c, h->forms->text[h->next->item], &(dp_testimony){.fired = 1});
    h->next += h->next < h->end;
}

/* A group's vote goes to the forms that the idea changes. */
static void hear_group(void *ctx, const dp_group_seen *g)
{
    hearing *h = ctx;
    double   share = 1.0 / (double)(g->changed ? g->changed : 1);
    bool     agrees = g->agree - 1 >= g->n - g->agree;
    for (size_t i = 0; i < g->changed && !h->c->failed; i++) {
        bool         good = agrees && h->forms->label[g->form[i]] == g->label;
        dp_testimony one = {.pos = good ? share : 0,
                            .neg = good ? 0 : agrees ? share : share * (double)g->others,
                            .fired = 1,
                            .groups = good && i == 0};
        hear_silent(h, g->form[i]);
        dp_context_add(h->c, h->forms->text[g->form[i]], &one);
    }
}

void dp_context_hear(dp_context *c, dp_ballot *b, size_t i)
{
    hearing h = {c, b->forms, b->tried.v + b->tried.at[i], b->tried.v + b->tried.at[i + 1]};
    dp_ballot_walk(b, i, hear_group, &h);
    hear_silent(&h, DP_NO_FORM);
}

/* By key, then the best values first. */
static int by_key(const void *x, const void *y)
{
    const tally *a = x, *b = y;
    if (a->f.kind != b->f.kind)
        return a->f.kind < b->f.kind ? -1 : 1;
    if (a->f.at != b->f.at)
        return a->f.at < b->f.at ? -1 : 1;
    int c = dp_str_cmp(a->f.name, b->f.name);
    if (c)
        return c;
    double p = a->pos - a->neg, q = b->pos - b->neg;
    if (p != q)
        return p > q ? -1 : 1;
    return dp_str_cmp(a->f.value, b->f.value);
}

/* ---- writing an idea with a condition ----------------------------------------------------- */

/* The rule before its exceptions. */
static dp_str body_of(dp_str text)
{
    for (size_t i = 0; i + 8 <= text.n; i++)
        if (memcmp(text.p + i, " unless ", 8) == 0)
            return dp_str_cut(text, 0, i);
    return text;
}

static bool has_on(dp_str text)
{
    for (size_t i = 0; i + 4 <= text.n; i++)
        if (memcmp(text.p + i, " on ", 4) == 0)
            return true;
    return false;
}

static bool is_template(dp_str text)
{
    return text.n && (text.p[0] == '/' || memchr(text.p, '>', text.n));
}

/* A side of a template cut into its components. */
enum { MOST_PIECES = 48 };

typedef struct pieces {
    dp_str v[MOST_PIECES];
    size_t n, glob; /* glob: which one is {**}; n: none */
    dp_str query;   /* with '?' */
} pieces;

static bool cut_pieces(pieces *out, dp_str side)
{
    size_t end = 0;
    while (end < side.n && side.p[end] != '?')
        end++;
    *out = (pieces){.query = dp_str_cut(side, end, side.n)};
    if (!end || side.p[0] != '/')
        return false;
    for (size_t i = 1, j; i <= end; i = j + 1) {
        for (j = i; j < end && side.p[j] != '/'; j++) {}
        if (out->n == MOST_PIECES)
            return false;
        out->v[out->n++] = dp_str_cut(side, i, j);
    }
    for (out->glob = 0; out->glob < out->n && !dp_str_eq(out->v[out->glob], DP_STR("{**}")); out->glob++) {}
    return true;
}

static void put_list(dp_buf *out, dp_str name, const dp_feature *const *v, size_t n)
{
    dp_buf_byte(out, '{');
    dp_buf_str(out, name);
    dp_buf_byte(out, '=');
    for (size_t i = 0; i < n; i++) {
        if (i)
            dp_buf_byte(out, '|');
        dp_buf_str(out, v[i]->value);
    }
    dp_buf_byte(out, '}');
}

/* Whether a piece is a capture of anything: {x}. */
static bool is_capture(dp_str p)
{
    if (p.n < 3 || p.p[0] != '{' || p.p[p.n - 1] != '}' || p.p[1] == '*')
        return false;
    for (size_t i = 1; i + 1 < p.n; i++)
        if (p.p[i] == '{' || p.p[i] == '}' || p.p[i] == ':' || p.p[i] == '=' || p.p[i] == '|')
            return false;
    return true;
}

/* Write one side with piece `k` confined (SIZE_MAX: none). */
static void put_pieces(dp_buf *out, const pieces *s, size_t k, const dp_feature *const *v, size_t n)
{
    for (size_t i = 0; i < s->n; i++) {
        dp_buf_byte(out, '/');
        if (i == k)
            put_list(out, dp_str_cut(s->v[i], 1, s->v[i].n - 1), v, n);
        else
            dp_buf_str(out, s->v[i]);
    }
    dp_buf_str(out, s->query);
}

/* Write one side with {**} opened: its component number `in` (0 or 1) confined. */
static void put_opened(dp_buf *out, const pieces *s, size_t in, bool left, const dp_feature *const *v, size_t n)
{
    for (size_t i = 0; i < s->n; i++) {
        dp_buf_byte(out, '/');
        if (i != s->glob) {
            dp_buf_str(out, s->v[i]);
            continue;
        }
        if (in)
            dp_buf_c(out, "{p}/");
        if (left)
            put_list(out, DP_STR("q"), v, n);
        else
            dp_buf_c(out, "{q}");
        dp_buf_c(out, "/{**}");
    }
    dp_buf_str(out, s->query);
}

/* {x} -> {x=v1|v2} on the left of a template; {**} -> {q=v1|v2}/{**} on both sides. */
static bool confine(dp_buf *out, dp_str text, const dp_feature *const *v, size_t n)
{
    dp_str body = body_of(text);
    size_t arrow = 0, k = v[0]->at;
    pieces left, right;
    while (arrow + 4 <= body.n && memcmp(body.p + arrow, " => ", 4) != 0)
        arrow++;
    if ((v[0]->kind != DP_F_START && v[0]->kind != DP_F_END) || arrow + 4 > body.n ||
        !cut_pieces(&left, dp_str_cut(body, 0, arrow)) || !cut_pieces(&right, dp_str_cut(body, arrow + 4, body.n)))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!v[i]->value.n)
            return false;
    if (v[0]->kind == DP_F_END) {
        if (k >= left.n || (left.glob < left.n && left.n - 1 - k <= left.glob))
            return false;
        k = left.n - 1 - k;
    }
    bool inside = v[0]->kind == DP_F_START && left.glob < left.n && k >= left.glob;
    if (inside ? right.glob == right.n || k > left.glob + 1 : k >= left.n || !is_capture(left.v[k]))
        return false;
    if (inside)
        put_opened(out, &left, k - left.glob, true, v, n);
    else
        put_pieces(out, &left, k, v, n);
    dp_buf_c(out, " => ");
    if (inside) /* components come out of {**} on the right, too, wherever it stands there */
        put_opened(out, &right, k - left.glob, false, v, n);
    else
        put_pieces(out, &right, SIZE_MAX, v, n);
    dp_buf_str(out, dp_str_cut(text, body.n, text.n));
    return true;
}

/* The idea where one of the values holds. */
static bool restrict_to(dp_buf *out, dp_str text, const dp_feature *const *v, size_t n)
{
    dp_buf_reset(out);
    if (dp_str_eq(text, DP_STR("order any")))
        return false;
    if (is_template(text))
        return confine(out, text, v, n);
    if (has_on(text))
        return false;
    dp_str body = body_of(text);
    dp_buf_str(out, body);
    dp_buf_c(out, " on ");
    if (!dp_feature_print(out, v, n))
        return false;
    dp_buf_str(out, dp_str_cut(text, body.n, text.n));
    return true;
}

/* Whether the rule has that exception. */
static bool is_there(dp_str text, dp_str exception)
{
    for (size_t i = 0; i + exception.n <= text.n; i++)
        if (memcmp(text.p + i, exception.p, exception.n) == 0 &&
            (i + exception.n == text.n || text.p[i + exception.n] == ' '))
            return true;
    return false;
}

/* The idea but for these values, which may have different keys. */
static bool except(dp_buf *out, dp_str text, const dp_feature *const *v, size_t n)
{
    dp_buf_reset(out);
    if (dp_str_eq(text, DP_STR("order any")))
        return false;
    dp_buf_str(out, text);
    for (size_t i = 0; i < n; i++) {
        size_t at = out->n;
        dp_buf_c(out, " unless ");
        if (!dp_feature_print(out, &v[i], 1))
            return false;
        if (is_there(text, dp_str_cut(dp_buf_view(out), at, out->n)))
            return false; /* and is of no use: another rule leads there after this one has fired */
    }
    return true;
}

/* ---- splitting ---------------------------------------------------------------------------- */

/* What a condition would leave of the votes. */
typedef struct split {
    const tally *v[MOST_VALUES];
    size_t       n;
    bool         exception;
    double       pos, neg, gain;
} split;

/* How much better than before: the log likelihood that precision alone explains. */
static double worth(double pos, double neg)
{
    double n = pos + neg;
    return n > 0 ? lgamma(pos + 1) + lgamma(neg + 1) - lgamma(n + 2) : 0;
}

static double gain(const dp_context *t, const split *s)
{
    double out_pos = fmax(t->pos - s->pos, 0), out_neg = fmax(t->neg - s->neg, 0);
    return worth(s->pos, s->neg) + worth(out_pos, out_neg) - worth(t->pos, t->neg);
}

/* The values of one key, best first, for which it holds. */
static split choose_values(const tally *v, size_t n)
{
    split s = {0};
    for (size_t i = 0; i < n && s.n < MOST_VALUES; i++) {
        if (v[i].groups < 2 || v[i].neg > v[i].pos / 10) /* what one page has alone is no context */
            continue;
        s.v[s.n++] = &v[i];
        s.pos += v[i].pos;
        s.neg += v[i].neg;
    }
    return s;
}

/* The values of one key, worst first, for which it does not. Votes against it may be wrong labels: an exception must
 * explain more than naming one of so many values says. */
static split choose_exceptions(const dp_context *t, const tally *v, size_t n)
{
    split  s = {.exception = true, .pos = t->pos, .neg = t->neg};
    size_t values = n;
    for (size_t i = 0; i < n; i++)
        values += v[i].dull;
    double least = (log((double)values) + LEAST_GAIN) / -log(t->noise > 0 ? t->noise : USUAL_NOISE);
    for (size_t i = n; i-- > 0 && s.n < MOST_EXCEPTIONS;) {
        if (v[i].neg <= v[i].pos || v[i].neg < .75)
            break;
        if (v[i].neg < least)
            continue;
        s.v[s.n++] = &v[i];
        s.pos -= v[i].pos;
        s.neg -= v[i].neg;
    }
    return s;
}

static int by_gain(const void *x, const void *y)
{
    const split *a = x, *b = y;
    double       p = a->pos - 20 * a->neg, q = b->pos - 20 * b->neg;
    if (p != q)
        return p > q ? -1 : 1;
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    if (a->exception != b->exception)
        return a->exception ? -1 : 1;
    int c = (int)a->v[0]->f.kind - (int)b->v[0]->f.kind;
    if (!c)
        c = (int)a->v[0]->f.at - (int)b->v[0]->f.at;
    return c ? c : dp_str_cmp(a->v[0]->f.value, b->v[0]->f.value);
}

/* Say a split as a rule. */
static bool put(dp_confined *out, dp_context *c, dp_str text, const split *s, dp_buf *room, dp_arena *a)
{
    const dp_feature *f[MOST_VALUES];
    for (size_t i = 0; i < s->n; i++)
        f[i] = &s->v[i]->f;
    bool ok = s->exception ? except(room, text, f, s->n) : restrict_to(room, text, f, s->n);
    c->failed |= room->failed;
    if (!ok || room->failed)
        return false;
    *out = (dp_confined){dp_arena_str(a, dp_buf_view(room)), s->pos, s->neg, s->exception, s->gain < SURE_GAIN};
    c->failed |= out->text.p == NULL;
    return out->text.p != NULL;
}

/* Whether a value is one of a single form that nothing speaks against: no condition names it, and of an exception it
 * is one of so many values. Components at the end and values of parameters are mostly such. */
static bool is_dull(const dp_context *c, const tally *v)
{
    return v->fired <= 1 && v->neg == 0 && v->groups < MOST_OF_ALL * c->groups;
}

/* The slot of a key: that of the first vote with it, or a free one. */
static uint32_t *key_slot(const dp_context *c, uint64_t key)
{
    size_t i = key & (c->nslot - 1);
    while (c->slot[i] && c->v[c->slot[i] - 1].f.key != key)
        i = (i + 1) & (c->nslot - 1);
    return &c->slot[i];
}

/* Leave out dull values, counted with another of their key: keys that have none but such say nothing. */
static void drop_dull(dp_context *c)
{
    size_t n = c->n;
    memset(c->slot, 0, c->nslot * sizeof *c->slot);
    for (size_t i = 0; i < n;) {
        if (!is_dull(c, &c->v[i])) {
            i++;
            continue;
        }
        tally last = c->v[--n];
        c->v[n] = c->v[i];
        c->v[i] = last;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t *slot = key_slot(c, c->v[i].f.key);
        *slot = *slot ? *slot : (uint32_t)i + 1;
    }
    for (size_t i = n; i < c->n; i++) {
        uint32_t *slot = key_slot(c, c->v[i].f.key);
        if (*slot)
            c->v[*slot - 1].dull++;
    }
    c->n = n;
}

/* The votes of each key lie together: the table by hash is of no use any more. */
static void sort_votes(dp_context *c)
{
    if (c->sorted || !c->n)
        return;
    drop_dull(c);
    qsort(c->v, c->n, sizeof *c->v, by_key);
    c->sorted = true;
}

size_t dp_context_split(dp_confined out[DP_MOST_CONFINED], dp_context *c, dp_str text, dp_arena *a)
{
    dp_buf room = {0};
    split  best[DP_MOST_CONFINED + 1];
    size_t nbest = 0, n = 0;
    sort_votes(c);
    for (size_t k = 0, e; k < c->n && !c->failed; k = e) {
        for (e = k + 1; e < c->n && c->v[e].f.key == c->v[k].f.key; e++) {}
        if (c->v[k].f.kind == DP_F_HOST)
            continue;
        split s[2] = {choose_values(c->v + k, e - k), choose_exceptions(c, c->v + k, e - k)};
        for (int j = 0; j < 2; j++) {
            s[j].gain = gain(c, &s[j]);
            if (!s[j].n || s[j].pos < LEAST_POS || s[j].gain < LEAST_GAIN)
                continue;
            best[nbest++] = s[j];
            qsort(best, nbest, sizeof *best, by_gain);
            nbest = nbest > DP_MOST_CONFINED ? DP_MOST_CONFINED : nbest;
        }
    }
    for (size_t k = 0; k < nbest; k++)
        n += put(&out[n], c, text, &best[k], &room, a);
    c->failed |= room.failed;
    dp_buf_done(&room);
    return n;
}

/* ---- narrowing ---------------------------------------------------------------------------- */

/* Whether all evidence has this feature by accident: ln of the chance. A wrong label now and then does not count. */
static double by_accident(const dp_context *c, const tally *v)
{
    if (v->groups < MOST_OF_ALL * c->groups)
        return 0;
    return v->groups * log((double)v->fired / (double)c->fired) + 3.0 * (c->groups - v->groups);
}

/* The values of one key where evidence is missing though the rule fires often enough to expect some. */
static split choose_silent(const dp_context *c, const tally *v, size_t n)
{
    split  s = {.exception = true, .pos = c->pos, .neg = c->neg, .gain = SURE_GAIN};
    double rate = (double)c->groups / (double)c->fired;
    for (size_t i = 0; i < n && s.n < MOST_EXCEPTIONS; i++)
        if (!v[i].groups && v[i].fired * rate > SILENCE && v[i].fired < c->fired)
            s.v[s.n++] = &v[i];
    return s;
}

/* The values of one key that have evidence, where these are nearly all; `*fired`: forms that have them. */
static split choose_spoken(const dp_context *c, const tally *v, size_t n, uint32_t *fired)
{
    split    s = {.gain = SURE_GAIN};
    uint32_t groups = 0;
    *fired = 0;
    for (size_t i = 0; i < n; i++) {
        if (v[i].groups < 2)
            continue;
        if (s.n == MOST_VALUES || !v[i].f.value.n)
            return (split){0};
        s.v[s.n++] = &v[i];
        s.pos += v[i].pos;
        s.neg += v[i].neg;
        groups += v[i].groups;
        *fired += v[i].fired;
    }
    return groups >= MOST_OF_ALL * c->groups ? s : (split){0};
}

/* The key whose spoken values leave out most of what the rule would fire on. */
static bool narrow_hard(dp_confined *out, dp_context *c, dp_str text, dp_buf *room, dp_arena *a)
{
    uint32_t least = c->fired;
    bool     ok = false;
    for (size_t k = 0, e; k < c->n && !c->failed; k = e) {
        uint32_t    fired;
        dp_confined one;
        for (e = k + 1; e < c->n && c->v[e].f.key == c->v[k].f.key; e++) {}
        if (c->v[k].f.kind != DP_F_START && c->v[k].f.kind != DP_F_END)
            continue;
        split s = choose_spoken(c, c->v + k, e - k, &fired);
        /* A single value is taken even where nothing else has been seen: others may come. */
        if (!s.n || fired > least || (fired == least && (s.n > 1 || ok)) || !put(&one, c, text, &s, room, a))
            continue;
        least = fired;
        *out = one;
        ok = true;
    }
    return ok;
}

bool dp_context_narrow(dp_confined *out, dp_context *c, dp_str text, bool harsh, dp_arena *a)
{
    split  best = {0};
    double least = log(BY_ACCIDENT);
    dp_buf room = {0};
    bool   ok = false;
    sort_votes(c);
    if (harsh)
        ok = narrow_hard(out, c, text, &room, a);
    for (size_t k = 0; k < c->n && !c->failed && !ok; k++) {
        const tally *v = &c->v[k];
        if (v->f.kind == DP_F_HOST || v->f.kind == DP_F_VALUE || v->fired == c->fired)
            continue;
        if (by_accident(c, v) < least) {
            least = by_accident(c, v);
            best = (split){.v = {v}, .n = 1, .pos = v->pos, .neg = v->neg, .gain = SURE_GAIN};
        }
    }
    if (best.n && !ok)
        ok = put(out, c, text, &best, &room, a);
    for (size_t k = 0, e; k < c->n && !c->failed && !ok; k = e) {
        for (e = k + 1; e < c->n && c->v[e].f.key == c->v[k].f.key; e++) {}
        if (c->v[k].f.kind != DP_F_START || c->v[k].f.at > 1)
            continue;
        best = choose_silent(c, c->v + k, e - k);
        if (best.n)
            ok = put(out, c, text, &best, &room, a);
    }
    c->failed |= room.failed;
    dp_buf_done(&room);
    return ok;
}

/* How strange it is, in nats, that nothing speaks for the rule at this value though the rule holds there. */
static double strangeness(const dp_context *c, const tally *v)
{
    double noise = c->noise > 0 ? c->noise : USUAL_NOISE;
    return v->fired * (double)c->groups / (double)c->fired - v->neg * log(noise);
}

/* The values of one key that have no evidence, the strangest first. */
static split choose_unspoken(const dp_context *c, const tally *v, size_t n)
{
    split s = {.exception = true, .pos = c->pos, .neg = c->neg, .gain = SURE_GAIN};
    for (size_t i = 0; i < n; i++) {
        if (v[i].pos > 0 || v[i].fired * 2 > c->fired || strangeness(c, &v[i]) < TOO_STRANGE)
            continue;
        size_t at = s.n < MOST_SPARED ? s.n++ : MOST_SPARED - 1;
        if (at + 1 == MOST_SPARED && s.v[at] && strangeness(c, s.v[at]) >= strangeness(c, &v[i]))
            continue;
        for (; at && strangeness(c, s.v[at - 1]) < strangeness(c, &v[i]); at--)
            s.v[at] = s.v[at - 1];
        s.v[at] = &v[i];
    }
    for (size_t i = 0; i < s.n; i++)
        s.neg -= s.v[i]->neg;
    return s;
}

bool dp_context_spare(dp_confined *out, dp_context *c, dp_str text, dp_arena *a)
{
    dp_buf room = {0};
    bool   ok = false;
    sort_votes(c);
    for (size_t k = 0, e; k < c->n && !c->failed && !ok; k = e) {
        for (e = k + 1; e < c->n && c->v[e].f.key == c->v[k].f.key; e++) {}
        if (c->v[k].f.kind != DP_F_START || c->v[k].f.at > 1)
            continue;
        split s = choose_unspoken(c, c->v + k, e - k);
        if (s.n)
            ok = put(out, c, text, &s, &room, a);
    }
    c->failed |= room.failed;
    dp_buf_done(&room);
    return ok;
}
