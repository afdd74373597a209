/* output/report/report.h - the inside of dp_report: rules and records in, one page for people out.
 *
 *     records ─► reportread ─► truth (URLs, labels), traffic (hits by crawler)
 *                                │
 *     rules ─► engines ──────────┼─► reportcount ─► scores, curve, hosts, lost pages
 *                                └─► reportrules ─► families, each rule alone, samples
 *                                                     │
 *                              dp_report ─────────────┴─► reportjson ─► JSON
 *                                 └─► reporthtml, parts ─► page (web/) ─► HTML
 *
 * Requests are counted by URL, crawler and day (requests.c), and rules by the requests they would save (costs.c); for
 * the worst of them the page and standard error have what to do about it (fixes.c).
 *
 * Where any record has a label, all that is claimed is counted on the URLs with labels; the others only have hits.
 * Where none has, all URLs stand in one cluster: merges are counted, and nothing is said about their being right.
 *
 * Invariants:
 *   - Nothing of it depends on paths, the clock or the machine: same input and options, same bytes.
 *   - URLs of the input leave it masked, unless DP_REPORT_RAW; texts are cut to DP_REPORT_TEXT bytes.
 *
 * Memory: all text of the URLs, about 100 bytes each beside it, and what eval/samples.h says.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_OUTPUT_REPORT_REPORT_H
#define DP_OUTPUT_REPORT_REPORT_H

#include "eval/maps.h"
#include "eval/metrics.h"
#include "eval/records.h"
#include "eval/samples.h"
#include "judge/loss.h"
#include "judge/replay.h"
#include "output/crawler.h"
#include "output/traffic.h"
#include "output/visitors.h"
#include "rule/family.h"
#include "rule/rule.h"

enum {
    DP_REPORT_POINTS = 14, /* of the curve, stage 0 included */
    DP_REPORT_TEXT = 400,  /* bytes of a URL or rule that are shown */
    DP_REPORT_MOST_HOSTS = 10000,
    DP_REPORT_MOST_FAMILIES = 2000,
    DP_REPORT_FIXES = 10
};

/* Rows of the comparison; the last is what the rules do. */
typedef enum dp_report_row {
    DP_ROW_IDENTITY,
    DP_ROW_STAGE0,
    DP_ROW_COMMON,
    DP_ROW_BEST,
    DP_ROW_RULES,
    DP_ROWS
} dp_report_row;

/* The rules that promise at least `threshold`, as far as they may fire. */
typedef struct dp_report_point {
    double   threshold; /* negative: no rules, stage 0 */
    size_t   rules;
    bool     chosen;    /* these are the rules of the headline */
    dp_score score;
} dp_report_point;

typedef struct dp_report_host {
    dp_str   name;
    dp_score score;
} dp_report_host;

/* What records say of the requests for one URL. */
typedef struct dp_asked {
    uint64_t size;    /* the most bytes that a record has for it; 0: none has */
    uint64_t bytes;   /* of all its requests */
    uint32_t hits;
    uint32_t kept, family; /* of several of one key: the one to keep; who has to answer, UINT32_MAX: nobody */
} dp_asked;

/* Requests of crawlers, or, where no record names an agent, of all, on one day. */
typedef struct dp_report_day {
    int32_t  day;                  /* since 1970, UTC */
    uint64_t hits, bytes;
    uint64_t wasted, wasted_bytes; /* as by crawler: for URLs that are not the one it asked for most */
} dp_report_day;

/* One rule text under all hosts that have it. */
typedef struct dp_rule_family {
    dp_family    said; /* by the rule file */
    size_t       first;                            /* in dp_report.by_family */
    uint64_t     fired;                            /* URLs, together with the other rules */
    uint64_t     spare;                            /* URLs too many, for which it has to answer */
    uint64_t away, toward; /* times that it leads away from what most are asking for, and to it */
    bool             has_target;                       /* what it leads to can be asked for */
    bool             leads_away;                       /* most ask for what it leads away from */
    uint64_t     changed, good, bad, pos, against; /* alone */
    uint64_t     hits, bytes;                      /* requests for those URLs too many */
    double       loss;                             /* expected: of each rule that names p, fired * (1 - p) */
} dp_rule_family;

/* A URL too many, and the one to link to instead; n == 0: none that may be shown is known. */
typedef struct dp_fix_example {
    uint32_t url;
    int      good; /* 2: there is one to link to; 1: no other rule changes them */
    dp_str   link;
} dp_fix_example;

/* A family whose URLs cost much. */
typedef struct dp_report_fix {
    size_t         family;
    dp_fix_example example[DP_SAMPLES]; /* [nexample] the best first */
    size_t         nexample;
} dp_report_fix;

/* Promised against measured: the rules whose p is at least `from` and below that of the row before. */
typedef struct dp_report_band {
    double   from;
    size_t   rules;        /* with votes */
    uint64_t pos, against; /* votes of pages, each rule alone */
    double   promised;     /* votes for that p promises, of them all */
} dp_report_band;

enum { DP_REPORT_BANDS = 6 /* the last: all rules with p */ };

struct dp_report {
    const dp_rules  *rules;
    char            *name; /* of the rules */
    dp_engine       *engine, *plain, *common; /* the rules, no rules, common trackers */
    unsigned         flags;
    double           min_precision;
    dp_records       in;
    bool             raw, done, labelled;
    size_t           most_hosts, most_families, most_losses;
    size_t           sample; /* URLs of a review whose keys are known under every choice of rules */
    struct dp_review *review; /* NULL: it is none */
    int64_t          version; /* of a review that is served; 0: it is not */

    dp_truth         truth;
    uint32_t         unknown;   /* number of the cluster of URLs without label; DP_UNSETTLED: none is without */
    uint64_t         bare;      /* URLs without label */
    uint32_t         fields;    /* 1 << dp_field that records had */
    char             formats[64]; /* of the input, joined by ", " */
    size_t           inputs;
    dp_traffic       traffic;
    dp_agents        agents;
    dp_visitors      visitors;
    uint32_t        *item;      /* [nitem] URLs that are counted, ascending */
    uint32_t         nitem;
    uint64_t        *key;       /* [truth.n] of the rules */
    dp_asked        *url;       /* [truth.n] */
    size_t           url_cap;
    dp_report_day   *day;       /* [nday] ascending; none where records have no times */
    size_t           nday, day_cap;
    uint64_t         sized, bytes, saved_bytes; /* counted URLs whose size is known; of all, of those not fetched */

    dp_score         row[DP_ROWS];
    size_t           row_rules[DP_ROWS];
    dp_report_point  point[DP_REPORT_POINTS];
    size_t           npoint;
    dp_report_host  *host;      /* [nhost] most URLs first */
    size_t           nhost;
    dp_loss          loss[DP_LOSSES_KEPT];
    size_t           nloss;
    dp_spent        *spent;     /* [dp_crawlers()] by keys; NULL: no record names an agent */
    dp_spent        *known;     /* the same by labels; NULL: there are none */

    dp_replay       *replay;
    dp_rule_samples *samples;   /* [rules] */
    dp_rule_family  *family;    /* [nfamily]; most expected loss first */
    size_t           nfamily, nshown; /* nshown: of them are shown */
    dp_report_band   band[DP_REPORT_BANDS];
    size_t          *by_family; /* [rules] numbers of rules */
    dp_report_fix    fix[DP_REPORT_FIXES]; /* [nfix] families that cost most requests, the worst first */
    size_t           nfix, nwasteful;      /* nwasteful: families that cost any */
    dp_arena         arena;
};

/* Read the files. */
dp_err dp_report_read(dp_report *r, const char *const *paths, size_t count, dp_error *err);

/* Take note of `hits` requests for URL `number`: their bytes, their day, who made them. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_report_request(dp_report *r, uint32_t number, const dp_record *rec, uint64_t hits);

/* After the last one, with all keys: what was wasted, by crawler and by day. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_report_visits(dp_report *r);

/* What each family costs, and which of them are to be fixed first. DP_ENOMEM. */
dp_err dp_report_costs(dp_report *r);

/* Fill row[] to known[], and replay[] to by_family[]. */
dp_err dp_report_counts(dp_report *r, dp_error *err);
dp_err dp_report_families(dp_report *r);

/* Append at most DP_REPORT_TEXT bytes of a text, and "..." where it is longer. */
void dp_report_cut(dp_buf *out, dp_str text);

/* Append a URL, masked (also what `kept`, if not empty, has not), and cut. */
void dp_report_url(dp_buf *out, const dp_report *r, dp_str url, dp_str kept);

/* Whether people may be sent to a URL as it is shown: nothing in it is masked or cut. */
bool dp_report_is_open(const dp_report *r, dp_str url);

/* Whether a rule takes part. */
bool dp_report_uses(const dp_report *r, const dp_rule *rule);

/* Append "a.com, b.com, c.com and 2 more": the hosts of a family's rules. */
void dp_report_put_names(dp_buf *out, const dp_report *r, const dp_rule_family *f);

/* Share of the merges that join URLs of one page; 1 when there are none. */
double dp_report_right(const dp_score *s);

/* How many hosts are shown, and the others summed up. */
typedef struct dp_report_rest {
    size_t   shown, hosts;
    uint64_t urls, clusters, fetched, lost, bad;
} dp_report_rest;

dp_report_rest dp_report_rest_of(const dp_report *r);

void dp_report_put_json(dp_buf *out, const dp_report *r);
void dp_report_put_date(dp_buf *out, int64_t day); /* "2026-11-18" */
void dp_report_put_fixes(dp_buf *out, const dp_report *r); /* as a member of that object */
void dp_report_put_advice(dp_buf *out, const dp_report *r); /* the same as lines of text */
void dp_report_put_html(dp_buf *out, const dp_report *r);

#endif
