/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "base/hash.h"
#include "content/soft.h"
#include "support/failing_alloc.h"

/* A host of `pages` pages, of which `many` show one content; their URLs as printf makes them
 * out of a number. */
typedef struct site {
    const char *other, *same;
    unsigned    pages, many;
    bool        soft;
} site;

static const site sites[] = {
    {"http://a.com/p/%u", "http://a.com/old/%u.html?x=%u", 1000, 19, false},    /* too few */
    {"http://a.com/p/%u", "http://a.com/p/%u-%u", 1000, 20, true},             /* /p/ is shared by all the host */
    {"http://a.com/p/%u", "http://a.com/%u/%u", 3000, 30, false},              /* 1 % and not more */
    {"http://a.com/p/%u", "http://a.com/%u/%u", 3000, 31, true},
    {"http://a.com/p/%u", "http://a.com/page?sid=%u", 1000, 100, false},       /* the path is a tie */
    {"http://a.com/page?id=%u", "http://a.com/page?id=%u0000%u", 1000, 100, true}, /* not when others have it, too */
    {"http://a.com/p/%u", "http://a.com/%u/license.html", 1000, 100, false},   /* the name is a tie */
    {"http://a.com/p/%u", "http://a.com/%u/%u?item=7", 1000, 100, false},      /* the pair is a tie */
    {"http://a.com/p/%u", "http://a.com/old/%u", 1000, 100, false},            /* all of /old/ is one page */
    {"http://a.com/img/%u.png", "http://a.com/img/none%u-%u.png", 5000, 1200, true}, /* a sample decides what counts */
    {"http://a.com/p/%u", "http://a.com/s?sid=%u&t=%u", 5000, 4000, false},
};

static void make(dp_clusters *c, dp_strlist *urls, const site *s)
{
    for (unsigned i = 0; i < s->pages; i++) {
        char        url[128];
        bool        same = i < s->many;
        int         n = snprintf(url, sizeof url, same ? s->same : s->other, i * 7919 % 100003, i * 31 % 1009);
        dp_evidence e = {.has = DP_EVIDENCE_TEXT, .text = dp_hash128_of((dp_str){(char *)&i, same ? 0 : sizeof i})};
        assert_int_equal(DP_OK, dp_clusters_add(c, &e));
        assert_true(dp_strlist_add(urls, (dp_str){url, (size_t)n}));
    }
    assert_int_equal(DP_OK, dp_clusters_join(c, &(dp_sameness){0, -1, false}));
}

static void judges_the_table(void **state)
{
    (void)state;
    static const uint32_t host[8192];
    for (size_t i = 0; i < DP_COUNT(sites); i++) {
        dp_clusters           c = {0};
        dp_strlist            urls = {0};
        dp_softs              found;
        const dp_soft_options o = DP_SOFT_OPTIONS_INIT;
        make(&c, &urls, &sites[i]);
        assert_int_equal(DP_OK, dp_softs_find(&found, &c, &urls, host, 1, &o));
        if (found.n != sites[i].soft)
            fail_msg("%s: %zu", sites[i].same, found.n);
        if (found.n) {
            assert_int_equal(0, found.v[0].root);
            assert_int_equal(sites[i].many, found.v[0].urls);
            assert_true(found.v[0].example < sites[i].many);
        }
        dp_softs_done(&found);
        assert_int_equal(DP_OK, dp_softs_find(&found, &c, &urls, host, 1, &(dp_soft_options){0, 0}));
        assert_int_equal(0, found.n);
        dp_clusters_done(&c);
        dp_strlist_done(&urls);
    }
}

/* Pages of /log, and of notes, are many, and each part alone tells little; /log/.../notes are few. */
static void parts_tie_together(void **state)
{
    (void)state;
    static const uint32_t host[2048];
    static const char *const formats[] = {"http://a.com/log/%u/notes", "http://a.com/log/%u/%u",
                                          "http://a.com/%u/notes"};
    for (unsigned which = 0; which < 2; which++) { /* the second time /log/.../notes are many, too */
        dp_clusters           c = {0};
        dp_strlist            urls = {0};
        dp_softs              found;
        const dp_soft_options o = DP_SOFT_OPTIONS_INIT;
        for (unsigned i = 0; i < 1000; i++) {
            char        url[64];
            bool        same = i < 30;
            const char *format = formats[same ? 0 : which && i < 200 ? 0 : 1 + i % 2];
            int         n = snprintf(url, sizeof url, format, 1000 + i, i * 31);
            dp_evidence e = {.has = DP_EVIDENCE_TEXT, .text = dp_hash128_of((dp_str){(char *)&i, same ? 0 : sizeof i})};
            assert_int_equal(DP_OK, dp_clusters_add(&c, &e));
            assert_true(dp_strlist_add(&urls, (dp_str){url, (size_t)n}));
        }
        assert_int_equal(DP_OK, dp_clusters_join(&c, &(dp_sameness){0, -1, false}));
        assert_int_equal(DP_OK, dp_softs_find(&found, &c, &urls, host, 1, &o));
        assert_int_equal(which, found.n);
        dp_softs_done(&found);
        dp_clusters_done(&c);
        dp_strlist_done(&urls);
    }
}

/* A page that had many names, in two versions: each has the names of the other, or names of its own. */
static void sets_that_repeat_each_other_are_none(void **state)
{
    (void)state;
    static const uint32_t host[2048];
    for (unsigned own = 0; own < 2; own++) {
        dp_clusters           c = {0};
        dp_strlist            urls = {0};
        dp_softs              found;
        const dp_soft_options o = DP_SOFT_OPTIONS_VOTERS;
        for (unsigned i = 0; i < 1000; i++) {
            char        url[64];
            unsigned    set = i < 60 ? i % 2 : i, name = i < 60 ? i / 2 + own * set * 100 : i;
            int         n = snprintf(url, sizeof url, "http://a.com/2.%u/%s%u", i % 2, "page-", name * 7919 % 100003);
            dp_evidence e = {.has = DP_EVIDENCE_TEXT, .text = dp_hash128_of((dp_str){(char *)&set, sizeof set})};
            assert_int_equal(DP_OK, dp_clusters_add(&c, &e));
            assert_true(dp_strlist_add(&urls, (dp_str){url, (size_t)n}));
        }
        assert_int_equal(DP_OK, dp_clusters_join(&c, &(dp_sameness){0, -1, false}));
        DP_EVERY_ALLOC_FAILURE
        {
            dp_err code = dp_softs_find(&found, &c, &urls, host, 1, &o);
            assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
            assert_int_equal(dp_alloc_failed() || !own ? 0 : 2, found.n);
            dp_softs_done(&found);
        }
        dp_clusters_done(&c);
        dp_strlist_done(&urls);
    }
}

/* The same pages on two hosts, where one has so many others that they do not matter there. */
static void hosts_are_judged_one_by_one(void **state)
{
    (void)state;
    static uint32_t       host[8192];
    dp_clusters           c = {0};
    dp_strlist            urls = {0};
    dp_softs              found;
    const dp_soft_options o = DP_SOFT_OPTIONS_INIT;
    make(&c, &urls, &(site){"http://a.com/p/%u", "http://a.com/%u/%u", 6000, 100, true});
    for (size_t i = 0; i < 6000; i++)
        host[i] = i < 50 || i >= 500;
    assert_int_equal(DP_OK, dp_softs_find(&found, &c, &urls, host, 2, &o));
    assert_int_equal(1, found.n);
    assert_int_equal(0, found.v[0].host);
    assert_int_equal(50, found.v[0].urls);
    dp_softs_done(&found);
    dp_clusters_done(&c);
    dp_strlist_done(&urls);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    static const uint32_t host[8192];
    dp_clusters           c = {0};
    dp_strlist            urls = {0};
    const dp_soft_options o = DP_SOFT_OPTIONS_INIT;
    make(&c, &urls, &sites[1]);
    DP_EVERY_ALLOC_FAILURE
    {
        dp_softs found;
        dp_err   code = dp_softs_find(&found, &c, &urls, host, 1, &o);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_softs_done(&found);
    }
    dp_clusters_done(&c);
    dp_strlist_done(&urls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_the_table),
        cmocka_unit_test(parts_tie_together),
        cmocka_unit_test(sets_that_repeat_each_other_are_none),
        cmocka_unit_test(hosts_are_judged_one_by_one),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
