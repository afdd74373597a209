/* learn/seq2seq/distil.h - what a network does to the templates of its site, as rules.
 *
 *     http: a.com questions arg_1 arg_2  ->  http: a.com q arg_1          /questions/{a1}/{a2} => /q/{a1}
 *
 * Function words are literals, arguments captures: exactly what the network does to every URL of the template
 * (translate.h). Templates do not tell whether a path ends with a slash; a rule is written for each of the two ways
 * that the site's URLs have, and leads to the way that most URLs of the other template have.
 * What the rule language cannot say (arguments as parameter names or hosts, pairs separated by ';') stays with the
 * model and is counted.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SEQ2SEQ_DISTIL_H
#define DP_LEARN_SEQ2SEQ_DISTIL_H

#include "learn/method/proposal.h"
#include "learn/seq2seq/translate.h"

typedef struct dp_distilled {
    uint64_t templates, moved;  /* of the site; that the network changes */
    uint64_t urls, moved_urls;  /* that have them */
    uint64_t unsayable_urls;    /* of these, those that no rule covers */
} dp_distilled;

/* Proposals for the templates of `s`, those of more URLs first; texts in `a`. DP_ENOMEM. */
dp_err dp_seq_distil(dp_proposals *out, dp_distilled *count, const dp_site *s, const dp_seq_site *model,
                     dp_translator *t, dp_arena *a);

#endif
