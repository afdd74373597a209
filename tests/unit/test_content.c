/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "dustpan.h"
#include "support/failing_alloc.h"

#define WORDS "one two three four five six seven eight nine ten eleven twelve"

static const char html[] = "<html><head><title> A  page </title><link rel=canonical href='/c'></head>"
                           "<body><p>" WORDS "</p><a href='/x?sid=1'>more</a></body></html>";
static const char other[] = "<html><head><title>A page</title><link rel=canonical href='/c'></head>"
                            "<body><p>" WORDS "</p><a href='/x?sid=2'>more</a></body></html>";
static const char type[] = "Content-Type: text/html; charset=utf-8\r\n";

static dp_err read_page(dp_content *c, const char *header, const char *body, size_t n)
{
    static const char url[] = "http://a.com/p?sid=1";
    return dp_content_read(c, url, sizeof url - 1, header, header ? strlen(header) : 0, body, n);
}

static void assert_field(const dp_content *c, dp_field field, const char *want)
{
    size_t      n;
    const char *text = dp_content_text(c, field, &n);
    if (!want) {
        assert_null(text);
        assert_int_equal(0, n);
        return;
    }
    assert_int_equal(strlen(want), n);
    assert_memory_equal(want, text, n);
}

/* What record columns look like: as those of `learn` on the same page in a WARC. */
static void a_page_becomes_columns(void **state)
{
    dp_content *c;
    size_t      n;
    char        cluster[64], sketch[128];
    (void)state;
    assert_int_equal(DP_OK, dp_content_new(&c));
    assert_int_equal(DP_OK, read_page(c, type, html, sizeof html - 1));
    assert_field(c, DP_FIELD_TITLE, "A page");
    assert_field(c, DP_FIELD_CANONICAL, "http://a.com/c");
    assert_field(c, DP_FIELD_URL, NULL);
    const char *p = dp_content_text(c, DP_FIELD_CLUSTER, &n);
    assert_int_equal(32, n);
    memcpy(cluster, p, n);
    cluster[n] = 0;
    p = dp_content_text(c, DP_FIELD_SKETCH, &n);
    assert_int_equal(4 * 16 + 3, n);
    memcpy(sketch, p, n);
    sketch[n] = 0;
    dp_content_text(c, DP_FIELD_SIMHASH, &n);
    assert_int_equal(16, n);
    assert_int_equal(DP_OK, read_page(c, type, other, sizeof other - 1));
    assert_field(c, DP_FIELD_CLUSTER, cluster);
    assert_field(c, DP_FIELD_SKETCH, sketch);
    dp_content_free(c);
}

static void pages_without_words_have_less(void **state)
{
    static const char gif[] = "GIF89a\1\0\1\0\x80\0\0\xff\xff\xff\0\0\0";
    dp_content       *c;
    size_t            n;
    (void)state;
    assert_int_equal(DP_OK, dp_content_new(&c));
    assert_int_equal(DP_OK, read_page(c, type, html, sizeof html - 1));
    assert_int_equal(DP_OK, read_page(c, "Content-Type: image/gif\r\n", gif, sizeof gif - 1));
    assert_field(c, DP_FIELD_TITLE, NULL);
    assert_field(c, DP_FIELD_CLUSTER, NULL);
    assert_field(c, DP_FIELD_SIMHASH, NULL);
    assert_non_null(dp_content_text(c, DP_FIELD_SKETCH, &n));
    assert_int_equal(DP_OK, read_page(c, NULL, NULL, 0));
    for (dp_field f = DP_FIELD_URL; f < DP_FIELDS; f++)
        assert_field(c, f, NULL);
    dp_content_free(c);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    DP_EVERY_ALLOC_FAILURE {
        dp_content *c = NULL;
        dp_err      code = dp_content_new(&c);
        if (code == DP_OK)
            code = read_page(c, type, html, sizeof html - 1);
        assert_int_equal(code, dp_alloc_failed() ? DP_ENOMEM : DP_OK);
        dp_content_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_becomes_columns),
        cmocka_unit_test(pages_without_words_have_less),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
