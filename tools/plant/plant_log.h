/* plant/plant_log.h - the set as the log of a web server, in time order.
 *
 *     www.kalomi.com:80 10.3.7.9 - - [01/Jan/2024:00:00:03 +0000] "GET /a?sid=1 HTTP/1.1" 200 5123 "-" "Mozilla..."
 *
 * Every URL is asked for once when its turn comes, some again soon after. Clients keep their agent; a few of them are
 * crawlers and ask for much. Beside GET 200 there are HEAD, POST, 304 and 404 lines. Without the virtual-host column
 * (one host) names and schemes are lost, as they are in life.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_PLANT_LOG_H
#define DP_PLANT_LOG_H

#include "plant_stream.h"

enum { PLANT_LOG_RECENT = 512 };

typedef struct plant_log {
    const plant_options *o;
    bool                 vhost;
    dp_rng               r;
    int64_t              now; /* milliseconds since 1970 */
    int64_t              shown;
    char                 stamp[32];
    plant_item           recent[PLANT_LOG_RECENT];
    size_t               n;
} plant_log;

void plant_log_init(plant_log *l, const plant_options *o, bool vhost);

/* Append the lines of the next moment: the URL's, and some others. */
void plant_log_item(plant_log *l, dp_buf *out, const plant_item *it);

/* Bytes that the page has when asked for this URL: that of its content, and the jitter. */
uint64_t plant_item_bytes(const plant_options *o, const plant_item *it);

#endif
