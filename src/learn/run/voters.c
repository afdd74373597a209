/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/run/voters.h"

#include <stdlib.h>

/* A survey, and whose it is. */
typedef struct ballot_paper {
    uint64_t voter;
    size_t   survey, first; /* first: of the same voter */
} ballot_paper;

static int by_voter(const void *a, const void *b)
{
    const ballot_paper *x = a, *y = b;
    if (x->voter != y->voter)
        return x->voter < y->voter ? -1 : 1;
    return (x->survey > y->survey) - (x->survey < y->survey);
}

static int by_first(const void *a, const void *b)
{
    const ballot_paper *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->survey > y->survey) - (x->survey < y->survey);
}

/* Voters in the order of their first survey, those of one side by side. */
static void bring_together(ballot_paper *v, const dp_str *survey, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t size = survey[i].n < sizeof v->voter ? survey[i].n : sizeof v->voter;
        v[i] = (ballot_paper){.survey = i};
        if (size)
            memcpy(&v[i].voter, survey[i].p, size);
    }
    qsort(v, n, sizeof *v, by_voter);
    for (size_t i = 0; i < n; i++)
        v[i].first = i && v[i].voter == v[i - 1].voter ? v[i - 1].first : v[i].survey;
    qsort(v, n, sizeof *v, by_first);
}

dp_err dp_voters_sum(void *all, const dp_method *m, const dp_str *survey, size_t n)
{
    ballot_paper *v = malloc((n + 1) * sizeof *v);
    char         *one = malloc(m->shared_size), *together = malloc(m->shared_size);
    dp_err        code = v && one && together ? DP_OK : DP_ENOMEM;
    if (code == DP_OK)
        bring_together(v, survey, n);
    for (size_t i = 0, j; code == DP_OK && i < n; i = j) {
        memset(together, 0, m->shared_size);
        for (j = i; j < n && v[j].first == v[i].first; j++) {
            dp_str said = survey[v[j].survey];
            memset(one, 0, m->shared_size);
            if (said.n)
                memcpy(one, said.p, said.n);
            if (m->is_survey(one))
                m->combine(together, one);
            else
                code = DP_ESYNTAX;
        }
        m->unite(together, j - i);
        m->combine(all, together);
    }
    free(v);
    free(one);
    free(together);
    return code;
}
