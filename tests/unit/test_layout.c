/* learn/auto/layout: readings of a text, ids that two texts share, rules that forget a field; `drop` lines joined.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "learn/auto/propose/forget.h"
#include "learn/auto/layout/reading.h"
#include "learn/auto/propose/middle.h"
#include "learn/auto/propose/nameless.h"
#include "learn/auto/rounds/shorter.h"

/* words|mark|id, or id|mark|words, and the tail. */
static const struct {
    const char *text;
    const char *want[DP_MOST_READINGS];
} texts[] = {
    {"red-oak-chair-12.html", {"red-oak-chair|-|12 .html"}},
    {"red-oak-p-12.html", {"red-oak-p|-|12 .html", "red-oak|-p-|12 .html"}},
    {"any-words_c1234", {"any-words|_c|1234 "}},
    {"12-red-oak", {"12|-|red-oak "}},
    {"tt12-red", {"tt12|-|red "}},
    {"12-a-13", {"12|-|a-13 ", "12-a|-|13 ", "12|-a-|13 "}},
    {"a-title-1a2b3c4d5e6f", {"a-title|-|1a2b3c4d5e6f "}},
    {"17:some-title", {"17|:|some-title "}},
    {"1234", {NULL}},          /* an id alone */
    {"red-oak", {NULL}},       /* no id */
    {"-12", {NULL}},           /* no words */
    {"chapter12", {NULL}},     /* a word */
    {"a%2012", {NULL}},        /* inside an escape */
    {"*-12", {NULL}},          /* erased */
};

static void reads_ids_and_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(texts); i++) {
        dp_reading r[DP_MOST_READINGS];
        size_t     n = dp_readings_of(r, dp_str_c(texts[i].text)), want = 0;
        while (want < DP_MOST_READINGS && texts[i].want[want])
            want++;
        assert_int_equal(want, n);
        for (size_t k = 0; k < n; k++) {
            char got[100];
            if (r[k].id_first)
                snprintf(got, sizeof got, "%.*s%.*s|%.*s|%.*s %.*s", DP_FMT(r[k].lead), DP_FMT(r[k].id),
                         DP_FMT(r[k].mark), DP_FMT(r[k].words), DP_FMT(r[k].tail));
            else
                snprintf(got, sizeof got, "%.*s|%.*s|%.*s %.*s", DP_FMT(r[k].words), DP_FMT(r[k].mark),
                         DP_FMT(r[k].id), DP_FMT(r[k].tail));
            assert_string_equal(texts[i].want[k], got);
        }
    }
}

static void knows_ids(void **state)
{
    (void)state;
    assert_true(dp_is_id(DP_STR("14736537")));
    assert_true(dp_is_id(DP_STR("30d64d5f8902")));
    assert_true(dp_is_id(DP_STR("550e8400-e29b-41d4-a716-446655440000")));
    assert_false(dp_is_id(DP_STR("2019")));
    assert_false(dp_is_id(DP_STR("shop")));
    assert_false(dp_is_id(DP_STR("v12345")));
    assert_true(dp_share_id(DP_STR("red-oak-1234"), DP_STR("stuhl/1234.html")));
    assert_true(dp_share_id(DP_STR("x-1a2b3c4d"), DP_STR("1a2b3c4d")));
    assert_false(dp_share_id(DP_STR("red-12"), DP_STR("blue-12")));     /* two digits may be in two titles */
    assert_false(dp_share_id(DP_STR("red-1234"), DP_STR("red-12345")));
    assert_true(dp_same_but_zeros(DP_STR("2020/05/01"), DP_STR("2020/5/1")));
    assert_true(dp_same_but_zeros(DP_STR("0"), DP_STR("000")));
    assert_true(dp_same_but_zeros(DP_STR("a007"), DP_STR("a7")));
    assert_false(dp_same_but_zeros(DP_STR("2020/10"), DP_STR("2020/1")));
    assert_false(dp_same_but_zeros(DP_STR("100"), DP_STR("10")));
    assert_false(dp_same_but_zeros(DP_STR("5"), DP_STR("50")));
}

/* ---- forgetting ------------------------------------------------------------------------------ */

enum { MOST = 4 };

typedef struct pages {
    dp_site_page v[64];
    size_t       n;
    char         url[64][100], cluster[64][8];
} pages;

static void add(pages *s, unsigned cluster, const char *path)
{
    snprintf(s->url[s->n], sizeof *s->url, "http://a.test%s", path);
    snprintf(s->cluster[s->n], sizeof *s->cluster, "c%u", cluster);
    s->v[s->n] = (dp_site_page){dp_str_c(s->url[s->n]), dp_str_c(s->cluster[s->n]), DP_BY_TEXT};
    s->n++;
}

/* Whether dp_layout_forget proposes the rule for a page of these paths, among pages of the folder /item. */
static bool proposes(const char *const path[MOST], const char *rule)
{
    pages            s = {.n = 0};
    dp_arena         a = {0};
    dp_site          site;
    dp_forms         forms;
    dp_lexicon       w;
    dp_ideas         ideas = {0};
    dp_frame         frame[MOST] = {{0}};
    const dp_frame  *form[MOST];
    size_t           n = 0;
    dp_forgetting   *g = NULL;
    dp_pairing       p = {.lexicon = &w, .out = &ideas, .by = {1, 1}};
    for (unsigned i = 0; i < 8; i++) {
        char other[40];
        snprintf(other, sizeof other, "/item/w%c-%u", (char)('a' + i), 77 * i);
        add(&s, i, other);
    }
    for (; n < MOST && path[n]; n++)
        add(&s, 99, path[n]);
    assert_int_equal(DP_OK, dp_site_make(&site, DP_STR("a.test"), s.v, s.n, &a));
    assert_int_equal(DP_OK, dp_forms_init(&forms, &site, true, NULL, NULL));
    assert_int_equal(DP_OK, dp_lexicon_init(&w, &forms));
    assert_int_equal(DP_OK, dp_forgetting_new(&g));
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(DP_FRAME_OK, dp_frame_read(&frame[i], s.v[8 + i].url));
        form[i] = &frame[i];
    }
    dp_layout_forget(g, &p, form, n);
    bool found = dp_ideas_find(&ideas, &(dp_idea){.text = {dp_str_c(rule), {"", 0}}}) != DP_NO_IDEA;
    assert_false(ideas.failed);
    dp_forgetting_free(g);
    for (size_t i = 0; i < n; i++)
        dp_frame_done(&frame[i]);
    dp_buf_done(&p.text);
    dp_buf_done(&p.other);
    dp_ideas_done(&ideas);
    dp_lexicon_done(&w);
    dp_forms_done(&forms);
    dp_arena_done(&a);
    return found;
}

static const struct {
    const char *path[MOST];
    const char *rule;
    bool        want;
} pairs[] = {
    {{"/item/red-oak-12.html", "/item/stuhl-12.html"}, "/item/{z}-{x:int}.html => /item/{x}.html", true},
    {{"/item/red-oak-12.html", "/item/stuhl-12.html"}, "/item/{z}-{x:int}.html => /item/-{x}.html", true},
    {{"/item/red-oak-12.html", "/item/stuhl-12.html"}, "/{**}/{z}-{x:int}.html => /{**}/{x}.html", true},
    {{"/item/red-oak-12.html", "/item/stuhl-13.html"}, "/item/{z}-{x:int}.html => /item/{x}.html", false},
    {{"/item/12-red-oak", "/item/12"}, "/item/{x:int}-{z} => /item/{x}", true},
    {{"/item/12-red-oak", "/item/12-stuhl"}, "/item/{x:int}-{z:slug} => /item/{x}", true},
    {{"/item/12-red-oak", "/item/12-a.b"}, "/item/{x:int}-{z:slug} => /item/{x}", false}, /* no slug */
    {{"/item/title/17", "/item/17"}, "/item/{b:slug}/{c:int} => /item/{c}", true},
    {{"/red_c12", "/blue-grey_c12"}, "/{z}_c{x:int} => /_c{x}", true},
    {{"/item/title/17", "/item/17"}, "/item/{b}/{c:int} => /item/{c}", true},
    {{"/item/17/a-title", "/item/17"}, "/item/{b:int}/{c} => /item/{b}", true},
    {{"/item/17/a/b/", "/item/17/"}, "/item/{b:int}/{**} => /item/{b}", false}, /* the slash is another rule's */
    {{"/item/17/a/b", "/item/17"}, "/item/{b:int}/{**} => /item/{b}", true},
    {{"/2020/5/x/some-1234", "/2020/5/y/other-1234"}, "/{a:int}/{b:int}/{**} => /{a}/{b}", false}, /* the id stays */
    {{"/2020/5/x/some", "/2020/5/y/other"}, "/{a:int}/{b:int}/{**} => /{a}/{b}", true},
    {{"/item/2020/05/x", "/item/2020/5/x"}, "/item/{b:int}/{c:int}/{d} => /item/{b}/{d}", false}, /* a zero more */
    {{"/item/2020/04/x", "/item/2020/5/x"}, "/item/{b:int}/{c:int}/{d} => /item/{b}/{d}", true},
    {{"/item/x", "/item/x"}, "/item/{b} => /item", false},
    {{"/item/12/ref=sr_1", "/item/12"}, "/{**}/ref={z} => /{**}", true},
    {{"/item/12/ref=sr_1/x", "/item/12/ref=nav/x"}, "/item/{b:int}/ref={z}/{d} => /item/{b}/{d}", true},
    {{"/item/12/ref=", "/item/12"}, "/{**}/ref={z} => /{**}", false},
    {{"/item/mugs/12.html", "/item/12.html"}, "/item/{b}/{c:int}.html => /item/{c}.html", true},
    {{"/some-words/item/x/y", "/item/x/y"}, "/{a}/item/{**} => /item/{**}", true},
};

static void forgets_fields(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(pairs); i++)
        if (proposes(pairs[i].path, pairs[i].rule) != pairs[i].want)
            fail_msg("%s %s: %s", pairs[i].path[0], pairs[i].path[1], pairs[i].rule);
}

static const struct {
    const char *u, *v, *want; /* NULL: nothing */
} queries[] = {
    {"http://a.test/showthread.php?17-a", "http://a.test/threads/17-b", "sub \"/showthread.php?\" -> \"/threads/\""},
    {"http://a.test/Title?0111", "http://a.test/title/tt0111", "sub \"/Title?\" -> \"/title/tt\""},
    {"http://a.test/x/s?17", "http://a.test/x/t/17", "sub \"/s?\" -> \"/t/\""},
    {"http://a.test/Title?0111", "http://a.test/title/tt01112", NULL}, /* another number */
    {"http://a.test/Title?t=0111", "http://a.test/title/tt0111", NULL},
    {"http://a.test/Title?word", "http://a.test/title/word", "sub \"/Title?\" -> \"/title/\""},
    {"http://a.test/Title?word", "http://a.test/title/words", NULL},
};

static void reads_queries_without_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(queries); i++) {
        dp_ideas   ideas = {0};
        dp_frame   u = {0}, v = {0};
        dp_pairing p = {.out = &ideas, .by = {1, 1}};
        assert_int_equal(DP_FRAME_OK, dp_frame_read(&u, dp_str_c(queries[i].u)));
        assert_int_equal(DP_FRAME_OK, dp_frame_read(&v, dp_str_c(queries[i].v)));
        dp_generate_nameless(&p, &u, &v);
        assert_int_equal(queries[i].want != NULL, ideas.n);
        if (queries[i].want)
            assert_true(dp_str_eq(dp_str_c(queries[i].want), ideas.v[0].text[0]));
        dp_frame_done(&u);
        dp_frame_done(&v);
        dp_buf_done(&p.text);
        dp_buf_done(&p.other);
        dp_ideas_done(&ideas);
    }
}

static const struct {
    const char *u, *v, *want; /* the first idea; NULL: nothing */
} middles[] = {
    {"http://a.test/Oak_W0QQitemZ320123QQihZ011QQcmdZView", "http://a.test/Stuhl_W0QQitemZ320123QQcmdZView",
     "/{z}_W0QQitemZ{x:int}QQ{w} => /_W0QQitemZ{x}"},
    {"http://a.test/Oak_W0QQcmdZViewQQitemZ320123", "http://a.test/QQitemZ320123", "/{z}QQitemZ{x:int} => /QQitemZ{x}"},
    {"http://a.test/Oak_W0QQitemZ320123QQihZ011", "http://a.test/_W0QQitemZ320123",
     "/{z}_W0QQitemZ{x:int}QQ{w} => /_W0QQitemZ{x}"},
    {"http://a.test/a-title.i320123.r7", "http://a.test/words.i320123.r2", "/{z}.i{x:int}.r{w} => /.i{x}"},
    {"http://a.test/x-320123", "http://a.test/y-320124", NULL}, /* another id */
    {"http://a.test/x-12", "http://a.test/y-12", NULL},         /* none */
    {"http://a.test/320123x7", "http://a.test/320123y2", NULL}, /* nothing before it */
};

static void finds_ids_in_the_middle(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(middles); i++) {
        dp_ideas   ideas = {0};
        dp_frame   u = {0}, v = {0};
        dp_pairing p = {.out = &ideas, .by = {1, 1}};
        assert_int_equal(DP_FRAME_OK, dp_frame_read(&u, dp_str_c(middles[i].u)));
        assert_int_equal(DP_FRAME_OK, dp_frame_read(&v, dp_str_c(middles[i].v)));
        p.u = &u;
        p.v = &v;
        dp_generate_middle(&p);
        dp_str got = ideas.n ? ideas.v[0].text[0] : (dp_str){"", 0};
        if (!dp_str_eq(dp_str_c(middles[i].want ? middles[i].want : ""), got))
            fail_msg("%s: %.*s", middles[i].u, (int)got.n, got.p);
        dp_frame_done(&u);
        dp_frame_done(&v);
        dp_buf_done(&p.text);
        dp_buf_done(&p.other);
        dp_buf_done(&p.whole);
        dp_ideas_done(&ideas);
    }
}

/* ---- shorter lists --------------------------------------------------------------------------- */

static const struct {
    const char *a, *b, *want; /* NULL: they stay two */
} drops[] = {
    {"drop ?gclid", "drop ?fbclid", "drop ?fbclid,gclid"},
    {"drop ?b,d", "drop ?a,c", "drop ?a,b,c,d"},
    {"drop ?a,b", "drop ?b,c", "drop ?a,b,c"},
    {"drop ?utm_*", "drop ?utm_source,z", "drop ?utm_*,z"},
    {"drop ?a if =1", "drop ?b if =1", "drop ?a,b if =1"},
    {"drop ?a on /x/{**}", "drop ?b on /x/{**}", "drop ?a,b on /x/{**}"},
    {"drop ?a if =1", "drop ?b if =2", NULL},
    {"drop ?a", "drop ?b on /x/{**}", NULL},
    {"drop ?a", "drop ;b", NULL},
    {"drop ?a", "/a => /b", NULL},
};

static void joins_drops(void **state)
{
    (void)state;
    dp_buf out = {0};
    for (size_t i = 0; i < DP_COUNT(drops); i++) {
        assert_int_equal(drops[i].want != NULL, dp_join_drops(&out, dp_str_c(drops[i].a), dp_str_c(drops[i].b)));
        if (drops[i].want)
            assert_true(dp_str_eq(dp_str_c(drops[i].want), dp_buf_view(&out)));
    }
    dp_buf_done(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_ids_and_words),
        cmocka_unit_test(knows_ids),
        cmocka_unit_test(forgets_fields),
        cmocka_unit_test(reads_queries_without_names),
        cmocka_unit_test(finds_ids_in_the_middle),
        cmocka_unit_test(joins_drops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
