/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/confine/unheard.h"

#include "learn/auto/confine/condition.h"
#include "learn/auto/layout/reading.h"
#include "learn/auto/thresholds.h"
#include "rule/ruleline.h"
#include "url/chars.h"
#include "url/resource.h"

enum { MOST_KINDS = 6 /* that a condition names: more are no kinds */ };

typedef dp_feature_votes tally;

/* Values of one key. */
typedef struct kinds {
    const dp_feature *v[MOST_KINDS];
    size_t            n;
    bool              all;   /* there are no more */
    uint32_t          fired; /* forms that have them */
} kinds;

static void name(kinds *k, const tally *v)
{
    k->all &= k->n < MOST_KINDS;
    k->fired += v->fired;
    if (k->all)
        k->v[k->n++] = &v->f;
}

static bool is_page(const tally *v)
{
    return dp_resource_of(DP_STR(""), v->f.value) == DP_RESOURCE_PAGE;
}

/* The kinds of files that have votes, where pages, which are reached, have none. */
static kinds files_alone(const dp_context *c)
{
    kinds  k = {.all = true};
    bool   pages = false, voted = false;
    double groups = 0;
    for (size_t i = 0; i < c->n; i++) {
        const tally *v = &c->v[i];
        if (v->f.kind != DP_F_EXTENSION)
            continue;
        pages |= is_page(v) && v->fired;
        voted |= is_page(v) && v->groups;
        groups += v->groups;
        if (!is_page(v) && v->groups)
            name(&k, v);
    }
    return pages && !voted && groups >= DP_LEAST_GROUPS ? k : (kinds){.all = true};
}

/* Whether pages are reached and have no vote, and others have some, by the content types of the URLs: no condition says
 * so. */
static bool pages_are_silent(const dp_context *c)
{
    const dp_kind_votes *others = &c->of[0], *pages = &c->of[1];
    return c->typed && pages->fired && !pages->groups && others->groups >= DP_LEAST_GROUPS;
}

/* Whether the features of a key are kinds: not hosts, values of parameters or classes; of the last components only
 * whether there is none. */
static bool is_kind(const tally *v)
{
    switch ((dp_feature_kind)v->f.kind) {
    case DP_F_EXTENSION:
        return v->f.value.n > 0;
    case DP_F_START:
        return v->f.value.n && !dp_is_id(v->f.value) && !dp_all(v->f.value, DP_CH_DIGIT);
    case DP_F_DEPTH:
    case DP_F_HAS:
        return true;
    case DP_F_NUMBER:
    case DP_F_COUNTED:
    case DP_F_END:
    case DP_F_VALUE:
    case DP_F_HOST:
        break;
    }
    return false;
}

static bool is_same_key(const tally *a, const tally *b)
{
    return a->f.kind == b->f.kind && a->f.at == b->f.at && (a->f.kind == DP_F_HAS || a->f.key == b->f.key);
}

/* The values of the key that begins at `*i` that are reached and have no vote; *i is behind it then. Presence of
 * parameters is one key. */
static kinds unheard_of_key(const dp_context *c, size_t *i)
{
    kinds        k = {.all = true};
    const tally *first = &c->v[*i];
    bool         dull = false;
    for (; *i < c->n && is_same_key(first, &c->v[*i]); ++*i) {
        const tally *v = &c->v[*i];
        dull |= v->dull > 0 && v->f.kind == DP_F_START; /* values of single URLs: each is a page of its own */
        if (is_kind(v) && v->fired && !v->groups && v->pos <= 0 && v->fired < DP_MOST_OF_RULE * c->fired)
            name(&k, v);
    }
    return dull || !k.all ? (kinds){.all = true} : k;
}

/* Of the kinds by each key those that most of the silent URLs have. */
static kinds unheard(const dp_context *c)
{
    kinds best = {.all = true};
    for (size_t i = 0; i < c->n;) {
        kinds k = unheard_of_key(c, &i);
        if (k.n && (k.fired > best.fired || (k.fired == best.fired && k.n < best.n)))
            best = k;
    }
    return best;
}

/* Write the rule for `k` alone, or but for it. */
static bool write(dp_str *out, dp_context *c, dp_str text, const kinds *k, bool exception, dp_arena *a)
{
    dp_arena room = {0};
    dp_buf   line = {0};
    dp_rule  rule;
    dp_err   code = dp_ruleline_parse(&rule, text, &room);
    bool     ok = code == DP_OK && (exception ? dp_condition_except(&line, &rule, k->v, k->n)
                                              : dp_condition_restrict(&line, &rule, k->v, k->n, &room));
    c->failed |= code == DP_ENOMEM || line.failed;
    ok &= !c->failed;
    if (ok)
        *out = dp_arena_str(a, dp_buf_view(&line));
    c->failed |= ok && !out->p;
    dp_buf_done(&line);
    dp_arena_done(&room);
    return ok;
}

dp_hearing dp_context_hear_kinds(dp_str *out, dp_context *c, dp_str text, bool accident, dp_arena *a)
{
    dp_context_sort(c);
    kinds files = files_alone(c);
    if (files.n || !files.all)
        return files.all && write(out, c, text, &files, false, a) ? DP_UNHEARD_KINDS : DP_UNHEARD_PAGES;
    if (pages_are_silent(c))
        return DP_UNHEARD_PAGES;
    kinds silent = accident ? unheard(c) : (kinds){.n = 0};
    return silent.n && write(out, c, text, &silent, true, a) ? DP_UNHEARD_KINDS : DP_HEARD_ALL;
}
