/* Property: an outline read by masks of 64 bytes is what reading byte by byte gives.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>

#include "base/hash.h"
#include "base/rng.h"
#include "learn/sample/url_outline.h"

enum { LONGEST_PATH = 512, MOST = 700 };

static void naive_open(dp_outline *o, dp_str url)
{
    char   low[LONGEST_PATH];
    size_t at = 0, n = 0, cut = 0;
    for (int slashes = 0; at < url.n && slashes < 3; at++)
        slashes += url.p[at] == '/';
    while (at < url.n && url.p[at] != '?' && url.p[at] != ';' && n < LONGEST_PATH) {
        char c = url.p[at++];
        low[n++] = (char)(c >= 'A' && c <= 'Z' ? c | 32 : c);
    }
    n -= n && low[n - 1] == '/';
    for (size_t i = 0; i < n; i++)
        cut = low[i] == '/' ? i + 1 : cut;
    o->url = url;
    o->path = dp_hash_str((dp_str){low, n});
    o->last = dp_hash_fold(1, dp_hash_str((dp_str){low + cut, n - cut}));
    while (at < url.n && url.p[at] != '?')
        at++;
    o->at = at + 1;
}

static bool naive_next(dp_outline *o, uint64_t *pair, dp_str *name)
{
    size_t at = o->at, end = at, equals;
    if (at >= o->url.n)
        return false;
    while (end < o->url.n && o->url.p[end] != '&' && o->url.p[end] != ';')
        end++;
    for (equals = at; equals < end && o->url.p[equals] != '='; equals++) {}
    *pair = dp_hash_str(dp_str_cut(o->url, at, end));
    *name = dp_str_cut(o->url, at, equals);
    o->at = end + 1;
    return true;
}

/* Lengths about those of a mask and of the longest path; few bytes that mean nothing, many that do. */
static size_t draw_url(char *out, dp_rng *g)
{
    static const char   bytes[] = "aB/?;&=%#z\xC3", head[] = "http://a.com/";
    static const size_t about[] = {0, 8, 64, 128, 500, 520, MOST};
    size_t              n = (size_t)dp_rng_below(g, about[1 + dp_rng_below(g, DP_COUNT(about) - 1)] + 1);
    size_t              kinds = dp_rng_below(g, 3) ? sizeof bytes - 1 : 3;
    bool                whole = dp_rng_below(g, 4) && n >= sizeof head;
    for (size_t i = 0; i < n; i++)
        out[i] = bytes[dp_rng_below(g, kinds)];
    if (whole)
        memcpy(out, head, sizeof head - 1);
    return n;
}

static void masks_read_what_bytes_read(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50000; seed++) {
        dp_rng     g = dp_rng_seed(seed);
        char       text[MOST];
        dp_str     url = {text, draw_url(text, &g)}, name, name2;
        uint64_t   pair, pair2;
        dp_outline fast, slow;
        bool       more;
        dp_outline_open(&fast, url);
        naive_open(&slow, url);
        if (fast.path != slow.path || fast.last != slow.last)
            fail_msg("seed %" PRIu64 ": paths of %.*s", seed, DP_FMT(url));
        do {
            more = naive_next(&slow, &pair, &name);
            if (dp_outline_next(&fast, &pair2, &name2) != more ||
                (more && (pair != pair2 || !dp_str_eq(name, name2))))
                fail_msg("seed %" PRIu64 ": parameters of %.*s", seed, DP_FMT(url));
        } while (more);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(masks_read_what_bytes_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
