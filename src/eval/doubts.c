/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/doubts.h"

#include <inttypes.h>
#include <stdio.h>

bool dp_doubt(char line[DP_DOUBT_SIZE], const dp_truth *t, size_t i)
{
    const struct {
        uint64_t    count;
        const char *text;
    } counted[] = {
        {t->contradicting, "records say of a URL that it shows another page than before; the first counts"},
        {t->unlabelled, "records have neither cluster nor digest and do not count"},
        {t->not_ok, "records are not of GET and status 200, and their digests do not count"},
        {t->not_urls, "records have no URL that can be read and do not count"},
    };
    if (t->n && dp_truth_singletons(t) == 0 && i-- == 0) {
        snprintf(line, DP_DOUBT_SIZE,
                 "no cluster has one URL alone: counter-evidence is weak, for merging a page that has no "
                 "duplicate into another does not show; give the records of those pages, too");
        return true;
    }
    for (size_t k = 0; k < DP_COUNT(counted); k++) {
        if (counted[k].count && i-- == 0) {
            snprintf(line, DP_DOUBT_SIZE, "%" PRIu64 " %s", counted[k].count, counted[k].text);
            return true;
        }
    }
    return false;
}
