/* learn/method/method.h - the table of learners, and the way from records to a rule file.
 *
 *     input/reader ─► site/corpus ─► site/group ─► dp_site, one after another
 *                                                     │
 *                                   dp_method.learn   ▼   proposals in the rule language
 *                                                     │
 *                              judge/replay on all folds, or the method's own test
 *                                                     │
 *                                   learn/accept/write       ▼   one rule file
 *
 * A learner is one row: its name, what it reads of a site, its options, its function. `dustpan learn --help` prints
 * the table.
 *
 * Invariants:
 *   - A learner sees one site and its options, keeps nothing between calls, and may be called for several sites at
 *     the same time.
 *   - Its result depends on those alone: not on threads, and not on the order of the input.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_METHOD_METHOD_H
#define DP_LEARN_METHOD_METHOD_H

#include "base/buf.h"
#include "base/pool.h"
#include "learn/method/effects.h"
#include "learn/method/firings.h"

typedef enum dp_accept {
    DP_ACCEPT_JUDGE, /* judge/bound.h on votes of clusters */
    DP_ACCEPT_PAPER  /* the method's own test: dp_proposal.passes */
} dp_accept;

/* What every learner is told. */
typedef struct dp_learn_context {
    double    min_precision;
    uint64_t  seed;
    size_t    memory;  /* bytes a site may take at a time; 0: no limit */
    dp_accept accept;
    uint32_t  folds;   /* bits: propose from the clusters of these folds alone (base/fold.h); the others stay
                          visible as URLs, so that what they contradict can be counted */
    dp_pool    *pool;    /* may be NULL */
    dp_effects *effects; /* where what proposals do may be left; NULL: nobody wants to know */
    dp_firings *fired;   /* where a method that decides may leave what all its proposals that can fire do together, by
                          their numbers among these; NULL: nobody wants to know */
    void     *run;     /* what dp_method.begin made; NULL: nothing */

    /* How far a long work is, as dp_progress, from any thread; not 0: stop soon, with what there is. NULL: nobody
     * wants to know. */
    int (*tell)(void *tell_ctx, uint64_t done, uint64_t total, const char *unit);
    void *tell_ctx;
    unsigned    trust;  /* bits 1 << dp_by: evidence that makes a rule active */
    const struct dp_lead *lead; /* site/lead.h: which domain stands for which; NULL: the site has but one */
    const void *shared; /* what all sites said (dp_method.combine); NULL: nothing */
    const void *own;    /* what this one said (dp_method.survey); NULL: not known */
} dp_learn_context;

/* An option of one method: a field of its options struct. */
typedef enum dp_option_type {
    DP_OPTION_UINT32,
    DP_OPTION_UINT64,
    DP_OPTION_SIZE,
    DP_OPTION_DOUBLE,
    DP_OPTION_BOOL,
    DP_OPTION_CHOICE,
    DP_OPTION_TEXT /* a file's name: not in the header of the rule file */
} dp_option_type;

typedef struct dp_option_row {
    const char        *name;   /* as on the command line, without "--" */
    const char        *arg;    /* what stands for its value in the help: "N" */
    const char        *help;
    dp_option_type     type;
    size_t             offset; /* in the options struct; BOOL is a bool, CHOICE an int-sized enum, TEXT a dp_str */
    double             min, max;
    const char *const *choice; /* names of an enum's values from 0, NULL at the end */
    bool               paper;  /* only to reproduce a paper or an experiment: `learn --help` leaves it out */
} dp_option_row;

typedef struct dp_method {
    const char          *name, *summary;
    bool                 needs_clusters; /* learns nothing without */
    bool                 decides;        /* sets state and p itself: its proposals are not judged again */
    bool                 reads_sizes;    /* of a log it is given labels that sizes make (learn/sizes) */
    bool                 whole;          /* counts what only the whole site has: it is not given a sample */
    bool                 is_dear;        /* takes so long that it is rehearsed only when that is asked for */
    size_t               url_bytes;      /* memory that a URL of a site takes, beside its text; 0: 700 */
    size_t               options_size;
    const void          *options_init;   /* [options_size] defaults */
    const dp_option_row *option;         /* [noption] */
    size_t               noption;

    /* Propose rules for a site. What proposals point to is in `a`. DP_ENOMEM, DP_ELIMIT. */
    dp_err (*learn)(dp_proposals *out, const dp_site *s, const void *options, const dp_learn_context *ctx,
                    dp_arena *a);

    /* NULL, or the same from several choices of folds: out[i] from folds[i] alone, whatever ctx->folds is. What does
     * not depend on labels is done once. */
    dp_err (*learn_each)(dp_proposals *out, const uint32_t *folds, size_t runs, const dp_site *s, const void *options,
                         const dp_learn_context *ctx, dp_arena *a);

    /* NULL, or what makes something beside rules: begin before the first site, keep once for each site when its rules
     * are chosen, end after the last, which frees `run` and says something for the summary; also after a failure,
     * then without `note`. */
    dp_err (*begin)(void **run, const void *options, dp_error *err);
    dp_err (*keep)(const dp_site *s, const void *options, const dp_learn_context *ctx);
    dp_err (*end)(void *run, dp_buf *note, dp_error *err);

    /* What sites tell each other, where `survey` is not NULL: it looks at one site and fills `one` ([shared_size],
     * zeroed), which begins with a uint64_t: whose vote it is. `combine` adds that to `all`, in the order of the sites'
     * names; before that, `unite` makes one out of the sum of n that are one voter's (learn/run/voters.h). Then each
     * site is learned with the sum as ctx->shared. */
    size_t shared_size;
    dp_err (*survey)(void *one, const dp_site *s, const void *options, const dp_learn_context *ctx);
    void (*combine)(void *all, const void *one);
    void (*unite)(void *together, size_t n);
    void (*leave_out)(void *all, const void *one); /* what `combine` has added is taken out again */
    bool (*is_survey)(const void *one);            /* bytes of another process: whether they can be one, or a sum */
} dp_method;

/* In the order of the help; the first is the default. */
extern const dp_method *const dp_methods[];
size_t                        dp_methods_count(void);
const dp_method              *dp_method_find(dp_str name); /* NULL: none */

#endif
