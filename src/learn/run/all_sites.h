/* learn/run/all_sites.h - all sites of a run: from facts by domain to a result per site.
 *
 *     facts ─┬─► survey: each domain alone ─► presences, what they tell of parameters
 *            │                                     │ by cluster
 *            │                                     ▼
 *            │                              links: which domains are one site, and which have pages in common
 *            │   facts of linked domains ─► copied to the bucket of their site
 *            ▼                                     ▼
 *            a bucket of small sites, or one large site ─► corpus ─► learn_site ─► dp_site_results
 *            then linked domains of several owners together: what leads from one to another, and no other rule
 *
 * A site's result depends on the facts of the site, on the options and on what the survey said; not on threads, on
 * partitions, on memory or on the order of the input.
 *
 * Where domains cannot be linked, what was surveyed need not be read again: it is kept ready (learn/run/ready_site.h).
 *
 * A site of more facts than --site-sample is learned from a sample (learn/sample/sample_site.h), and its rules are
 * counted on all of its facts after that (learn/run/recount_pass.h).
 *
 * Small sites are learned side by side, a bucket a thread; large ones with several threads inside. How much goes on
 * at the same time follows from the memory that each is known to take (learn/run/budget.h). When the facts are in
 * files, the results of each finished partition are, too: a later run goes on from there (learn/run/resume.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_RUN_ALL_SITES_H
#define DP_LEARN_RUN_ALL_SITES_H

#include "learn/run/site_result.h"
#include "learn/run/settings.h"
#include "store/facts.h"
#include "store/folder.h"

/* Numbers of the files in the folder (store/folder.h). */
enum {
    DP_FILE_FACTS = 0,      /* DP_BUCKETS */
    DP_FILE_MOVED = 256,    /* DP_BUCKETS: facts of sites of several domains */
    DP_FILE_PRESENCES = 512, /* DP_PRESENCE_BUCKETS */
    DP_FILE_SALTS = 600,     /* DP_RECOUNT_PARTS: a site that was sampled, in parts */
    DP_FILE_MANIFEST = 1000,
    DP_FILE_ACROSS = 1024,  /* DP_BUCKETS: facts of linked domains of several owners */
    DP_FILE_PARTS = 1280    /* up to DP_FOLDER_FILES */
};

enum { DP_PRESENCE_BUCKETS = 64 };

typedef struct dp_all_sites {
    const dp_settings *settings;
    dp_learn_how      *how;
    dp_facts          *facts;
    dp_folder         *folder;
    size_t             memory; /* bytes in all */
    dp_site_results    done; /* when it has run: all sites, by name. Before: those that an earlier run has learned */
    size_t             nparts; /* files of finished partitions */

    /* How far it is, from any thread; not DP_OK: stop. */
    dp_err (*tell)(void *tell_ctx, uint64_t done, uint64_t total, const char *unit);
    void *tell_ctx;
} dp_all_sites;

/* How every site is learned. */
dp_learn_how dp_all_sites_how(const dp_settings *s, const void *options, dp_pool *pool);

struct dp_mirrors; /* learn/run/mirrors.h */
struct dp_plan;    /* learn/run/plan.h */

/* Bytes that facts take which wait in memory, or the sites that were made ready of them; with `links` (may be NULL)
 * also those that were copied to the bucket of their site. */
uint64_t dp_all_sites_held(const dp_all_sites *c, const struct dp_mirrors *links);

/* The sites, in the order of their names: which are learned, which once more to be measured, which an earlier run has
 * learned. Facts of sites of several domains are copied to one place. DP_ENOMEM, DP_EIO. */
dp_err dp_all_sites_plan(struct dp_plan *out, dp_all_sites *c, struct dp_mirrors *links, dp_error *err);

/* The same of linked domains of several owners. To be asked before the sites are learned: facts are given back then. */
dp_err dp_all_sites_across(struct dp_plan *out, dp_all_sites *c, struct dp_mirrors *links, dp_error *err);

/* Learn them: results into c->done. `moved` has the facts of sites of several domains; NULL: there are none. DP_ENOMEM,
 * DP_EIO, DP_ELIMIT: a site does not fit into the memory. */
dp_err dp_all_sites_learn(dp_all_sites *c, struct dp_plan *plan, struct dp_mirrors *links, dp_buckets *moved,
                          dp_error *err);

void dp_all_sites_done(dp_all_sites *c);

#endif
