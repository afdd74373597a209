/* learn/sample/url_outline.h - a URL as a few hashes: its path, and its parameters one by one.
 *
 *     http://www.a.com/Shop/Item/?id=1&sid=7     path  of "shop/item"     last  of "item"     id=1  sid=7
 *
 * Scheme and host, case in the path and the slash at its end are left out: URLs that differ in these alone have one
 * path. The order of parameters is for the caller to forget, by adding up what they hash to.
 *
 * Samples are drawn by such hashes (learn/sample/sample_part.h, learn/sample/sample_site.h): URLs that rules could
 * merge must be drawn together.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SAMPLE_URL_OUTLINE_H
#define DP_LEARN_SAMPLE_URL_OUTLINE_H

#include "url/scan.h"

typedef struct dp_outline {
    dp_str     url;
    uint64_t   path, last; /* hashes */
    size_t     at;         /* where the next parameter begins */
    dp_scanner rest;       /* what was not looked at */
} dp_outline;

/* `url` is in stage-0 form, and must live as long. */
void dp_outline_open(dp_outline *o, dp_str url);

/* The next parameter: its hash, name and value together, and its name. False: there are no more. */
bool dp_outline_next(dp_outline *o, uint64_t *pair, dp_str *name);

#endif
