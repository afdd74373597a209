/* live/curl.h - libcurl, loaded when pages are fetched and not before.
 *
 *     dp_curl_load ──► libcurl.so.4 ──► dp_curl: its functions
 *
 * A program that is linked with libcurl loads thirty libraries in every command, for Kerberos, LDAP and other things
 * that no command of ours needs. So it is opened by name, once in a process, as OpenBLAS is (learn/seq2seq/blas.h).
 * Its header is needed to build; where that is missing too, src/absent/curl.c stands in for live/http.c and this.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_CURL_H
#define DP_LIVE_CURL_H

/* The macros of that header that check types are for direct calls. */
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

#include "base/err.h"

typedef CURLcode dp_curl_set(CURL *c, CURLoption option, ...);

typedef struct dp_curl {
    CURLcode (*global_init)(long flags);
    curl_version_info_data *(*version_info)(CURLversion age);
    CURL *(*easy_init)(void);
    void (*easy_cleanup)(CURL *c);
    dp_curl_set *easy_setopt;
    CURLcode (*easy_getinfo)(CURL *c, CURLINFO info, ...);
    CURLM *(*multi_init)(void);
    CURLMcode (*multi_cleanup)(CURLM *m);
    CURLMcode (*multi_setopt)(CURLM *m, CURLMoption option, ...);
    CURLMcode (*multi_add_handle)(CURLM *m, CURL *c);
    CURLMcode (*multi_remove_handle)(CURLM *m, CURL *c);
    CURLMcode (*multi_perform)(CURLM *m, int *running);
    CURLMcode (*multi_poll)(CURLM *m, struct curl_waitfd *more, unsigned count, int ms, int *events);
    CURLMsg *(*multi_info_read)(CURLM *m, int *left);
} dp_curl;

/* Load it, from any thread; asked again, the first answer stands. NULL and DP_EABSENT: it is not there,
 * or too old. */
const dp_curl *dp_curl_load(dp_error *err);

#endif
