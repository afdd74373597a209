/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/accept/leftover.h"

#include <stdlib.h>

#include "base/intern.h"
#include "base/room.h"
#include "judge/groups.h"
#include "learn/accept/change.h"
#include "learn/accept/run_together.h"
#include "store/pack.h"
#include "url/mask.h"

static const char OTHERS[] = "other changes", SOFT[] = "error messages and small pages, which are no evidence";

void dp_left_done(dp_left *l)
{
    dp_buf_done(&l->forms);
    *l = (dp_left){0};
}

/* ---- a list of forms --------------------------------------------------------------------------------------------- */

typedef struct tally {
    dp_leftover *v; /* texts in `known` and `a` */
    size_t       n, cap;
    dp_intern    known;
    dp_arena     a;
} tally;

static void tally_done(tally *t)
{
    free(t->v);
    dp_intern_done(&t->known);
    dp_arena_done(&t->a);
}

/* The entry of a form, new or not; NULL when memory is out. A new one has no example. */
static dp_leftover *entry_of(tally *t, dp_str form, size_t most)
{
    uint32_t i;
    if (t->n >= most && !dp_intern_find(&t->known, form, &i))
        form = dp_str_c(OTHERS);
    if (dp_intern_find(&t->known, form, &i))
        return &t->v[i];
    dp_str own = dp_arena_str(&t->a, form);
    if (!own.p || !DP_ROOM(t->v, t->n, t->cap) || !dp_intern_add(&t->known, own, (uint32_t)t->n))
        return NULL;
    t->v[t->n] = (dp_leftover){.form = own};
    return &t->v[t->n++];
}

static int by_keys(const void *a, const void *b)
{
    const dp_leftover *x = a, *y = b;
    return x->keys != y->keys ? (x->keys < y->keys ? 1 : -1) : dp_str_cmp(x->form, y->form);
}

/* The first ones as bytes; the numbers of `known` are wrong then. */
static dp_err pack(dp_buf *out, tally *t)
{
    if (t->n)
        qsort(t->v, t->n, sizeof *t->v, by_keys);
    dp_buf_reset(out);
    for (size_t i = 0; i < t->n && i < DP_LEFTOVERS_KEPT; i++) {
        dp_pack_text(out, t->v[i].form);
        dp_pack_number(out, t->v[i].keys);
        dp_pack_text(out, t->v[i].one);
        dp_pack_text(out, t->v[i].other);
    }
    return out->failed ? DP_ENOMEM : DP_OK;
}

bool dp_leftover_next(dp_str *rest, dp_leftover *out)
{
    return rest->n && dp_unpack_text(rest, &out->form) && dp_unpack_number(rest, &out->keys) &&
           dp_unpack_text(rest, &out->one) && dp_unpack_text(rest, &out->other);
}

static dp_err add_all(tally *t, dp_str rest)
{
    dp_leftover one;
    while (dp_leftover_next(&rest, &one)) {
        dp_leftover *e = entry_of(t, one.form, SIZE_MAX);
        if (!e)
            return DP_ENOMEM;
        e->keys += one.keys;
        if (!e->one.p) {
            e->one = one.one;
            e->other = one.other;
        }
    }
    return DP_OK;
}

dp_err dp_left_add(dp_left *sum, const dp_left *l)
{
    tally  t = {0};
    dp_buf both = {0};
    sum->urls += l->urls;
    sum->pages += l->pages;
    sum->fetched += l->fetched;
    sum->spare += l->spare;
    if (!l->forms.n)
        return DP_OK;
    dp_err code = add_all(&t, dp_buf_view(&sum->forms));
    if (code == DP_OK)
        code = add_all(&t, dp_buf_view(&l->forms));
    if (code == DP_OK)
        code = pack(&both, &t);
    tally_done(&t);
    dp_buf_done(&sum->forms);
    sum->forms = both;
    return code;
}

/* ---- the pages of a site --------------------------------------------------------------------------------------- */

typedef struct finding {
    const dp_left_task *t;
    const dp_engine    *engine;
    dp_scratch         *scratch[2];
    dp_frame            frame[2];
    dp_buf              form, text;
    tally               forms;
} finding;

static dp_str mask(finding *f, dp_str url)
{
    dp_buf_reset(&f->text);
    dp_mask_url(&f->text, url, NULL, 0);
    return f->text.failed ? (dp_str){NULL, 0} : dp_arena_str(&f->forms.a, dp_buf_view(&f->text));
}

/* Two URLs of one page, with different keys. */
static dp_err note(finding *f, uint32_t one, uint32_t other)
{
    const dp_site *s = f->t->site;
    dp_str         url[2] = {s->url[one], s->url[other]};
    bool           plain = true; /* no rule stands between what is counted and what is shown */
    dp_buf_reset(&f->form);
    for (int i = 0; i < 2; i++) {
        dp_str key = dp_engine_run(f->engine, f->scratch[i], DP_KEY, url[i], NULL, NULL);
        if (!key.p || dp_frame_read(&f->frame[i], key) == DP_FRAME_NOMEM)
            return DP_ENOMEM;
        plain &= dp_str_eq(key, url[i]);
    }
    if (s->is_soft && s->is_soft[s->cluster[one]])
        dp_buf_c(&f->form, SOFT);
    else
        dp_change_say(&f->form, &f->frame[0], &f->frame[1]);
    dp_leftover *e = f->form.failed ? NULL : entry_of(&f->forms, dp_buf_view(&f->form), DP_LEFTOVER_FORMS);
    if (!e)
        return DP_ENOMEM;
    if (!e->keys++ || (plain && !e->plain)) {
        e->plain = plain;
        e->one = mask(f, url[0]);
        e->other = mask(f, url[1]);
    }
    return !e->one.p || !e->other.p ? DP_ENOMEM : DP_OK;
}

/* The URLs of one page, by key: every key but the one that most of them have is one too many. */
static dp_err note_page(finding *f, const dp_member *v, size_t n, uint64_t *spare)
{
    size_t main = 0, most = 0;
    for (size_t i = 0, k; i < n; i = k) {
        for (k = i + 1; k < n && v[k].key == v[i].key; k++) {}
        if (k - i > most || (k - i == most && v[i].item < v[main].item)) {
            most = k - i;
            main = i;
        }
    }
    for (size_t i = 0, k; i < n; i = k) {
        for (k = i + 1; k < n && v[k].key == v[i].key; k++) {}
        if (i == main)
            continue;
        ++*spare;
        DP_TRY(note(f, v[main].item, v[i].item));
    }
    return DP_OK;
}

/* The URLs that take part, by page, key and number; malloc'd. */
static dp_member *members(const dp_together *j, dp_pool *pool)
{
    dp_member *v = malloc((j->n + 1) * sizeof *v);
    for (size_t i = 0; v && i < j->n; i++)
        v[i] = (dp_member){j->key[j->order[i]], j->site->cluster[j->order[i]], j->order[i]};
    if (v)
        dp_members_sort_on(pool, v, j->n);
    return v;
}

static dp_err look(dp_left *out, finding *f, dp_together *j)
{
    DP_TRY(dp_together_sort(j));
    for (size_t i = 0; i < j->n; i++)
        out->fetched += i == 0 || j->key[j->order[i - 1]] != j->key[j->order[i]];
    dp_member *v = members(j, f->t->pool);
    dp_err     code = v ? DP_OK : DP_ENOMEM;
    out->urls = j->n + f->t->spellings;
    for (size_t i = 0, k; i < j->n && code == DP_OK; i = k) {
        for (k = i + 1; k < j->n && v[k].tag == v[i].tag; k++) {}
        out->pages++;
        if (v[k - 1].key != v[i].key)
            code = note_page(f, v + i, k - i, &out->spare);
    }
    free(v);
    return code == DP_OK ? pack(&out->forms, &f->forms) : code;
}

dp_err dp_left_find(dp_left *out, const dp_left_task *t)
{
    dp_program  g = {0};
    dp_together j = {0};
    dp_firings  known = {.key = t->key}; /* what fired does not matter here */
    finding     f = {.t = t, .engine = &g.engine};
    unsigned    kinds = 1u << DP_BY_TEXT | 1u << DP_BY_DIGEST | 1u << DP_BY_FETCH;
    kinds |= t->named != DP_BY_LIST ? 1u << t->named : 0; /* the least stands for text */
    *out = (dp_left){0};
    dp_err code = dp_program_read(&g, t->blocks);
    for (int i = 0; i < 2 && code == DP_OK; i++)
        code = dp_scratch_new(&f.scratch[i]);
    if (code == DP_OK)
        code = dp_together_run(&j, &(dp_together_task){.program = &g, .site = t->site, .kinds = kinds,
                                                       .pool = t->pool, .known = t->key ? &known : NULL});
    if (code == DP_OK)
        code = look(out, &f, &j);
    for (int i = 0; i < 2; i++) {
        dp_scratch_free(f.scratch[i]);
        dp_frame_done(&f.frame[i]);
    }
    dp_buf_done(&f.form);
    dp_buf_done(&f.text);
    tally_done(&f.forms);
    dp_together_done(&j);
    dp_program_done(&g);
    return code;
}
