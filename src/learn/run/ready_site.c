/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/run/ready_site.h"

#include <stdlib.h>

#include "learn/run/certify.h"
#include "learn/run/held_out.h"
#include "site/lead.h"

static dp_site_result count(const dp_corpus *c, dp_str name)
{
    dp_site_result f = {.name = name, .urls = c->nown, .contradicting = c->contradicting, .soft = c->soft,
                        .alike = c->alike, .names = c->names, .contents = c->contents};
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->label[i] != DP_NO_CLUSTER && dp_corpus_owns(c, i))
            f.by[c->by[i]]++;
    }
    return f;
}

dp_err dp_ready_site_make(dp_ready_site *out, dp_corpus *c, dp_str name)
{
    dp_ready_site p = {.counts = count(c, name), .corpus = *c};
    *c = (dp_corpus){0};
    dp_err code = dp_corpus_site(&p.site, &p.corpus, name, &p.arena);
    if (code == DP_OK)
        *out = p;
    else
        dp_ready_site_done(&p);
    return code;
}

/* What the method keeps beside rules. Of domains of several owners nothing is: nobody would judge where it leads. */
static dp_err keep(const dp_ready_site *p, const dp_learn_how *how)
{
    static const dp_ownership nobody;
    dp_learn_context          ctx = how->ctx;
    dp_lead                   lead = {0};
    if (how->across || !how->method->keep)
        return DP_OK;
    dp_err code = dp_lead_init(&lead, &p->site, how->owners ? how->owners : &nobody);
    ctx.lead = lead.ndomain > 1 ? &lead : NULL;
    if (code == DP_OK)
        code = how->method->keep(&p->site, how->options, &ctx);
    dp_lead_done(&lead);
    return code;
}

dp_err dp_ready_site_learn(dp_site_result *out, const dp_ready_site *p, const dp_learn_how *how)
{
    dp_site_result f = how->across ? (dp_site_result){.name = p->counts.name, .across = true} : p->counts;
    bool           proves = how->confidence > 0 && !how->across, linked = p->corpus.ndomain > 1;
    dp_err         code = proves ? dp_certify_site(&f.learned, &p->site, how, linked)
                                 : dp_learn_site(&f.learned, &p->site, how);
    if (code == DP_OK && how->confidence > 0 && how->across)
        code = dp_certify_none(&f.learned);
    if (code == DP_OK && !how->across && !how->untested)
        code = dp_left_find(&f.learned.left, &(dp_left_task){&p->site, dp_buf_view(&f.learned.text),
                                                             proves ? NULL : f.learned.key, how->named,
                                                             p->corpus.spellings, how->ctx.pool});
    free(f.learned.key);
    f.learned.key = NULL;
    if (code == DP_OK && how->relearn)
        code = dp_held_out_run(&f.learned, &p->site, how, linked);
    if (code == DP_OK)
        code = keep(p, how);
    if (code == DP_OK)
        *out = f;
    else
        dp_learned_done(&f.learned);
    return code;
}

void dp_ready_site_done(dp_ready_site *p)
{
    dp_corpus_done(&p->corpus);
    dp_arena_done(&p->arena);
    *p = (dp_ready_site){0};
}
