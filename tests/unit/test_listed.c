/* learn/auto/rounds/listed: lines that differ in one text, and chains.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "learn/auto/rounds/listed.h"
#include "support/failing_alloc.h"

enum { MOST = 6 };

/* Lines, and what becomes of them: those that are left, with the numbers of their members. */
typedef struct example {
    const char *line[MOST];
    const char *want;
} example;

static const example joins[] = {
    {{"/{**}/new => /{**}/x", "/{**}/old => /{**}/x"}, "/{**}/{v=new|old} => /{**}/x (0 1)\n"},
    {{"/{**}/new => /{**}/x", "/{**}/old => /{**}/y"}, ""},
    {{"/{a}/Web/SVG/{**} => /{a}/SVG/{**}", "/{b}/Web/XSLT/{**} => /{b}/XSLT/{**}"},
     "/{a}/Web/{v=SVG|XSLT}/{**} => /{a}/{v}/{**} (0 1)\n"},
    {{"/{**}/doc/{a} => /{**}/doc.{a}", "/{**}/nav/{n} => /{**}/nav.{n}", "/{**}/do/{n} => /{**}/doc.{n}"},
     "/{**}/{v=doc|nav}/{a} => /{**}/{v}.{a} (0 1)\n"},
    {{"/{**}/{v=a|c}/{n} => /{**}/{n}", "/{**}/b/{n} => /{**}/{n}"}, "/{**}/{w=a|b|c}/{n} => /{**}/{n} (0 1)\n"},
    {{"/x/{l=de|fr}/{n} => /{l}/{n}", "/x/it/{n} => /it/{n}"}, "/x/{v=de|fr|it}/{n} => /{v}/{n} (0 1)\n"},
    {{"/x/{l=de|fr}/{n} => /{l|upper}/{n}", "/x/it/{n} => /it/{n}"}, ""},           /* it is not read as it was */
    {{"/x/{l=de|fr}/{l} => /{l}", "/x/it/{n} => /it"}, ""},                          /* two places */
    {{"/a/{n} => /{n}", "/b/{n} => /{n} unless /b/z"}, ""},                         /* a condition that one has alone */
    {{"/aa/{n} => /{n} unless /{x}/z", "/bb/{n} => /{n} unless /{x}/z"},
     "/{v=aa|bb}/{n} => /{n} unless /{x}/z (0 1)\n"},
    {{"/long/{n}?a={b} => /{n}?a={b}", "/name/{n}?a={b} => /{n}?a={b}"},
     "/{v=long|name}/{n}?a={b} => /{n}?a={b} (0 1)\n"},
    {{"//a.com/{**}/one => //b.com/{**}/x", "//b.com/{**}/one => //b.com/{**}/x"}, ""}, /* hosts are no components */
    {{"drop ?sid on /shop/{**}", "drop ?sid on /news/{**}", "drop ?id on /mail/{**}"},
     "drop ?sid on /{v=news|shop}/{**} (0 1)\n"},
    {{"sub \"/a/\" -> \"/\" on /x/{**}", "sub \"/a/\" -> \"/\" on /y/{**}"}, ""},
    {{"/a => /", "/b => /"}, ""},                                                   /* nothing is saved */
    {{"/{**}/old => /{**}/page", "/{**}/olds => /{**}/page", "/{**}/old => /{**}/news"},
     "/{**}/{v=old|olds} => /{**}/page (0 1)\n"},                                   /* no line is in two */
};

static const example chains[] = {
    {{"/a => /b", "/b => /c", "/c => /d"}, "/a => /d (0)\n/b => /d (1)\n"},
    {{"/a => /b", "/b => /a"}, ""},
    {{"/{**}/a => /{**}/b unless /z", "/{**}/b => /{**}/c"}, "/{**}/a => /{**}/c unless /z (0)\n"},
    {{"/{**}/a => /{**}/b", "/{**}/b => /{**}/c unless /z"}, ""},
    {{"/x/{n}/a => /{n}/b", "/{n}/b => /c/{n}"}, "/x/{n}/a => /c/{n} (0)\n"},
    {{"/x/{a}/{b} => /{a}-{b}", "/{a}-{b} => /{b}"}, ""},                           /* it may be cut elsewhere */
    {{"/x/{n} => /{n}", "/{n:int} => /y"}, ""},
};

typedef dp_err find(dp_edits *out, const dp_line *v, size_t n, dp_arena *a);

static size_t lines_of(dp_line *out, const example *e)
{
    size_t n = 0;
    while (n < MOST && e->line[n]) {
        out[n] = (dp_line){{e->line[n], strlen(e->line[n])}, 7};
        n++;
    }
    return n;
}

static void check(const example *e, find *f)
{
    dp_line  line[MOST];
    size_t   n = lines_of(line, e);
    dp_arena a = {0};
    dp_edits got;
    dp_buf   text = {0};
    assert_int_equal(DP_OK, f(&got, line, n, &a));
    for (size_t i = 0; i < got.n; i++) {
        dp_buf_str(&text, got.v[i].text);
        for (size_t k = 0; k < got.v[i].n; k++)
            dp_buf_printf(&text, "%s%u", k ? " " : " (", got.v[i].member[k]);
        dp_buf_c(&text, ")\n");
    }
    dp_buf_byte(&text, 0);
    assert_string_equal(e->want, text.p);
    dp_buf_done(&text);
    dp_arena_done(&a);
}

static void joins_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(joins); i++)
        check(&joins[i], dp_listed_joins);
}

static void shortens_chains(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(chains); i++)
        check(&chains[i], dp_listed_chains);
}

static void kinds_are_not_mixed(void **state)
{
    (void)state;
    dp_line  line[MOST];
    size_t   n = lines_of(line, &joins[0]);
    dp_arena a = {0};
    dp_edits got;
    line[0].kind = 8;
    assert_int_equal(DP_OK, dp_listed_joins(&got, line, n, &a));
    assert_int_equal(0, got.n);
    line[0].kind = line[1].kind = DP_NO_KIND;
    assert_int_equal(DP_OK, dp_listed_joins(&got, line, n, &a));
    assert_int_equal(0, got.n);
    dp_arena_done(&a);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    dp_line line[MOST];
    size_t  n = lines_of(line, &joins[2]), m = lines_of(line + 2, &chains[0]);
    DP_EVERY_ALLOC_FAILURE
    {
        dp_arena a = {0};
        dp_edits got;
        dp_err   code = dp_listed_joins(&got, line, n + m, &a);
        code = code == DP_OK ? dp_listed_chains(&got, line, n + m, &a) : code;
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_arena_done(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_the_table),
        cmocka_unit_test(shortens_chains),
        cmocka_unit_test(kinds_are_not_mixed),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
