/* eval/audit.h - the inside of dp_audit: new records against old rules.
 *
 *     records ─► truth ─► trail ─► samples: votes ─┬─► promise kept? (auditodds.h) ─► verdict
 *     rules ──── attribute p: what was promised ───┘
 *
 * A rule promises the precision p of its attributes, or the least that `learn` accepts where it names none. Beside the
 * whole votes of judge/trial.h, which `eval` and the attributes n and neg count, stand those of eval/agree.h; verdicts
 * follow from the latter. The share of wrong labels is estimated from the votes on other rules: where labels are bad,
 * all rules show it; where one rule is bad, only it does.
 *
 * Where the records contain probes (eval/probes.h), these speak for themselves: the odds of a bet on them break a rule
 * as those of the votes do.
 *
 * eval/audit.c judges, eval/auditprint.c prints, eval/auditretire.c turns broken rules off, eval/auditexplain.c says
 * what speaks for and against a single merge.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_AUDIT_H
#define DP_EVAL_AUDIT_H

#include "eval/probes.h"
#include "eval/records.h"
#include "eval/samples.h"
#include "judge/bound.h"
#include "rule/rule.h"

typedef enum dp_verdict {
    DP_VERDICT_BROKEN = 0, /* the votes refute its promise */
    DP_VERDICT_DOUBT,      /* they may */
    DP_VERDICT_HOLDS,
    DP_VERDICT_SILENT,     /* nobody voted */
    DP_VERDICT_OFF,        /* it does not fire, so it is not judged */
    DP_VERDICTS
} dp_verdict;

typedef struct dp_audited {
    dp_verdict verdict;
    uint64_t   pos, neg; /* whole votes */
    double     promise;
    double     noise;    /* share of wrong labels, by the votes on other rules */
    double     agree;    /* mean vote of samples[].votes; 0 when nobody voted */
    double     odds;
    dp_probed  probed;   /* with probes */
} dp_audited;

struct dp_audit {
    const dp_rules  *rules;
    dp_engine       *engine; /* likely rules, too */
    dp_records       in;
    size_t           examples;
    bool             raw, done;
    double           promise; /* of rules that name none */
    double           noise;
    bool             knows_noise; /* it was given; else it is estimated */
    dp_explore       explore; /* most is 0: no probes */
    unsigned         applied; /* which rules `apply` used: a flag of dp_engine_new, ... */
    double           applied_precision;
    char            *applied_expire; /* ... and what its --expire was; NULL: nothing expired */
    double           confidence;
    dp_probes        probes;
    dp_blank        *blank;   /* [nblank] with probes, what shows no page */
    uint32_t         nblank, blank_cap;
    dp_arena         arena;   /* texts of that */
    dp_truth         truth;
    int64_t          latest;  /* time of a record; 0: none has one */
    uint8_t         *kind;    /* [truth.n] a dp_resource each */
    int64_t         *time;    /* [truth.n] of the first record of each */
    uint32_t         kind_cap, time_cap;
    dp_trail         trail;
    dp_audited      *rule;    /* [nrule] */
    dp_rule_samples *samples; /* [nrule]; NULL: it has not run */
    uint64_t         total[DP_VERDICTS];
    uint64_t         broken_active;
};

const char *dp_verdict_name(dp_verdict v);

/* Whether it has run, on these rules or a copy of them. */
bool dp_audit_is_of(const dp_audit *a, const dp_rules *rules);

/* Judge `rules`, those of `a` with other states, by the records that `a` has read, which must outlive it. To be done
 * with also after a failure. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_audit_again(dp_audit *out, const dp_audit *a, const dp_rules *rules);
void   dp_audit_done_again(dp_audit *a);

/* Append a URL of a pair, the one that is not `other`; masked unless asked otherwise. */
void dp_audit_put_url(dp_buf *out, const dp_audit *a, uint32_t item, uint32_t other);

#endif
