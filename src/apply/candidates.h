/* apply/candidates.h - which rules may fire on a URL, in the order in which they are tried.
 *
 * Reads the index of the URL's layers (apply/image.h); the engine tries what it finds. May
 * name a rule that does not fire, never misses one that does.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_APPLY_CANDIDATES_H
#define DP_APPLY_CANDIDATES_H

#include "apply/chain.h"
#include "rule/rule.h"

typedef struct dp_candidate {
    uint64_t priority; /* pinned first, then layer, then line */
    uint32_t body;  /* of the rule, in units of 8 bytes */
    uint32_t place; /* where α of a `sub` rule stands */
} dp_candidate;

/* Which rules take part, by option. */
typedef struct dp_rule_choice {
    bool  with_likely;
    bool  fetch; /* only rules of the fetch form */
    float min_precision;
    uint32_t without, nwithout; /* so many rules from that number on are left out: what do they do? */
    const uint32_t *list;       /* not NULL: left out are these nwithout rules instead */
} dp_rule_choice;

static inline bool dp_choice_leaves_out(const dp_rule_choice *o, uint32_t number)
{
    uint32_t i = 0;
    if (!o->list)
        return number - o->without < o->nwithout;
    while (i < o->nwithout && o->list[i] != number)
        i++;
    return i < o->nwithout;
}

/* Whether a rule takes part. */
static inline bool dp_choice_takes(const dp_rule_choice *o, const dp_im_rule *r)
{
    if (r->state == DP_OFF || (r->state == DP_LIKELY && !o->with_likely))
        return false;
    if ((r->state != DP_PIN && r->p < o->min_precision) || (o->nwithout && dp_choice_leaves_out(o, r->number)))
        return false;
    return !o->fetch || (!(r->flags & DP_RULE_ERASES) && (r->state == DP_PIN || r->flags & DP_RULE_FETCHES));
}

/* The set id (rule/setid.h) of the rules of an image that take part. */
uint64_t dp_image_set_id(const dp_image *im, const dp_rule_choice *o);

/* A slot to look at. */
typedef struct dp_probe {
    const dp_im_layer *layer;
    uint64_t           hash;
    uint64_t           position; /* of the layer in the chain */
} dp_probe;

/* A zeroed dp_candidates is valid; its memory is kept from one URL to the next. */
typedef struct dp_candidates {
    dp_candidate *v; /* [n], in order */
    size_t        n, cap;
    dp_probe     *probe; /* [nprobe] */
    size_t        nprobe, probe_cap;
    uint64_t     *hash; /* [hash_cap] of the names of the pairs */
    size_t        hash_cap;
} dp_candidates;

/* Find the candidates for `f`, whose layers are `chain`, whatever the choice of rules, in two
 * steps: which slots to look at (they are fetched ahead), and what is in them (bodies are
 * fetched ahead). False when memory is out. */
bool dp_candidates_plan(dp_candidates *c, const dp_chain *chain, const dp_frame *f);
bool dp_candidates_gather(dp_candidates *c, const dp_image *im, const dp_chain *chain, const dp_frame *f);

/* Make the candidates of one URL those of another but for number `but`; false when memory is out. */
bool dp_candidates_copy(dp_candidates *c, const dp_candidates *from, size_t but);

/* Make them those behind number `number` of another URL's; false when memory is out. */
bool dp_candidates_after(dp_candidates *c, const dp_candidates *from, size_t number);
void dp_candidates_done(dp_candidates *c);

#endif
