/* learn/auto/propose/company.h - parameters that are needless together.
 *
 *     /ws/item.dll?id=7&rd=1&ih=011     /ws/item.dll?id=7&category=62
 *     /ws/item.dll?id=9&ih=008&rd=1     /ws/item.dll?id=9
 *
 *     drop ?category,ih on /{**}/item.dll    drop ?rd if =1
 *
 * Where a page has several needless parameters, each of its URLs some of them, hardly two URLs differ in one alone, and
 * no name has votes of its own. All names in which URLs of one path and one page differ are looked at together, of the
 * whole site and of each name of a file, and those are left out again without which fewer pages are joined wrongly.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_PROPOSE_COMPANY_H
#define DP_LEARN_AUTO_PROPOSE_COMPANY_H

#include "learn/auto/propose/propose.h"

/* Add these ideas. DP_ENOMEM. */
dp_err dp_company_propose(dp_pairing *p, const dp_forms *f, uint32_t folds);

enum { DP_COMPANY_NAMES = 24 };

/* Of `n` names, at most DP_COMPANY_NAMES, bits of those that may be dropped together: the others are left out one after
 * another, that first without which fewest pages are joined wrongly. What all URLs of a file have, with one value
 * (?ViewItem of item.dll), is part of its layout, and left out as well. DP_ENOMEM. */
dp_err dp_company_harmless(uint32_t *out, const dp_forms *f, const dp_lexicon *w, const dp_str *name, size_t n);

#endif
