/* learn/auto/propose/sinkline.h - URLs of one form that show one page -> the line that says so.
 *
 *     /login                                 next may be missing    drop ?next on /login
 *     /share?u=1&t=x   /share?u=2&t=y        both are always there  erase ?t,u on /share
 *     /index.php?title=Login&back=...                               erase ?back on /index.php?title=Login
 *     /edit/x1  /edit/x2                                            /edit/x{a} => /edit/x*
 *
 * Where components and parameters are erased, there are two lines.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_PROPOSE_SINKLINE_H
#define DP_LEARN_AUTO_PROPOSE_SINKLINE_H

#include "learn/auto/forms/forms.h"
#include "learn/auto/forms/idea.h"
#include "url/frame.h"

typedef struct dp_sink_form {
    const dp_forms *forms;
    const uint32_t *form;  /* [n] of one host and depth */
    size_t          n;
    uint32_t        least; /* values of what is erased */
    uint32_t        depth, cluster;
} dp_sink_form;

/* Add the idea, unless there is nothing to erase, nothing literal would be left, or a literal is an id. `room` is
 * scratch. DP_ENOMEM. */
dp_err dp_sink_print(dp_ideas *out, const dp_sink_form *s, dp_frame *room);

#endif
