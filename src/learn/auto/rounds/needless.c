/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/rounds/needless.h"

#include <stdlib.h>

#include "apply/engine.h"
#include "base/hash.h"
#include "base/room.h"
#include "learn/auto/rounds/lookback.h"
#include "rule/print.h"
#include "rule/ruleline.h"

/* One `unless` of a rule. */
typedef struct exception {
    const dp_rule *of;
    uint32_t       rule;  /* its number */
    uint32_t       which; /* of its exceptions */
    bool           needless;
} exception;

typedef struct search {
    dp_rounds *r;
    dp_str    *text; /* [r->n] of the rules, as they were */
    uint64_t  *key;  /* [site->n] hashes of keys, as they were */
    uint32_t  *url;  /* [nurl] whose key depends on some exception */
    size_t     nurl, url_cap;
    exception *v;
    size_t     n, cap;
    dp_arena   rules; /* those that have exceptions, as they were */
} search;

/* ---- texts -------------------------------------------------------------------------------- */

static bool find_exceptions(search *s)
{
    for (size_t i = 0; i < s->r->n; i++) {
        const dp_taken *t = &s->r->v[i];
        s->text[i] = t->text[0];
        if (t->text[1].n || t->family == DP_FAMILY_ORDER)
            continue;
        dp_rule *rule = DP_NEW(&s->rules, dp_rule);
        if (!rule || dp_ruleline_parse(rule, t->text[0], &s->rules) == DP_ENOMEM)
            return false;
        for (size_t k = 0; k < rule->nunless; k++) {
            if (!DP_ROOM(s->v, s->n, s->cap))
                return false;
            s->v[s->n++] = (exception){rule, (uint32_t)i, (uint32_t)k, true};
        }
    }
    return true;
}

/* Write the rule of exceptions [a, b) without those that are needless. */
static bool write_rule(search *s, size_t a, size_t b, dp_buf *text)
{
    dp_rule       less = *s->v[a].of;
    dp_template **kept = DP_NEWS(&s->rules, less.nunless, dp_template *);
    if (!kept)
        return false;
    less.unless = kept;
    less.nunless = 0;
    for (size_t k = a; k < b; k++)
        if (!s->v[k].needless)
            kept[less.nunless++] = s->v[k].of->unless[s->v[k].which];
    dp_buf_reset(text);
    dp_print_text(text, &less);
    dp_str now = dp_arena_str(s->r->arena, dp_buf_view(text));
    s->r->v[s->v[a].rule].text[0] = now;
    return now.p && !text->failed;
}

/* Write the rules without their needless exceptions. */
static bool write_rules(search *s)
{
    dp_buf text = {0};
    bool   ok = true;
    for (size_t a = 0, b; a < s->n && ok; a = b) {
        for (b = a; b < s->n && s->v[b].rule == s->v[a].rule; b++) {}
        ok = write_rule(s, a, b, &text);
    }
    dp_buf_done(&text);
    return ok;
}

/* ---- keys --------------------------------------------------------------------------------- */

static bool note_keys(search *s)
{
    const dp_forms *f = &s->r->forms;
    s->key = malloc((f->site->n + 1) * sizeof *s->key);
    for (size_t u = 0; s->key && u < f->site->n; u++)
        s->key[u] = f->hash[f->of[u]];
    return s->key != NULL;
}

/* Make the forms by the rules as they are written now, and find the URLs whose key is another. */
static dp_err compare_all(search *s)
{
    const dp_forms *f = &s->r->forms;
    s->nurl = 0;
    DP_TRY(dp_lookback_afresh(s->r));
    for (size_t u = 0; u < f->site->n; u++) {
        if (f->hash[f->of[u]] == s->key[u])
            continue;
        if (!DP_ROOM(s->url, s->nurl, s->url_cap))
            return DP_ENOMEM;
        s->url[s->nurl++] = (uint32_t)u;
    }
    return DP_OK;
}

/* Whether those URLs have their keys by the rules as they are written now. */
static dp_err compare_some(bool *same, search *s, dp_scratch *scratch)
{
    dp_engine *e = NULL;
    uint64_t   hash;
    dp_err     code = dp_lookback_engine(&e, s->r, &hash);
    *same = true;
    for (size_t i = 0; i < s->nurl && *same && code == DP_OK; i++) {
        dp_str got = dp_engine_run(e, scratch, DP_KEY, s->r->site->url[s->url[i]], NULL, NULL);
        *same = got.p && dp_hash_str(got) == s->key[s->url[i]];
        code = got.p ? DP_OK : DP_ENOMEM;
    }
    dp_engine_free(e);
    return code;
}

/* ---- the search --------------------------------------------------------------------------- */

/* Each exception alone, on the URLs that change when none is there. */
static dp_err try_each(search *s)
{
    dp_scratch *scratch = NULL;
    dp_err      code = dp_scratch_new(&scratch);
    bool       *found = calloc(s->n + 1, sizeof *found);
    code = found ? code : DP_ENOMEM;
    for (size_t k = 0; k < s->n; k++)
        s->v[k].needless = false;
    for (size_t k = 0; k < s->n && code == DP_OK; k++) {
        s->v[k].needless = true;
        code = write_rules(s) ? compare_some(&found[k], s, scratch) : DP_ENOMEM;
        s->v[k].needless = false;
    }
    for (size_t k = 0; k < s->n && found; k++)
        s->v[k].needless = found[k];
    free(found);
    dp_scratch_free(scratch);
    return code;
}

static void keep_all(search *s)
{
    for (size_t i = 0; i < s->r->n; i++)
        s->r->v[i].text[0] = s->text[i];
}

static bool has_needless(const search *s)
{
    for (size_t k = 0; k < s->n; k++)
        if (s->v[k].needless)
            return true;
    return false;
}

/* Leave out what is marked, unless rules feed each other then; `*same`: every URL has its key. */
static dp_err leave_out(search *s, bool *same)
{
    if (!write_rules(s))
        return DP_ENOMEM;
    DP_TRY(dp_lookback_ends(same, s->r));
    if (!*same)
        return DP_OK;
    DP_TRY(compare_all(s));
    *same = s->nurl == 0;
    return DP_OK;
}

static dp_err look(search *s)
{
    bool same = true;
    if (!find_exceptions(s) || (s->n && !note_keys(s)))
        return DP_ENOMEM;
    if (!s->n)
        return DP_OK;
    DP_TRY(leave_out(s, &same)); /* all of them */
    if (!same && s->nurl) {
        DP_TRY(try_each(s));
        if (has_needless(s))
            DP_TRY(leave_out(s, &same));
    }
    if (same)
        return DP_OK;
    keep_all(s);
    return dp_lookback_afresh(s->r);
}

/* ---- rules that others have made needless -------------------------------------------------- */

/* Drop rules that fire on no URL. They may fire where others are missing: what fired is known no more then. */
static dp_err drop_idle(dp_rounds *r)
{
    size_t n = 0;
    bool  *fires = calloc(r->n + 1, sizeof *fires);
    if (!fires)
        return DP_ENOMEM;
    for (size_t i = 0; i < r->absences.n; i++)
        fires[r->absences.v[i].rule] = true;
    for (size_t i = 0; i < r->n; i++)
        if (fires[i] || r->v[i].family == DP_FAMILY_ORDER)
            r->v[n++] = r->v[i];
    r->n = n;
    free(fires);
    return DP_OK;
}

dp_err dp_needless_drop(dp_rounds *r)
{
    search s = {.r = r, .text = calloc(r->n + 1, sizeof *s.text)};
    dp_err code = s.text ? look(&s) : DP_ENOMEM;
    if (code == DP_OK && s.n)
        code = drop_idle(r);
    free(s.text);
    free(s.key);
    free(s.url);
    free(s.v);
    dp_arena_done(&s.rules);
    return code;
}
