/* What learn/phrase/phrase.h says does to URLs what the templates do: both are run by the dumb engine (support/naive.h)
 * on URLs made from the rule, with parameters sorted, since a verb leaves pairs where they stand and a template does
 * not (and writes & between them). URLs that repeat a name or hold an erased value are left out: there they may differ.
 * DP_TWIN_SETS: how many rule files.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "learn/phrase/phrase.h"
#include "support/naive.h"
#include "support/world.h"
#include "url/frame.h"

static dp_rules *file_of(dp_str rule)
{
    dp_buf    b = {0};
    dp_rules *r = NULL;
    dp_error  err;
    dp_buf_c(&b, "dustpan-rules 1\nhost any\norder any\n");
    dp_buf_str(&b, rule);
    dp_buf_byte(&b, '\n');
    assert_int_equal(DP_OK, dp_rules_new(&r));
    if (dp_rules_parse(r, "said", b.p, b.n, &err) != DP_OK)
        fail_msg("%.*s: %s", DP_FMT(rule), err.message);
    dp_buf_done(&b);
    return r;
}

static bool is_plain(dp_str url, dp_arena *a)
{
    dp_frame f = {0};
    bool     is_url, plain;
    dp_str   s = naive_stage0(url, NULL, a, &is_url);
    plain = is_url && dp_frame_read(&f, s) == DP_FRAME_OK && !memchr(s.p, '*', s.n);
    for (uint32_t i = 0; plain && i < f.npair; i++) {
        plain &= f.pair[i].sep == '&';
        for (uint32_t j = 0; j < i; j++)
            plain &= !dp_str_eq(dp_pair_name(&f, &f.pair[i]), dp_pair_name(&f, &f.pair[j]));
    }
    dp_frame_done(&f);
    return plain;
}

typedef struct counts {
    uint64_t said, verbs, fired;
} counts;

static void try_rule(counts *c, dp_rng *g, uint64_t seed, const dp_rule *r, dp_arena *a)
{
    dp_phrase p;
    assert_int_equal(DP_OK, dp_phrase_say(&p, r->left, r->right, DP_STR("any"), a));
    assert_true((p.why == DP_SAID) == (p.text.n > 0));
    if (p.why != DP_SAID)
        return;
    dp_rules     *before = file_of(r->text), *after = file_of(p.text);
    naive_options x = {.rules = before}, y = {.rules = after};
    c->said++;
    c->verbs += after->rule[0]->kind != DP_RULE_REWRITE;
    for (int i = 0; i < 8; i++) {
        dp_str url = world_url(g, before, a);
        if (!is_plain(url, a))
            continue;
        naive_answer k = naive_apply(&x, DP_KEY, url, a), l = naive_apply(&y, DP_KEY, url, a);
        c->fired += k.nfired > 0;
        if (!k.limit && !l.limit && !dp_str_eq(k.text, l.text))
            fail_msg("seed %" PRIu64 ": %.*s\n%.*s\n%.*s\n%.*s\n%.*s", seed, DP_FMT(r->text), DP_FMT(p.text),
                     DP_FMT(url), DP_FMT(k.text), DP_FMT(l.text));
    }
    dp_rules_free(before);
    dp_rules_free(after);
}

static void what_is_said_does_the_same(void **state)
{
    (void)state;
    const char *sets = getenv("DP_TWIN_SETS");
    uint64_t    n = sets ? strtoull(sets, NULL, 10) : 1500;
    counts      c = {0};
    for (uint64_t seed = 1; seed <= n; seed++) {
        dp_rng    g = dp_rng_seed(seed);
        dp_arena  a = {0};
        dp_rules *r = NULL;
        dp_error  err;
        dp_str    file = world_rules(&g, WORLD_ANY, &a);
        assert_int_equal(DP_OK, dp_rules_new(&r));
        if (dp_rules_parse(r, "world", file.p, file.n, &err) == DP_OK)
            for (size_t i = 0; i < r->nrule; i++)
                if (r->rule[i]->kind == DP_RULE_REWRITE && r->rule[i]->nunless == 0)
                    try_rule(&c, &g, seed, r->rule[i], &a);
        dp_rules_free(r);
        dp_arena_done(&a);
    }
    print_message("%" PRIu64 " rules, %" PRIu64 " as verbs, %" PRIu64 " URLs changed\n", c.said, c.verbs, c.fired);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_said_does_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
