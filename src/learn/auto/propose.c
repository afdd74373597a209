/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/propose.h"

#include "url/chars.h"

const dp_generator dp_generators[DP_GENERATORS] = {
    {"host", dp_generate_host},         {"query", dp_generate_query},       {"path", dp_generate_path},
    {"affix", dp_generate_affix},       {"template", dp_generate_template}, {"joint", dp_generate_joint},
};

uint64_t dp_cost(dp_str text)
{
    uint64_t w = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        w += c == '*' ? 0 : c >= 'A' && c <= 'Z' ? 2 : c == '?' || c == '&' || c == ';' ? 3 : 1;
    }
    return w << 24 | (text.n & 0xffffff);
}

void dp_pairing_propose(dp_pairing *p, dp_tier tier, dp_family family)
{
    if (p->text.failed || p->other.failed)
        p->out->failed = true;
    else
        dp_ideas_add(p->out,
                     &(dp_idea){.text = {dp_buf_view(&p->text), dp_buf_view(&p->other)},
                                .tier = (uint8_t)tier,
                                .family = (uint8_t)family},
                     p->by);
    dp_buf_reset(&p->text);
    dp_buf_reset(&p->other);
}

/* Whether `a` is the better form. */
static bool better(dp_str a, dp_str b)
{
    uint64_t x = dp_cost(a), y = dp_cost(b);
    return x != y ? x < y : dp_str_cmp(a, b) < 0;
}

typedef struct proposing {
    const dp_forms           *forms;
    const dp_propose_options *o;
    dp_pairing                p;
    dp_frame                  u, v;
} proposing;

static dp_err compare(proposing *g, uint32_t a, uint32_t b)
{
    dp_str x = g->forms->text[a], y = g->forms->text[b];
    bool   turn = better(x, y);
    dp_frame_result got = dp_frame_read(&g->u, turn ? y : x);
    if (got == DP_FRAME_OK)
        got = dp_frame_read(&g->v, turn ? x : y);
    if (got != DP_FRAME_OK)
        return got == DP_FRAME_NOMEM ? DP_ENOMEM : DP_OK;
    for (int i = 0; i < DP_GENERATORS; i++)
        if (!g->o->without || !g->o->without[i])
            dp_generators[i].generate(&g->p);
    return g->p.out->failed ? DP_ENOMEM : DP_OK;
}

/* Forms lo, lo + step, ...: at most o->most of a cluster's, spread over their order. */
static dp_err compare_cluster(proposing *g, uint32_t cluster)
{
    const dp_forms *f = g->forms;
    const uint32_t *m = f->member + f->first[cluster];
    uint32_t        n = f->first[cluster + 1] - f->first[cluster], best = 0;
    uint32_t        pick[64], k = 0, most = g->o->most < 64 ? g->o->most : 64;
    if (n < 2)
        return DP_OK;
    for (uint32_t i = 1; i < n; i++)
        if (better(f->text[m[i]], f->text[m[best]]))
            best = i;
    /* Where there are too many, neighbours stay neighbours: pairs of them are drawn evenly. */
    if (n <= most)
        while (k < n) {
            pick[k] = k;
            k++;
        }
    else
        for (uint32_t i = 0; i < most; i++)
            pick[k++] = (uint32_t)((uint64_t)(i / 2) * (n - 1) / (most / 2)) + i % 2;
    g->p.by = (dp_proposer){cluster, f->site->fold[cluster]};
    for (uint32_t i = 0; i < k; i++) {
        if (pick[i] != best)
            DP_TRY(compare(g, m[pick[i]], m[best]));
        if (i && pick[i] != best && pick[i - 1] != best && pick[i] != pick[i - 1])
            DP_TRY(compare(g, m[pick[i]], m[pick[i - 1]]));
    }
    return DP_OK;
}

dp_err dp_propose(dp_ideas *out, const dp_forms *f, const dp_lexicon *w, const dp_propose_options *o)
{
    proposing g = {.forms = f, .o = o, .p = {.lexicon = w, .out = out}};
    dp_err    code = DP_OK;
    uint64_t  open = 0, seen = 0;
    g.p.u = &g.u;
    g.p.v = &g.v;
    for (uint32_t c = 0; c < f->site->nclusters; c++)
        open += f->first[c + 1] - f->first[c] > 1;
    uint64_t asked = o->clusters && o->clusters < open ? o->clusters : open;
    for (uint32_t c = 0; c < f->site->nclusters && code == DP_OK; c++) {
        if (f->first[c + 1] - f->first[c] < 2)
            continue;
        uint64_t before = seen++ * asked / open;
        if (seen * asked / open > before && o->folds >> f->site->fold[c] & 1 && !f->site->is_soft[c])
            code = compare_cluster(&g, c);
    }
    dp_frame_done(&g.u);
    dp_frame_done(&g.v);
    dp_buf_done(&g.p.text);
    dp_buf_done(&g.p.other);
    dp_buf_done(&g.p.whole);
    dp_buf_done(&g.p.runs[0]);
    dp_buf_done(&g.p.runs[1]);
    return code;
}
