/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/plural.h"

static void one_thing_has_no_s(void **state)
{
    (void)state;
    assert_string_equal("s", dp_s(0));
    assert_string_equal("", dp_s(1));
    assert_string_equal("s", dp_s(2));
    assert_string_equal("page was", dp_plural(1, "page was", "pages were"));
    assert_string_equal("pages were", dp_plural(0, "page was", "pages were"));
}

static void zeros_are_not_named(void **state)
{
    (void)state;
    dp_buf b = {0};
    dp_count_add(&b, 0, "host", "hosts");
    dp_count_add(&b, 4, "URL", "URLs");
    dp_count_add(&b, 0, "line not read", "lines not read");
    dp_count_add(&b, 1, "distinct key", "distinct keys");
    dp_buf_byte(&b, 0);
    assert_false(b.failed);
    assert_string_equal("4 URLs, 1 distinct key", b.p);
    dp_buf_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thing_has_no_s),
        cmocka_unit_test(zeros_are_not_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
