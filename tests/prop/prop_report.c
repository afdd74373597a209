/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/rng.h"
#include "base/words/utf8.h"
#include "dustpan.h"
#include "support/rules.h"
#include "support/tempfile.h"
#include "support/world.h"

/* Property: whatever stands in the records and in the name of the rules, the page is well-formed, has the elements that
 * it has with tame records and no others, and holds its data as JSON. The twin is a small reader of pages that knows
 * nothing of how they are written. */

static const char rules_text[] = "dustpan-rules 1\nhost any\ndrop ?s,q  [p=.99 n=3]\n"
                                 "/{**}/index.html => /{**}/  [p=.9]\n"
                                 "fold case path  [p=.8]\nlikely drop ?t\n";

enum { DEPTH = 64 };

static bool is_void(dp_str name)
{
    return dp_str_eq(name, DP_STR("meta")) || dp_str_eq(name, DP_STR("link")) || dp_str_eq(name, DP_STR("input"));
}

/* Past the tag that begins at `at`; its attributes are quoted and their values hold no '<'. */
static size_t read_tag(dp_str page, size_t at, uint64_t seed)
{
    char quote = 0;
    for (size_t i = at + 1; i < page.n; i++) {
        if (quote ? page.p[i] == quote : page.p[i] == '"')
            quote = quote ? 0 : page.p[i];
        else if (page.p[i] == '<')
            fail_msg("seed %" PRIu64 ": '<' inside a tag", seed);
        else if (!quote && page.p[i] == '>')
            return i + 1;
    }
    fail_msg("seed %" PRIu64 ": a tag without end", seed);
    return page.n;
}

/* Bytes that are no UTF-8 are lone surrogates, \udcff, which browsers read and jansson does not. */
static void check_data(dp_str data, uint64_t seed)
{
    json_error_t why;
    char        *copy = malloc(data.n + 1), *at;
    assert_non_null(copy);
    memcpy(copy, data.p, data.n);
    copy[data.n] = 0;
    while ((at = strstr(copy, "\\udc")))
        memcpy(at, "\\u00", 4);
    json_t *json = json_loadb(copy, data.n, JSON_ALLOW_NUL, &why);
    if (!json)
        fail_msg("seed %" PRIu64 ": data: %s", seed, why.text);
    json_decref(json);
    free(copy);
}

static void check_page(dp_str page, uint64_t seed)
{
    dp_str open[DEPTH];
    size_t depth = 0, scripts = 0, at = strlen("<!doctype html>");
    if (!dp_utf8_is_valid(page))
        fail_msg("seed %" PRIu64 ": not UTF-8", seed);
    while (at < page.n) {
        const char *next = memchr(page.p + at, '<', page.n - at);
        if (!next)
            break;
        size_t begin = (size_t)(next - page.p), end = read_tag(page, begin, seed), n = begin + 1;
        bool   closes = page.p[n] == '/', empty = page.p[end - 2] == '/';
        n += closes;
        size_t first = n;
        while (n < end && ((page.p[n] >= 'a' && page.p[n] <= 'z') || (page.p[n] >= '1' && page.p[n] <= '6')))
            n++;
        dp_str name = dp_str_cut(page, first, n);
        if (name.n == 0)
            fail_msg("seed %" PRIu64 ": no tag at %zu: %.30s", seed, begin, page.p + begin);
        at = end;
        if (closes) {
            if (depth == 0 || !dp_str_eq(open[depth - 1], name))
                fail_msg("seed %" PRIu64 ": </%.*s> closes nothing", seed, DP_FMT(name));
            depth--;
        } else if (!empty && !is_void(name)) {
            assert_true(depth < DEPTH);
            open[depth++] = name;
        }
        if (!closes && (dp_str_eq(name, DP_STR("script")) || dp_str_eq(name, DP_STR("style")))) {
            /* Raw text: nothing in it counts but its own end. */
            char   mark[16];
            size_t size = (size_t)snprintf(mark, sizeof mark, "</%.*s>", DP_FMT(name));
            char  *close = memmem(page.p + at, page.n - at, mark, size);
            assert_non_null(close);
            if (dp_str_eq(name, DP_STR("script")) && scripts++ == 0)
                check_data(dp_str_cut(page, at, (size_t)(close - page.p)), seed);
            at = (size_t)(close - page.p);
        }
    }
    assert_int_equal(0, depth);
    assert_int_equal(2, scripts);
}

static const char *const nasty[] = {
    "</script>", "<!--", "-->", "<script>", "\"", "'", "<b onclick=x>", "&lt;", "&", "{{data}}",
    "{{if labels}}", "{{end}}", "\xFF", "\xC3", "\xE2\x80\xAE", "\xD7\x90", "]]>", "<svg/onload=x>", "\x01", "\\u003c",
    "%3C", "/index.html", "?s=", "&q=",
};

static dp_str nasty_url(dp_rng *g, const dp_rules *r, dp_arena *a)
{
    dp_buf b = {0};
    switch (dp_rng_below(g, 3)) {
    case 0: return world_url(g, r, a);
    case 1: return world_bytes(g, a);
    default: break;
    }
    dp_buf_c(&b, dp_rng_below(g, 2) ? "http://a.com/" : "http://b.com/x");
    for (uint64_t i = 0, n = dp_rng_below(g, 6); i < n; i++)
        dp_buf_c(&b, nasty[dp_rng_below(g, DP_COUNT(nasty))]);
    dp_str url = dp_arena_str(a, dp_buf_view(&b));
    dp_buf_done(&b);
    return url;
}

/* Lines of cluster, TAB, URL, or of URLs alone. */
static void write_records(dp_buf *out, dp_rng *g, const dp_rules *r, bool labels, dp_arena *a)
{
    dp_buf_c(out, labels ? "A\thttp://a.com/\nA\thttp://a.com/?s=1\n" : "http://a.com/\nhttp://a.com/?s=1\n");
    for (uint64_t i = 0, n = dp_rng_below(g, 40); i < n; i++) {
        dp_str url = nasty_url(g, r, a);
        if (labels)
            dp_buf_printf(out, "%c%s\t", (char)('A' + dp_rng_below(g, 8)), nasty[dp_rng_below(g, DP_COUNT(nasty))]);
        for (size_t k = 0; k < url.n; k++)
            dp_buf_byte(out, url.p[k] == '\n' || url.p[k] == '\t' || url.p[k] == '\r' ? ' ' : url.p[k]);
        dp_buf_byte(out, '\n');
    }
}

static void nothing_from_outside_breaks_out(void **state)
{
    (void)state;
    dp_arena  a = {0};
    dp_rules *r = rules_of(rules_text);
    dp_error  err;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        dp_rng     g = dp_rng_seed(seed);
        bool       labels = dp_rng_below(&g, 4) > 0;
        dp_buf     lines = {0};
        dp_report *v;
        dp_text   *text;
        write_records(&lines, &g, r, labels, &a);
        const char *path = dp_temp_write("records", dp_buf_view(&lines));
        const char *name = nasty[dp_rng_below(&g, DP_COUNT(nasty))];
        assert_int_equal(DP_OK, dp_report_new(&v, name, r, DP_WITH_LIKELY, 0, NULL));
        dp_report_set(v, DP_REPORT_RAW, (int64_t)dp_rng_below(&g, 2));
        dp_report_set(v, DP_REPORT_HOSTS, (int64_t)dp_rng_below(&g, 4));
        dp_report_set(v, DP_REPORT_FAMILIES, (int64_t)dp_rng_below(&g, 6));
        assert_int_equal(DP_OK, dp_report_input(v, DP_INPUT_FORMAT, labels ? "clusters" : "urls"));
        if (dp_report_run(v, &path, 1, &err) != DP_OK)
            fail_msg("seed %" PRIu64 ": %s", seed, err.message);
        assert_int_equal(DP_OK, dp_report_print(&text, v, DP_REPORT_HTML));
        check_page((dp_str){dp_text_data(text), dp_text_size(text)}, seed);
        dp_text_free(text);
        dp_report_free(v);
        dp_buf_done(&lines);
        dp_temp_remove(NULL);
        dp_arena_reset(&a);
    }
    dp_rules_free(r);
    dp_arena_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_from_outside_breaks_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
