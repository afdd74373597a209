/* microhttpd.c - in the place of live/serve.c and live/microhttpd.c where there is no libmicrohttpd: no page is served.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stddef.h>

#include "base/libraries.h"

dp_err dp_server_new(dp_server **out, dp_server_page page, dp_server_save save, void *ctx, dp_error *err)
{
    (void)out, (void)page, (void)save, (void)ctx;
    return dp_library_fail(err, "serving a page", "libmicrohttpd");
}

const char *dp_server_url(const dp_server *s)
{
    (void)s;
    return "";
}

void dp_server_free(dp_server *s)
{
    (void)s;
}

const char *dp_microhttpd_version(void)
{
    return NULL;
}
