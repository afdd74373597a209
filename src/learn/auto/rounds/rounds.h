/* learn/auto/rounds/rounds.h - the heart: propose, judge, accept, rewrite, look again.
 *
 *     forms := the site's URLs
 *     repeat
 *         ideas := what pairs of forms in one cluster propose
 *         judge all of them on all forms, accept the gentlest that hold
 *         forms := what the accepted rules make of them
 *     until nothing is accepted
 *
 * first on a part of a large site (learn/sample/sample_part.h), then on all of it: what is found on the part must hold
 * on the whole, and leaves little to look at.
 *
 * A session id, a trailing slash and a case variant hide each other's evidence; peel one, look again.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_ROUNDS_ROUNDS_H
#define DP_LEARN_AUTO_ROUNDS_ROUNDS_H

#include "base/buf.h"
#include "base/intern.h"
#include "learn/auto/vote/ballot.h"
#include "learn/auto/priors/other_sites.h"
#include "learn/auto/vote/hosts.h"
#include "learn/auto/rounds/loops.h"
#include "learn/auto/rounds/unchanged.h"
#include "learn/auto/propose/propose.h"
#include "learn/auto/vote/trust.h"
#include "learn/method/method.h"

/* A rule that was accepted. */
struct dp_taken {
    dp_str   text[2];
    dp_str   hosts;
    dp_count count;  /* when it was accepted */
    dp_count later;  /* with all others in force, of the last review; votes for it only when it was looked at closely */
    double   p;
    double   factor; /* of learn/auto/vote/guard.h: a vote against it counts so often */
    uint32_t guards; /* of the same: bits of what its pairs differ in */
    double   owed;   /* votes against it that chose its exceptions (learn/auto/confine/context.h: dp_confined) */
    uint8_t  tier, family, depth;
    bool     doubted; /* votes spoke against it until it was confined */
    bool     on_hosts; /* it was tried on these hosts alone */
    double   prior;  /* by which other sites carry it; 0: it stands on its own votes */
    uint32_t sites;  /* that do */
    uint32_t drawn;  /* a sink: draws of its form (learn/auto/rounds/sinks.h); 0: pages have voted */
    bool     old;    /* accepted on a smaller part of the site */
    bool     on_trial; /* learn/auto/rounds/trial.h */
    uint8_t  trial;    /* its number there */
    bool     fails;    /* it did not hold there when it was judged last */
    bool     gone;   /* taken back */
    bool     woken;  /* it fires where an exception holds another one back */
    bool     needed; /* in the last look: without it another rule would feed itself, or merge other pages */
    bool     spared; /* in the last look: it fires on fewer URLs than it did */
    bool     unheard; /* in the last look: it reaches pages, and files alone have voted */
    uint32_t line;   /* in the last look: its first, among those that can fire */
};

/* How votes become a precision: learn/auto/vote/trust.h, or as an experiment judge/bound.h. */
typedef enum dp_auto_bound { DP_AUTO_LEARNED, DP_AUTO_SPIKE } dp_auto_bound;

typedef struct dp_auto_options {
    uint32_t rounds;   /* at most */
    uint32_t forms;    /* of a cluster that are compared */
    uint32_t ideas;    /* judged in a round at most */
    uint32_t reviews;  /* times that accepted rules are looked at again */
    uint32_t sample;   /* URLs of a part that says what there is (learn/sample/sample_part.h); 0: look at all at once */
    dp_str   allow;    /* guards that are not looked at, joined by commas */
    uint32_t allowed;  /* the same as bits */
    int      bound;    /* dp_auto_bound */
    bool     without[DP_GENERATORS]; /* ablations: generators left out */
    bool     without_contexts, without_survey, without_singletons, without_sinks;
    dp_str   common;   /* file of the pack; empty: the built-in one; "none": none */
} dp_auto_options;

#define DP_AUTO_OPTIONS_INIT {.rounds = 16, .forms = 8, .ideas = 4000, .reviews = 3, .sample = 700}

/* The ideas of the last round, and what they made of its forms. */
typedef struct dp_past {
    dp_ideas   ideas;
    dp_attempt tried;
    uint32_t   steps; /* dp_forms.steps then */
} dp_past;

typedef struct dp_rounds {
    const dp_site          *whole;
    const dp_site          *site;      /* all of it, or the part that is looked at */
    const dp_learn_context *ctx;
    dp_auto_options         o;
    dp_forms                forms;
    dp_past                 past;
    bool                    leave_facets; /* pairs of paths wait for their trial (propose/facets.h) */
    bool                    in_company; /* parameters are looked at together (propose/company.h) */
    dp_loops                loops;
    uint8_t                *touched;   /* [forms.n] forms that rules of this round fire on */
    dp_firings              fired;     /* on the URLs of `fired_site`, by the rules whose text has this hash */
    dp_absences             absences;  /* of the same */
    uint64_t                fired_by;
    uint32_t                lines;     /* of the rules that the last look looked at; 0: there was none */
    const dp_site          *fired_site;
    dp_looked               looked;    /* the rules that fired, and which forms they made */
    dp_trust                trust;
    dp_bound                bound;     /* of experiments */
    dp_experience           here;      /* of the last round */
    dp_experience           before;    /* of the round in which most votes were cast */
    const dp_experience    *elsewhere; /* may be NULL */
    dp_known_params         heard;     /* of other sites */
    dp_taken               *v;         /* [n] in the order of their lines */
    size_t                  n, cap;
    dp_taken               *suggested; /* [nsuggested] by other sites, where this one says nothing: not in force */
    size_t                  nsuggested, suggested_cap;
    dp_arena               *arena;     /* of texts */
    dp_intern               banned;    /* texts that were taken back on this part */
    dp_hosts                hosts;     /* of the whole */
    bool                    identifies; /* what sets pages apart is asked for: learn/auto/forms/identity.h */
} dp_rounds;

/* Learn the rules of a site; texts in `a`. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_rounds_run(dp_rounds *r, const dp_site *s, const dp_auto_options *o, const dp_learn_context *ctx,
                     dp_arena *a);
void   dp_rounds_done(dp_rounds *r);

/* What sites tell each other. */
typedef struct dp_survey {
    uint64_t       voter; /* the domain that has the site's name to give away, by base/firm.h */
    dp_experience  kinds; /* what one round says of families and noise */
    dp_other_sites names; /* what the votes say of parameters */
} dp_survey;

dp_err dp_rounds_survey(dp_survey *out, const dp_site *s, const dp_auto_options *o, const dp_learn_context *ctx);

/* Lines of a rule that can fire. */
uint32_t dp_taken_lines(const dp_taken *t);

/* Leave what the rules together do, as the last look saw it: their lines that can fire are numbered anew. DP_ENOMEM. */
dp_err dp_rounds_leave(dp_firings *out, dp_rounds *r);

/* The rules as a rule file; one of them as its lines. */
void dp_rounds_print(dp_buf *out, const dp_taken *v, size_t n);
void dp_taken_print(dp_buf *out, const dp_taken *t);

#endif
