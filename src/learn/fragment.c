/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/fragment.h"

#include <stdlib.h>

#include "base/room.h"
#include "store/pack.h"

static const char MARK[8] = "dpfrag3\n";

dp_err dp_fragments_add(dp_fragments *l, const dp_fragment *f)
{
    dp_fragment one = *f;
    one.name = dp_arena_str(&l->names, f->name);
    if (!one.name.p || !DP_ROOM(l->v, l->n, l->cap)) {
        dp_lesson_done(&one.lesson);
        return DP_ENOMEM;
    }
    l->v[l->n++] = one;
    return DP_OK;
}

static int by_name(const void *a, const void *b)
{
    return dp_str_cmp(((const dp_fragment *)a)->name, ((const dp_fragment *)b)->name);
}

void dp_fragments_sort(dp_fragments *l)
{
    if (l->n)
        qsort(l->v, l->n, sizeof *l->v, by_name);
}

/* ---- bytes --------------------------------------------------------------------------------------------------- */

/* The counts of a fragment, as a table so that both ways name each once. */
enum { COUNTS = 22 };

static void list_counts(dp_fragment *f, uint64_t *out[COUNTS])
{
    dp_lesson *l = &f->lesson;
    uint64_t  *all[COUNTS] = {&f->urls,        &f->contradicting, &f->soft,      &l->proposed, &l->unreadable,
                              &l->refuted,     &l->feeding,       &l->idle,      &l->harmful,  &l->active,
                              &l->likely,      &l->labelled,      &l->pairs,     &l->clusters, &l->singletons,
                              &l->held_urls,   &l->held_clusters, &l->held_fetched, &l->held_lost, &f->sampled,
                              &l->rehearsed,   NULL};
    memcpy(out, all, sizeof all);
}

void dp_fragments_pack(dp_buf *out, const dp_fragments *l)
{
    size_t start = out->n;
    dp_buf_add(out, MARK, sizeof MARK);
    dp_pack_number(out, l->n);
    for (size_t i = 0; i < l->n; i++) {
        dp_fragment f = l->v[i];
        uint64_t   *count[COUNTS];
        list_counts(&f, count);
        dp_pack_text(out, f.name);
        for (size_t k = 0; count[k]; k++)
            dp_pack_number(out, *count[k]);
        for (size_t k = 0; k < DP_BYS; k++)
            dp_pack_number(out, f.by[k]);
        dp_buf_add(out, (const char *)&f.lesson.held_expected, sizeof f.lesson.held_expected);
        dp_buf_add(out, (const char *)&f.lesson.noise, sizeof f.lesson.noise);
        dp_pack_text(out, dp_buf_view(&f.lesson.text));
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

static bool read_fragment(dp_str *rest, dp_fragment *f, dp_str *text)
{
    uint64_t *count[COUNTS];
    list_counts(f, count);
    if (!dp_unpack_text(rest, &f->name))
        return false;
    for (size_t k = 0; count[k]; k++) {
        if (!dp_unpack_number(rest, count[k]))
            return false;
    }
    for (size_t k = 0; k < DP_BYS; k++) {
        if (!dp_unpack_number(rest, &f->by[k]))
            return false;
    }
    return read_double(rest, &f->lesson.held_expected) && read_double(rest, &f->lesson.noise) &&
           dp_unpack_text(rest, text);
}

dp_err dp_fragments_unpack(dp_fragments *l, dp_str bytes)
{
    uint64_t n;
    dp_str   rest;
    if (!dp_unpack_sum(bytes, (dp_str){MARK, sizeof MARK}, &rest) || !dp_unpack_number(&rest, &n))
        return DP_ESYNTAX;
    for (uint64_t i = 0; i < n; i++) {
        dp_fragment f = {0};
        dp_str      text;
        if (!read_fragment(&rest, &f, &text))
            return DP_ESYNTAX;
        dp_buf_str(&f.lesson.text, text);
        if (f.lesson.text.failed) {
            dp_lesson_done(&f.lesson);
            return DP_ENOMEM;
        }
        DP_TRY(dp_fragments_add(l, &f));
    }
    return rest.n ? DP_ESYNTAX : DP_OK;
}

void dp_fragments_done(dp_fragments *l)
{
    for (size_t i = 0; i < l->n; i++)
        dp_lesson_done(&l->v[i].lesson);
    free(l->v);
    dp_arena_done(&l->names);
    *l = (dp_fragments){0};
}
