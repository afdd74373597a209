/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/forms.h"

#include <stdlib.h>

#include "apply/engine.h"
#include "apply/hash.h"

dp_err dp_forms_init(dp_forms *f, const dp_site *s, bool singletons)
{
    *f = (dp_forms){.site = s, .singletons = singletons};
    size_t slots = 16;
    while (slots < s->n * 2)
        slots *= 2;
    f->nslot = slots;
    f->text = malloc((s->n + 1) * sizeof *f->text);
    f->label = malloc((s->n + 1) * sizeof *f->label);
    f->weight = malloc((s->n + 1) * sizeof *f->weight);
    f->by = malloc((s->n + 1) * sizeof *f->by);
    f->made = malloc((s->n + 1) * sizeof *f->made);
    f->of = malloc((s->n + 1) * sizeof *f->of);
    f->member = malloc((s->n + 1) * sizeof *f->member);
    f->first = malloc(((size_t)s->nclusters + 2) * sizeof *f->first);
    f->slot = malloc(slots * sizeof *f->slot);
    if (!f->text || !f->label || !f->weight || !f->by || !f->made || !f->of || !f->member || !f->first || !f->slot) {
        dp_forms_done(f);
        return DP_ENOMEM;
    }
    dp_err e = dp_forms_rewrite(f, NULL, true);
    if (e != DP_OK)
        dp_forms_done(f);
    return e;
}

void dp_forms_done(dp_forms *f)
{
    free(f->text);
    free(f->label);
    free(f->weight);
    free(f->by);
    free(f->made);
    free(f->of);
    free(f->member);
    free(f->first);
    free(f->kept);
    free(f->slot);
    dp_arena_done(&f->arena[0]);
    dp_arena_done(&f->arena[1]);
    *f = (dp_forms){0};
}

/* The slot of a hash: the form's, or a free one. */
static dp_form_slot *slot_of(const dp_forms *f, uint64_t hash)
{
    size_t i = hash & (f->nslot - 1);
    while (f->slot[i].form && f->slot[i].hash != hash)
        i = (i + 1) & (f->nslot - 1);
    return &f->slot[i];
}

uint32_t dp_forms_find(const dp_forms *f, uint64_t hash)
{
    return slot_of(f, hash)->form - 1;
}

/* ---- labels ------------------------------------------------------------------------------- */

/* The label of each form: the cluster that most of its URLs have, of equal ones the least. Votes of a form lie in
 * a run of `vote` (cluster of each URL); runs are short, and the clusters of a long one few. */
static void choose_label(uint32_t *label, uint32_t *vote, size_t n)
{
    uint32_t best = DP_NO_CLUSTER;
    size_t   most = 0;
    if (n > 32) { /* by sorting; small runs by counting */
        for (size_t gap = n / 2; gap; gap /= 2)
            for (size_t i = gap; i < n; i++)
                for (size_t j = i; j >= gap && vote[j - gap] > vote[j]; j -= gap) {
                    uint32_t t = vote[j];
                    vote[j] = vote[j - gap];
                    vote[j - gap] = t;
                }
        for (size_t i = 0, j; i < n; i = j) {
            for (j = i + 1; j < n && vote[j] == vote[i]; j++) {}
            if (vote[i] != DP_NO_CLUSTER && j - i > most) {
                most = j - i;
                best = vote[i];
            }
        }
    } else {
        for (size_t i = 0; i < n; i++) {
            size_t same = 0;
            for (size_t j = 0; j < n; j++)
                same += vote[j] == vote[i];
            if (vote[i] != DP_NO_CLUSTER && (same > most || (same == most && vote[i] < best))) {
                most = same;
                best = vote[i];
            }
        }
    }
    *label = best;
}

static bool is_known(const dp_forms *f, size_t u)
{
    uint32_t c = f->site->cluster[u];
    return c != DP_NO_CLUSTER && (f->singletons || f->site->size[c] > 1);
}

static dp_err label_forms(dp_forms *f)
{
    const dp_site *s = f->site;
    uint32_t      *at = calloc(f->n + 1, sizeof *at), *vote = malloc((s->n + 1) * sizeof *vote);
    dp_err         e = at && vote ? DP_OK : DP_ENOMEM;
    if (e)
        goto done;
    for (size_t i = 0; i < f->n; i++)
        at[i + 1] = at[i] + f->weight[i];
    for (size_t u = 0; u < s->n; u++)
        vote[at[f->of[u]]++] = is_known(f, u) ? s->cluster[u] : DP_NO_CLUSTER;
    for (size_t i = 0; i < f->n; i++) /* at[i] is now the end of run i */
        choose_label(&f->label[i], vote + at[i] - f->weight[i], f->weight[i]);
done:
    free(at);
    free(vote);
    return e;
}

static void index_labels(dp_forms *f)
{
    uint32_t clusters = f->site->nclusters;
    memset(f->first, 0, ((size_t)clusters + 2) * sizeof *f->first);
    for (size_t i = 0; i < f->n; i++)
        if (f->label[i] != DP_NO_CLUSTER)
            f->first[f->label[i] + 2]++;
    for (uint32_t c = 0; c < clusters; c++)
        f->first[c + 2] += f->first[c + 1];
    for (size_t i = 0; i < f->n; i++) /* first[c + 1] runs from the start of c to its end */
        if (f->label[i] != DP_NO_CLUSTER)
            f->member[f->first[f->label[i] + 1]++] = (uint32_t)i;
}

/* ---- rewriting ---------------------------------------------------------------------------- */

/* What the engine makes of `text`, copied where it would not last; p is NULL when memory is out. */
static dp_str run(const dp_engine *e, dp_scratch *s, dp_str text, bool *made, bool *same, dp_arena *to)
{
    dp_str got = e ? dp_engine_run(e, s, DP_KEY, text, NULL, NULL) : text;
    *same = got.p && dp_str_eq(got, text);
    if (!got.p || (!*made && *same))
        return got.p ? text : got;
    *made = true;
    return dp_arena_str(to, got);
}

/* Take over what became of the old forms, for who recalls them. */
static void keep(dp_forms *f, uint32_t **where, size_t old, bool afresh)
{
    free(f->kept);
    f->kept = afresh ? NULL : *where;
    f->nkept = afresh ? 0 : old;
    f->steps++;
    if (!afresh)
        *where = NULL;
}

dp_err dp_forms_rewrite(dp_forms *f, const dp_engine *e, bool afresh)
{
    const dp_site *s = f->site;
    dp_arena      *from = &f->arena[f->now], *to = &f->arena[!f->now];
    size_t         old = afresh ? s->n : f->n, n = 0;
    dp_str        *text = malloc((s->n + 1) * sizeof *text);
    uint32_t      *where = malloc((old + 1) * sizeof *where);
    bool          *same = calloc(old + 1, sizeof *same);
    dp_scratch    *scratch = NULL;
    dp_err         code = text && where && same ? DP_OK : DP_ENOMEM;
    if (code || (e && (code = dp_scratch_new(&scratch)) != DP_OK))
        goto done;
    memset(f->slot, 0, f->nslot * sizeof *f->slot);
    for (size_t i = 0; i < old; i++) {
        dp_str was = afresh ? s->url[i] : f->text[i];
        bool   made = !afresh && f->made[i];
        dp_str now = run(e, scratch, was, &made, &same[i], to);
        if (!now.p) {
            code = DP_ENOMEM;
            goto done;
        }
        uint64_t      hash = dp_hash_str(now);
        dp_form_slot *at = slot_of(f, hash);
        if (!at->form) {
            *at = (dp_form_slot){hash, (uint32_t)n + 1};
            f->made[n] = made; /* n <= i: read before */
            text[n++] = now;
        }
        where[i] = at->form - 1;
    }
    for (size_t u = 0; u < s->n; u++)
        f->of[u] = where[afresh ? u : f->of[u]];
    for (size_t i = 0; i < old; i++)
        where[i] = same[i] ? where[i] : DP_NO_FORM;
    keep(f, &where, old, afresh);
    free(f->text);
    f->text = text;
    text = NULL;
    f->n = n;
    memset(f->weight, 0, (n + 1) * sizeof *f->weight);
    memset(f->by, 0, (n + 1) * sizeof *f->by);
    for (size_t u = 0; u < s->n; u++) {
        f->weight[f->of[u]]++;
        f->by[f->of[u]] |= (uint8_t)(1u << s->by[u]);
    }
    dp_arena_reset(from);
    f->now = !f->now;
    code = label_forms(f);
    if (code == DP_OK)
        index_labels(f);
done:
    free(text);
    free(where);
    free(same);
    dp_scratch_free(scratch);
    return code;
}
