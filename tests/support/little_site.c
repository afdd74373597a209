/* SPDX-License-Identifier: Apache-2.0 */
#include "support/little_site.h"

#include <stdarg.h>
#include <stdio.h>

little_site little_new(size_t room)
{
    little_site w = {0};
    w.page = DP_NEWS(&w.arena, room, dp_site_page);
    return w;
}

void little_done(little_site *w)
{
    dp_proposals_done(&w->out);
    dp_arena_done(&w->arena);
}

void little_add(little_site *w, const char *format, ...)
{
    char    text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    dp_str line = dp_arena_str(&w->arena, dp_str_c(text));
    size_t space = (size_t)(strchr(text, ' ') - text);
    w->page[w->n++] = (dp_site_page){dp_str_cut(line, space + 1, line.n), dp_str_cut(line, 0, space), DP_BY_TEXT};
}

dp_err little_learn(little_site *w, const dp_method *m, const void *options, dp_accept accept, uint32_t folds,
                    dp_pool *pool)
{
    dp_site          s;
    dp_learn_context ctx = {.min_precision = .99, .accept = accept, .folds = folds, .pool = pool};
    dp_err           code = dp_site_make(&s, DP_STR("a.com"), w->page, w->n, &w->arena);
    return code == DP_OK ? m->learn(&w->out, &s, options, &ctx, &w->arena) : code;
}

const dp_proposal *little_find(const little_site *w, const char *text)
{
    for (size_t i = 0; i < w->out.n; i++)
        if (dp_str_eq(w->out.v[i].text, dp_str_c(text)))
            return &w->out.v[i];
    return NULL;
}
