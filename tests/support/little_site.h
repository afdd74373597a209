/* support/little_site.h - a small site, page by page, and what a method proposes for it.
 *
 *     little_site w = little_new(200);
 *     little_add(&w, "p%d http://a.com/show?id=%d", i, i);      "cluster url"
 *     little_learn(&w, &dp_method_rewrite, &options, DP_ACCEPT_JUDGE, DP_ALL_FOLDS, NULL);
 *     little_find(&w, "drop ?sid")
 *     little_done(&w);
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_LITTLE_SITE_H
#define DP_SUPPORT_LITTLE_SITE_H

#include "learn/method/method.h"

typedef struct little_site {
    dp_arena      arena;
    dp_site_page *page; /* [n], of the room it was made with */
    size_t        n;
    dp_proposals  out;
} little_site;

little_site little_new(size_t room);
void  little_done(little_site *w);
void  little_add(little_site *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What dp_site_make and the method say. */
dp_err little_learn(little_site *w, const dp_method *m, const void *options, dp_accept accept, uint32_t folds,
                    dp_pool *pool);

/* The proposal of that text; NULL: none. */
const dp_proposal *little_find(const little_site *w, const char *text);

#endif
