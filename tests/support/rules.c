/* SPDX-License-Identifier: Apache-2.0 */
#include "support/rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

dp_rules *rules_of(const char *text)
{
    dp_rules *r = NULL;
    dp_error  err = {0};
    assert_int_equal(DP_OK, dp_rules_new(&r));
    if (dp_rules_parse(r, "test", text, strlen(text), &err) != DP_OK)
        fail_msg("%zu: %s", err.line, err.message);
    return r;
}

dp_engine *engine_of(const char *text)
{
    dp_rules  *r = rules_of(text);
    dp_engine *e = NULL;
    assert_int_equal(DP_OK, dp_engine_new(&e, r, 0, 0, NULL));
    dp_rules_free(r);
    return e;
}
