/* learn/auto/propose/propose.h - two forms of one page -> rules that would make them one.
 *
 *     http://a.com/x?sid=1
 *     http://a.com/x          propose/query.c:  drop ?sid      drop ?sid if =1
 *
 * For each cluster a few pairs of forms are compared, the shortest with each other one and neighbours in the order of
 * their texts; every generator of the table looks at the pair and says all that could be meant, from general to
 * particular. Proposing too much is cheap: learn/auto/vote/ballot.h tries everything on all forms at once.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_PROPOSE_PROPOSE_H
#define DP_LEARN_AUTO_PROPOSE_PROPOSE_H

#include "base/buf.h"
#include "learn/auto/forms/forms.h"
#include "learn/auto/forms/idea.h"
#include "learn/auto/propose/lexicon.h"
#include "learn/auto/propose/mirror.h"
#include "site/lead.h"
#include "url/frame.h"

/* A pair under comparison: `u` is what would be rewritten, `v` what it would become. */
typedef struct dp_pairing {
    const dp_frame *u, *v;
    const dp_lexicon *lexicon;
    dp_ideas       *out;
    dp_proposer     by;
    const dp_lead  *lead;     /* NULL: all are of one domain */
    const dp_languages *languages; /* of the site; NULL: none */
    bool            directed; /* `u` leads to `v` by an arrow: neither is free to become the other */
    dp_buf          text, other, whole, pooled; /* scratch of generators, of languages */
    dp_buf          runs[2];            /* of template.c */
} dp_pairing;

/* Write a rule for all languages of the site (propose/mirror.h). False: nobody should propose it. */
bool dp_pairing_pool(dp_pairing *p, dp_buf *text);

/* Propose p->text (and p->other, where it is not empty), and empty both. */
void dp_pairing_propose(dp_pairing *p, dp_tier tier, dp_family family);

/* Append {name}. */
static inline void dp_put_capture(dp_buf *out, char name)
{
    dp_buf_byte(out, '{');
    dp_buf_byte(out, name);
    dp_buf_byte(out, '}');
}

/* Append {s0}, {x12:int}: a letter, a number below 100, what follows. */
static inline void dp_put_numbered(dp_buf *out, char name, uint32_t number, const char *rest)
{
    dp_buf_byte(out, '{');
    dp_buf_byte(out, name);
    if (number >= 10)
        dp_buf_byte(out, (char)('0' + number / 10));
    dp_buf_byte(out, (char)('0' + number % 10));
    dp_buf_c(out, rest);
    dp_buf_byte(out, '}');
}

/* The part of a name before its first separator, with it: "utm_" of "utm_source"; n == 0: none. */
dp_str dp_name_head(dp_str name);

/* Whether a rule should turn `a`, a part of u, into `b` of v, and not the other way round. */
bool dp_pairing_falls(const dp_pairing *p, dp_str a, dp_str b);

typedef void dp_generate(dp_pairing *p);

enum { DP_GENERATE_QUERY = 1, DP_GENERATORS = 6 }; /* in the order of their names below */

dp_generate dp_generate_host, dp_generate_query, dp_generate_path, dp_generate_affix, dp_generate_template,
    dp_generate_joint;

typedef struct dp_propose_options {
    uint32_t folds;   /* bits: only clusters of these propose */
    const bool *without; /* [DP_GENERATORS] generators left out; NULL: none */
    uint32_t most;    /* forms of a cluster that are compared */
    const dp_lead *lead; /* NULL: the site has one domain */
    const dp_languages *languages; /* what one of them has is proposed for all; NULL: there are none */
    uint32_t clusters; /* of more than one form that are asked at most, evenly drawn; 0: all */
    bool leave_facets; /* pairs of a path that stand in any order are for propose/facets.h */
    bool company; /* parameters are looked at together, too (propose/company.h) */
} dp_propose_options;

/* All ideas that the forms of each cluster give. DP_ENOMEM. */
dp_err dp_propose(dp_ideas *out, const dp_forms *f, const dp_lexicon *w, const dp_propose_options *o);

#endif
