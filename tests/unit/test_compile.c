/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"

/* Compile "drop ?a" and then a rule with a literal of n bytes. */
static dp_err compile_literal(size_t n, dp_error *err)
{
    dp_buf     text = {0};
    dp_rules  *r;
    dp_engine *e = NULL;
    dp_buf_c(&text, "dustpan-rules 1\nhost a.com\ndrop ?a\n/");
    for (size_t i = 0; i < n; i++)
        dp_buf_byte(&text, 'x');
    dp_buf_c(&text, " => /y\n");
    assert_false(text.failed);
    assert_int_equal(DP_OK, dp_rules_new(&r));
    assert_int_equal(DP_OK, dp_rules_parse(r, "long.rules", text.p, text.n, err));
    dp_err code = dp_engine_new(&e, r, 0, 0, err);
    dp_engine_free(e);
    dp_rules_free(r);
    dp_buf_done(&text);
    return code;
}

static void a_rule_too_long_for_its_body_is_refused_where_it_stands(void **state)
{
    (void)state;
    dp_error err = {0};
    assert_int_equal(DP_OK, compile_literal(65535, &err));
    assert_int_equal(DP_ELIMIT, compile_literal(65536, &err));
    assert_string_equal("long.rules", err.file);
    assert_int_equal(4, err.line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rule_too_long_for_its_body_is_refused_where_it_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
