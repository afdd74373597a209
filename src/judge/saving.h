/* judge/saving.h - how many fetches keys save, beside how many could be saved at all, for messages.
 *
 *     3.5 % fewer fetches of 12.3 % possible                   URLs, fetched, pages: 575, 555, 504
 *     50.0 % fewer fetches, but only 37.5 % are possible without losing pages
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_JUDGE_SAVING_H
#define DP_JUDGE_SAVING_H

#include <inttypes.h>

#include "base/buf.h"

/* Append that of `urls` which show `pages`, when `fetched` of them are fetched. */
void dp_saving_say(dp_buf *out, uint64_t urls, uint64_t fetched, uint64_t pages);

#endif
