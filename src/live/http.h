/* live/http.h - GET over the network: many requests at a time, nothing but GET, no cookies, no redirects followed.
 *
 *     start(url, tag) ... wait(ms) ... next(&answer)       status, header, body, or why there is none
 *
 * The only file that uses libcurl (live/curl.h loads it; multi: keep-alive, HTTP/2 over TLS where the server has it).
 * What may be asked, and when, is for live/fetcher.h to say. Proxies of the environment are not used: behind one we
 * could not see where we connect to.
 *
 * Invariants:
 *   - Only http and https; every address is looked at as it is connected to (live/address.h).
 *   - A body past the limit, of another length than the server says, or cut short is never given out as a page.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_HTTP_H
#define DP_LIVE_HTTP_H

#include "base/err.h"
#include "live/note.h"

typedef struct dp_http dp_http;

typedef struct dp_http_options {
    const char *user_agent;
    const char *ca_file;  /* certificates that servers are checked against; NULL: the system's */
    int64_t     timeout;  /* milliseconds for a whole request; a third of it to connect */
    size_t      max_size; /* bytes of a body, decoded */
    bool        allow_private;
} dp_http_options;

typedef struct dp_http_answer {
    uint32_t tag;
    dp_fault fault;  /* DP_FAULT_NONE: the rest is there */
    int      status;
    dp_str   header; /* with the status line */
    dp_str   body;   /* decoded */
} dp_http_answer;

/* The options' texts are copied. DP_ENOMEM; DP_EABSENT: there is no libcurl. */
dp_err dp_http_new(dp_http **out, const dp_http_options *o, dp_error *err);
void   dp_http_free(dp_http *h);

/* Begin a request. A URL that cannot be asked for gives an answer with a fault. DP_ENOMEM. */
dp_err dp_http_start(dp_http *h, dp_str url, uint32_t tag);

/* Wait until something happens, at most `ms` milliseconds. DP_ENOMEM, DP_EIO. */
dp_err dp_http_wait(dp_http *h, int ms);

/* A request that is over; false: none now. Texts of the answer live until the next call of anything here. */
bool dp_http_next(dp_http *h, dp_http_answer *out);

#endif
