/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/doubts.h"

#include <stdio.h>

#include "base/plural.h"

bool dp_doubt(char line[DP_DOUBT_SIZE], const dp_truth *t, size_t i)
{
    const struct {
        uint64_t    count;
        const char *one, *many;
    } counted[] = {
        {t->contradicting,
         "record names or shows another page for a URL than an earlier record; the first name counts, or the newest "
         "content",
         "records name or show another page for a URL than an earlier record; the first name counts, or the newest "
         "content"},
        {t->unlabelled, "record has no cluster and not enough content and is ignored",
         "records have no cluster and not enough content and are ignored"},
        {t->not_ok, "record is not a GET request answered with 200; its content is ignored",
         "records are not GET requests answered with 200; their content is ignored"},
        {t->not_urls, "record has no valid URL and is ignored", "records have no valid URL and are ignored"},
    };
    if (t->n && dp_truth_singletons(t) == 0 && i-- == 0) {
        snprintf(line, DP_DOUBT_SIZE,
                 "every page here has several URLs. If you filtered the input to duplicates, add the other URLs "
                 "too: without them wrong merges cannot be detected. If this is the whole site, ignore this warning.");
        return true;
    }
    for (size_t k = 0; k < DP_COUNT(counted); k++) {
        if (counted[k].count && i-- == 0) {
            snprintf(line, DP_DOUBT_SIZE, "%" PRIu64 " %s", counted[k].count,
                     dp_plural(counted[k].count, counted[k].one, counted[k].many));
            return true;
        }
    }
    return false;
}
