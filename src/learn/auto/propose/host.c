/* Ideas about origins: another scheme, another host.
 *
 *     https:/{**} => http:/{**}       //www.a.com/{**} => //a.com/{**}
 *
 *     http://www.a.com/~ann/x   http://ann.a.com/x     //www.a.com/~{u}/{**} => //{u}.a.com/{**}
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/auto/propose/path.h"
#include "url/chars.h"

static dp_str authority(const dp_frame *f)
{
    return dp_frame_cut(f, f->host, f->path);
}

static bool has_port(const dp_frame *f)
{
    dp_str a = authority(f);
    return a.n && dp_is(a.p[a.n - 1], DP_CH_DIGIT) && memchr(a.p, ':', a.n) && a.p[0] != '[';
}

/* The host of `f` and its port; where it has none and the other side of the rule has, that of its scheme: one that is
 * not written stays. */
static void put_authority(dp_buf *out, const dp_frame *f, const dp_frame *other, dp_str scheme)
{
    dp_buf_str(out, authority(f));
    if (!has_port(f) && has_port(other))
        dp_buf_c(out, dp_str_eq(scheme, DP_STR("https")) ? ":443" : ":80");
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
            put_authority(&p->text, f, i ? from : to, dp_frame_scheme(scheme ? f : from));
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

/* ---- a label of the host that is a component of the path elsewhere ---------------------------- */

enum { MOST_HEAD = 2 }; /* components before that */

/* Where `f` has the label in its path, a mark before it (~ann) or not; f->nseg: nowhere. */
static uint32_t find_label(const dp_frame *f, dp_str label)
{
    for (uint32_t i = 0; i < f->nseg && i <= MOST_HEAD; i++) {
        dp_str seg = dp_frame_seg(f, i);
        if (dp_str_ends(seg, label) && (seg.n == label.n || (seg.n == label.n + 1 && !dp_is(seg.p[0], DP_CH_ALNUM))))
            return i;
    }
    return f->nseg;
}

/* Append the components before `end` as they are. False: a word is not part of how the site is built. */
static bool put_head(dp_pairing *p, const dp_frame *f, uint32_t end)
{
    for (uint32_t i = 0; i < end; i++) {
        if (!dp_lexicon_has(p->lexicon, dp_frame_seg(f, i)))
            return false;
        dp_buf_byte(&p->text, '/');
        dp_buf_str(&p->text, dp_frame_seg(f, i));
    }
    return true;
}

/* The path of `u` names the first label of `v`'s host, and they end alike. */
static void propose_label(dp_pairing *p, const dp_frame *u, const dp_frame *v)
{
    dp_str      from = authority(u), to = authority(v);
    const char *dot = memchr(to.p, '.', to.n);
    dp_str      label = dp_str_cut(to, 0, dot ? (size_t)(dot - to.p) : 0);
    dp_str      domain = dp_str_cut(to, label.n + 1, to.n);
    uint32_t    at = label.n ? find_label(u, label) : u->nseg;
    if (at == u->nseg || !dp_str_ends(from, domain) || memchr(to.p, ':', to.n))
        return;
    uint32_t rest = u->nseg - at - 1, head = v->nseg - rest;
    if (rest > v->nseg || head > MOST_HEAD || dp_path_cut_of(u, v).end < rest)
        return;
    dp_buf_c(&p->text, "//");
    dp_buf_str(&p->text, from);
    bool   said = put_head(p, u, at);
    dp_str seg = dp_frame_seg(u, at);
    dp_buf_byte(&p->text, '/');
    dp_buf_str(&p->text, dp_str_cut(seg, 0, seg.n - label.n));
    dp_buf_c(&p->text, "{u}/{**} => //{u}.");
    dp_buf_str(&p->text, domain);
    said &= put_head(p, v, head);
    dp_buf_c(&p->text, "/{**}");
    if (said)
        dp_pairing_propose(p, DP_TIER_LITERAL, DP_FAMILY_HOST);
    dp_buf_reset(&p->text);
}

void dp_generate_host(dp_pairing *p)
{
    const dp_frame *u = p->u, *v = p->v;
    bool scheme = !dp_str_eq(dp_frame_scheme(u), dp_frame_scheme(v));
    bool host = !dp_str_eq(authority(u), authority(v));
    if (scheme)
        both(p, true, false, !dp_pairing_falls(p, dp_frame_scheme(u), dp_frame_scheme(v)));
    if (host) {
        both(p, false, true, turns(p));
        propose_label(p, u, v);
        if (!p->directed)
            propose_label(p, v, u);
    }
    if (scheme && host)
        both(p, true, true, turns(p));
}
