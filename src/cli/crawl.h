/* cli/crawl.h - learn --crawl-eval: what rules of the first part of a crawl save on the rest.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CLI_CRAWL_H
#define DP_CLI_CRAWL_H

#include "cli/records.h"

/* Measure the rules in `text` on the files, whose first `share` they were learned from; the table, or a JSON object,
 * goes to standard error. */
dp_err dp_crawl_measure(const dp_text *text, const dp_record_files *in, double share, bool json, dp_error *err);

#endif
