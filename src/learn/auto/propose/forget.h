/* learn/auto/propose/forget.h - which fields of a layout do not matter?
 *
 *     /item/red-oak-12.html       12        /item/{z}-{x:int}.html => /item/{x}.html
 *     /item/stuhl-12.html         12
 *     /t/some-title/17            /t/17     /t/{z}/{c:int} => /t/{c}
 *     /3f..9a/shop/lamp           /shop/lamp    /{a:hex*32}/{**} => /{**}
 *
 * A layout is what URLs have in common when some of their parts are fields: whole components, or the parts of a
 * reading (learn/auto/layout/reading.h). For each way to forget one field of a form, the rule that forgets it on all
 * forms of the layout is written; it is proposed where it brings two forms of one page together. No word of a page
 * stands in such a rule, whatever the words are that its URLs share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_PROPOSE_FORGET_H
#define DP_LEARN_AUTO_PROPOSE_FORGET_H

#include "learn/auto/propose/propose.h"

/* Room for the work on one page after another. */
typedef struct dp_forgetting dp_forgetting;

dp_err dp_forgetting_new(dp_forgetting **out);
void   dp_forgetting_free(dp_forgetting *g);

/* Ideas about the n forms of one page; `p` has the lexicon, and who proposes. */
void dp_layout_forget(dp_forgetting *g, dp_pairing *p, const dp_frame *const *form, size_t n);

#endif
