/* site/usual.h - how large the page of a URL usually is, by a log; and by how much that differs from day to day.
 *
 *     /a   5120 5120 5120 1448      usual 5120: the last transfer was cut
 *     /b   7001 7004 7003 7006      usual 7003: a page with a counter in it
 *                                   spread 3, if most URLs that came more than once are like that
 *
 * The usual size is the one that came most often, of equally frequent ones the largest, since what is cut is smaller.
 * On a site where pages differ from one fetch to the next it is the one in the middle.
 *
 * The spread is the least number of bytes within which four of five further fetches of a URL stay; one or two more
 * where that takes in another tenth of them. Fetches that differ
 * by more than a hundredth part of a page are left out: the page was changed, or the transfer cut.
 *
 * Reads what site/corpus.c has counted; learn/sizes/ makes labels of it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SITE_USUAL_H
#define DP_SITE_USUAL_H

#include "site/counted.h"

#define DP_NO_SIZE UINT32_MAX

/* Of `url`, n numbers of the first kind in `sizes`, which is merged: usual[i] of url[i], or DP_NO_SIZE. False when
 * memory is out. */
bool dp_usual_find(uint32_t *usual, uint32_t *spread, const dp_counted *sizes, const uint32_t *url, size_t n);

#endif
