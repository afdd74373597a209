/* learn/rewrite/text.h - a rule over keys as a pair of templates, and in the language of the rule file.
 *
 *     scheme http=  host a.com=  k3 show=  ?id *=  ?sid *,*        (c, then a; = is the key itself)
 *
 *     host a.com      /show?id={id}&sid=* => /show?id={id}&sid=*
 *
 * A context lists all keys of a URL, so the query is closed and the path has a fixed number of segments. A scheme is
 * written only where the site has several. A host that is * is all hosts of the site on the left; on the right, where
 * it does not matter which, the least one.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_REWRITE_TEXT_H
#define DP_LEARN_REWRITE_TEXT_H

#include "learn/phrase/phrase.h"
#include "learn/rewrite/rewrite.h"
#include "learn/rewrite/rule.h"

/* What is the same for all rules of a site. */
typedef struct dp_rw_speech {
    const dp_book *book;
    bool           has_schemes; /* more than one */
    dp_str         hosts;       /* all of them, as a host line has them */
    dp_str         least;       /* of them, by weight */
} dp_rw_speech;

/* In `a`. DP_ENOMEM. */
dp_err dp_rw_speech_init(dp_rw_speech *out, const dp_book *b, dp_arena *a);

typedef struct dp_rw_said {
    dp_phrase phrase;
    dp_str    hosts;
} dp_rw_said;

/* Say rule `r`; out->phrase.why tells why it has no text. DP_ENOMEM. */
dp_err dp_rw_say(dp_rw_said *out, const dp_rw_speech *s, const dp_rw_draft *r, dp_arena *a);

#endif
