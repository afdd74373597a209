/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "input/reader.h"
#include "site/corpus.h"
#include "support/collide.h"
#include "support/failing_alloc.h"
#include "support/tempfile.h"

static dp_err take(dp_corpus *c, dp_fact_maker *m, const dp_record *r)
{
    dp_fact f;
    bool    any;
    DP_TRY(dp_fact_make(m, &f, r, &any));
    return any ? dp_corpus_take(c, &f) : DP_OK;
}

static dp_err load_as(dp_corpus *c, dp_fact_maker *m, const char *text, const char *format)
{
    const char             *path = dp_temp_write("in", dp_str_c(text));
    const dp_reader_options o = {.format = format, .want_body = true};
    dp_reader              *r = NULL;
    dp_err                  code = dp_reader_open(&r, &path, 1, &o, NULL);
    for (bool more = true; code == DP_OK && more;) {
        dp_record rec;
        code = dp_reader_next(r, &rec, &more, NULL);
        if (code == DP_OK && more)
            code = take(c, m, &rec);
    }
    if (r)
        dp_reader_close(r);
    return code == DP_OK ? dp_corpus_label(c) : code;
}

static dp_err load(dp_corpus *c, const char *text)
{
    dp_fact_maker m = {0};
    dp_err        code = load_as(c, &m, text, NULL);
    dp_fact_maker_done(&m);
    return code;
}

static dp_err whole(dp_site *s, dp_corpus *c, dp_arena *a)
{
    return dp_corpus_site(s, c, DP_STR("site"), a);
}

/* A line a URL: path, number of its cluster, why. */
static void describe(dp_buf *out, const dp_site *s)
{
    for (size_t i = 0; i < s->n; i++) {
        dp_buf_printf(out, "%.*s ", (int)s->url[i].n - 7, s->url[i].p + 7);
        if (s->cluster[i] == DP_NO_CLUSTER)
            dp_buf_c(out, "-\n");
        else
            dp_buf_printf(out, "%u %s%s\n", (unsigned)s->cluster[i], dp_by_name((dp_by)s->by[i]),
                          s->is_soft[s->cluster[i]] ? " soft" : "");
    }
    dp_buf_byte(out, 0);
}

static const struct {
    const char *in, *want;
} cases[] = {
    /* the column; URLs in stage-0 form; a singleton */
    {"cluster\turl\nx\thttp://a.com/1\nx\tHTTP://A.com:80/2#f\ny\thttp://a.com/3\n",
     "a.com/1 0 text\na.com/2 0 text\na.com/3 1 text\n"},
    /* contradicting: what most say */
    {"cluster\turl\nx\thttp://a.com/1\ny\thttp://a.com/1\ny\thttp://a.com/1\ny\thttp://a.com/2\nx\thttp://a.com/3\n",
     "a.com/1 0 text\na.com/2 0 text\na.com/3 1 text\n"},
    /* errors and other methods do not count */
    {"cluster\turl\tstatus\nx\thttp://a.com/1\t404\nx\thttp://a.com/2\t200\nx\thttp://a.com/3\t500\n",
     "a.com/2 0 text\n"},
    /* digests; those of small pages are against rules only */
    {"url\tsize\tdigest\nhttp://a.com/1\t900\td\nhttp://a.com/2\t900\td\nhttp://a.com/3\t900\te\n"
     "http://a.com/4\t9\tf\nhttp://a.com/5\t9\tf\n",
     "a.com/1 0 digest\na.com/2 0 digest\na.com/3 1 digest\na.com/4 2 digest soft\na.com/5 2 digest soft\n"},
    /* the newest digest counts */
    {"url\ttime\tdigest\nhttp://a.com/1\t100\td\nhttp://a.com/1\t300\te\nhttp://a.com/1\t200\td\n"
     "http://a.com/2\t1\td\nhttp://a.com/3\t1\te\n",
     "a.com/1 0 digest\na.com/2 1 digest\na.com/3 0 digest\n"},
    /* redirects: a chain, a circle, a relative target, two ways of which one comes more often */
    {"url\tstatus\ttarget\tdigest\nhttp://a.com/1\t301\thttp://a.com/2\t-\nhttp://a.com/2\t302\t/3\t-\n"
     "http://a.com/3\t200\t-\td\nhttp://a.com/4\t200\t-\te\n",
     "a.com/1 0 redirect\na.com/2 0 redirect\na.com/3 0 digest\na.com/4 1 digest\n"},
    {"url\ttarget\nhttp://a.com/1\thttp://a.com/2\nhttp://a.com/2\thttp://a.com/3\nhttp://a.com/3\thttp://a.com/2\n"
     "http://a.com/4\thttp://a.com/4\n",
     "a.com/1 0 redirect\na.com/2 0 redirect\na.com/3 0 redirect\na.com/4 -\n"},
    {"url\ttarget\nhttp://a.com/1\thttp://a.com/2\nhttp://a.com/1\thttp://a.com/3\nhttp://a.com/1\thttp://a.com/3\n"
     "http://a.com/5\thttp://a.com/2\n",
     "a.com/1 0 redirect\na.com/2 1 redirect\na.com/3 0 redirect\na.com/5 1 redirect\n"},
    /* canonical: only named, or between pages without content; contents have the say */
    {"url\tdigest\tcanonical\nhttp://a.com/1\td\thttp://a.com/9\nhttp://a.com/2\t-\thttp://a.com/3\n"
     "http://a.com/4\te\thttp://a.com/1\n",
     "a.com/1 0 digest\na.com/2 1 canonical\na.com/3 1 canonical\na.com/4 2 digest\na.com/9 0 canonical\n"},
    /* sketches, where there is nothing else */
    {"url\tsketch\nhttp://a.com/1\tt\nhttp://a.com/2\tt\nhttp://a.com/3\tu\nhttp://a.com/4\t-\n",
     "a.com/1 0 near\na.com/2 0 near\na.com/3 1 near\na.com/4 -\n"},
    {"url\tsketch\tdigest\nhttp://a.com/1\tt\t-\nhttp://a.com/2\tt\td\n", "a.com/1 -\na.com/2 0 digest\n"},
    /* nothing known */
    {"http://a.com/2\nhttp://a.com/1\nhttp://a.com/1\n", "a.com/1 -\na.com/2 -\n"},
    {"", ""},
};

/* The same lines, the first kept where it is, the others turned round. */
static char *turned(const char *text)
{
    size_t n = strlen(text), head = (size_t)(strchr(text, '\n') - text) + 1, at = head;
    char  *out = malloc(n + 1);
    bool   has_head = strncmp(text, "http", 4) != 0;
    assert_non_null(out);
    at = head = has_head ? head : 0;
    memcpy(out, text, head);
    for (size_t end = n; end > head;) {
        size_t from = end - 1;
        while (from > head && text[from - 1] != '\n')
            from--;
        memcpy(out + at, text + from, end - from);
        at += end - from;
        end = from;
    }
    out[n] = 0;
    return out;
}

static void check(const char *in, const char *want)
{
    dp_corpus c = {0};
    dp_arena  a = {0};
    dp_site   s;
    dp_buf    got = {0};
    assert_int_equal(DP_OK, load(&c, in));
    assert_int_equal(DP_OK, whole(&s, &c, &a));
    describe(&got, &s);
    assert_string_equal(want, got.p);
    dp_buf_done(&got);
    dp_arena_done(&a);
    dp_corpus_done(&c);
    dp_temp_remove(NULL);
}

static void finds_the_clusters_of_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        check(cases[i].in, cases[i].want);
        if (cases[i].in[0]) {
            char *back = turned(cases[i].in);
            check(back, cases[i].want);
            free(back);
        }
    }
}

static void gathers_what_is_known_of_a_url(void **state)
{
    (void)state;
    static const char in[] = "url\tsize\thits\tclient\timportance\tinlinks\thops\ttarget\n"
                             "http://a.com/1\t10\t3\tx\t.5\t7\t2\t-\nhttp://a.com/1\t30\t-\ty\t.7\t9\t1\t-\n"
                             "http://a.com/1\t20\t-\tx\t-\t-\t-\t-\nhttp://a.com/2\t-\t-\t-\t-\t-\t-\t-\n"
                             "http://a.com/3\t-\t-\t-\t-\t-\t-\thttp://a.com/1\n";
    dp_corpus         c = {0};
    dp_arena          a = {0};
    dp_site           s;
    assert_int_equal(DP_OK, load(&c, in));
    assert_int_equal(DP_OK, whole(&s, &c, &a));
    assert_int_equal(3, s.n);
    assert_int_equal(10, s.size_min[0]);
    assert_int_equal(30, s.size_max[0]);
    assert_int_equal(-1, s.size_min[1]);
    assert_int_equal(5, s.hits[0]);
    assert_int_equal(1, s.hits[1]);
    assert_int_equal(0, s.hits[2]);
    assert_true(s.importance[0] > .69 && s.importance[0] < .71);
    assert_true(s.importance[1] < 0);
    assert_int_equal(9, s.inlinks[0]);
    assert_int_equal(1, s.hops[0]);
    assert_int_equal(UINT32_MAX, s.hops[1]);
    assert_int_equal(2, s.client_at[1] - s.client_at[0]);
    assert_int_equal(s.client_at[1], s.client_at[3]);
    assert_int_equal(1, s.narrow);
    assert_int_equal(2, s.arrow[0].from);
    assert_int_equal(0, s.arrow[0].to);
    assert_int_equal(DP_BY_REDIRECT, s.arrow[0].by);
    assert_null(s.sketch);
    assert_null(s.simhash);
    dp_arena_done(&a);
    dp_corpus_done(&c);
    dp_temp_remove(NULL);
}

static void counts_what_is_passed_over(void **state)
{
    (void)state;
    dp_corpus     c = {0};
    dp_fact_maker m = {0};
    assert_int_equal(DP_OK, load_as(&c, &m, "cluster\turl\tstatus\nx\thttp://a.com/1\t404\nx\tmailto:me\t200\n"
                                            "x\thttp://a.com/2\t301\nx\thttp://a.com/3\t200\n"
                                            "y\thttp://a.com/3\t200\n", NULL));
    assert_int_equal(5, m.total[DP_FACT_RECORDS]);
    assert_int_equal(1, m.total[DP_FACT_ERRORS]);
    assert_int_equal(1, m.total[DP_FACT_NOT_URLS]);
    assert_int_equal(1, m.total[DP_FACT_NOT_PAGES]);
    assert_int_equal(1, c.contradicting);
    assert_int_equal(1, c.n);
    dp_corpus_done(&c);
    dp_fact_maker_done(&m);
    dp_temp_remove(NULL);
}

/* What leads to other sites has a cluster by that. What others lead to is none of its URLs unless it has a record, and
 * has no cluster by that, whichever comes first. */
static void others_say_nothing_of_its_urls(void **state)
{
    (void)state;
    static const dp_str domain[] = {{"a.com", 5}};
    dp_corpus           c = {.domain = domain, .ndomain = 1};
    dp_arena            a = {0};
    dp_site             s;
    dp_buf              got = {0};
    const dp_fact       facts[] = {
        {.kind = DP_FACT_REDIRECT, .has = DP_FACT_LINK, .url = DP_STR("http://a.com/1"), .host = DP_STR("a.com"),
         .link = DP_STR("http://b.com/x")},
        {.kind = DP_FACT_REDIRECT, .has = DP_FACT_LINK, .url = DP_STR("http://www.a.com/2"),
         .host = DP_STR("www.a.com"), .link = DP_STR("http://b.com/x")},
        {.kind = DP_FACT_NAMED, .url = DP_STR("http://a.com/3"), .host = DP_STR("a.com"), .by = DP_BY_REDIRECT,
         .from = 1, .from_domain = DP_STR("b.com")},
        {.kind = DP_FACT_PAGE, .url = DP_STR("http://a.com/4"), .host = DP_STR("a.com")},
        {.kind = DP_FACT_NAMED, .url = DP_STR("http://a.com/4"), .host = DP_STR("a.com"), .by = DP_BY_CANONICAL,
         .from = 1, .from_domain = DP_STR("b.com")},
        {.kind = DP_FACT_NAMED, .url = DP_STR("http://a.com/5"), .host = DP_STR("a.com"), .by = DP_BY_REDIRECT,
         .from = 1, .from_domain = DP_STR("b.com")},
        {.kind = DP_FACT_PAGE, .url = DP_STR("http://a.com/5"), .host = DP_STR("a.com")},
        {.kind = DP_FACT_NAMED, .url = DP_STR("http://a.com/6"), .host = DP_STR("a.com"), .by = DP_BY_REDIRECT,
         .from = 1, .from_domain = DP_STR("b.com")},
        {.kind = DP_FACT_REDIRECT, .has = DP_FACT_LINK, .url = DP_STR("http://a.com/7"), .host = DP_STR("a.com"),
         .link = DP_STR("http://a.com/6")},
    };
    for (size_t i = 0; i < DP_COUNT(facts); i++)
        assert_int_equal(DP_OK, dp_corpus_take(&c, &facts[i]));
    assert_int_equal(DP_OK, dp_corpus_label(&c));
    assert_int_equal(8, c.n);
    assert_int_equal(6, c.nown);
    assert_int_equal(DP_OK, whole(&s, &c, &a));
    describe(&got, &s);
    assert_string_equal("a.com/1 0 redirect\na.com/4 -\na.com/5 -\na.com/6 1 redirect\na.com/7 1 redirect\n"
                        "www.a.com/2 0 redirect\n",
                        got.p);
    dp_buf_done(&got);
    dp_arena_done(&a);
    dp_corpus_done(&c);
}

/* URLs that an adversary has made for one XXH3 are URLs of their own. */
static void urls_of_one_hash_are_told_apart(void **state)
{
    (void)state;
    enum { URLS = 50 };
    char      url[DP_COLLIDE_BYTES];
    dp_corpus c = {0};
    for (unsigned i = 0; i < 2 * URLS; i++) {
        dp_fact f = {.kind = DP_FACT_PAGE, .url = dp_collide(url, i % URLS)};
        f.host = dp_fact_host(f.url);
        assert_int_equal(DP_OK, dp_corpus_take(&c, &f));
    }
    assert_int_equal(URLS, c.n);
    dp_corpus_done(&c);
}

/* Columns are those that some URL of the site has, whatever other sites have. */
static void has_no_columns_of_other_sites(void **state)
{
    (void)state;
    static const dp_str domain[] = {{"a.com", 5}};
    dp_corpus           c = {.domain = domain, .ndomain = 1};
    dp_arena            a = {0};
    dp_site             s;
    const dp_fact       f = {.kind = DP_FACT_PAGE, .has = DP_FACT_SKETCH, .url = DP_STR("http://a.com/1"),
                             .host = DP_STR("a.com"), .sketch = {0}};
    assert_int_equal(DP_OK, dp_corpus_take(&c, &f));
    assert_int_equal(DP_OK, dp_corpus_label(&c));
    assert_int_equal(DP_OK, whole(&s, &c, &a));
    assert_null(s.sketch);
    assert_null(s.hits);
    dp_arena_done(&a);
    dp_corpus_done(&c);
}

/* One content under many URLs that have nothing in common, and under many that differ in a session. */
static void marks_soft_errors(void **state)
{
    (void)state;
    dp_buf    in = {0};
    dp_corpus c = {0};
    dp_arena  a = {0};
    dp_site   s;
    dp_buf_c(&in, "cluster\turl\n");
    for (unsigned i = 0; i < 40; i++)
        dp_buf_printf(&in, "sorry\thttp://a.com/%u/%u.html\nview\thttp://a.com/view?sid=%u\np%u\thttp://a.com/p%u\n",
                      i * 7, i * 13, i, i, i);
    dp_buf_byte(&in, 0);
    assert_int_equal(DP_OK, load(&c, in.p));
    assert_int_equal(1, c.soft);
    assert_int_equal(DP_OK, whole(&s, &c, &a));
    for (size_t i = 0; i < s.n; i++)
        assert_int_equal(dp_str_ends(s.url[i], DP_STR(".html")), s.is_soft[s.cluster[i]]);
    dp_buf_done(&in);
    dp_arena_done(&a);
    dp_corpus_done(&c);
    dp_temp_remove(NULL);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    static const char in[] = "url\tcluster\tsize\tclient\tdigest\ttarget\tcanonical\n"
                             "http://a.com/1\tx\t10\tc\t-\t-\t-\nhttp://a.com/1\ty\t20\td\t-\t-\thttp://a.com/7\n"
                             "http://b.com/2\t-\t900\t-\td\t-\t-\nhttp://b.com/3\t-\t-\t-\t-\thttp://a.com/1\t-\n";
    DP_EVERY_ALLOC_FAILURE {
        dp_corpus     c = {0};
        dp_fact_maker m = {0};
        dp_arena      a = {0};
        dp_site       s;
        dp_err        code = load_as(&c, &m, in, "tsv"); /* guessing may lose a message and go on */
        if (code == DP_OK)
            code = whole(&s, &c, &a);
        assert_int_equal(code, dp_alloc_failed() ? DP_ENOMEM : DP_OK);
        dp_arena_done(&a);
        dp_corpus_done(&c);
        dp_fact_maker_done(&m);
        dp_temp_remove(NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_clusters_of_the_table), cmocka_unit_test(gathers_what_is_known_of_a_url),
        cmocka_unit_test(counts_what_is_passed_over),      cmocka_unit_test(marks_soft_errors),
        cmocka_unit_test(others_say_nothing_of_its_urls),  cmocka_unit_test(has_no_columns_of_other_sites),
        cmocka_unit_test(urls_of_one_hash_are_told_apart), cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
