/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "content/page.h"
#include "content/slots.h"
#include "support/failing_alloc.h"

/* Slots as text: a node begins with '|', other kinds than text have a letter, URL: '!', now: '@'. */
static void print(dp_buf *out, const dp_slots *s, const dp_slots_source *in)
{
    static const char letter[] = "tnacdi";
    size_t            at = 0;
    dp_buf_reset(out);
    for (size_t i = 0; i < s->n; i++) {
        const dp_slot *x = &s->v[i];
        size_t         end = dp_slot_end(in, at, x);
        assert_true(dp_slot_is_valid(x));
        if (x->flags & DP_SLOT_OPENS)
            dp_buf_byte(out, '|');
        if (x->kind != DP_SLOT_TEXT)
            dp_buf_printf(out, "%c%s%s(", letter[x->kind], x->flags & DP_SLOT_IN_URL ? "!" : "",
                          x->flags & DP_SLOT_NOW ? "@" : "");
        dp_buf_str(out, dp_str_trim(dp_str_cut(in->text, at, end)));
        if (x->kind != DP_SLOT_TEXT)
            dp_buf_byte(out, ')');
        at = end;
    }
    assert_int_equal(at, in->text.n);
    dp_buf_byte(out, 0);
}

/* The slots of a page that was fetched at 10:31:07. */
static dp_slots_source read(dp_slots *s, dp_page_reader *r, const char *type, const char *body)
{
    dp_page              page;
    const dp_page_source in = {.url = DP_STR("http://a.com/x"), .mime = dp_str_c(type), .body = dp_str_c(body)};
    assert_int_equal(DP_OK, dp_page_read(r, &page, &in));
    dp_slots_source src = {.text = page.text, .marks = page.marks, .nmark = page.nmark,
                           .is_html = page.kind == DP_PAGE_HTML, .url = DP_STR("http://a.com/item?id=4711"),
                           .time = 1714732267};
    assert_int_equal(DP_OK, dp_slots_read(s, &src));
    return src;
}

static const struct {
    const char *type, *body, *want;
} cases[] = {
    {"text/html", "", ""},
    {"text/html", "one two", "|one two"},
    {"text/html", "<div id=foot>Made in 0.012s by anna</div>", "|Made inn(0.012s)by anna"},
    {"text/html", "<p>one <b>two</b> three<p>four", "|one two three|four"},
    {"text/html", "<p>one <span class=x>two</span> three", "|one|two|three"},
    {"text/html", "<p>one <b class=match>two</b> three <em id=x>four</em>", "|one two three four"}, /* emphasis */
    {"text/html", "<p>Visit <span class=n>17</span>, at Mon Nov 16 09:02:34 UTC 2026.",
     "|Visit|n(17,)|atc(Mon Nov 16 09:02:34 UTC 2026.)"},
    {"text/html",
     "<table><tr><td>just now<td>2 hours, 6 minutes<td>3 minutes ago<td>a minute ago<td>5m ago<td>yesterday",
     "|a(just now)|a(2 hours, 6 minutes)|a(3 minutes ago)|a(a minute ago)|a(5m ago)|a(yesterday)"},
    {"text/html", "<p>a minute of rest, now", "|a minute of rest, now"},
    {"text/html", "<p>It was 12:31:05 on 2024-05-03 (3 May 2024)", "|It wasc@(12:31:05)ond(2024-05-03)d((3 May 2024))"},
    {"text/html", "<p>It is 12:31:15 pm", "|It isc(12:31:15 pm)"},
    {"text/html", "<p>Item 4711 of <a>/x;jsessionid=09C9DB711814345AB83CDABE1DC0F521?a</a>",
     "|Itemn!(4711)ofi(/x;jsessionid=09C9DB711814345AB83CDABE1DC0F521?a)"},
    {"text/html", "<p>3 <p>minutes <p>ago", "|n(3)|minutes|ago"}, /* an age is in one node */
    {"application/xml", "<feed><id>7</id> <updated>2024-05-03T10:31:07Z</updated></feed>",
     "|<feed>|<id>n(7)</id>|<updated>c@(2024-05-03T10:31:07Z)</updated></feed>"},
    {"application/json", "{\"a\":\"x y\",\"n\":12,\"v\":[1,2]}", "|{|\"a\":\"x y\",|\"n\":n(12,)|\"v\":[n(1,)n(2)]}"},
};

static void slots_are_those_of_the_table(void **state)
{
    (void)state;
    dp_page_reader *r;
    dp_slots        s = {0};
    dp_buf          got = {0};
    assert_int_equal(DP_OK, dp_page_reader_new(&r));
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_slots_source in = read(&s, r, cases[i].type, cases[i].body);
        print(&got, &s, &in);
        assert_string_equal(cases[i].want, got.p);
    }
    dp_buf_done(&got);
    dp_slots_done(&s);
    dp_page_reader_free(r);
}

static uint64_t hash(const dp_slots *s)
{
    uint64_t h = 0;
    for (size_t i = 0; i < s->n; i++)
        h = dp_slot_fold(h, &s->v[i]);
    return h;
}

/* The hash is that of the words, wherever slots meet. */
static void equal_texts_have_equal_hashes(void **state)
{
    (void)state;
    static const char *const same[] = {
        "<p>one two 3 four 5 minutes ago",
        "<div><b class=x>one</b> two <i id=y>3</i> four</div><p>5<p>minutes<p>ago",
        "one<br>two<br>3<br>four 5<br>minutes ago",
    };
    dp_page_reader *r;
    dp_slots        s = {0};
    uint64_t        first = 0;
    assert_int_equal(DP_OK, dp_page_reader_new(&r));
    for (size_t i = 0; i < DP_COUNT(same); i++) {
        read(&s, r, "text/html", same[i]);
        first = first ? first : hash(&s);
        assert_true(first == hash(&s));
    }
    read(&s, r, "text/html", "one two four 3 5 minutes ago");
    assert_true(first != hash(&s));
    dp_slots_done(&s);
    dp_page_reader_free(r);
}

/* The same place on two pages, and two places on one. */
static void places_are_told_by_elements_kinds_and_neighbours(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool        same;
    } pairs[] = {
        {"<div id=foot>Made in 1s by anna", "<body class=other><p>more<div id=foot>Made in 22s by anna", true},
        {"<div id=foot>Made in 1s by anna", "<div id=head>Made in 1s by anna", false},
        {"<div id=foot>Made in 1s by anna", "<div id=foot>Made in 1ms by anna", false},
        {"<div id=foot>Made in 1s by anna", "<div id=foot>Sold in 1s by anna", true}, /* one word beside it counts */
        {"<div id=foot>Made in 1s by anna", "<div id=foot>Made for 1s by anna", false},
        {"<p>x 3 minutes ago", "<p>y z 4 hours ago", true}, /* of an age none does */
        {"<table><tr class=odd><td>7", "<table><tr class=even><td>8", true},
        {"<table><tr><td>7", "<table><tr><td><td>7", false},
        {"<p id=c17>7", "<p id=c18>8", true},
    };
    dp_page_reader *r;
    dp_slots        s = {0};
    assert_int_equal(DP_OK, dp_page_reader_new(&r));
    for (size_t i = 0; i < DP_COUNT(pairs); i++) {
        uint32_t place[2] = {0};
        for (int k = 0; k < 2; k++) {
            read(&s, r, "text/html", k ? pairs[i].b : pairs[i].a);
            for (size_t j = 0; j < s.n; j++)
                place[k] = s.v[j].kind != DP_SLOT_TEXT ? s.v[j].place : place[k];
        }
        assert_int_equal(pairs[i].same, place[0] == place[1]);
    }
    dp_slots_done(&s);
    dp_page_reader_free(r);
}

static void a_page_has_no_more_slots_than_there_may_be(void **state)
{
    (void)state;
    dp_buf          page = {0}, got = {0};
    dp_page_reader *r;
    dp_slots        s = {0};
    for (int i = 0; i < 3 * DP_SLOTS_MAX; i++)
        dp_buf_printf(&page, "<p>%d", i);
    for (int i = 0; i < 2 * UINT16_MAX; i++)
        dp_buf_c(&page, " x");
    dp_buf_byte(&page, 0);
    assert_int_equal(DP_OK, dp_page_reader_new(&r));
    dp_slots_source in = read(&s, r, "text/html", page.p);
    assert_in_range(s.n, DP_SLOTS_MAX, DP_SLOTS_MAX + 8);
    print(&got, &s, &in);
    dp_buf_done(&page);
    dp_buf_done(&got);
    dp_slots_done(&s);
    dp_page_reader_free(r);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    const dp_slots_source in = {.text = DP_STR("one 2 three"), .is_html = true};
    DP_EVERY_ALLOC_FAILURE
    {
        dp_slots s = {0};
        dp_err   code = dp_slots_read(&s, &in);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_slots_done(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_are_those_of_the_table),
        cmocka_unit_test(equal_texts_have_equal_hashes),
        cmocka_unit_test(places_are_told_by_elements_kinds_and_neighbours),
        cmocka_unit_test(a_page_has_no_more_slots_than_there_may_be),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
