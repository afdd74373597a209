/* content/html.h - an HTML page: what a reader sees of it, its title, its canonical link.
 *
 *     <title>A &amp; B</title><link rel=canonical href="/a?x=1&amp;y">     title      A & B
 *     <p>One<b>two</b><script>x()</script><p hidden>three<p>four           canonical  /a?x=1&y
 *                                                                          text       Onetwo four
 *
 * Block elements part words, inline ones do not. Left out are scripts, styles, comments,
 * templates, what is only for browsers without scripts or frames, and elements with the
 * attribute hidden or a style that hides them. The parser is gumbo, used in html.c alone;
 * content/page.h is the caller.
 *
 * Invariants:
 *   - text, title, canonical and base are valid UTF-8 with white space squeezed.
 *   - Two canonical links that differ cancel each other. They count in <head> only.
 *   - Time and memory are bounded whatever the page holds: what is nested, or multiplies,
 *     beyond reason is refused (DP_ELIMIT).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CONTENT_HTML_H
#define DP_CONTENT_HTML_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

enum {
    DP_HTML_MAX = 16 << 20,      /* bytes of a page */
    DP_HTML_DEPTH = 1024,        /* elements open at a time */
    DP_HTML_ATTRIBUTES = 1024,   /* of one element */
};

/* Where a text stands: hashes of the elements around it, with class and id. */
typedef struct dp_place {
    uint64_t path; /* all below <body> */
    uint64_t tail; /* the last two */
} dp_place;

/* From here on, until the next mark, the text stands at one place, in one block. */
typedef struct dp_mark {
    size_t   at; /* in the text; a blank may stand there */
    dp_place place;
} dp_mark;

/* Memory that is used again for the next page. A zeroed one is valid. */
typedef struct dp_html {
    dp_buf   text, title;
    dp_buf   canonical, base; /* href of the canonical link and of <base> as written, entities undone */
    bool     disputed;        /* there are several canonical links, and they differ */
    dp_arena tree;
    dp_buf   marks;           /* dp_mark, in the order of the text */
    dp_buf   path;            /* from the root to a node, while text is collected */
    dp_place last;            /* and of the last mark */
    bool     breaks;          /* a block began or ended behind it */
} dp_html;

/* Read a page, which is valid UTF-8. DP_ELIMIT, DP_ENOMEM, DP_EABSENT (there is no gumbo): all four texts
 * are empty then. */
dp_err dp_html_read(dp_html *h, dp_str page);

void dp_html_done(dp_html *h);

#endif
