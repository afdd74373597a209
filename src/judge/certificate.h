/* judge/certificate.h - do these votes prove that a list of rules is as precise as promised?
 *
 *     good, bad votes of pages that had no say ──► doubt: how likely, were the precision lower
 *                                                 ──► at most 1 - confidence? proven
 *
 * An exact binomial test. It holds for any number of votes, and asks nothing of how the rules were found, as long as
 * the pages that vote played no part in it (learn/run/certify.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_JUDGE_CERTIFICATE_H
#define DP_JUDGE_CERTIFICATE_H

#include <stdint.h>

/* The chance of at most `bad` bad votes among all, if one in 1 / (1 - precision) were bad; 1 without good votes. */
double dp_certificate_doubt(uint64_t good, uint64_t bad, double precision);

/* Good votes that are missing until the doubt is at most `most`; precision < 1, most > 0. */
uint64_t dp_certificate_missing(uint64_t good, uint64_t bad, double precision, double most);

#endif
