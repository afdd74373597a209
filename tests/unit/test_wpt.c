/* Stage 0 against browsers: the URL tests of the Web Platform Tests (../shared/data/wpt-url).
 *
 * A case that differs is taken through all reasons of support/browser.h; then every reason is left out
 * that is not needed. What is still different has no name, and fails. So does a reason that no case needs,
 * and one without its row in docs/urls.md.
 *
 * In scope: inputs that are absolute http or https URLs, and the host names of toascii.json as
 * https://NAME/x. Out of scope: other schemes, and inputs that are relative to their base.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>

#include "base/buf.h"
#include "support/browser.h"
#include "support/data.h"

static const unsigned ALL = (1u << BROWSER_REASONS) - 1;

typedef struct tally {
    size_t cases, equal, no_url, out_of_scope, unexplained;
    size_t times[BROWSER_REASONS];
} tally;

static void compare(tally *t, dp_str input, const char *href, dp_arena *a)
{
    browser_case c = {a, input, {0}, href ? dp_str_c(href) : (dp_str){NULL, 0}};
    unsigned     set = browser_explain(c, 0) ? 0 : ALL;
    t->cases++;
    t->equal += set == 0;
    t->no_url += set == 0 && !href;
    if (set && !browser_explain(c, ALL)) {
        t->unexplained++;
        dp_str ours = browser_stage_0(input, a);
        if (!ours.p)
            ours = DP_STR("no URL");
        print_error("'%.*s' is to a browser\n    %s\nand to us, for no reason that has a name,\n    %.*s\n",
                    DP_FMT(input), href ? href : "no URL", DP_FMT(ours));
        return;
    }
    for (size_t i = 0; i < BROWSER_REASONS && set; i++) {
        if (browser_explain(c, set & ~(1u << i)))
            set &= ~(1u << i);
        else
            t->times[i]++;
    }
    dp_arena_reset(a);
}

static json_t *load(const char *name)
{
    json_error_t err;
    json_t      *all = json_load_file(dp_test_data(name), JSON_ALLOW_NUL, &err);
    if (!all)
        fail_msg("%s:%d: %s", name, err.line, err.text);
    return all;
}

static void compare_urls(tally *t, dp_arena *a)
{
    json_t *all = load("wpt-url/urltestdata.json"), *one;
    size_t  i;
    json_array_foreach(all, i, one) {
        if (!json_is_object(one))
            continue;
        json_t *text = json_object_get(one, "input");
        dp_str  input = {json_string_value(text), json_string_length(text)};
        if (browser_is_absolute(input, json_string_value(json_object_get(one, "base")), a))
            compare(t, input, json_string_value(json_object_get(one, "href")), a);
        else
            t->out_of_scope++;
    }
    json_decref(all);
}

/* "https://" + name + "/x", or NULL. */
static const char *as_url(json_t *name, dp_arena *a)
{
    dp_buf b = {0};
    if (!json_is_string(name))
        return NULL;
    dp_buf_printf(&b, "https://%s/x", json_string_value(name));
    dp_buf_byte(&b, 0);
    dp_str url = dp_arena_str(a, dp_buf_view(&b));
    dp_buf_done(&b);
    assert_non_null(url.p);
    return url.p;
}

static void compare_hosts(tally *t, dp_arena *a)
{
    json_t  *all = load("wpt-url/toascii.json"), *one;
    dp_arena texts = {0};
    size_t   i;
    json_array_foreach(all, i, one) {
        if (json_is_object(one))
            compare(t, dp_str_c(as_url(json_object_get(one, "input"), &texts)),
                    as_url(json_object_get(one, "output"), &texts), a);
    }
    dp_arena_done(&texts);
    json_decref(all);
}

static void every_difference_from_a_browser_has_a_name(void **state)
{
    (void)state;
    dp_arena a = {0};
    tally    t = {0};
    size_t   gone = 0;
    compare_urls(&t, &a);
    compare_hosts(&t, &a);
    print_message("%zu cases, %zu equal (%zu of them no URL to both); out of scope: %zu\n", t.cases, t.equal, t.no_url,
                  t.out_of_scope);
    for (size_t i = 0; i < BROWSER_REASONS; i++) {
        print_message("%6zu %s\n", t.times[i], browser_reasons[i].name);
        gone += t.times[i] == 0;
    }
    dp_arena_done(&a);
    if (t.unexplained || gone)
        fail_msg("%zu differences without a name, %zu names without a difference", t.unexplained, gone);
}

/* ---- the table in the docs ------------------------------------------------------------- */

static void the_docs_have_a_row_for_each_reason_and_no_other(void **state)
{
    (void)state;
    FILE  *f = fopen("docs/urls.md", "r");
    char   line[4096];
    bool   in_table = false;
    size_t rows = 0;
    if (!f)
        fail_msg("no docs/urls.md");
    while (fgets(line, sizeof line, f)) {
        if (strncmp(line, "## ", 3) == 0)
            in_table = strncmp(line, "## Differences from browsers", 28) == 0;
        if (!in_table || strncmp(line, "| `", 3) != 0)
            continue;
        char *name = line + 3, *end = strchr(name, '`');
        assert_non_null(end);
        *end = 0;
        bool known = false;
        for (size_t i = 0; i < BROWSER_REASONS; i++)
            known |= strcmp(name, browser_reasons[i].name) == 0;
        if (!known)
            fail_msg("docs/urls.md: no reason '%s'", name);
        rows++;
    }
    fclose(f);
    assert_int_equal(BROWSER_REASONS, rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_difference_from_a_browser_has_a_name),
        cmocka_unit_test(the_docs_have_a_row_for_each_reason_and_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
