/* learn/auto/rounds/listed.h - lines that differ in one text become one line with a list.
 *
 *     /{**}/code-owners => /{**}/codeowners        /{**}/{v=about-codeowners|code-owners} => /{**}/codeowners
 *     /{**}/about-codeowners => /{**}/codeowners
 *
 *     /{a}/Web/SVG/{**} => /{a}/SVG/{**}           /{a}/Web/{v=SVG|XSLT}/{**} => /{a}/{v}/{**}
 *     /{b}/Web/XSLT/{**} => /{b}/XSLT/{**}
 *
 *     /old => /new                                 /old => /newer
 *     /new => /newer                               /new => /newer
 *
 * Rules of redirect maps are found one page at a time. What the lines of a list would be if one stood for several, or
 * if each led to where the next one leads, is written here; whether URLs keep their keys is for others to see
 * (learn/auto/rounds/shorter.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_ROUNDS_LISTED_H
#define DP_LEARN_AUTO_ROUNDS_LISTED_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

/* Rule member[0] gets another text, which does what the others of its members do, too. No rule is in two edits of one
 * search. */
typedef struct dp_edit {
    uint32_t *member; /* [n] ascending */
    size_t    n;
    dp_str    text;
} dp_edit;

typedef struct dp_edits {
    dp_edit *v; /* [n], in the arena that was given */
    size_t   n;
} dp_edits;

/* A rule, as its text and a number that it shares with those that it may be joined with; DP_NO_KIND: none. */
typedef struct dp_line {
    dp_str   text;
    uint32_t kind;
} dp_line;

#define DP_NO_KIND UINT32_MAX

/* Lines that differ in one component that is a literal or a list, of the left side or of `on`, and everywhere else in
 * the names of their captures at most; where the right side has the same text, it may differ there as well. Those that
 * save most bytes first. DP_ENOMEM. */
dp_err dp_listed_joins(dp_edits *out, const dp_line *v, size_t n, dp_arena *a);

/* Lines whose right side is the left one of another line. DP_ENOMEM. */
dp_err dp_listed_chains(dp_edits *out, const dp_line *v, size_t n, dp_arena *a);

#endif
