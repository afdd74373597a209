/* support/sites.h - a small site out of a table, and a large one.
 *
 *     static const site_row rows[] = {{"a", "http://a.test/x"}, {"a", "http://a.test/x?sid=1"}};
 *     make_site(&site, rows, DP_COUNT(rows), &arena);
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_SITES_H
#define DP_SUPPORT_SITES_H

#include "site/site.h"

typedef struct site_row {
    const char *cluster; /* "": not known */
    const char *url;     /* in stage-0 form */
} site_row;

/* The site "a.test" of the rows, up to the first without a URL; the test fails where it cannot be made. */
void make_site(dp_site *s, const site_row *row, size_t most, dp_arena *a);

/* Pages /page0, /page1, ... that have `copies` URLs each: without a parameter, ?sid=1, ?sid=2, ... */
void make_large_site(dp_site *s, unsigned pages, unsigned copies, dp_arena *a);

#endif
