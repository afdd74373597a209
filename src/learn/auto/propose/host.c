/* Ideas about origins: another scheme, another host.
 *
 *     https:/{**} => http:/{**}       //www.a.com/{**} => //a.com/{**}
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/auto/propose/propose.h"

static dp_str authority(const dp_frame *f)
{
    return dp_frame_cut(f, f->host, f->path);
}

static void both(dp_pairing *p, bool scheme, bool host, bool turn)
{
    const dp_frame *from = turn ? p->v : p->u, *to = turn ? p->u : p->v;
    for (int i = 0; i < 2; i++) {
        const dp_frame *f = i ? to : from;
        if (i)
            dp_buf_c(&p->text, " => ");
        if (scheme) {
            dp_buf_str(&p->text, dp_frame_scheme(f));
            dp_buf_byte(&p->text, ':');
        }
        if (host) {
            dp_buf_c(&p->text, "//");
            dp_buf_str(&p->text, authority(f));
        }
        dp_buf_c(&p->text, "/{**}");
    }
    dp_pairing_propose(p, host ? DP_TIER_LITERAL : DP_TIER_FORM, DP_FAMILY_HOST);
}

/* Whether a rule should lead from v to u: inside a domain the cheaper host is better, from one domain to another the
 * one that stands for the other. */
static bool turns(const dp_pairing *p)
{
    int lead = 0;
    if (p->lead)
        lead = dp_lead_compare(p->lead, dp_lead_find(p->lead, dp_frame_host(p->u)),
                               dp_lead_find(p->lead, dp_frame_host(p->v)));
    return lead ? lead < 0 : !dp_pairing_falls(p, authority(p->u), authority(p->v));
}

void dp_generate_host(dp_pairing *p)
{
    const dp_frame *u = p->u, *v = p->v;
    bool scheme = !dp_str_eq(dp_frame_scheme(u), dp_frame_scheme(v));
    bool host = !dp_str_eq(authority(u), authority(v));
    if (scheme)
        both(p, true, false, !dp_pairing_falls(p, dp_frame_scheme(u), dp_frame_scheme(v)));
    if (host)
        both(p, false, true, turns(p));
    if (scheme && host)
        both(p, true, true, turns(p));
}
