/* Any bytes as a robots.txt: it is read without harm, rules and decisions survive printing, and no path takes long.
 *
 * The first line is the path that is asked for, the rest the file.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>

#include "live/robots.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "not so: %s\n", what);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    dp_str      all = {(const char *)data, n};
    const char *end = n ? memchr(data, '\n', n) : NULL;
    size_t      at = end ? (size_t)(end - all.p) : n;
    dp_str      path = dp_str_cut(all, 0, at), text = dp_str_cut(all, end ? at + 1 : n, n);
    dp_arena    a = {0};
    dp_buf      once = {0}, twice = {0};
    dp_robots   r, again;
    must(dp_robots_read(&r, text, DP_STR("dustpan"), &a) == DP_OK, "any file is read");
    must(r.delay >= 0 && r.delay <= 3600, "delays are bounded");
    for (size_t i = 0; i < r.n; i++) {
        must(r.v[i].pattern.n > 0, "no pattern is empty");
        must(!i || r.v[i - 1].pattern.n >= r.v[i].pattern.n, "the longest first");
    }
    dp_robots_print(&once, &r);
    must(dp_robots_read(&again, dp_buf_view(&once), DP_STR("other"), &a) == DP_OK, "what was printed is read");
    dp_robots_print(&twice, &again);
    must(once.n > DP_ROBOTS_MAX || dp_str_eq(dp_buf_view(&once), dp_buf_view(&twice)), "printing is stable");
    must(once.n > DP_ROBOTS_MAX || dp_robots_allow(&r, path) == dp_robots_allow(&again, path), "and decides the same");
    dp_buf_done(&once);
    dp_buf_done(&twice);
    dp_arena_done(&a);
    return 0;
}
