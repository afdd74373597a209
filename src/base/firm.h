/* base/firm.h - 64 bits of a text that are the same everywhere, and for which nobody finds another text.
 *
 *     dp_hash_firm("a.com")      the first 64 bits of its SHA-256
 *
 * Slower than base/hash.h by far: for names of which there are few, that go from machine to machine, and that strangers
 * choose. To find a second text takes 2^64 tries, not seconds.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_FIRM_H
#define DP_BASE_FIRM_H

#include "base/err.h"
#include "base/str.h"

/* DP_ENOMEM. */
dp_err dp_hash_firm(uint64_t *out, dp_str text);

#endif
