/* Property: the ties of a URL, cut out by masks, are those that splitting it and going byte by byte gives; a filter
 * lets pass what it was made for.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>

#include "base/hash.h"
#include "base/rng.h"
#include "content/ties.h"
#include "url/split.h"

enum { MOST = 400 };

static void add(dp_ties *out, char kind, dp_str text)
{
    uint64_t hash = dp_hash_seeded(text.p, text.n, (unsigned char)kind);
    for (size_t i = 0; i < out->n; i++)
        if (out->v[i].hash == hash)
            return;
    out->full |= out->n == DP_TIES;
    if (out->n < DP_TIES)
        out->v[out->n++].hash = hash;
}

static void naive_find(dp_ties *out, dp_str url)
{
    dp_split s;
    *out = (dp_ties){.n = 0};
    if (!dp_split_url(&s, url))
        return;
    add(out, 'w', s.path);
    for (int query = 0; query < 2; query++) {
        dp_str text = query ? s.query : s.path;
        for (size_t i = 0, end; i < text.n; i = end + 1) {
            for (end = i; end < text.n && !strchr(query ? "&;" : "/", text.p[end]); end++) {}
            if (end > i)
                add(out, query ? 'q' : 's', dp_str_cut(text, i, end));
        }
    }
}

static dp_str draw_url(char *out, dp_rng *g)
{
    static const char *const heads[] = {"http://a.com", "https://www.a-b.com", "http://u@a.com:81", "http://A_b.com",
                                        "a.com", "http://", "ftp://a.com", "http://[::1]:7", "http://a.com:x"};
    static const char        bytes[] = "ab/?;&=%#\\z\xC3";
    const char              *head = heads[dp_rng_below(g, DP_COUNT(heads) + 4) % DP_COUNT(heads)];
    size_t                   n = strlen(head), more = (size_t)dp_rng_below(g, dp_rng_below(g, 3) ? 40 : MOST - 40);
    memcpy(out, head, n);
    for (size_t i = 0; i < more; i++)
        out[n++] = bytes[dp_rng_below(g, sizeof bytes - (dp_rng_below(g, 8) ? 5 : 1))];
    return (dp_str){out, n};
}

static void masks_cut_what_bytes_cut(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50000; seed++) {
        dp_rng        g = dp_rng_seed(seed);
        char          text[MOST + 40];
        dp_str        url = draw_url(text, &g);
        dp_ties       want, got, some;
        dp_tie_filter filter = {0};
        naive_find(&want, url);
        dp_ties_find(&got, url, NULL);
        bool same = want.n == got.n && want.full == got.full;
        for (size_t i = 0; same && i < want.n; i++)
            same = want.v[i].hash == got.v[i].hash;
        if (got.n)
            dp_tie_filter_add(&filter, &got.v[dp_rng_below(&g, got.n)]);
        dp_ties_find(&some, url, &filter);
        if (!same || (got.n && !some.n) || some.n > got.n)
            fail_msg("seed %" PRIu64 ": %.*s", seed, DP_FMT(url));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(masks_cut_what_bytes_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
