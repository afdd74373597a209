/* gumbo.c - in the place of content/html.c where there is no gumbo: HTML is not read.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stddef.h>

#include "base/libraries.h"
#include "content/html.h"

dp_err dp_html_read(dp_html *h, dp_str page)
{
    (void)h, (void)page;
    return DP_EABSENT;
}

void dp_html_done(dp_html *h)
{
    (void)h;
}

const char *dp_gumbo_version(void)
{
    return NULL;
}
