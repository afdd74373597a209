/* support/browser.h - how stage 0 and a browser differ, one named reason after another.
 *
 *     input ------ before ------> stage 0 --> ours -- after --+
 *                                                             | equal?
 *     href, what the browser writes ----------------- after --+
 *
 * A reason undoes one difference: `before` does to an input what browsers do to it first, or
 * gives it a host that both accept; `after` brings what the two wrote to one form. Each has a
 * row of the same name in docs/urls.md.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_BROWSER_H
#define DP_SUPPORT_BROWSER_H

#include "base/arena.h"

typedef struct browser_case {
    dp_arena *a; /* for edited texts */
    dp_str    input;
    dp_str    ours, href; /* p == NULL: no URL */
} browser_case;

typedef struct browser_reason {
    const char *name;
    bool        before;           /* stage 0 */
    bool (*act)(browser_case *c); /* undo the difference in `*c`; whether there was any */
} browser_reason;

enum { BROWSER_REASONS = 20 };

extern const browser_reason browser_reasons[BROWSER_REASONS]; /* in the order in which they act */

/* Whether the reasons whose bits are in `set` explain how input's stage 0 and href differ. */
bool browser_explain(browser_case c, unsigned set);

/* Stage 0 of `input`; p == NULL when it is no URL. */
dp_str browser_stage_0(dp_str input, dp_arena *a);

/* Whether a browser reads `input` as an absolute http(s) URL: it has that scheme, and not that of
 * its `base` (NULL: it has none) unless two slashes follow. */
bool browser_is_absolute(dp_str input, const char *base, dp_arena *a);

#endif
