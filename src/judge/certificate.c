/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/certificate.h"

#include "judge/beta.h"

enum { MOST_BITS = 40 }; /* of a number of votes */

double dp_certificate_doubt(uint64_t good, uint64_t bad, double precision)
{
    return good ? dp_beta_below((double)good, (double)bad + 1, precision) : 1;
}

uint64_t dp_certificate_missing(uint64_t good, uint64_t bad, double precision, double most)
{
    uint64_t below = 0; /* the most votes that are too few, plus one */
    for (int bit = MOST_BITS; bit >= 0; bit--) {
        uint64_t more = below + (UINT64_C(1) << bit);
        below = dp_certificate_doubt(good + more - 1, bad, precision) > most ? more : below;
    }
    return below;
}
