/* learn/run/resume.h - go on where a run that was killed has stopped.
 *
 *     --tmp/dustpan-HASH:   facts by domain | manifest: all were read | results of finished partitions
 *
 * HASH is of the input (names, sizes and times of the files), of the options and of the version: a run that is to do
 * the same finds the folder by its name, if it is ours (store/folder.h). Nothing is kept of a run that ends by itself,
 * be it well or with an error, nor of one whose facts fit into memory. Standard input cannot be read again, and a state
 * changes: nothing is found for these.
 *
 * The manifest is written last, when all facts are safe: a folder without one is begun anew.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_RUN_RESUME_H
#define DP_LEARN_RUN_RESUME_H

#include "learn/run/all_sites.h"
#include "learn/run/run.h"

/* The folder for a run, whose `folder` is told when it is made or found. DP_EIO, DP_ENOMEM. */
dp_err dp_resume_open(dp_folder **out, const dp_run *r, const char *const *paths, size_t count, dp_error *err);

/* What is known when all records are read. */
typedef struct dp_manifest {
    dp_facts        *facts;
    dp_fact_maker   *maker;
    dp_run          *run;
    dp_site_results *done;
    size_t          *nparts;
} dp_manifest;

dp_err dp_resume_save(const dp_manifest *m, dp_folder *f, dp_error *err);

/* Take over what an earlier run has left; *found is false when there is nothing whole. DP_EIO, DP_ENOMEM. */
dp_err dp_resume_find(dp_manifest *m, dp_folder *f, bool *found, dp_error *err);

#endif
