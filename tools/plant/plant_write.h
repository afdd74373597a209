/* plant/plant_write.h - the files of a planted set, any of them, in one pass.
 *
 *     item  ->  clusters  cluster <TAB> url           labels, some of them wrong (--noise)
 *               clean     the same, all of them right
 *               pages     page <TAB> url              what the planted rules merge
 *               list      url status size sketch      for learners without labels
 *               lines     url
 *               log       plant_log.h
 *     host  ->  truth     the rules                   decoys    plant_truth.h
 *
 * Every file begins with a comment that says the generator's version and options.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_PLANT_WRITE_H
#define DP_PLANT_WRITE_H

#include "base/outfile.h"
#include "plant_stream.h"

/* A file that is written in large pieces; "-" is standard output. */
typedef struct plant_file {
    const char *path; /* NULL: not wanted */
    dp_outfile  out;
    dp_buf      b;
} plant_file;

dp_err plant_file_open(plant_file *f, dp_error *err);

/* Write what has gathered, when it is enough or `all`. */
dp_err plant_file_flush(plant_file *f, bool all, dp_error *err);
dp_err plant_file_commit(plant_file *f, dp_error *err);
void   plant_file_abort(plant_file *f);

typedef enum plant_output {
    PLANT_CLUSTERS,
    PLANT_CLEAN,
    PLANT_PAGES,
    PLANT_LIST,
    PLANT_LINES,
    PLANT_LOG,
    PLANT_TRUTH,
    PLANT_DECOYS,
    PLANT_OUTPUTS
} plant_output;

/* Generate the set into the files that have a path. */
dp_err plant_write(const plant_options *o, const char *const path[PLANT_OUTPUTS], bool vhost, dp_error *err);

#endif
