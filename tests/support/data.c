/* SPDX-License-Identifier: Apache-2.0 */
#include "support/data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#define DATA "../shared/data"

_Noreturn void dp_test_skip(const char *reason)
{
    print_message("SKIP: %s\n", reason);
    skip();
    abort();
}

const char *dp_test_data(const char *name)
{
    static char path[4096];
    if (access(DATA, R_OK) != 0)
        dp_test_skip("shared/data absent");
    snprintf(path, sizeof path, DATA "/%s", name);
    if (access(path, R_OK) != 0)
        fail_msg("no %s", path);
    return path;
}
