/* support/url_laws.h - what must hold for any bytes that src/url/ is given.
 *
 *     url_laws l = {0};
 *     const char *broken = url_laws_check(&l, text);      NULL, or the law in words
 *     url_laws_done(&l);
 *
 * Used by tests/prop/prop_url.c on random texts and by fuzz/fuzz_url.c. Each law is checked the
 * dumb way: byte by byte, or by doing a thing again.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_URL_LAWS_H
#define DP_SUPPORT_URL_LAWS_H

#include "base/arena.h"
#include "url/frame.h"

typedef struct url_laws {
    dp_arena a; /* emptied by each check */
    dp_frame f;
    dp_buf   normal, work, again;
    bool     is_url, is_normal; /* what the last text was */
} url_laws;

/* Memory that is out breaks a law too. */
const char *url_laws_check(url_laws *l, dp_str text);
void        url_laws_done(url_laws *l);

#endif
