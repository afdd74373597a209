/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "dustpan.h"
#include "support/tempfile.h"

static const char text[] = "{\"url\":\"http://a.com/1\",\"digest\":\"A\",\"time\":5}\n"
                           "{\"url\":\"http://a.com/2\",\"cluster\":\"p2\",\"digest\":\"A\"}\n"
                           "not JSON\n"
                           "{\"url\":\"http://a.com/1#top\",\"digest\":\"B\",\"time\":9}\n"
                           "{\"url\":\"http://a.com/3\",\"digest\":\"B\"}\n"
                           "{\"url\":\"http://a.com/4\",\"digest\":\"C\",\"status\":404}\n"
                           "{\"url\":\"http://a.com/3\",\"cluster\":\"p2\"}\n"
                           "{\"url\":\"http://a.com/5\",\"digest\":\"B\"}\n";

static dp_str page(dp_pagenames *p, size_t i)
{
    dp_str name;
    name.p = dp_pagenames_page(p, i, &name.n);
    return name;
}

static void the_newest_content_and_any_name_count(void **state)
{
    (void)state;
    dp_pagenames *p = NULL;
    dp_error      err = {0};
    const char   *path = dp_temp_write("a.jsonl", dp_str_c(text));
    assert_int_equal(DP_OK, dp_pagenames_new(&p));
    assert_int_equal(DP_OK, dp_pagenames_input(p, DP_INPUT_FORMAT, "jsonl"));
    assert_int_equal(DP_OK, dp_pagenames_read(p, &path, 1, &err));
    assert_int_equal(DP_EINVALID, dp_pagenames_read(p, &path, 1, &err));
    static const struct {
        uint64_t first, decisive;
        int      is_named;
    } want[] = {{1, 4, 0}, {2, 2, 1}, {5, 7, 1}, {8, 8, 0}};
    assert_int_equal(DP_COUNT(want), dp_pagenames_count(p));
    for (size_t i = 0; i < DP_COUNT(want); i++) {
        assert_int_equal(want[i].first, dp_pagenames_first(p, i));
        assert_int_equal(want[i].decisive, dp_pagenames_decisive(p, i));
        assert_int_equal(want[i].is_named, dp_pagenames_is_named(p, i));
    }
    char   room[16];
    dp_str first = page(p, 0);
    assert_int_equal(sizeof room, first.n);
    memcpy(room, first.p, sizeof room);
    assert_true(dp_str_eq((dp_str){room, sizeof room}, page(p, 3))); /* digest B */
    assert_true(dp_str_eq(DP_STR("p2"), page(p, 1)));
    assert_true(dp_str_eq(DP_STR("p2"), page(p, 2)));
    dp_pagenames_free(p);
}

static void nothing_known_is_an_error(void **state)
{
    (void)state;
    dp_pagenames *p = NULL;
    dp_error      err = {0};
    const char   *path = dp_temp_write("a.urls", DP_STR("http://a.com/\n"));
    assert_int_equal(DP_OK, dp_pagenames_new(&p));
    assert_int_equal(DP_EINVALID, dp_pagenames_read(p, &path, 0, &err));
    dp_pagenames_free(p);
    assert_int_equal(DP_OK, dp_pagenames_new(&p));
    assert_int_equal(DP_ESYNTAX, dp_pagenames_read(p, &path, 1, &err));
    assert_int_equal(0, dp_pagenames_count(p));
    dp_pagenames_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_newest_content_and_any_name_count, dp_temp_remove),
        cmocka_unit_test_teardown(nothing_known_is_an_error, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
