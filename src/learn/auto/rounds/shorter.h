/* learn/auto/rounds/shorter.h - the same keys by a shorter list.
 *
 *     drop ?gclid          drop ?fbclid,gclid,utm_*
 *     drop ?utm_*
 *     drop ?fbclid
 *
 *     host img3.a.com                          host img2.a.com, img3.a.com
 *     //img3.a.com/{**} => //img2.a.com/{**}   /{**} => //img1.a.com/{**}
 *     host img2.a.com
 *     //img2.a.com/{**} => //img1.a.com/{**}
 *
 *     /{**}/post-receive-hooks => /{**}/webhooks      /{**}/{v=creating-webhooks|post-receive-hooks} => /{**}/webhooks
 *     /{**}/creating-webhooks => /{**}/webhooks
 *
 * Rules are found one at a time. At the end hosts that lead to one become one line, and lines that differ in one text
 * (learn/auto/rounds/listed.h), and after the last look `drop` lines with the same conditions on the same hosts, where
 * every URL keeps its key.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_ROUNDS_SHORTER_H
#define DP_LEARN_AUTO_ROUNDS_SHORTER_H

#include "learn/auto/rounds/rounds.h"

/* Hosts, and lines that differ in one text. The forms are what the rules make of the URLs, before and after.
 * DP_ENOMEM. */
dp_err dp_shorter_list(dp_rounds *r);

/* Before the last look: write a list of names, drop ?a,b, as one line for each, so that it hears what is said of each
 * name by itself, where the votes of the others would stand for it; what drops path parameters comes first, since
 * conditions are about components. DP_ENOMEM. */
dp_err dp_shorter_take_apart(dp_rounds *r);

/* After the last look: `drop` lines with the same conditions on the same hosts become one, and what it does is counted.
 * DP_ENOMEM. */
dp_err dp_shorter_join(dp_rounds *r);

/* Make `out` the text of one `drop` that does what two do, which differ in names alone; false when there is none, or
 * memory is out (out->failed). */
bool dp_join_drops(dp_buf *out, dp_str a, dp_str b);

#endif
