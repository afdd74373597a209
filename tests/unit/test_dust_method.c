/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "learn/dust/evidence.h"
#include "learn/dust/method.h"
#include "support/failing_alloc.h"

static const char *const names[] = {"ann", "bob", "cyd", "dan", "eve", "fay", "gil", "hal"};
enum { NAMES = DP_COUNT(names) };

/* The pages of a site in the making; '@' in a shape stands for a name. */
typedef struct pages {
    dp_site_page v[256];
    int64_t      bytes[256]; /* -1: not known */
    size_t       n;
    dp_arena     a;
} pages;

static void add(pages *p, int64_t bytes, const char *shape, const char *name)
{
    char   text[200];
    int    n = snprintf(text, sizeof text, "%.*s%s%s", (int)(strchr(shape, '@') - shape), shape, name,
                        strchr(shape, '@') + 1);
    dp_str url = dp_arena_str(&p->a, (dp_str){text, (size_t)n});
    assert_non_null(url.p);
    p->v[p->n] = (dp_site_page){.url = url};
    p->bytes[p->n++] = bytes;
}

/* With the columns of sizes when some page has one. */
static dp_site site_of(pages *p)
{
    dp_site  s;
    int64_t *size = DP_NEWS(&p->a, p->n, int64_t);
    bool     some = false;
    assert_int_equal(DP_OK, dp_site_make(&s, DP_STR("a.com"), p->v, p->n, &p->a));
    for (size_t i = 0; i < s.n; i++)
        for (size_t k = 0; k < p->n; k++)
            if (dp_str_eq(p->v[k].url, s.url[i])) {
                size[i] = p->bytes[k];
                some |= size[i] >= 0;
            }
    s.size_min = s.size_max = some ? size : NULL;
    return s;
}

static dp_proposals learn(const dp_site *s, const dp_dust_options *o, dp_arena *a)
{
    dp_proposals     out = {0};
    dp_learn_context ctx = {0};
    assert_int_equal(DP_OK, dp_method_dust.learn(&out, s, o, &ctx, a));
    return out;
}

static void expect(const dp_proposal *p, const char *hosts, const char *text, uint64_t n, unsigned by)
{
    if (!dp_str_eq(p->hosts, dp_str_c(hosts)) || !dp_str_eq(p->text, dp_str_c(text)))
        fail_msg("host %.*s: %.*s, not host %s: %s", DP_FMT(p->hosts), DP_FMT(p->text), hosts, text);
    assert_int_equal(n, p->n);
    assert_int_equal(by, p->by);
    assert_int_equal(DP_LIKELY, p->state);
    assert_true(p->p < 0);
}

static const struct {
    const char *x, *y, *hosts, *text;
} shapes[] = {
    {"http://a.com/@/index.html", "http://a.com/@/", "a.com", "/{**}/index.html? => /{**}/?"},
    {"http://a.com/users/@/", "http://a.com/~@/", "a.com", "sub \"^http://a.com/users/\" -> \"^http://a.com/~\""},
    {"http://www.a.com/@", "http://a.com/@", "a.com, www.a.com", "http://www.a.com/{**} => http://a.com/{**}"},
    {"http://a.com/story?id=@", "http://a.com/story_@", "a.com",
     "sub \"^http://a.com/story?id=\" -> \"^http://a.com/story_\""},
};

static void shapes_of_the_paper_become_rules(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(shapes); i++) {
        pages           p = {0};
        dp_dust_options o = DP_DUST_OPTIONS_INIT;
        for (size_t k = 0; k < NAMES; k++) {
            add(&p, -1, shapes[i].x, names[k]);
            add(&p, -1, shapes[i].y, names[k]);
        }
        dp_site      s = site_of(&p);
        dp_proposals r = learn(&s, &o, &p.a);
        assert_int_equal(1, r.n);
        expect(&r.v[0], shapes[i].hosts, shapes[i].text, NAMES, 1u << DP_BY_LIST);
        dp_proposals_done(&r);
        dp_arena_done(&p.a);
    }
}

static void parameters_are_dropped_or_set(void **state)
{
    (void)state;
    pages           p = {0};
    dp_dust_options o = DP_DUST_OPTIONS_INIT;
    for (size_t k = 0; k < NAMES; k++) {
        add(&p, (int64_t)k, "http://a.com/x?page=@", names[k]);
        add(&p, (int64_t)k, "http://a.com/x?page=@&sid=1", names[k]);
        add(&p, (int64_t)k, "http://a.com/x?page=@&sid=2", names[k]);
        if (k % 2)
            add(&p, (int64_t)k, "http://a.com/x?page=@&sid=2&s", names[k]);
    }
    dp_site      s = site_of(&p);
    dp_proposals r = learn(&s, &o, &p.a);
    assert_true(r.n > 2);
    expect(&r.v[r.n - 2], "a.com", "drop ?sid", 16, 1u << DP_BY_SIZE);
    expect(&r.v[r.n - 1], "a.com", "set ?sid=2", 8, 1u << DP_BY_SIZE);
    dp_proposals_done(&r);
    dp_arena_done(&p.a);
}

/* ---- evidence ---------------------------------------------------------------------------- */

static const struct {
    uint64_t alone, supplied[3], want;
} caps[] = {
    {12, {0}, 12},           /* nobody's */
    {0, {9}, 0},             /* one client's alone */
    {0, {4, 4, 4}, 12},      /* three clients, a third each */
    {0, {4, 4}, 0},          /* two: one of them always has half */
    {8, {4}, 12},            /* a third is allowed */
    {8, {100}, 12},          /* the rest is not counted */
    {8, {5, 1}, 13},         /* 4 + 8 + 1 */
    {2, {3}, 3},             /* 2 and one more */
};

static void one_client_supplies_a_third_at_most(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(caps); i++)
        assert_int_equal(caps[i].want, dp_dust_evidence_cap(caps[i].alone, caps[i].supplied, 3));
}

/* /NAME/index.html and /NAME/, where index.html was asked for by `clients` in turn, and the rest by all of them. */
static size_t rules_with_clients(uint32_t clients, uint64_t *n)
{
    pages           p = {0};
    dp_dust_options o = DP_DUST_OPTIONS_INIT;
    for (size_t k = 0; k < NAMES; k++) {
        add(&p, -1, "http://a.com/@/index.html", names[k]);
        add(&p, -1, "http://a.com/@/", names[k]);
    }
    dp_site   s = site_of(&p);
    uint32_t *at = DP_NEWS(&p.a, s.n + 1, uint32_t), *client = DP_NEWS(&p.a, s.n * clients, uint32_t), total = 0;
    for (size_t i = 0, turn = 0; i < s.n; i++) {
        at[i] = total;
        if (dp_str_ends(s.url[i], DP_STR("html")))
            client[total++] = (uint32_t)(turn++ % clients);
        else
            for (uint32_t c = 0; c < clients + 1 && total < s.n * clients; c++)
                client[total++] = c;
    }
    at[s.n] = total;
    s.client_at = at;
    s.client = client;
    dp_proposals r = learn(&s, &o, &p.a);
    size_t       found = r.n;
    *n = r.n ? r.v[0].n : 0;
    dp_proposals_done(&r);
    dp_arena_done(&p.a);
    return found;
}

static void a_habit_of_one_client_makes_no_rule(void **state)
{
    (void)state;
    uint64_t n;
    assert_int_equal(0, rules_with_clients(1, &n));
    assert_int_equal(0, rules_with_clients(2, &n));
    assert_int_equal(1, rules_with_clients(4, &n));
    assert_int_equal(NAMES, n);
}

static void rules_stand_under_the_hosts_they_were_seen_on(void **state)
{
    (void)state;
    pages           p = {0};
    dp_dust_options o = DP_DUST_OPTIONS_INIT;
    for (size_t k = 0; k < NAMES; k++) {
        add(&p, 7, "http://x.a.com/@/index.html", names[k]);
        add(&p, k == 7 ? 8 : 7, "http://x.a.com/@/", names[k]);
        add(&p, (int64_t)k, "http://y.a.com/@/", names[k]);
    }
    dp_site      s = site_of(&p);
    dp_proposals r = learn(&s, &o, &p.a);
    assert_int_equal(1, r.n);
    expect(&r.v[0], "x.a.com", "/{**}/index.html? => /{**}/?", NAMES - 1, 1u << DP_BY_SIZE);
    assert_int_equal(1, r.v[0].neg);
    dp_proposals_done(&r);
    dp_arena_done(&p.a);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    pages p = {0};
    for (size_t k = 0; k < NAMES; k++) {
        add(&p, 1, "http://a.com/x?page=@&sid=1", names[k]);
        add(&p, 1, "http://a.com/x?page=@&sid=2", names[k]);
    }
    dp_site         s = site_of(&p);
    dp_dust_options o = DP_DUST_OPTIONS_INIT;
    uint32_t        at[64], client[64];
    for (uint32_t i = 0; i <= s.n; i++)
        client[i] = (at[i] = i) % 5;
    s.client_at = at;
    s.client = client;
    dp_proposals want = learn(&s, &o, &p.a);
    DP_EVERY_ALLOC_FAILURE {
        dp_arena         a = {0};
        dp_proposals     out = {0};
        dp_learn_context ctx = {0};
        dp_err           e = dp_method_dust.learn(&out, &s, &o, &ctx, &a);
        bool             whole = e == DP_OK && out.n == want.n; /* compiling rules can do without some of it */
        bool             failed = e == DP_ENOMEM && dp_alloc_failed();
        dp_proposals_done(&out);
        dp_arena_done(&a);
        assert_true(whole || failed);
    }
    dp_proposals_done(&want);
    dp_arena_done(&p.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_of_the_paper_become_rules),
        cmocka_unit_test(parameters_are_dropped_or_set),
        cmocka_unit_test(one_client_supplies_a_third_at_most),
        cmocka_unit_test(a_habit_of_one_client_makes_no_rule),
        cmocka_unit_test(rules_stand_under_the_hosts_they_were_seen_on),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
