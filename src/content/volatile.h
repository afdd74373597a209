/* content/volatile.h - hide what changes between two visits to the same page.
 *
 *     "1,204 views. Now 10:31:07, 3 May 2024. Token 9f2c41d07ab3e65f"
 *     "<n> views. Now <time>, <date>. Token <id>"
 *
 *     <time>  clock times: 10:31, 10:31:07.5, 9:05 pm, each with a zone behind it or not
 *     <date>  2024-05-03, 3.5.2024, 5/3/2024, 20240503T103107Z, 3 May 2024, May 3rd, 2024, Fri, 3 May;
 *             with a time joined by T: <date>
 *     <n>     numbers beside a word that counts: views, visits, online, ago, seconds, ... (the table)
 *     <id>    UUIDs; runs of 16 or more hex digits, or of 20 or more letters and digits in which both
 *             mix, upper and lower case or many digits
 *
 * English names only. What is hidden is decided by the words at hand, so a date that is the
 * only difference between two pages (an archive by day) is hidden, too: hence an option.
 *
 * Invariants:
 *   - Masked text is left as it is: hiding twice is hiding once.
 *   - Everything else stays byte for byte; white space must be squeezed (content/squeeze.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CONTENT_VOLATILE_H
#define DP_CONTENT_VOLATILE_H

#include "base/buf.h"

/* Append `text` with its volatile parts hidden. */
void dp_volatile_hide(dp_buf *out, dp_str text);

#endif
