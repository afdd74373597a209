/* SPDX-License-Identifier: Apache-2.0 */
#include "live/curl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#include "base/libraries.h"
#include "base/str.h"

static struct {
    dp_curl functions;
    bool    is_loaded;
} curl;

/* The second has the same functions and other certificates' code. */
static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};

static const struct {
    const char *name;
    size_t      at; /* in dp_curl */
} functions[] = {
    {"curl_global_init", offsetof(dp_curl, global_init)},
    {"curl_version_info", offsetof(dp_curl, version_info)},
    {"curl_easy_init", offsetof(dp_curl, easy_init)},
    {"curl_easy_cleanup", offsetof(dp_curl, easy_cleanup)},
    {"curl_easy_setopt", offsetof(dp_curl, easy_setopt)},
    {"curl_easy_getinfo", offsetof(dp_curl, easy_getinfo)},
    {"curl_multi_init", offsetof(dp_curl, multi_init)},
    {"curl_multi_cleanup", offsetof(dp_curl, multi_cleanup)},
    {"curl_multi_setopt", offsetof(dp_curl, multi_setopt)},
    {"curl_multi_add_handle", offsetof(dp_curl, multi_add_handle)},
    {"curl_multi_remove_handle", offsetof(dp_curl, multi_remove_handle)},
    {"curl_multi_perform", offsetof(dp_curl, multi_perform)},
    {"curl_multi_poll", offsetof(dp_curl, multi_poll)},
    {"curl_multi_info_read", offsetof(dp_curl, multi_info_read)},
};

static void load(void)
{
    void *library = NULL;
    for (size_t i = 0; i < DP_COUNT(names) && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < DP_COUNT(functions); i++) {
        void *found = library ? dlsym(library, functions[i].name) : NULL;
        if (!found)
            return;
        memcpy((char *)&curl.functions + functions[i].at, &found, sizeof found);
    }
    curl.is_loaded = curl.functions.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

const dp_curl *dp_curl_load(dp_error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    if (curl.is_loaded)
        return &curl.functions;
    dp_fail(err, DP_EABSENT, "fetching pages needs libcurl, which is not installed (Debian: apt install libcurl4)");
    return NULL;
}

const char *dp_curl_version(void)
{
    const dp_curl *c = dp_curl_load(NULL);
    return c ? c->version_info(CURLVERSION_NOW)->version : NULL;
}
