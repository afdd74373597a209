/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/rng.h"
#include "eval/probes.h"
#include "support/rules.h"

/* ---- finding ------------------------------------------------------------------------------------- */

static const char rules_text[] = "dustpan-rules 1\n"
                                 "host a.com\n"
                                 "drop ?sid\n"
                                 "drop ?view\n"
                                 "/old/{x} => /{x}\n";

static void add(dp_truth *t, const char *url, const char *page)
{
    bool    fresh;
    dp_says says = {.name = dp_str_c(page)};
    assert_int_equal(DP_OK, dp_truth_add(t, dp_str_c(url), DP_STR("a.com"), &says, &fresh));
}

/* Share 1: all but the first of a key are probes, of the rules without which they would not have it. */
static void probes_test_the_rules_that_are_needed(void **state)
{
    (void)state;
    static const struct { const char *url, *page, *rules; } rows[] = {
        {"http://a.com/1?sid=1&view=a", "P", NULL},
        {"http://a.com/1?sid=2&view=a", "P", "0"},
        {"http://a.com/1?sid=1&view=b", "Q", "1!"},
        {"http://a.com/1?sid=2&view=b", "Q", "01!"},
        {"http://a.com/1", "P", "01"},
        {"http://a.com/old/1?sid=1&view=a", "P", "2"},
        {"HTTP://A.com:80/1?sid=1&view=a#top", "P", NULL}, /* the first, written otherwise */
        {"http://a.com/2", "R", NULL},
        {"http://a.com/old/2", "P", "2!"},
    };
    dp_engine *e = engine_of(rules_text);
    dp_truth   t = {.text_limit = SIZE_MAX};
    dp_probes  p;
    dp_explore all = dp_explore_of(1, DP_STR(""));
    for (size_t i = 0; i < DP_COUNT(rows); i++)
        add(&t, rows[i].url, rows[i].page);
    assert_int_equal(DP_OK, dp_truth_settle(&t));
    assert_int_equal(DP_OK, dp_probes_find(&p, e, &(dp_explored_urls){.truth = &t}, &all));
    size_t n = 0;
    for (size_t i = 0; i < DP_COUNT(rows); i++) {
        if (!rows[i].rules)
            continue;
        char               got[8] = "";
        size_t             len = 0;
        const dp_explored *x = &p.v[n++];
        assert_int_equal(i, x->item);
        for (uint32_t rule = 0; rule < 3; rule++) {
            for (size_t k = x->rules; k < x->end; k++)
                if (p.rule[k] == rule)
                    got[len++] = (char)('0' + rule);
        }
        if (x->wrong)
            got[len++] = '!';
        assert_string_equal(rows[i].rules, got);
    }
    assert_int_equal(n, p.n);
    assert_int_equal(3, dp_probes_sum(&p).wrong);
    dp_probes_done(&p);
    dp_truth_done(&t);
    dp_engine_free(e);
}

/* ---- judging ------------------------------------------------------------------------------------- */

enum { RULES = 4, MOST = 4096 };

typedef struct made {
    dp_probes   p;
    dp_explored v[MOST];
    uint32_t    rule[4 * MOST];
} made;

/* Add `n` probes of the rules that `rules` names ("02"), the first `wrong` of them wrong. */
static void make(made *m, const char *rules, size_t n, size_t wrong)
{
    m->p.v = m->v;
    m->p.rule = m->rule;
    for (size_t i = 0; i < n; i++) {
        m->v[m->p.n] = (dp_explored){.rules = (uint32_t)m->p.nrule, .wrong = i < wrong};
        for (const char *r = rules; *r; r++)
            m->rule[m->p.nrule++] = (uint32_t)(*r - '0');
        m->v[m->p.n++].end = (uint32_t)m->p.nrule;
    }
}

/* Which rules break, as digits. */
static void assert_broken(const made *m, const char *want)
{
    const double promise[RULES] = {.99, .98, .99, .99};
    dp_probed    out[RULES];
    char         got[RULES + 1] = "";
    size_t       n = 0;
    assert_int_equal(DP_OK, dp_probes_judge(&m->p, promise, (dp_probe_bar){1000, .95}, out, RULES));
    for (size_t i = 0; i < RULES; i++) {
        if (out[i].is_broken)
            got[n++] = (char)('0' + i);
    }
    assert_string_equal(want, got);
}

static made m;

static void blame_goes_to_who_is_wrong(void **state)
{
    (void)state;
    static const struct { const char *rules[3]; size_t n[3], wrong[3]; const char *broken; } cases[] = {
        {{"0", "1", "2"}, {300, 300, 300}, {0, 0, 0}, ""},
        {{"0", "1", ""}, {300, 30, 0}, {0, 10, 0}, "1"},
        {{"0", "01", ""}, {100, 100, 0}, {0, 30, 0}, "1"},    /* 0 is right where it is alone */
        {{"01", "02", "0"}, {50, 50, 50}, {20, 20, 0}, "12"}, /* two are wrong, the one that is with both is not */
        {{"0", "01", ""}, {500, 20, 0}, {250, 9, 0}, "0"},    /* 1 is only ever seen with a wrong one */
        {{"01", "", ""}, {50, 0, 0}, {20, 0, 0}, "01"},       /* nobody can tell */
        {{"0", "", ""}, {2, 0, 0}, {1, 0, 0}, ""},            /* one vote breaks no rule */
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        m.p = (dp_probes){0};
        for (size_t k = 0; k < 3; k++)
            make(&m, cases[i].rules[k], cases[i].n[k], cases[i].wrong[k]);
        assert_broken(&m, cases[i].broken);
    }
}

/* After a thousand right ones a rule that has become wrong breaks at the eighth wrong one in a row at the latest. */
static void a_change_is_found_soon(void **state)
{
    (void)state;
    m.p = (dp_probes){0};
    make(&m, "0", 1000, 0);
    make(&m, "0", 4, 4);
    assert_broken(&m, "");
    make(&m, "0", 4, 4);
    assert_broken(&m, "0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probes_test_the_rules_that_are_needed),
        cmocka_unit_test(blame_goes_to_who_is_wrong),
        cmocka_unit_test(a_change_is_found_soon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
