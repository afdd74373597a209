/* learn/accept/program.h - proposals as a rule file that runs.
 *
 *     proposals ─► learn/accept/write ─► text ─► rule/rulefile ─► apply/compile ─► dp_engine
 *                                            what cannot be read is left out
 *
 * For judging: every rule fires, whatever its state, and a rule that feeds itself is no error yet.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_ACCEPT_PROGRAM_H
#define DP_LEARN_ACCEPT_PROGRAM_H

#include "apply/engine.h"
#include "learn/method/proposal.h"
#include "rule/rule.h"

typedef struct dp_program {
    dp_rules  *rules;
    dp_engine  engine;
    uint32_t  *proposal; /* [rules] which one it is */
    uint8_t   *is_read;  /* [proposals] 1: it is a rule of the program, or an order line */
} dp_program;

/* Of those with in[i] != 0 (NULL: of all), with the lines `keep` in every block. DP_ENOMEM, DP_ELIMIT; nothing is to
 * be given back then. */
dp_err dp_program_make(dp_program *out, const dp_proposals *p, const uint8_t *in, dp_str keep);

/* Of blocks that were written: likely rules do not fire. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_program_read(dp_program *out, dp_str blocks);
void   dp_program_done(dp_program *g);

#endif
