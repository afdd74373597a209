/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/run/site_result.h"

#include <stdlib.h>

#include "base/room.h"
#include "store/pack.h"

static const char MARK[8] = "dpfrag8\n";

dp_err dp_site_results_add(dp_site_results *l, const dp_site_result *f)
{
    dp_site_result one = *f;
    one.name = dp_arena_str(&l->names, f->name);
    if (!one.name.p || !DP_ROOM(l->v, l->n, l->cap)) {
        dp_learned_done(&one.learned);
        return DP_ENOMEM;
    }
    l->v[l->n++] = one;
    return DP_OK;
}

static int by_name(const void *a, const void *b)
{
    const dp_site_result *x = a, *y = b;
    int                   c = dp_str_cmp(x->name, y->name);
    return c ? c : x->across - y->across;
}

void dp_site_results_sort(dp_site_results *l)
{
    if (l->n)
        qsort(l->v, l->n, sizeof *l->v, by_name);
}

/* ---- bytes --------------------------------------------------------------------------------------------------- */

/* The counts of a result, as a table so that both ways name each once. */
enum { COUNTS = 35 };

static void list_counts(dp_site_result *f, uint64_t *out[COUNTS])
{
    dp_learned *l = &f->learned;
    uint64_t   *all[COUNTS] = {&f->urls,        &f->contradicting, &f->soft,      &l->proposed, &l->unreadable,
                              &l->refuted,     &l->feeding,       &l->idle,      &l->harmful,  &l->active,
                              &l->likely,      &l->labelled,      &l->pairs,     &l->clusters, &l->singletons,
                              &l->held_urls,   &l->held_clusters, &l->held_fetched, &l->held_lost, &f->sampled,
                              &l->relearned,   &l->left.urls,     &l->left.pages, &l->left.fetched, &l->left.spare,
                              &f->names,       &f->contents,      &l->cert_sites, &l->certified, &l->cert_good,
                              &l->cert_bad,    &l->cert_pool,     &l->cert_missing, &f->alike, NULL};
    memcpy(out, all, sizeof all);
}

void dp_site_results_pack(dp_buf *out, const dp_site_results *l)
{
    size_t start = out->n;
    dp_buf_add(out, MARK, sizeof MARK);
    dp_pack_number(out, l->n);
    for (size_t i = 0; i < l->n; i++) {
        dp_site_result f = l->v[i];
        uint64_t      *count[COUNTS];
        list_counts(&f, count);
        dp_pack_text(out, f.name);
        dp_pack_number(out, f.across);
        for (size_t k = 0; count[k]; k++)
            dp_pack_number(out, *count[k]);
        for (size_t k = 0; k < DP_BYS; k++)
            dp_pack_number(out, f.by[k]);
        dp_buf_add(out, (const char *)&f.learned.held_expected, sizeof f.learned.held_expected);
        dp_buf_add(out, (const char *)&f.learned.noise, sizeof f.learned.noise);
        dp_pack_text(out, dp_buf_view(&f.learned.text));
        dp_pack_text(out, dp_buf_view(&f.learned.left.forms));
    }
    dp_pack_sum(out, start);
}

static bool read_double(dp_str *rest, double *out)
{
    if (rest->n < sizeof *out)
        return false;
    memcpy(out, rest->p, sizeof *out);
    *rest = dp_str_cut(*rest, sizeof *out, rest->n);
    return true;
}

static bool read_fragment(dp_str *rest, dp_site_result *f, dp_str *text, dp_str *forms)
{
    uint64_t *count[COUNTS], across;
    list_counts(f, count);
    if (!dp_unpack_text(rest, &f->name) || !dp_unpack_number(rest, &across) || across > 1)
        return false;
    f->across = across;
    for (size_t k = 0; count[k]; k++) {
        if (!dp_unpack_number(rest, count[k]))
            return false;
    }
    for (size_t k = 0; k < DP_BYS; k++) {
        if (!dp_unpack_number(rest, &f->by[k]))
            return false;
    }
    return read_double(rest, &f->learned.held_expected) && read_double(rest, &f->learned.noise) &&
           dp_unpack_text(rest, text) && dp_unpack_text(rest, forms);
}

dp_err dp_site_results_unpack(dp_site_results *l, dp_str bytes)
{
    uint64_t n;
    dp_str   rest;
    if (!dp_unpack_sum(bytes, (dp_str){MARK, sizeof MARK}, &rest) || !dp_unpack_number(&rest, &n))
        return DP_ESYNTAX;
    for (uint64_t i = 0; i < n; i++) {
        dp_site_result f = {0};
        dp_str         text, forms;
        if (!read_fragment(&rest, &f, &text, &forms))
            return DP_ESYNTAX;
        dp_buf_str(&f.learned.text, text);
        dp_buf_str(&f.learned.left.forms, forms);
        if (f.learned.text.failed || f.learned.left.forms.failed) {
            dp_learned_done(&f.learned);
            return DP_ENOMEM;
        }
        DP_TRY(dp_site_results_add(l, &f));
    }
    return rest.n ? DP_ESYNTAX : DP_OK;
}

void dp_site_results_done(dp_site_results *l)
{
    for (size_t i = 0; i < l->n; i++)
        dp_learned_done(&l->v[i].learned);
    free(l->v);
    dp_arena_done(&l->names);
    *l = (dp_site_results){0};
}
