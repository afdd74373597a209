/* url/host.h - host names: stage 0's form, dotted names, registrable domains.
 *
 *     B%C3%BCcher.Example  ->  xn--bcher-kva.example        domain of a.b.co.uk: b.co.uk
 *
 * libidn2 (UTS #46) and libpsl (public-suffix list) are used in this module alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_URL_HOST_H
#define DP_URL_HOST_H

#include "base/buf.h"
#include "base/err.h"

/* Append the stage-0 form of `host` (%XX decoded once, UTS #46, lower case). False, with
 * nothing of use appended, when it is no host: empty, a byte outside [a-z0-9._~-], a bad
 * [IPv6], not UTF-8, refused by libidn2; or when out->failed. */
bool dp_host_normalize(dp_buf *out, dp_str host);

/* Whether `s` is a dotted name: two labels or more of [A-Za-z0-9_~-] or bytes >= 0x80,
 * none empty but for one trailing dot. */
bool dp_host_is_dotted(dp_str s);

/* Whether a host in stage-0 form is an IPv4 or [IPv6] address. */
bool dp_host_is_address(dp_str host);

/* The default port of a scheme in lower case, -1 when it has none we know. */
int dp_scheme_port(dp_str scheme);

/* The registrable domain of `host` (in stage-0 form), a suffix of it. */
dp_str dp_host_domain(dp_str host);

/* The same by the suffixes of ICANN alone, without those that companies have put on the list for names that they give
 * away: of a.github.io it is github.io. Whoever owns that can have as many names as he likes. */
dp_str dp_host_icann_domain(dp_str host);

#endif
