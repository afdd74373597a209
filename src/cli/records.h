/* cli/records.h - the records that a command reads: which files, and how they are written.
 *
 *     dp_record_files in = {0};
 *     const dp_option table[] = {DP_RECORDS_OPTIONS(&in), ...};     the operands of the command are in.files
 *     for (int i = 0; i < DP_RECORDS_HOW; i++)
 *         DP_TRY(dp_eval_input(v, (dp_input_option)i, in.how[i]));
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CLI_RECORDS_H
#define DP_CLI_RECORDS_H

#include "cli/options.h"
#include "dustpan.h"

enum { DP_RECORDS_HOW = DP_INPUT_IDENTITY + 1 };

typedef struct dp_record_files {
    dp_list     files;
    const char *how[DP_RECORDS_HOW]; /* by dp_input_option; NULL: not given */
} dp_record_files;

#define DP_RECORDS_OPTIONS(r) \
    {0, "format", "NAME", \
     "format of the input: urls, tsv, csv, jsonl, clf, combined, w3c, alb,\n" \
     "cdx, cdxj, crawllog, warc or wat; detected when not given", \
     .text = &(r)->how[DP_INPUT_FORMAT]}, \
    {0, "columns", "NAMES", "names of the columns of tsv input: cluster,url,- ...", \
     .text = &(r)->how[DP_INPUT_COLUMNS]}, \
    {0, "log-format", "STRING", \
     "format of a log in nginx or Apache syntax, or a name: apache, iis, alb ...", \
     .text = &(r)->how[DP_INPUT_LOG_FORMAT]}, \
    {0, "base-url", "URL", "scheme and host of log lines that contain no host", .text = &(r)->how[DP_INPUT_BASE_URL]}

/* For commands that ask which pages are the same. */
#define DP_IDENTITY_OPTION(r) \
    {0, "identity", "NAME", \
     "what tells pages apart: clusters, content or clusters,content, the default", \
     .text = &(r)->how[DP_INPUT_IDENTITY]}

/* Whether records and one of `others` would both come from standard input. */
bool dp_records_clash(const dp_record_files *r, dp_list others);

/* After the first `shown` of `all` bad lines were told: "... and 12 more". */
void dp_records_say_more(uint64_t shown, uint64_t all);

#endif
