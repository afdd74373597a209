/* bench_hostile.c - write URLs that want more than linear work of learners: `cluster<TAB>URL`, 4 MB, two URLs a page.
 *
 *     bench_hostile plain              /shop/item-184467/17?sid=44073, for comparison
 *     bench_hostile digits             letters and digits by turns: a run at every byte
 *     bench_hostile words              one segment of words joined by '-'
 *     bench_hostile segments           a path of hundreds of segments
 *     bench_hostile parameters         as many parameters as a generator looks at, of names and values that repeat
 *     bench_hostile path-parameters    the same behind ';'
 *     bench_hostile alignment          ten URLs a page, each with as many tokens as duster aligns
 *     bench_hostile hosts              a hundred pages, each on as many sub-domains as fit
 *
 * bench/run compares what a byte costs.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdarg.h>

#include "base/rng.h"
#include "base/str.h"
#include "bench.h"

enum { BYTES = 4 << 20 };

static size_t   written;
static dp_rng   rng;
static unsigned below(unsigned n) { return (unsigned)(dp_rng_next(&rng) >> 32) % n; }

static void put(const char *format, ...)
{
    va_list a;
    va_start(a, format);
    int n = vprintf(format, a);
    va_end(a);
    written += n > 0 ? (size_t)n : 0;
}

static void plain(unsigned page) { put("/shop/item-%u/%u?sid=%u", below(1000000), page, below(1000000000)); }

static void digits(unsigned page)
{
    put("/");
    for (int i = 0; i < 400; i++)
        put("%c%c", "ab"[below(2)], "12"[below(2)]);
    put("_%u.html", page);
}

static void words(unsigned page)
{
    put("/");
    for (int i = 0; i < 400; i++)
        put("%c-", "abcdef"[below(6)]);
    put("%u.html", page);
}

static void segments(unsigned page)
{
    for (int i = 0; i < 400; i++)
        put("/%c", "abcdef"[below(6)]);
    put("/%u", page);
}

static void parameters(unsigned page)
{
    put("/p%u?", page);
    for (int i = 0; i < 18; i++)
        put("%sk%u=%u", i ? "&" : "", below(54), below(9));
}

static void path_parameters(unsigned page)
{
    put("/p");
    for (int i = 0; i < 60; i++)
        put(";k%d=%u", i, below(100));
    put("/%u", page);
}

static void alignment(unsigned page)
{
    put("/");
    for (int i = 0; i < 58; i++)
        put("%c%c", "ab"[below(2)], "12"[below(2)]);
    put("_%u", page);
}

static const struct {
    const char *name;
    void (*put)(unsigned page);
    int urls; /* of a page */
} shapes[] = {
    {"plain", plain, 2},           {"digits", digits, 2},
    {"words", words, 2},           {"segments", segments, 2},
    {"parameters", parameters, 2}, {"path-parameters", path_parameters, 2},
    {"alignment", alignment, 10},
};

int main(int argc, char **argv)
{
    rng = dp_rng_seed(7);
    if (argc == 2 && strcmp(argv[1], "hosts") == 0) {
        for (unsigned host = 0; written < BYTES; host++)
            for (unsigned page = 0; page < 100; page++)
                put("%u\thttps://h%u.h.example/p%u\n", page, host, page);
        return 0;
    }
    for (size_t i = 0; argc == 2 && i < DP_COUNT(shapes); i++) {
        if (strcmp(argv[1], shapes[i].name))
            continue;
        for (unsigned page = 0; written < BYTES; page++) {
            for (int u = 0; u < shapes[i].urls; u++) {
                put("%u\thttps://h.example", page);
                shapes[i].put(page);
                put("\n");
            }
        }
        return 0;
    }
    fputs("usage: bench_hostile plain|digits|words|segments|parameters|path-parameters|alignment|hosts\n", stderr);
    return 2;
}
