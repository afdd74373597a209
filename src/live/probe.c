/* SPDX-License-Identifier: Apache-2.0 */
#include "live/probe.h"

#include "base/hash.h"
#include "url/host.h"
#include "url/split.h"

const char *dp_finding_name(dp_finding f)
{
    static const char *const names[] = {"wait", "same", "different", "unknown", "skipped"};
    return names[f];
}

static void conclude(dp_pair_probe *p, dp_finding f, const dp_reply *r)
{
    p->finding = f;
    p->cause = r->cause;
    p->budget_is_spent = r->budget_is_spent;
}

static dp_str domain_of(dp_str url)
{
    dp_split s;
    return dp_host_domain(dp_split_url(&s, url) ? s.host : DP_STR(""));
}

static void compare(dp_pair_probe *p, const dp_reply *u, const dp_reply *v, unsigned shingles)
{
    p->content = dp_hash_bytes(u->sketch, sizeof u->sketch);
    p->common = dp_shingle_common(u->sketch, v->sketch);
    p->by_redirect = u->hops + v->hops > 0 && dp_str_eq(u->last, v->last);
    p->finding = p->by_redirect || p->common >= shingles ? DP_FINDING_SAME : DP_FINDING_DIFFERENT;
    p->u_moved = u->hops && p->finding == DP_FINDING_SAME && dp_str_eq(domain_of(u->last), domain_of(p->result));
}

dp_err dp_pair_probe_step(dp_pair_probe *p, const dp_teller *s, unsigned shingles, dp_error *err)
{
    dp_reply u, v;
    DP_TRY(s->ask(s->self, p->u, &u, err));
    switch (u.kind) {
    case DP_REPLY_WAIT: return DP_OK;
    case DP_REPLY_GONE:
    case DP_REPLY_SPARED: conclude(p, DP_FINDING_SKIPPED, &u); return DP_OK;
    case DP_REPLY_UNKNOWN: conclude(p, DP_FINDING_UNKNOWN, &u); return DP_OK;
    case DP_REPLY_PAGE: break;
    }
    DP_TRY(s->ask(s->self, p->v, &v, err));
    switch (v.kind) {
    case DP_REPLY_WAIT: return DP_OK;
    case DP_REPLY_GONE:
        conclude(p, DP_FINDING_DIFFERENT, &v);
        p->v_is_gone = true;
        return DP_OK;
    case DP_REPLY_SPARED:
    case DP_REPLY_UNKNOWN: conclude(p, DP_FINDING_UNKNOWN, &v); return DP_OK;
    case DP_REPLY_PAGE: compare(p, &u, &v, shingles); break;
    }
    return DP_OK;
}
