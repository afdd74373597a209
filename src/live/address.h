/* live/address.h - may we connect there?
 *
 *     93.184.216.34   yes        10.1.2.3  127.0.0.1  169.254.169.254  ::ffff:10.1.2.3   no
 *
 * A URL list can hold any name, a name any address: fetching must not become a way into the network that it
 * runs in. live/http.c asks for each address it is about to connect to, so DNS and redirects change nothing.
 * The answer follows the special-purpose registries of IANA (RFC 6890): what is not globally reachable is not public.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_ADDRESS_H
#define DP_LIVE_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

/* Whether `a` is a public IPv4 or IPv6 address; false for every other family. */
bool dp_address_is_public(const struct sockaddr *a);

#endif
