/* output/difference.h - two pages of an input side by side: what differs, and why it was hidden or not.
 *
 *     records of the two URLs -> see -> texts -> settle -> dp_hidden_ask -> dp_clusters_join -> print
 *
 * output/clustering.c is the caller (`cluster --explain`).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_OUTPUT_DIFFERENCE_H
#define DP_OUTPUT_DIFFERENCE_H

#include "content/cluster.h"
#include "content/page.h"
#include "input/record.h"

/* A record of one of the two URLs. */
typedef struct dp_sighting {
    unsigned which; /* 0 or 1 */
    uint32_t page;
    dp_buf   text;
    dp_slots slots;
    bool     is_html;
} dp_sighting;

/* Zeroed but for `url` it is valid. */
typedef struct dp_difference {
    dp_str          url[2];
    dp_sighting    *v; /* [n] */
    size_t          n, cap;
    size_t          chosen[2];
    dp_page_reader *reader;
    dp_hidden_ask   ask;
} dp_difference;

/* Keep the text of a record that is about to become page number `page`, if it is of one of the URLs. DP_ENOMEM. */
dp_err dp_difference_see(dp_difference *d, const dp_record *r, const dp_evidence *e, uint32_t page);

/* Choose the records that stand for the URLs, and ask about them. DP_EINVALID when one was not seen. */
dp_err dp_difference_settle(dp_difference *d, dp_clusters *c, dp_error *err);

/* Append what was found, after dp_clusters_join. */
void dp_difference_print(dp_buf *out, const dp_difference *d, dp_clusters *c, bool json);

void dp_difference_done(dp_difference *d);

#endif
