/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "url/resource.h"

static void content_type_counts_before_extension(void **state)
{
    (void)state;
    static const struct { const char *mime, *file; dp_resource want; } cases[] = {
        {"text/html; charset=utf-8", "logo.png", DP_RESOURCE_PAGE},
        {"IMAGE/PNG", "logo", DP_RESOURCE_IMAGE},
        {"application/javascript", "x", DP_RESOURCE_ASSET},
        {"video/mp4", "", DP_RESOURCE_MEDIA},
        {"application/pdf", "", DP_RESOURCE_DOCUMENT},
        {"application/rss+xml", "", DP_RESOURCE_DATA},
        {"application/x-gzip", "", DP_RESOURCE_ARCHIVE},
        {"unknown/type", "a.CSS", DP_RESOURCE_ASSET},
        {"", "a.b.tgz", DP_RESOURCE_ARCHIVE},
        {"", "index.php", DP_RESOURCE_PAGE},
        {"", "png", DP_RESOURCE_PAGE},
        {"", ".", DP_RESOURCE_PAGE},
        {"", "", DP_RESOURCE_PAGE},
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_resource got = dp_resource_of(dp_str_c(cases[i].mime), dp_str_c(cases[i].file));
        if (got != cases[i].want)
            fail_msg("%s %s: %s", cases[i].mime, cases[i].file, dp_resource_name(got));
    }
}

static void each_kind_has_names(void **state)
{
    (void)state;
    for (int r = 0; r < DP_RESOURCES; r++) {
        assert_non_null(dp_resource_name((dp_resource)r));
        assert_non_null(dp_resource_names((dp_resource)r));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(content_type_counts_before_extension),
        cmocka_unit_test(each_kind_has_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
