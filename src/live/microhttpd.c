/* SPDX-License-Identifier: Apache-2.0 */
#include "live/microhttpd.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "base/libraries.h"
#include "base/str.h"

static struct {
    dp_mhd functions;
    bool   is_loaded;
} mhd;

static const struct {
    const char *name;
    size_t      at; /* in dp_mhd */
} functions[] = {
    {"MHD_start_daemon", offsetof(dp_mhd, start_daemon)},
    {"MHD_stop_daemon", offsetof(dp_mhd, stop_daemon)},
    {"MHD_get_daemon_info", offsetof(dp_mhd, get_daemon_info)},
    {"MHD_get_version", offsetof(dp_mhd, get_version)},
    {"MHD_lookup_connection_value", offsetof(dp_mhd, lookup_connection_value)},
    {"MHD_create_response_from_buffer", offsetof(dp_mhd, create_response_from_buffer)},
    {"MHD_add_response_header", offsetof(dp_mhd, add_response_header)},
    {"MHD_queue_response", offsetof(dp_mhd, queue_response)},
    {"MHD_destroy_response", offsetof(dp_mhd, destroy_response)},
};

static void load(void)
{
    void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < DP_COUNT(functions); i++) {
        void *found = library ? dlsym(library, functions[i].name) : NULL;
        if (!found)
            return;
        memcpy((char *)&mhd.functions + functions[i].at, &found, sizeof found);
    }
    mhd.is_loaded = true;
}

const dp_mhd *dp_mhd_load(dp_error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    if (mhd.is_loaded)
        return &mhd.functions;
    dp_fail(err, DP_EABSENT,
            "serving a page needs libmicrohttpd, which is not installed (Debian: apt install libmicrohttpd12)");
    return NULL;
}

const char *dp_microhttpd_version(void)
{
    const dp_mhd *m = dp_mhd_load(NULL);
    return m ? m->get_version() : NULL;
}
