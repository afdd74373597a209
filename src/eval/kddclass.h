/* eval/kddclass.h - the three classes of rules that KDD 2008 counts (section 3.3; docs/algorithms/rewrite.md).
 *
 *     DUST   /a/{x}/index.html => /a/{x}/          one text for another; captures only in what both sides share
 *            /wiki?title={t} => /wiki/{t}
 *     IRP    /show?id={n}&sid=* => /show?id={n}    what goes, or is erased, was any value
 *     REGX   all others
 *
 * Both sides are lists of tokens: scheme, host, segments, names and values of the query, and what stands between them.
 * What they share at both ends is taken off, but for stars, which are erased and not kept; captures are the same when
 * they have one name and are not converted.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_KDDCLASS_H
#define DP_EVAL_KDDCLASS_H

#include "rule/rule.h"

typedef enum dp_kddclass { DP_KDD_DUST, DP_KDD_IRP, DP_KDD_REGX, DP_KDD_CLASSES } dp_kddclass;

/* Of a rule that is no rewrite: a `drop` or `erase` of any value is IRP, a `sub` or `drop ... if` DUST, others REGX. */
dp_kddclass dp_kddclass_of(const dp_rule *r);

const char *dp_kddclass_name(dp_kddclass c);

#endif
