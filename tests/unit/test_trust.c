/* learn/auto/vote/trust: the header's formula; what votes change; what a round and other sites teach, and how much.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>

#include "learn/auto/vote/trust.h"

enum { IDEAS = 40 };

static const dp_experience nothing;

static dp_trust fresh(void)
{
    dp_trust t;
    dp_trust_init(&t, NULL);
    return t;
}

static double precision(const dp_trust *t, double pos, double neg)
{
    return dp_trust_precision(t, &(dp_poll){.pos = pos, .neg = neg, .family = DP_FAMILY_PARAM}, 0);
}

/* Learn from `n` ideas of a family, all with these votes. */
static dp_experience learn(dp_trust *t, dp_family family, size_t n, double pos, double neg)
{
    dp_experience here;
    dp_poll       v[IDEAS];
    assert_true(n <= IDEAS);
    for (size_t i = 0; i < n; i++)
        v[i] = (dp_poll){.pos = pos, .neg = neg, .family = family};
    dp_trust_learn(t, &here, &nothing, NULL, v, n);
    return here;
}

/* What every trust is within, whatever was seen. */
static void assert_is_sane(const dp_trust *t)
{
    assert_true(t->noise >= .005 && t->noise <= t->most && t->most <= .15);
    assert_true(t->a >= .3 && t->a <= 1 && t->b >= 1 && t->b <= 10);
    for (int f = 0; f < DP_FAMILIES; f++)
        assert_true(t->valid[f] >= .1 && t->valid[f] <= .95);
}

static void assert_near(double want, double got)
{
    if (!(fabs(want - got) < 1e-9))
        fail_msg("%.12g, not %.12g", got, want);
}

static void votes_that_were_not_cast_leave_the_prior(void **state)
{
    (void)state;
    dp_trust t = fresh();
    assert_is_sane(&t);
    for (int f = 0; f < DP_FAMILIES; f++) { /* slashes, index files and orders need fewer votes than what erases */
        bool safe = f == DP_FAMILY_HOST || f == DP_FAMILY_ORDER || f == DP_FAMILY_INDEX;
        assert_near(safe ? .9 : .5, t.valid[f]);
    }
    assert_near(.75, precision(&t, 0, 0)); /* valid with chance 1/2, else anything */
}

/* The header's letters, where numbers are small enough for it. */
static double as_printed(const dp_trust *t, double w, double pos, double neg)
{
    double e = fmin(fmax(neg / fmax(pos + neg, 1), fmax(t->noise / 4, .005)), t->noise);
    double S = w * pow(1 - e, pos) * pow(e, neg);
    double B = (1 - w) * exp(lgamma(pos + t->a) + lgamma(neg + t->b) - lgamma(pos + t->a + neg + t->b)) /
               exp(lgamma(t->a) + lgamma(t->b) - lgamma(t->a + t->b));
    return (S + B * (pos + t->a) / (pos + neg + t->a + t->b)) / (S + B);
}

static void precision_is_the_formula(void **state)
{
    (void)state;
    static const double votes[][2] = {
        {0, 0}, {1, 0}, {.5, .5}, {3, 0}, {20, 0}, {20, 1}, {0, 4}, {7.25, 1.75}, {90, 3}};
    dp_trust t[3] = {fresh(), fresh(), fresh()};
    learn(&t[1], DP_FAMILY_PARAM, 30, 25, 1);
    learn(&t[2], DP_FAMILY_PARAM, 30, 4, 3);
    for (size_t k = 0; k < DP_COUNT(t); k++)
        for (size_t i = 0; i < DP_COUNT(votes); i++)
            for (unsigned depth = 0; depth < 3; depth++) { /* each condition halves the prior */
                double w = t[k].valid[DP_FAMILY_PARAM] / (1 << depth);
                dp_poll p = {.pos = votes[i][0], .neg = votes[i][1], .family = DP_FAMILY_PARAM};
                assert_near(as_printed(&t[k], w, p.pos, p.neg), dp_trust_precision(&t[k], &p, depth));
                p.prior = .9; /* takes the place of the family's */
                assert_near(as_printed(&t[k], .9 / (1 << depth), p.pos, p.neg), dp_trust_precision(&t[k], &p, depth));
            }
}

/* Some label in two hundred is thought to be wrong: thousands of votes without one against are a little less than
 * perfect, never by more than .001. */
static void trust_grows_with_votes_and_falls_with_doubt(void **state)
{
    (void)state;
    dp_trust t = fresh();
    for (double pos = 1, last = 0; pos < 1e12; pos *= 4) {
        double now = precision(&t, pos, 0);
        assert_true(now <= 1 && now > (pos > 300 ? .999 : last));
        last = now;
    }
    for (double neg = 1, last = precision(&t, 50, 0); neg < 1e12; neg *= 4) {
        double now = precision(&t, 50, neg);
        assert_true(now < last && now >= 0);
        last = now;
    }
}

static void a_round_teaches_of_its_own_family(void **state)
{
    (void)state;
    dp_trust      good = fresh(), bad = fresh();
    dp_experience here = learn(&good, DP_FAMILY_PARAM, 30, 10, 0);
    assert_true(good.valid[DP_FAMILY_PARAM] > .9);
    assert_near(.5, good.valid[DP_FAMILY_BLOCK]);
    assert_near(30, here.ideas[DP_FAMILY_PARAM]);
    assert_true(here.valid[DP_FAMILY_PARAM] > 29 && here.wrong == 0);
    here = learn(&bad, DP_FAMILY_PARAM, 30, 2, 8);
    assert_true(bad.valid[DP_FAMILY_PARAM] < .15);
    assert_near(.5, bad.valid[DP_FAMILY_BLOCK]);
    assert_true(here.bad > 29.9);
    assert_near(.2 * here.bad, here.share); /* precisions of those that are not valid, and their squares */
    assert_near(.04 * here.bad, here.square);
    assert_is_sane(&good);
    assert_is_sane(&bad);
    assert_true(precision(&good, 3, 0) > precision(&bad, 3, 0) + .04);
}

/* What was accepted in earlier rounds counts for its family, also where everything that is left is doubtful; of what
 * ideas are that are not valid it says nothing. */
static void rules_that_were_accepted_teach(void **state)
{
    (void)state;
    dp_trust      t = fresh();
    dp_experience here;
    dp_poll       v[5] = {{.pos = 2, .neg = 3, .family = DP_FAMILY_PARAM}};
    for (size_t i = 1; i < DP_COUNT(v); i++)
        v[i] = (dp_poll){.pos = 5, .family = DP_FAMILY_PARAM, .taken = true};
    dp_trust_learn(&t, &here, &nothing, NULL, v, 1);
    double alone = precision(&t, 4, 0);
    t = fresh();
    dp_trust_learn(&t, &here, &nothing, NULL, v, DP_COUNT(v));
    assert_true(precision(&t, 4, 0) > alone + .005);
    assert_near(DP_COUNT(v), here.ideas[DP_FAMILY_PARAM]);
    assert_true(here.bad <= 1);
}

static void ideas_with_fewer_than_three_votes_teach_nothing(void **state)
{
    (void)state;
    dp_trust      t = fresh(), untaught = fresh();
    dp_experience here = learn(&t, DP_FAMILY_PARAM, IDEAS, 2.5, .25);
    assert_memory_equal(&nothing, &here, sizeof here);
    assert_memory_equal(&untaught, &t, sizeof t);
    here = learn(&t, DP_FAMILY_PARAM, 0, 0, 0); /* nor does a round without ideas */
    assert_memory_equal(&untaught, &t, sizeof t);
    here = learn(&t, DP_FAMILY_PARAM, 1, 2.5, .5);
    assert_near(1, here.ideas[DP_FAMILY_PARAM]);
}

/* Rules that are wrong now and then look like wrong labels; a clean rule with many votes says that labels are right. */
static void the_cleanest_idea_bounds_the_noise(void **state)
{
    (void)state;
    dp_experience here;
    dp_poll       v[] = {{.pos = 94, .neg = 6, .family = DP_FAMILY_PARAM},
                         {.pos = 92, .neg = 8, .family = DP_FAMILY_BLOCK},
                         {.pos = 1000, .neg = 0, .family = DP_FAMILY_CASE}};
    dp_trust      noisy = fresh(), clean = fresh();
    dp_trust_learn(&noisy, &here, &nothing, NULL, v, 2);
    dp_trust_learn(&clean, &here, &nothing, NULL, v, 3);
    assert_true(noisy.noise > .05);
    assert_near(.005, clean.most); /* 4 of 1000 is less than we ever believe */
    assert_near(.005, clean.noise);
    assert_true(precision(&noisy, 94, 6) > .98 && precision(&clean, 94, 6) < .95);
    learn(&clean, DP_FAMILY_PARAM, 1, 94, 6); /* a later round does not bring it back */
    assert_near(.005, clean.most);
}

/* What a later round leaves open says little: an earlier one with more votes makes up for it. */
/* Four of 25 are against a rule: an excuse where one vote in fifteen is wrong, none where 600 votes on accepted rules
 * were right. */
static void accepted_rules_bound_the_excuse(void **state)
{
    (void)state;
    dp_trust t = fresh();
    learn(&t, DP_FAMILY_PARAM, 20, 28, 2);
    double before = precision(&t, 210, 15);
    assert_true(t.noise > .05 && before > .99 && !dp_trust_is_exact(&t));
    dp_trust_check(&t, 600, 40);
    assert_true(precision(&t, 210, 15) > .99 && !dp_trust_is_exact(&t));
    dp_trust_check(&t, 600, 0);
    assert_is_sane(&t);
    assert_true(precision(&t, 210, 15) < .95 && precision(&t, 21, 4) < .9 && dp_trust_is_exact(&t));
    assert_true(precision(&t, 100, 0) > .99 && precision(&t, 400, 1) > .99);
}

static void an_earlier_round_with_more_votes_is_not_forgotten(void **state)
{
    (void)state;
    dp_trust      t = fresh(), again = fresh();
    dp_experience first = learn(&t, DP_FAMILY_PARAM, 30, 25, 1), here;
    dp_trust_learn(&again, &here, &first, NULL, NULL, 0);
    assert_memory_equal(&nothing, &here, sizeof here); /* only what this round adds */
    assert_near(t.noise, again.noise);
    assert_near(t.valid[DP_FAMILY_PARAM], again.valid[DP_FAMILY_PARAM]);
    assert_near(t.a, again.a);
    assert_near(t.b, again.b);
}

static void other_sites_teach_but_only_so_much(void **state)
{
    (void)state;
    dp_experience much = {.votes = 100, .wrong = 1, .bad = 30, .share = 6, .square = 2}, more = {0}, here;
    dp_trust      one, ten, without = fresh();
    much.ideas[DP_FAMILY_PARAM] = 30;
    much.valid[DP_FAMILY_PARAM] = 29;
    for (int i = 0; i < 10; i++)
        dp_experience_add(&more, &much);
    dp_trust_init(&one, &much);
    dp_trust_init(&ten, &more);
    assert_is_sane(&one);
    assert_true(precision(&one, 4, 0) > precision(&without, 4, 0));
    dp_poll v[] = {{.pos = 6, .neg = 0, .family = DP_FAMILY_PARAM}, {.pos = 1, .neg = 5, .family = DP_FAMILY_PARAM}};
    dp_trust_learn(&one, &here, &nothing, &much, v, DP_COUNT(v));
    dp_trust_learn(&ten, &here, &nothing, &more, v, DP_COUNT(v));
    assert_near(one.noise, ten.noise); /* a site's own ideas weigh as much beside ten times the others */
    assert_near(one.valid[DP_FAMILY_PARAM], ten.valid[DP_FAMILY_PARAM]);
    assert_near(one.a, ten.a);
    assert_near(one.b, ten.b);
}

static void trust_stays_sane_whatever_it_is_taught(void **state)
{
    (void)state;
    static const double votes[] = {0, .01, 2.99, 3, 29, 30, 1e3, 1e9};
    for (size_t i = 0; i < DP_COUNT(votes); i++)
        for (size_t k = 0; k < DP_COUNT(votes); k++) {
            dp_trust t = fresh();
            learn(&t, DP_FAMILY_BLOCK, IDEAS, votes[i], votes[k]);
            assert_is_sane(&t);
            for (size_t p = 0; p < DP_COUNT(votes); p++) {
                double now = precision(&t, votes[p], votes[i]);
                assert_true(now >= 0 && now <= 1);
            }
        }
}

static void a_vote_against_one_rule_is_excused_by_those_against_others(void **state)
{
    (void)state;
    double exact = dp_trust_noise_by_others(NULL, 300, 0), noisy = dp_trust_noise_by_others(NULL, 300, 15);
    assert_true(exact < .001);
    assert_true(noisy > .04 && noisy < .06);
    assert_true(dp_trust_most_precision(exact, 52, 1) < .99); /* the others met none: it is the rule's own */
    assert_near(1, dp_trust_most_precision(noisy, 52, 1));
    assert_near(1, dp_trust_most_precision(exact, 52, .5)); /* less than a vote */
    assert_true(dp_trust_most_precision(exact, 500, 1) > .99);
    assert_true(dp_trust_most_precision(noisy, 30, 10) < .9);
    dp_experience elsewhere = {.wrong = 50, .votes = 1000};
    assert_true(dp_trust_noise_by_others(&elsewhere, 20, 0) > .03); /* a small site leans on the others of the run */
    assert_true(dp_trust_noise_by_others(&elsewhere, 2000, 0) < .004);
}

static void what_was_added_can_be_left_out(void **state)
{
    (void)state;
    dp_trust      t = fresh();
    dp_experience one = learn(&t, DP_FAMILY_PARAM, 20, 9, 1), other = learn(&t, DP_FAMILY_BLOCK, 20, 2, 2), sum = {0};
    dp_experience_add(&sum, &one);
    dp_experience_add(&sum, &other);
    dp_experience_leave_out(&sum, &other);
    assert_near(one.votes, sum.votes);
    assert_near(one.wrong, sum.wrong);
    assert_near(one.bad, sum.bad);
    assert_near(one.share, sum.share);
    assert_near(one.square, sum.square);
    for (int f = 0; f < DP_FAMILIES; f++) {
        assert_near(one.valid[f], sum.valid[f]);
        assert_near(one.ideas[f], sum.ideas[f]);
    }
    dp_experience_leave_out(&sum, &one);
    dp_experience_leave_out(&sum, &one); /* twice: no sum falls below nothing */
    assert_memory_equal(&nothing, &sum, sizeof sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(votes_that_were_not_cast_leave_the_prior),
        cmocka_unit_test(precision_is_the_formula),
        cmocka_unit_test(trust_grows_with_votes_and_falls_with_doubt),
        cmocka_unit_test(a_round_teaches_of_its_own_family),
        cmocka_unit_test(rules_that_were_accepted_teach),
        cmocka_unit_test(ideas_with_fewer_than_three_votes_teach_nothing),
        cmocka_unit_test(the_cleanest_idea_bounds_the_noise),
        cmocka_unit_test(accepted_rules_bound_the_excuse),
        cmocka_unit_test(a_vote_against_one_rule_is_excused_by_those_against_others),
        cmocka_unit_test(an_earlier_round_with_more_votes_is_not_forgotten),
        cmocka_unit_test(other_sites_teach_but_only_so_much),
        cmocka_unit_test(trust_stays_sane_whatever_it_is_taught),
        cmocka_unit_test(what_was_added_can_be_left_out),
    };
    return cmocka_run_group_tests_name("trust", tests, NULL, NULL);
}
