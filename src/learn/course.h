/* learn/course.h - all sites of a run: from facts by domain to fragments of the rule file.
 *
 *     facts ─┬─► survey: each domain alone ─► presences, what sites tell each other
 *            │                                     │ by cluster
 *            │                                     ▼
 *            │                              links: which domains are one site
 *            │   facts of linked domains ─► moved to the drawer of their site
 *            ▼                                     ▼
 *            partition: a drawer of small sites, or one large site ─► corpus ─► lesson ─► dp_fragments
 *
 * A site's fragment depends on the facts of the site, on the options and on what the survey said; not on threads, on
 * partitions, on memory or on the order of the input.
 *
 * Where domains cannot be linked, what was surveyed need not be read again: it waits as a pupil (learn/pupil.h).
 *
 * A site of more facts than --site-sample is learned from a sample (learn/draw.h), and its rules are counted on all of
 * its facts after that (learn/lastpass.h).
 *
 * Small sites are learned side by side, a drawer a thread; large ones with several threads inside. How much goes on
 * at the same time follows from the memory that each is known to take (learn/budget.h). When the facts are in files,
 * the fragments of each finished partition are, too: a later run goes on from there (learn/resume.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_COURSE_H
#define DP_LEARN_COURSE_H

#include "learn/fragment.h"
#include "learn/settings.h"
#include "store/facts.h"
#include "store/folder.h"

/* Numbers of the files in the folder (store/folder.h). */
enum {
    DP_FILE_FACTS = 0,      /* DP_DRAWERS */
    DP_FILE_MOVED = 256,    /* DP_DRAWERS: facts of linked domains */
    DP_FILE_PRESENCES = 512, /* DP_PRESENCE_DRAWERS */
    DP_FILE_SALTS = 600,     /* DP_COUNTING_PARTS: a site that was sampled, in parts */
    DP_FILE_MANIFEST = 1000,
    DP_FILE_PARTS = 1024    /* up to DP_FOLDER_FILES */
};

enum { DP_PRESENCE_DRAWERS = 64 };

typedef struct dp_course {
    const dp_settings *settings;
    dp_teaching       *teaching;
    dp_facts          *facts;
    dp_folder         *folder;
    size_t             memory; /* bytes in all */
    dp_fragments       done;   /* when it has run: all sites, by name. Before: those that an earlier run has learned */
    size_t             nparts; /* files of finished partitions */

    /* How far it is, from any thread; not DP_OK: stop. */
    dp_err (*tell)(void *tell_ctx, uint64_t done, uint64_t total, const char *unit);
    void *tell_ctx;
} dp_course;

/* How every site is learned. */
dp_teaching dp_course_teaching(const dp_settings *s, const void *options, dp_pool *pool);

/* DP_ENOMEM, DP_EIO, DP_ELIMIT: a site does not fit into the memory. */
dp_err dp_course_run(dp_course *c, dp_error *err);
void   dp_course_done(dp_course *c);

#endif
