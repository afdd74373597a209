/* echoprint.c - what came of `validate --echo`.
 *
 *     1204 URLs of 37 forms: 49 were fetched twice, and 41 of these have changed
 *     101 requests; 1 URL gave no page: no such page
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "base/plural.h"
#include "base/words/json.h"
#include "live/echo.h"

/* The most frequent cause that a URL gave no page; DP_CAUSE_NONE: there is none. */
static size_t main_cause(const dp_fetcher_counts *c)
{
    size_t most = DP_CAUSE_NONE;
    for (size_t i = DP_CAUSE_NONE + 1; i < DP_CAUSE_ROWS; i++)
        if (c->causes[i] > c->causes[most])
            most = i;
    return most;
}

void dp_echo_summary(dp_buf *b, const dp_validation *v)
{
    const dp_echo_of *e = &v->echo;
    dp_buf_printf(b, "%zu %s of %zu %s", v->urls, dp_plural(v->urls, "URL", "URLs"), e->forms,
                  dp_plural(e->forms, "form", "forms"));
    if (e->twice)
        dp_buf_printf(b, ": %zu %s fetched twice, and %zu of these %s changed\n", e->twice,
                      dp_plural(e->twice, "was", "were"), e->changed, dp_plural(e->changed, "has", "have"));
    else
        dp_buf_c(b, ": none could be fetched twice\n");
    if (v->not_urls)
        dp_buf_printf(b, "%zu %s\n", v->not_urls, dp_plural(v->not_urls, "line is not a URL", "lines are not URLs"));
    dp_validation_put_requests(b, v);
    if (v->urls == 0)
        dp_buf_c(b, "there are no URLs of pages in the input\n");
    else if (v->urls < e->wanted)
        dp_buf_printf(b, "%zu URLs were asked for, but the input has only %zu\n", e->wanted, v->urls);
    size_t cause = e->spent ? DP_CAUSE_BUDGET : main_cause(&v->fetched);
    if (e->twice < e->wanted && e->twice < v->urls && cause != DP_CAUSE_NONE)
        dp_buf_printf(b, "to fetch more: %s\n", cause == DP_CAUSE_BUDGET      ? "raise --max-fetches"
                                                 : cause == DP_CAUSE_FORBIDDEN ? "give URLs that robots.txt allows"
                                                                               : dp_cause_next(cause));
}

void dp_echo_json(dp_buf *b, const dp_validation *v)
{
    const dp_echo_of        *e = &v->echo;
    const dp_fetcher_counts *c = &v->fetched;
    const struct {
        const char *name;
        uint64_t    n;
    } counts[] = {
        {"urls", v->urls}, {"not_urls", v->not_urls}, {"bad_lines", v->bad_lines}, {"forms", e->forms},
        {"asked", e->asked}, {"fetched_twice", e->twice}, {"changed", e->changed}, {"requests", c->requests},
        {"repeats", c->repeats}, {"cached", c->found}, {"pages", c->pages}, {"redirects", c->redirects},
        {"no_page", c->gone}, {"failed", c->failed}, {"spared", c->spared}, {"robots_denied", c->robots_denied},
    };
    dp_buf_byte(b, '{');
    for (size_t i = 0; i < DP_COUNT(counts); i++)
        dp_json_count(b, counts[i].name, counts[i].n);
    dp_buf_c(b, "}\n");
}
