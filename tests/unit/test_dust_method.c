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
    dp_site_page v[512];
    int64_t      bytes[512]; /* -1: not known */
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

static dp_proposals learn_by(dp_accept accept, const dp_site *s, const dp_dust_options *o, dp_arena *a)
{
    dp_proposals     out = {0};
    dp_learn_context ctx = {.accept = accept};
    assert_int_equal(DP_OK, dp_method_dust.learn(&out, s, o, &ctx, a));
    return out;
}

static dp_proposals learn(const dp_site *s, const dp_dust_options *o, dp_arena *a)
{
    return learn_by(DP_ACCEPT_JUDGE, s, o, a);
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
    expect(&r.v[r.n - 1], "a.com", "erase ?sid", 8, 1u << DP_BY_SIZE); /* nobody's id is written down */
    dp_proposals_done(&r);
    dp_arena_done(&p.a);
}

/* A value that many URLs have is a default; an id is not, whatever the parameter is called. */
static void a_default_is_set_and_an_id_erased(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second, *want;
    } cases[] = {
        {"http://a.com/x?page=@&view=full", "http://a.com/x?page=@&view=wide", "set ?view=full"},
        {"http://a.com/x?page=@&visit=4f2a77c01b", "http://a.com/x?page=@&visit=90b1c3de55", "erase ?visit"},
        {"http://a.com/x?page=@&PHPSESSID=a", "http://a.com/x?page=@&PHPSESSID=b", "erase ?PHPSESSID"},
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        pages           p = {0};
        dp_dust_options o = DP_DUST_OPTIONS_INIT;
        for (size_t k = 0; k < NAMES; k++) {
            add(&p, (int64_t)k, cases[i].first, names[k]);
            add(&p, (int64_t)k, cases[i].second, names[k]);
        }
        dp_site      s = site_of(&p);
        dp_proposals r = learn(&s, &o, &p.a);
        assert_true(r.n > 0);
        expect(&r.v[r.n - 1], "a.com", cases[i].want, NAMES, 1u << DP_BY_SIZE);
        dp_proposals_done(&r);
        dp_arena_done(&p.a);
    }
}

/* Without sizes and sketches every parameter would look as if its value did not matter. */
static void a_list_says_nothing_of_parameters(void **state)
{
    (void)state;
    pages           p = {0};
    dp_dust_options o = DP_DUST_OPTIONS_INIT;
    for (size_t k = 0; k < NAMES; k++)
        for (char t = 'a'; t < 'm'; t++) {
            char shape[64];
            snprintf(shape, sizeof shape, "http://a.com/@/show?t=1%c", t);
            add(&p, -1, shape, names[k]);
        }
    dp_site      s = site_of(&p);
    dp_proposals r = learn(&s, &o, &p.a);
    for (size_t i = 0; i < r.n; i++)
        assert_true(dp_str_starts(r.v[i].text, DP_STR("sub ")) || !memmem(r.v[i].text.p, r.v[i].text.n, "?t", 2));
    dp_proposals_done(&r);
    dp_arena_done(&p.a);
}

/* Clusters try what is proposed, so that a parameter may be. */
static void clusters_tell_afterwards(void **state)
{
    (void)state;
    pages           p = {0};
    dp_dust_options o = DP_DUST_OPTIONS_INIT;
    for (size_t k = 0; k < NAMES; k++) {
        add(&p, -1, "http://a.com/x?page=@", names[k]);
        add(&p, -1, "http://a.com/x?page=@&sid=1", names[k]);
        add(&p, -1, "http://a.com/x?page=@&sid=2", names[k]);
    }
    for (size_t i = 0; i < p.n; i++)
        p.v[i].cluster = dp_str_c(names[i / 3]);
    dp_site      s = site_of(&p);
    dp_proposals r = learn(&s, &o, &p.a);
    size_t       found = 0;
    for (size_t i = 0; i < r.n; i++)
        found += dp_str_eq(r.v[i].text, DP_STR("drop ?sid"));
    assert_int_equal(1, found);
    dp_proposals_done(&r);
    r = learn_by(DP_ACCEPT_PAPER, &s, &o, &p.a); /* nobody asks them */
    for (size_t i = 0; i < r.n; i++)
        assert_false(dp_str_starts(r.v[i].text, DP_STR("drop ")) || dp_str_starts(r.v[i].text, DP_STR("set ")));
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

/* Pairs that differ speak against a rule also in an envelope that is too large for support. */
static void large_envelopes_speak_against_a_rule(void **state)
{
    (void)state;
    pages           p = {0};
    dp_dust_options o = DP_DUST_OPTIONS_INIT;
    for (size_t k = 0; k < NAMES; k++) {
        add(&p, (int64_t)k, "http://a.com/@/one.ps", names[k]);
        add(&p, (int64_t)k, "http://a.com/@/two.ps", names[k]);
    }
    for (size_t k = 0; k < NAMES; k++)
        add(&p, 100 + (int64_t)k, "http://a.com/many/@.ps", names[k]);
    add(&p, 1, "http://a.com/@/one.ps", "many");
    add(&p, 2, "http://a.com/@/two.ps", "many");
    dp_site      s = site_of(&p);
    dp_proposals r = learn(&s, &o, &p.a);
    assert_int_equal(1, r.n);
    assert_int_equal(NAMES, r.v[0].n);
    assert_int_equal(1, r.v[0].neg);
    dp_proposals_done(&r);
    dp_arena_done(&p.a);
}

/* A rule that one client alone has made must not remove a more general one that others have seen, too. */
static void clients_are_capped_before_rules_are_compared(void **state)
{
    (void)state;
    enum { HIS = 100, OTHERS = 5 };
    pages           p = {0};
    dp_dust_options o = DP_DUST_OPTIONS_INIT;
    for (int k = 0; k < HIS + OTHERS; k++) {
        char name[24];
        snprintf(name, sizeof name, "k%d", k);
        add(&p, -1, k < HIS ? "http://a.com/a/p/@" : "http://a.com/b/p/@", name);
        add(&p, -1, k < HIS ? "http://a.com/a/q/@" : "http://a.com/b/q/@", name);
    }
    dp_site   s = site_of(&p);
    uint32_t *at = DP_NEWS(&p.a, s.n + 1, uint32_t), *client = DP_NEWS(&p.a, 2 * s.n, uint32_t), n = 0;
    for (size_t i = 0; i < s.n; i++) {
        at[i] = n;
        client[n++] = 7;
        if (memmem(s.url[i].p, s.url[i].n, "/b/", 3))
            client[n++] = 8;
    }
    at[s.n] = n;
    s.client_at = at;
    s.client = client;
    dp_proposals r = learn(&s, &o, &p.a);
    assert_true(r.n > 0);
    expect(&r.v[0], "a.com", "sub \"/q/\" -> \"/p/\"", OTHERS + (OTHERS - 1) / 2, 1u << DP_BY_LIST);
    dp_proposals_done(&r);
    dp_arena_done(&p.a);
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
        cmocka_unit_test(clusters_tell_afterwards),
        cmocka_unit_test(a_default_is_set_and_an_id_erased),
        cmocka_unit_test(a_list_says_nothing_of_parameters),
        cmocka_unit_test(one_client_supplies_a_third_at_most),
        cmocka_unit_test(large_envelopes_speak_against_a_rule),
        cmocka_unit_test(clients_are_capped_before_rules_are_compared),
        cmocka_unit_test(a_habit_of_one_client_makes_no_rule),
        cmocka_unit_test(rules_stand_under_the_hosts_they_were_seen_on),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
