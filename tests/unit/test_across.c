/* site/lead, learn/accept/across: which domain stands for which, and what a rule that leads to another one must show.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "learn/accept/across.h"
#include "support/failing_alloc.h"
#include "support/rules.h"

/* Pages 0 to `all` of from.com, of which so many redirect to, name as canonical, or are shown by to.com. Page i of
 * to.com is page i of from.com, or where that is not shown another one; `more` pages of to.com are its own. */
typedef struct world {
    unsigned    all, redirects, canonical, shown, more;
    const char *owners;
} world;

enum { MOST = 400 };

typedef struct scene {
    dp_site      site;
    dp_lead      lead;
    dp_ownership owners;
    dp_arena     a;
} scene;

static int by_url(const void *x, const void *y)
{
    return dp_str_cmp(((const dp_site_page *)x)->url, ((const dp_site_page *)y)->url);
}

static uint32_t find(const dp_site *s, const char *host, unsigned i)
{
    char url[64];
    snprintf(url, sizeof url, "http://%s/%u", host, i);
    for (uint32_t k = 0; k < s->n; k++) {
        if (dp_str_eq(s->url[k], dp_str_c(url)))
            return k;
    }
    fail_msg("no %s", url);
    return 0;
}

static size_t add_page(dp_site_page *v, size_t n, dp_arena *a, const char *host, unsigned i, const char *cluster)
{
    char url[64], id[32];
    snprintf(url, sizeof url, "http://%s/%u", host, i);
    snprintf(id, sizeof id, "%s%u", cluster, i);
    v[n] = (dp_site_page){dp_arena_str(a, dp_str_c(url)), dp_arena_str(a, dp_str_c(id)), DP_BY_DIGEST};
    assert_true(v[n].url.p && v[n].cluster.p);
    return n + 1;
}

static void make(scene *s, const world *w)
{
    dp_site_page page[MOST];
    size_t       n = 0, narrow = 0;
    *s = (scene){0};
    for (unsigned i = 0; i < w->all; i++) {
        n = add_page(page, n, &s->a, "from.com", i, "c");
        n = add_page(page, n, &s->a, "to.com", i, i < w->shown || i < w->redirects ? "c" : "d");
    }
    for (unsigned i = 0; i < w->more; i++)
        n = add_page(page, n, &s->a, "to.com", 1000 + i, "e");
    qsort(page, n, sizeof *page, by_url);
    assert_int_equal(DP_OK, dp_site_make(&s->site, DP_STR("from.com"), page, n, &s->a));
    dp_arrow *arrow = DP_NEWS(&s->a, 2 * w->all + 1, dp_arrow);
    uint8_t  *is_named = DP_NEWS(&s->a, n, uint8_t);
    assert_true(arrow && is_named);
    for (uint32_t k = 0; k < n; k++) {
        for (unsigned i = 0; i < w->all; i++) {
            if (find(&s->site, "from.com", i) != k)
                continue;
            if (i < w->redirects)
                arrow[narrow++] = (dp_arrow){k, find(&s->site, "to.com", i), DP_BY_REDIRECT};
            if (i < w->canonical)
                arrow[narrow++] = (dp_arrow){k, find(&s->site, "to.com", i), DP_BY_CANONICAL};
        }
    }
    s->site.arrow = arrow;
    s->site.narrow = narrow;
    if (w->owners)
        assert_int_equal(DP_OK, dp_ownership_read(&s->owners, dp_str_c(w->owners), "owners", NULL));
    assert_int_equal(DP_OK, dp_lead_init(&s->lead, &s->site, &s->owners));
}

static void end(scene *s)
{
    dp_lead_done(&s->lead);
    dp_ownership_done(&s->owners);
    dp_arena_done(&s->a);
}

/* What becomes of a rule of active votes: its line, or "dropped". */
static dp_err decide(scene *s, const char *hosts, const char *text, bool owners, char out[200])
{
    dp_court court = {.site = &s->site, .min_precision = .99, .trust = DP_TRUST_ALWAYS};
    dp_case  own = {.own = {.hosts = dp_str_c(hosts), .text = dp_str_c(text), .state = DP_ACTIVE}};
    dp_cases c = {.v = &own};
    uint8_t  in = 1, does = 0;
    dp_arena a = {0};
    dp_err   code = dp_proposals_add(&c.p, &own.own);
    if (code == DP_OK)
        code = dp_across_decide(&c, &court, &s->lead, owners, &in, &does, &a);
    if (code == DP_OK) {
        const dp_proposal *p = &c.p.v[0];
        const char        *by = dp_across_name(p->across);
        snprintf(out, 200, "%s%s%.*s", !in ? "dropped" : p->state == DP_LIKELY ? "likely " : "", by ? by : "",
                 in && p->hosts.n != strlen(hosts) ? (int)p->hosts.n : 0, p->hosts.p);
    }
    dp_proposals_done(&c.p);
    dp_arena_done(&a);
    return code;
}

static const char forth[] = "//from.com/{**} => //to.com/{**}", back[] = "//to.com/{**} => //from.com/{**}";

static void what_the_rewritten_domain_says_decides(void **state)
{
    static const struct {
        world       w;
        const char *forth, *back;
    } cases[] = {
        {{.all = 40, .redirects = 40}, "redirect", "dropped"},
        {{.all = 40, .redirects = 21}, "redirect", "dropped"},
        {{.all = 40, .redirects = 20}, "dropped", "dropped"},
        {{.all = 40, .canonical = 40, .shown = 40}, "canonical", "dropped"},
        {{.all = 40, .canonical = 40, .shown = 20}, "likely canonical", "dropped"},
        {{.all = 40, .canonical = 40}, "likely canonical", "dropped"},
        {{.all = 40, .canonical = 20, .shown = 40}, "likely copies", "dropped"},
        {{.all = 40, .canonical = 15, .redirects = 15, .shown = 40}, "likely copies", "dropped"},
        {{.all = 40, .shown = 40}, "dropped", "likely copies"}, /* the first by name leads */
        {{.all = 40, .shown = 40, .more = 1}, "likely copies", "dropped"},
        {{.all = 40, .shown = 20, .more = 1}, "dropped", "dropped"},
        {{.all = 40, .shown = 8}, "dropped", "dropped"},
        {{.all = 40, .shown = 40, .more = 99, .owners = "from.com to.com"}, "dropped", "dropped"},
        {{.all = 40, .shown = 40, .owners = "from.com to.com"}, "dropped", "owner"},
        {{.all = 40, .shown = 40, .owners = "to.com from.com"}, "owner", "dropped"},
        {{.all = 40, .shown = 20, .owners = "to.com from.com"}, "dropped", "dropped"},
        {{.all = 40, .redirects = 30, .owners = "from.com to.com"}, "redirect", "owner"},
        {{.all = 40, .shown = 40, .owners = "to.com other.com\nfrom.com"}, "dropped", "likely copies"},
    };
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        scene s;
        char  got[2][200];
        make(&s, &cases[i].w);
        assert_int_equal(DP_OK, decide(&s, "from.com", forth, false, got[0]));
        assert_int_equal(DP_OK, decide(&s, "to.com", back, false, got[1]));
        if (strcmp(got[0], cases[i].forth) || strcmp(got[1], cases[i].back))
            fail_msg("case %zu: %s, back %s", i, got[0], got[1]);
        end(&s);
    }
}

static void urls_without_a_record_do_not_count(void **state)
{
    scene s;
    char  got[200];
    (void)state;
    make(&s, &(world){.all = 40, .canonical = 40, .shown = 40});
    uint8_t *is_named = DP_NEWS(&s.a, s.site.n, uint8_t);
    for (unsigned i = 0; i < 40; i++)
        is_named[find(&s.site, "to.com", i)] = i >= 20; /* nobody has seen what half of them show */
    s.site.is_named = is_named;
    assert_int_equal(DP_OK, decide(&s, "from.com", forth, true, got));
    assert_string_equal("likely canonical", got);
    end(&s);
}

static void hosts_that_are_not_asked_are_taken_off(void **state)
{
    scene s;
    char  got[200];
    (void)state;
    make(&s, &(world){.all = 40, .redirects = 40});
    assert_int_equal(DP_OK, decide(&s, "from.com, other.com, to.com", "/{a} => //to.com/{a}", true, got));
    assert_string_equal("redirectfrom.com", got);
    assert_int_equal(DP_OK, decide(&s, "to.com", "/{a} => //to.com/{a}", true, got));
    assert_string_equal("", got); /* it does not cross */
    assert_int_equal(DP_OK, decide(&s, "from.com, to.com", "drop ?sid", true, got));
    assert_string_equal("", got);
    assert_int_equal(DP_OK, decide(&s, "from.com", "/{a} => //elsewhere.org/{a}", true, got));
    assert_string_equal("dropped", got);
    assert_int_equal(DP_OK, decide(&s, "from.com", "sub \"from.com\" -> \"to.com\"", true, got));
    assert_string_equal("dropped", got);
    end(&s);
    make(&s, &(world){.all = 40, .redirects = 40, .owners = "to.com from.com"});
    assert_int_equal(DP_OK, decide(&s, "from.com", forth, true, got));
    assert_string_equal("dropped", got); /* their own site has it */
    end(&s);
}

/* Whether the first rule of a block crosses. */
static void rules_that_cross_are_known(void **state)
{
    static const struct {
        const char *hosts, *rule;
        bool        crosses;
    } cases[] = {
        {"a.com, www.a.com", "//www.a.com/{**} => //a.com/{**}", false},
        {"a.com, b.com, www.a.com", "//www.a.com/{**} => //a.com/{**}", false},
        {"a.com", "//a.com/{**} => //b.com/{**}", true},
        {"a.com", "http://a.com:81/{**} => http://b.com/{**}", true},
        {"a.com", "/{**} => //a.com:81/{**}", false},
        {"a.com", "/x/{a} => //b.com/{a}", true},
        {"a.com, b.com", "/x/{a} => //b.com/{a}", true},
        {"*.a.com", "/x/{a} => //a.com/{a}", false},
        {"*.com", "/x/{a} => //a.com/{a}", true},
        {"any", "/x/{a} => //a.com/{a}", true},
        {"u1.github.io", "/{**} => //u2.github.io/{**}", true},
        {"a.com", "drop ?a.com", false},
        {"a.com", "sub \"a.com\" -> \"b.com\"", true},
        {"www.a.com", "sub \"www.a\" -> \"a\"", false},
        {"www.a.com", "sub \"www\" -> \"m\"", false},
        {"www.a.com", "sub \"a\" -> \"b\"", true},
        {"www.a.com", "sub \"//www.a.com/x\" -> \"//b.com/x\"", true},
        {"www.a.com", "sub \"//www.a.com/x/\" -> \"//a.com/y/\"", false},
        {"www.a.com", "sub \"com/x\" -> \"com.evil.net/x\"", true},
        {"www.a.com", "sub \"/x/\" -> \"/y/\"", false},
        {"www.a.com", "sub \"^http:\" -> \"^https:\"", false},
        {"www.a.com", "sub \"^http://www.a.com/\" -> \"^http://b.com/\"", true},
        {"www.a.com", "sub \"^https://www.a.com/\" -> \"^https://b.com/\"", true},
    };
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        char text[200];
        snprintf(text, sizeof text, "dustpan-rules 1\nhost %s\n%s\n", cases[i].hosts, cases[i].rule);
        dp_rules *r = rules_of(text);
        if (dp_rule_crosses(r->rule[0]) != cases[i].crosses)
            fail_msg("%s: %s", cases[i].hosts, cases[i].rule);
        dp_rules_free(r);
    }
}

static void exchanges_of_hosts_are_turned_to_who_leads(void **state)
{
    static const struct {
        const char *text, *want, *hosts;
    } cases[] = {
        {"//to.com/{**} => //from.com/{**}", "//from.com/{**} => //to.com/{**}", "from.com"},
        {"http://to.com:81/{**} => http://from.com:82/{**}", "http://from.com:82/{**} => http://to.com:81/{**}",
         "from.com:82"},
        {"//from.com/{**} => //to.com/{**}", "//from.com/{**} => //to.com/{**}", "as it was"},
        {"//to.com/x/{**} => //from.com/{**}", "//to.com/x/{**} => //from.com/{**}", "as it was"},
        {"/{**} => //from.com/{**}", "/{**} => //from.com/{**}", "as it was"},
        {"drop ?sid", "drop ?sid", "as it was"},
    };
    scene s;
    (void)state;
    make(&s, &(world){.all = 3, .redirects = 3});
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_proposal p = {.hosts = DP_STR("as it was"), .text = dp_str_c(cases[i].text)};
        assert_int_equal(DP_OK, dp_across_turn(&p, &s.lead, &s.a));
        assert_true(dp_str_eq(p.text, dp_str_c(cases[i].want)));
        assert_true(dp_str_eq(p.hosts, dp_str_c(cases[i].hosts)));
    }
    end(&s);
}

static void rules_do_not_lead_back(void **state)
{
    scene    s;
    dp_case  own[2] = {{.own = {.hosts = DP_STR("to.com"), .text = dp_str_c(back), .state = DP_LIKELY}},
                       {.own = {.hosts = DP_STR("from.com"), .text = dp_str_c(forth), .state = DP_ACTIVE}}};
    dp_cases c = {.v = own};
    uint8_t  in[2] = {1, 1}, does[2];
    (void)state;
    make(&s, &(world){.all = 20, .redirects = 20, .owners = "from.com to.com"});
    dp_court court = {.site = &s.site, .min_precision = .99, .trust = DP_TRUST_ALWAYS};
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(DP_OK, dp_proposals_add(&c.p, &own[i].own));
    assert_int_equal(DP_OK, dp_across_decide(&c, &court, &s.lead, false, in, does, &s.a));
    assert_true(!in[0] && in[1] && does[0] && does[1]); /* what is active goes before what is likely */
    dp_proposals_done(&c.p);
    end(&s);
}

static void survives_every_allocation_failure(void **state)
{
    scene s;
    (void)state;
    make(&s, &(world){.all = 4, .redirects = 4});
    DP_EVERY_ALLOC_FAILURE {
        char    got[200];
        dp_lead again;
        dp_err  code = dp_lead_init(&again, &s.site, &s.owners);
        dp_lead_done(&again);
        if (code == DP_OK)
            code = decide(&s, "from.com", forth, true, got);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
    }
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_rewritten_domain_says_decides),
        cmocka_unit_test(urls_without_a_record_do_not_count),
        cmocka_unit_test(hosts_that_are_not_asked_are_taken_off),
        cmocka_unit_test(rules_that_cross_are_known),
        cmocka_unit_test(exchanges_of_hosts_are_turned_to_who_leads),
        cmocka_unit_test(rules_do_not_lead_back),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests_name("across", tests, NULL, NULL);
}
