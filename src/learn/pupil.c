/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/pupil.h"

#include "learn/rehearsal.h"

static dp_fragment count(const dp_corpus *c, dp_str name)
{
    dp_fragment f = {.name = name, .urls = c->nown, .contradicting = c->contradicting, .soft = c->soft};
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->label[i] != DP_NO_CLUSTER && dp_corpus_owns(c, i))
            f.by[c->by[i]]++;
    }
    return f;
}

dp_err dp_pupil_make(dp_pupil *out, dp_corpus *c, dp_str name)
{
    dp_pupil p = {.counts = count(c, name), .corpus = *c};
    *c = (dp_corpus){0};
    dp_err code = dp_corpus_site(&p.site, &p.corpus, name, &p.arena);
    if (code == DP_OK)
        *out = p;
    else
        dp_pupil_done(&p);
    return code;
}

dp_err dp_pupil_learn(dp_fragment *out, const dp_pupil *p, const dp_teaching *how)
{
    dp_fragment f = p->counts;
    dp_err      code = dp_lesson_learn(&f.lesson, &p->site, how);
    if (code == DP_OK && how->rehearse)
        code = dp_rehearsal_run(&f.lesson, &p->site, how, p->corpus.ndomain > 1);
    if (code == DP_OK && how->method->keep)
        code = how->method->keep(&p->site, how->options, &how->ctx);
    if (code == DP_OK)
        *out = f;
    else
        dp_lesson_done(&f.lesson);
    return code;
}

void dp_pupil_done(dp_pupil *p)
{
    dp_corpus_done(&p->corpus);
    dp_arena_done(&p->arena);
    *p = (dp_pupil){0};
}
