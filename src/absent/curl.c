/* curl.c - in the place of live/http.c and live/curl.c where there is no libcurl: nothing is fetched.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stddef.h>

#include "base/libraries.h"
#include "live/http.h"

dp_err dp_http_new(dp_http **out, const dp_http_options *o, dp_error *err)
{
    (void)out, (void)o;
    return dp_library_fail(err, "fetching pages", "libcurl");
}

void dp_http_free(dp_http *h)
{
    (void)h;
}

dp_err dp_http_start(dp_http *h, dp_str url, uint32_t tag)
{
    (void)h, (void)url, (void)tag;
    return DP_EABSENT;
}

dp_err dp_http_wait(dp_http *h, int ms)
{
    (void)h, (void)ms;
    return DP_EABSENT;
}

bool dp_http_next(dp_http *h, dp_http_answer *out)
{
    (void)h, (void)out;
    return false;
}

const char *dp_curl_version(void)
{
    return NULL;
}
