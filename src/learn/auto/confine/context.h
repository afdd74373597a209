/* learn/auto/confine/context.h - where does an idea hold?
 *
 *     fold case path           /wiki/ 40:0    /img/ 0:12          fold case path unless /img/{**}
 *     drop ?p                  /a/ 30:0  /b/ 0:25                 drop ?p on /a/{**}
 *     /{a}/{b} => /{b}         first component always "shop"      /shop/{b} => /{b}
 *
 * General first: only what fails as a whole is looked at closer. Votes for and against are counted by the features of
 * the forms that the idea changes (learn/auto/confine/feature.h); the features that tell them apart best become
 * conditions, and what comes out are new ideas, judged as all others are. An idea that holds is narrowed where its
 * evidence all lies in one place while it would fire in others: no evidence, no firing.
 *
 * context.c counts, confine.c chooses the values of a condition, learn/auto/confine/condition.h writes it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_CONFINE_CONTEXT_H
#define DP_LEARN_AUTO_CONFINE_CONTEXT_H

#include "base/index.h"
#include "learn/auto/vote/ballot.h"
#include "learn/auto/confine/feature.h"

/* Votes of one feature. */
typedef struct dp_feature_votes {
    dp_feature f;
    double     pos, neg;
    uint32_t   fired;  /* forms that have it */
    uint32_t   groups; /* that speak for the idea and have it */
    uint32_t   dull;   /* values of its key that were left out, see dp_context_sort */
} dp_feature_votes;

/* Votes of pages, or of what is none. */
typedef struct dp_kind_votes {
    uint32_t fired, groups;
} dp_kind_votes;

typedef struct dp_context {
    dp_feature_votes *v; /* [n] */
    size_t            n, cap;
    dp_index          index;
    dp_frame          frame;
    double            pos, neg;      /* in all */
    uint32_t          fired, groups; /* in all */
    double            noise;         /* share of wrong labels; 0: not known */
    double            least;         /* of a guarded idea: votes without which no value is named; 0: it is not */
    dp_feature_set    set;           /* what is counted */
    bool              typed;         /* some content type says another thing than the name */
    dp_kind_votes     of[2];         /* then: of what is no page, and of pages */
    bool              sorted;        /* by dp_context_sort */
    bool              failed;        /* memory was out */
} dp_context;

/* What one form says. */
typedef struct dp_testimony {
    double   pos, neg;
    uint32_t fired, groups;
} dp_testimony;

/* A zeroed dp_context is empty. Texts must outlive it. */
void dp_context_add(dp_context *c, dp_str form, const dp_testimony *what);
void dp_context_done(dp_context *c);

/* The votes of idea `i`, and all the forms that it changes, before anything was merged. */
void dp_context_hear(dp_context *c, dp_ballot *b, size_t i);

/* Put the votes of each key together, its best values first; nothing may be added after that. Values of a single form
 * that nothing speaks against are left out, and counted with another value of their key: no condition names them. */
void dp_context_sort(dp_context *c);

/* An idea with a condition, and the votes it would be left with. */
typedef struct dp_confined {
    dp_str text; /* in the arena given */
    double pos, neg;
    bool   exception; /* it holds but for some values; else for some alone */
    bool   doubtful; /* the condition may be there by accident: it costs half of the prior */
    double owed;     /* votes against it that alone chose an exception: had one of them not been cast, the exception
                        would not be there, and the next like it would speak against the rule */
    double paid;     /* votes for it that chose the values of its list, and prove nothing of them */
} dp_confined;

enum { DP_MOST_CONFINED = 6 };

/* What `text`, which fails, becomes where it may hold, best first; returns how many. DP_ENOMEM is c->failed. */
size_t dp_context_split(dp_confined out[DP_MOST_CONFINED], dp_context *c, dp_str text, dp_arena *a);

/* `text`, which holds, confined to where its evidence lies; false when it lies everywhere. A `harsh` rule is confined
 * to the values that it has evidence for, others only where it cannot be an accident that they have none elsewhere. */
bool dp_context_narrow(dp_confined *out, dp_context *c, dp_str text, bool harsh, dp_arena *a);

/* `text`, which holds, but for sections that do not speak for it: where it fires often enough to be heard of, or where
 * the little that is heard is against it. `which`: 0 all of them, else that one alone, beginning with 1. False when
 * there are none, or not so many. */
bool dp_context_spare(dp_confined *out, dp_context *c, dp_str text, size_t which, dp_arena *a);

/* `text` but for values that it takes away, and that come again and again without a vote: ?show=pages and ?show=both
 * may be one page where nobody has seen what ?show=media is. So may components that it forgets. False when there are
 * none. */
bool dp_context_spare_values(dp_confined *out, dp_context *c, dp_str text, dp_arena *a);

/* The same, but for last components where a rule that drops parameters has no vote: the ?f of viewtopic.php is not that
 * of viewforum.php. */
bool dp_context_spare_programs(dp_confined *out, dp_context *c, dp_str text, dp_arena *a);

#endif
