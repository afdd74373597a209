/* input/how.h - what somebody said about how input is written: a text for each dp_input_option.
 *
 *     char *how[DP_HOWS] = {0};       nothing was said: formats are recognised by content
 *     dp_how_set(how, DP_INPUT_FORMAT, "tsv") ─► dp_how_options(how) ─► dp_reader_open
 *
 * For handles of dustpan.h that read records: they keep what is said until they run.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_INPUT_HOW_H
#define DP_INPUT_HOW_H

#include "input/reader.h"

enum { DP_HOWS = DP_INPUT_IDENTITY + 1 };

/* Keep a copy of `text`; NULL: nothing is said any more. DP_EINVALID when there is no such option, DP_ENOMEM. */
dp_err dp_how_set(char *how[DP_HOWS], dp_input_option option, const char *text);

/* As options of a reader; the others are 0. Texts stay where they are. */
dp_reader_options dp_how_options(char *const how[DP_HOWS]);

void dp_how_done(char *how[DP_HOWS]);

#endif
