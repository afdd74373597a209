/* cli/update.h - learn --update: the rule file of -o is there already.
 *
 *     with --state       learned again from all records: pin and off of the old file stay, changes are said
 *     without            nothing is learned: the old rules are counted on the new records (audit), broken ones go off
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CLI_UPDATE_H
#define DP_CLI_UPDATE_H

#include "base/err.h"
#include "cli/progress.h"
#include "cli/records.h"

/* After dp_learner_run: bring over what stays of the file at `output`; none there is no error. */
dp_err dp_update_learned(dp_learner *l, const char *output, bool quiet, dp_error *err);

/* Count the rules of the file at `output` on the records and write it anew. */
dp_err dp_update_recount(const char *output, const dp_record_files *in, bool quiet, dp_meter *meter, dp_error *err);

#endif
