/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>

#include "base/words/utf8.h"
#include "output/crawler.h"
#include "output/html.h"
#include "output/page.h"
#include "output/traffic.h"
#include "support/failing_alloc.h"
#include "support/rules.h"
#include "support/tempfile.h"

/* ---- texts ------------------------------------------------------------------------------------------ */

static const struct { const char *text, *want; } texts[] = {
    {"plain /a?b=1;c", "plain /a?b=1;c"},
    {"<a href=\"x\">'&", "&lt;a href=&quot;x&quot;&gt;&#39;&amp;"},
    {"\xC3\xA4\xE2\x82\xAC", "\xC3\xA4\xE2\x82\xAC"},
    {"\xFFx\xC3", "%FFx%C3"},
    {"a\nb\tc\x7F", "a%0Ab%09c%7F"},
    {"\xE2\x80\xAEgnp", "%E2%80%AEgnp"},             /* right-to-left override */
    {"\xE2\x80\x8B\xEF\xBB\xBF", "%E2%80%8B%EF%BB%BF"}, /* zero width */
    {"\xF3\xA0\x80\xA1\xF0\x9F\xBF\xBE", "%F3%A0%80%A1%F0%9F%BF%BE"}, /* a tag, and what is no character */
};

static void texts_are_no_markup(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(texts); i++) {
        dp_buf b = {0};
        dp_html_text(&b, dp_str_c(texts[i].text));
        dp_buf_byte(&b, 0);
        assert_string_equal(texts[i].want, b.p);
        dp_buf_done(&b);
    }
}

static void json_and_lines_stay_what_they_are(void **state)
{
    (void)state;
    static const struct { const char *text, *json, *lines; } both[] = {
        {"a</b>", "a\\u003c/b\\u003e", "a&lt;/b&gt;"},
        {"\xE2\x80\xAEgnp", "\\u202egnp", "%E2%80%AEgnp"},
        {"\xF3\xA0\x81\x81", "\\udb40\\udc41", "%F3%A0%81%81"},
        {"a\n\n b\n", "a\n\n b\n", "a\n\n b\n"},
        {"\xC3\xA9/\xFF", "\xC3\xA9/\xFF", "\xC3\xA9/%FF"},
    };
    for (size_t i = 0; i < DP_COUNT(both); i++) {
        dp_buf json = {0}, lines = {0};
        dp_html_json(&json, dp_str_c(both[i].text));
        dp_html_lines(&lines, dp_str_c(both[i].text));
        assert_true(dp_str_eq(dp_buf_view(&json), dp_str_c(both[i].json)));
        assert_true(dp_str_eq(dp_buf_view(&lines), dp_str_c(both[i].lines)));
        dp_buf_done(&json);
        dp_buf_done(&lines);
    }
}

static void every_byte_stays_inside(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++) {
        char   bytes[] = {(char)c, (char)c};
        dp_buf b = {0};
        dp_html_text(&b, (dp_str){bytes, 2});
        assert_true(dp_utf8_is_valid(dp_buf_view(&b)));
        for (size_t i = 0; i < b.n; i++)
            assert_true(b.p[i] != '<' && b.p[i] != '>' && b.p[i] != '"' && b.p[i] != '\'' && b.p[i] != 0);
        dp_buf_done(&b);
    }
}

static void numbers_are_for_people(void **state)
{
    (void)state;
    static const struct { double share; const char *want; } shares[] = {
        {0, "0"}, {1, "100"}, {.41249, "41.2"}, {.00001, "&lt; 0.01"}, {.99999, "&gt; 99.99"}, {.0042, "0.42"},
        {.998, "99.80"}, {.5, "50.0"},
    };
    static const struct { uint64_t v; const char *want; } counts[] = {
        {0, "0"}, {999, "999"}, {1000, "1,000"}, {1234567, "1,234,567"}, {UINT64_MAX, "18,446,744,073,709,551,615"},
    };
    for (size_t i = 0; i < DP_COUNT(shares); i++) {
        char   want[32];
        dp_buf b = {0};
        dp_html_share(&b, shares[i].share);
        dp_buf_byte(&b, 0);
        snprintf(want, sizeof want, "%s\xC2\xA0%%", shares[i].want);
        assert_string_equal(want, b.p);
        dp_buf_done(&b);
    }
    for (size_t i = 0; i < DP_COUNT(counts); i++) {
        dp_buf b = {0};
        dp_html_count(&b, counts[i].v);
        dp_buf_byte(&b, 0);
        assert_string_equal(counts[i].want, b.p);
        dp_buf_done(&b);
    }
}

/* ---- the page --------------------------------------------------------------------------------------- */

static void put_name(dp_buf *out, const void *ctx, dp_str name)
{
    (void)ctx;
    dp_buf_byte(out, '(');
    dp_buf_str(out, name);
    dp_buf_byte(out, ')');
}

static bool is_yes(const void *ctx, dp_str name)
{
    (void)ctx;
    return dp_str_eq(name, DP_STR("yes"));
}

static void conditions_nest(void **state)
{
    (void)state;
    static const struct { const char *page, *want; } pages[] = {
        {"a{{b}}c", "a(b)c"},
        {"{{if yes}}1{{end}}{{if no}}2{{x}}{{end}}3", "13"},
        {"{{if not yes}}1{{end}}{{if not no}}2{{end}}", "2"},
        {"{{if no}}1{{if yes}}2{{end}}3{{end}}4", "4"},
        {"{{if yes}}1{{if no}}2{{end}}3{{end}}4", "134"},
        {"open {{", "open ()"},
    };
    for (size_t i = 0; i < DP_COUNT(pages); i++) {
        dp_buf b = {0};
        dp_page_put(&b, dp_str_c(pages[i].page), &(dp_page_values){NULL, put_name, is_yes});
        dp_buf_byte(&b, 0);
        assert_string_equal(pages[i].want, b.p);
        dp_buf_done(&b);
    }
}

/* ---- crawlers --------------------------------------------------------------------------------------- */

static void crawlers_are_told_by_their_words(void **state)
{
    (void)state;
    static const struct { const char *agent, *want; bool is; } agents[] = {
        {"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "Googlebot", true},
        {"Mozilla/5.0 (compatible; BINGBOT/2.0)", "bingbot", true},
        {"SomethingNewBot/0.1", "other crawlers", true},
        {"my-Crawler", "other crawlers", true},
        {"Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0", "everybody else", false},
        {"", "everybody else", false},
    };
    for (size_t i = 0; i < DP_COUNT(agents); i++) {
        uint32_t c = dp_crawler_of(dp_str_c(agents[i].agent));
        assert_true(c < dp_crawlers());
        assert_string_equal(agents[i].want, dp_crawler_name(c));
        assert_int_equal(agents[i].is, dp_crawler_is(c));
    }
}

static void only_further_urls_of_a_page_are_waste(void **state)
{
    (void)state;
    /* URLs 0, 1, 2 are of page 7, URL 3 of page 8 */
    static const uint64_t page[] = {7, 7, 7, 8};
    dp_traffic            t = {0};
    dp_spent              out[64];
    uint32_t              pair;
    bool                  wasted[4];
    assert_true(dp_crawlers() <= DP_COUNT(out));
    assert_int_equal(DP_OK, dp_traffic_add(&t, &(dp_hits){0, 1, 5, 100 * 5}, &pair));
    assert_int_equal(DP_OK, dp_traffic_add(&t, &(dp_hits){1, 1, 2, 100 * 2}, &pair));
    assert_int_equal(DP_OK, dp_traffic_add(&t, &(dp_hits){1, 1, 1, 100 * 1}, &pair));
    assert_int_equal(DP_OK, dp_traffic_add(&t, &(dp_hits){3, 1, 9, 100 * 9}, &pair));
    /* another crawler, and its only URL of the page */
    assert_int_equal(DP_OK, dp_traffic_add(&t, &(dp_hits){2, 0, 4, 100 * 4}, &pair));
    assert_int_equal(DP_OK, dp_traffic_spent(out, wasted, &t, page));
    assert_int_equal(17, out[1].hits);
    assert_int_equal(3, out[1].wasted);
    assert_int_equal(3, out[1].urls);
    assert_int_equal(2, out[1].pages);
    assert_int_equal(4, out[0].hits);
    assert_int_equal(0, out[0].wasted);
    assert_false(wasted[0]);
    assert_true(wasted[1]);
    assert_false(wasted[2]);
    assert_int_equal(3, pair);
    assert_false(wasted[pair]);
    dp_traffic_done(&t);
}

/* ---- reports ---------------------------------------------------------------------------------------- */

static const char rules_text[] = "dustpan-rules 1\nhost a.com\ndrop ?s  [p=.99 n=40 neg=0]\n"
                                 "drop ?page  [p=.9 n=4 neg=1]\nlikely drop ?w  [p=.8]\noff drop ?v\n"
                                 "pin /{**}/index.html => /{**}/\n";

static const char records[] = "url\tcluster\tagent\thits\n"
                              "http://a.com/x\tA\tGooglebot\t3\n"
                              "http://a.com/x?s=9f86d081884c7d659a2f\tA\tGooglebot\t1\n"
                              "http://a.com/l?page=1\tC\t-\t-\n"
                              "http://a.com/l?page=2\tD\tbingbot\t1\n"
                              "http://b.com/\t-\tbingbot\t2\n"
                              "http://a.com/d/index.html\t-\t-\t-\n"
                              "http://a.com/d/index.html\tE\t-\t-\n"
                              "nonsense\tF\t-\t-\n"
                              "short\n";

static double metric(const dp_report *v, const char *name)
{
    double value = -1;
    assert_int_equal(DP_OK, dp_report_metric(v, name, &value));
    return value;
}

static void counts_what_has_a_label(void **state)
{
    (void)state;
    dp_rules   *r = rules_of(rules_text);
    dp_report  *v;
    dp_text    *text;
    dp_error    err;
    char        line[256];
    const char *path = dp_temp_write("records", dp_str_c(records));
    assert_int_equal(DP_OK, dp_report_new(&v, "mine", r, 0, 0, NULL));
    if (dp_report_run(v, &path, 1, &err) != DP_OK)
        fail_msg("%s: %s", err.file, err.message);
    /* keys: x x l l d/, of A A C D E; b.com has no label */
    assert_true(metric(v, "urls") == 5 && metric(v, "clusters") == 4 && metric(v, "fetched") == 3);
    assert_true(metric(v, "lost") == 1 && metric(v, "good_merges") == 1 && metric(v, "bad_merges") == 1);
    assert_int_equal(DP_EINVALID, dp_report_metric(v, "x", &(double){0}));
    assert_int_equal(1, dp_report_bad_lines(v));
    assert_int_equal(DP_OK, dp_report_bad(v, 0, &err));
    assert_int_equal(10, err.line);
    assert_int_equal(DP_OK, dp_report_warning(v, 0, line, sizeof line));
    assert_string_equal("1 record has no valid URL and is ignored", line);
    assert_int_equal(DP_EINVALID, dp_report_warning(v, 1, line, sizeof line));
    assert_int_equal(DP_OK, dp_report_print(&text, v, DP_REPORT_JSON));
    json_t *json = json_loads(dp_text_data(text), 0, NULL);
    assert_non_null(json);
    assert_int_equal(3, json_array_size(json_object_get(json, "curve"))); /* stage 0, .99, .9 */
    assert_int_equal(1, json_array_size(json_object_get(json, "lost_pages")));
    assert_int_equal(2, json_array_size(json_object_get(json, "traffic")));
    json_decref(json);
    assert_null(strstr(dp_text_data(text), "9f86d081884c7d659a2f"));
    dp_text_free(text);
    assert_int_equal(DP_OK, dp_report_print(&text, v, DP_REPORT_HTML));
    assert_null(strstr(dp_text_data(text), "9f86d081884c7d659a2f"));
    assert_null(strstr(dp_text_data(text), "{{"));
    dp_text_free(text);
    dp_report_free(v);
    dp_rules_free(r);
}

static void claims_nothing_without_labels(void **state)
{
    (void)state;
    dp_rules   *r = rules_of(rules_text);
    dp_report  *v;
    dp_text    *text;
    const char *path = dp_temp_write("list", dp_str_c("http://a.com/x\nhttp://a.com/x?s=1\nhttp://a.com/y\n"));
    assert_int_equal(DP_OK, dp_report_new(&v, "mine", r, 0, 0, NULL));
    assert_int_equal(DP_OK, dp_report_run(v, &path, 1, NULL));
    assert_true(metric(v, "urls") == 3 && metric(v, "fetched") == 2);
    assert_int_equal(DP_EINVALID, dp_report_metric(v, "lost", &(double){0}));
    assert_int_equal(DP_OK, dp_report_print(&text, v, DP_REPORT_JSON));
    json_t *json = json_loads(dp_text_data(text), 0, NULL);
    assert_non_null(json);
    assert_true(json_is_false(json_object_get(json, "labelled")));
    static const char *const claims[] = {"lost", "clusters", "precision", "curve", "lost_pages", "bad_merges"};
    for (size_t i = 0; i < DP_COUNT(claims); i++)
        assert_null(json_object_get(json, claims[i]));
    json_decref(json);
    dp_text_free(text);
    dp_report_free(v);
    dp_rules_free(r);
}

static void advice_is_the_same_as_text_and_page(void **state)
{
    (void)state;
    dp_rules *r = rules_of(
        "dustpan-rules 1\nhost a.com\n/{**}/{x}.html => /{**}/{x}  [p=.9]\nlikely drop ?utm_* [p=.99 n=3 neg=1]\n");
    dp_report  *v;
    dp_text    *text, *page;
    const char *path = dp_temp_write("asked", dp_str_c("hits\turl\n9\thttp://a.com/b.html\n1\thttp://a.com/b\n"
                                                       "50\thttp://a.com/c?utm_source=mail\n6\thttp://a.com/c\n"));
    assert_int_equal(DP_OK, dp_report_new(&v, "", r, DP_WITH_LIKELY, .5, NULL));
    assert_int_equal(DP_OK, dp_report_run(v, &path, 1, NULL));
    assert_int_equal(DP_OK, dp_report_print(&text, v, DP_REPORT_ADVICE));
    assert_string_equal("2 patterns to fix:\n"
                        "  drop ?utm_*  (a.com): 1 URL too many, 50 requests; expected to be right in 99 % of cases; "
                        "3 comparisons for it, 1 against\n"
                        "      Link to http://a.com/c; name it in rel=canonical, and keep only it in the sitemap.\n"
                        "      301: rules export --to nginx-redirect or apache-redirect, after validate\n"
                        "      or robots.txt: rules export --to robots\n"
                        "  /{**}/{x}.html => /{**}/{x}  (a.com): 1 URL too many, 1 request; expected to be right in "
                        "90 % of cases\n"
                        "      Link to http://a.com/b.html, the form that is requested most; name it in rel=canonical, "
                        "and keep only it in the sitemap. The rule leads the other way: that makes a key, but no "
                        "redirect.\n", dp_text_data(text));
    assert_int_equal(DP_OK, dp_report_print(&page, v, DP_REPORT_HTML));
    assert_non_null(strstr(dp_text_data(page), "</code>, the form that is requested most; name it in rel=canonical"));
    assert_non_null(strstr(dp_text_data(page), "    default $dustpan_0;\n"));
    assert_null(strstr(dp_text_data(page), "%0A"));
    dp_text_free(text);
    dp_text_free(page);
    dp_report_free(v);
    dp_rules_free(r);
}

static void refuses_what_makes_no_sense(void **state)
{
    (void)state;
    dp_rules   *r = rules_of(rules_text);
    dp_report  *v;
    dp_text    *text;
    dp_error    err;
    const char *path = dp_temp_write("empty", dp_str_c("nonsense\nmore nonsense\n")), *nowhere = "/nowhere";
    assert_int_equal(DP_OK, dp_report_new(&v, "mine", r, 0, 0, NULL));
    assert_int_equal(DP_EINVALID, dp_report_set(v, DP_REPORT_RAW, 2));
    assert_int_equal(DP_EINVALID, dp_report_set(v, DP_REPORT_STRICT, 2));
    assert_int_equal(DP_EINVALID, dp_report_set(v, DP_REPORT_HOSTS, 10001));
    assert_int_equal(DP_EINVALID, dp_report_set(v, DP_REPORT_FAMILIES, -1));
    assert_int_equal(DP_EINVALID, dp_report_set(v, DP_REPORT_LOSSES, 21));
    assert_int_equal(DP_EINVALID, dp_report_set(v, (dp_report_option)99, 0));
    assert_int_equal(DP_EINVALID, dp_report_input(v, (dp_input_option)99, "x"));
    assert_int_equal(DP_EINVALID, dp_report_print(&text, v, DP_REPORT_HTML));
    assert_int_equal(DP_OK, dp_report_set(v, DP_REPORT_STRICT, 0));
    assert_int_equal(DP_OK, dp_report_input(v, DP_INPUT_FORMAT, "urls"));
    assert_int_equal(DP_ESYNTAX, dp_report_run(v, &path, 1, &err));
    assert_non_null(strstr(err.message, "no URL of a page in the input"));
    assert_int_equal(DP_EINVALID, dp_report_run(v, &path, 1, &err));
    dp_report_free(v);
    assert_int_equal(DP_OK, dp_report_new(&v, "mine", r, 0, 0, NULL));
    assert_int_equal(DP_EIO, dp_report_run(v, &nowhere, 1, &err));
    dp_report_free(v);
    dp_rules_free(r);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    const char *path = dp_temp_write("records", dp_str_c(records));
    dp_rules   *r = rules_of(rules_text);
    for (int form = DP_REPORT_HTML; form <= DP_REPORT_ADVICE; form++) {
        DP_EVERY_ALLOC_FAILURE
        {
            dp_report *v = NULL;
            dp_text   *text = NULL;
            dp_err     code = dp_report_new(&v, "mine", r, DP_WITH_LIKELY, .5, NULL);
            if (code == DP_OK)
                code = dp_report_run(v, &path, 1, NULL);
            if (code == DP_OK)
                code = dp_report_print(&text, v, (dp_report_form)form);
            /* dp_apply_batch goes on without looking ahead when there is no memory for that. */
            if (code != DP_OK)
                assert_true(dp_alloc_failed() && code == DP_ENOMEM);
            dp_text_free(text);
            dp_report_free(v);
        }
    }
    dp_rules_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_no_markup),
        cmocka_unit_test(json_and_lines_stay_what_they_are),
        cmocka_unit_test(every_byte_stays_inside),
        cmocka_unit_test(numbers_are_for_people),
        cmocka_unit_test(conditions_nest),
        cmocka_unit_test(crawlers_are_told_by_their_words),
        cmocka_unit_test(only_further_urls_of_a_page_are_waste),
        cmocka_unit_test_teardown(counts_what_has_a_label, dp_temp_remove),
        cmocka_unit_test_teardown(claims_nothing_without_labels, dp_temp_remove),
        cmocka_unit_test_teardown(advice_is_the_same_as_text_and_page, dp_temp_remove),
        cmocka_unit_test_teardown(refuses_what_makes_no_sense, dp_temp_remove),
        cmocka_unit_test_teardown(survives_every_allocation_failure, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
