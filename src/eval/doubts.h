/* eval/doubts.h - what must be known of the records before numbers made of them are believed.
 *
 *     char line[DP_DOUBT_SIZE];
 *     for (size_t i = 0; dp_doubt(line, t, i); i++) ...         one sentence each
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_DOUBTS_H
#define DP_EVAL_DOUBTS_H

#include "eval/truth.h"

enum { DP_DOUBT_SIZE = 256 };

/* The i-th sentence, NUL-terminated; false when there are no more. */
bool dp_doubt(char line[DP_DOUBT_SIZE], const dp_truth *t, size_t i);

#endif
