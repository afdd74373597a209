/* SPDX-License-Identifier: Apache-2.0 */
#include "support/sites.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

void make_site(dp_site *s, const site_row *row, size_t most, dp_arena *a)
{
    dp_site_page *page = malloc((most + 1) * sizeof *page);
    size_t        n = 0;
    assert_non_null(page);
    for (; n < most && row[n].url; n++)
        page[n] = (dp_site_page){dp_str_c(row[n].url), dp_str_c(row[n].cluster), DP_BY_TEXT};
    assert_int_equal(DP_OK, dp_site_make(s, DP_STR("a.test"), page, n, a));
    free(page);
}

void make_large_site(dp_site *s, unsigned pages, unsigned copies, dp_arena *a)
{
    size_t    n = (size_t)pages * copies;
    site_row *row = malloc((n + 1) * sizeof *row);
    assert_non_null(row);
    for (size_t i = 0; i < n; i++) {
        char   url[64], cluster[32];
        size_t page = i / copies, copy = i % copies;
        int    end = snprintf(url, sizeof url, "http://a.test/page%zu", page);
        if (copy)
            snprintf(url + end, sizeof url - (size_t)end, "?sid=%zu", copy);
        snprintf(cluster, sizeof cluster, "c%zu", page);
        /* with the NUL behind them */
        row[i] = (site_row){dp_arena_str(a, (dp_str){cluster, strlen(cluster) + 1}).p,
                            dp_arena_str(a, (dp_str){url, strlen(url) + 1}).p};
        assert_true(row[i].cluster && row[i].url);
    }
    make_site(s, row, n, a);
    free(row);
}
