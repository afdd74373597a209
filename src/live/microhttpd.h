/* live/microhttpd.h - GNU libmicrohttpd, loaded when a page is served and not before.
 *
 *     dp_mhd_load ──► libmicrohttpd.so.12 ──► dp_mhd: its functions
 *
 * By name, as libcurl is (live/curl.h): a program that is linked with it loads GnuTLS in every command. Its header is
 * needed to build; where that is missing too, src/absent/microhttpd.c stands in for live/serve.c and this.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_MICROHTTPD_H
#define DP_LIVE_MICROHTTPD_H

#include <microhttpd.h>
#include <stdbool.h>

#include "base/err.h"

typedef struct MHD_Daemon *dp_mhd_start(unsigned flags, uint16_t port, MHD_AcceptPolicyCallback accept, void *with,
                                        MHD_AccessHandlerCallback answer, void *ctx, ...);
typedef const union MHD_DaemonInfo *dp_mhd_info(struct MHD_Daemon *d, enum MHD_DaemonInfoType what, ...);

typedef struct dp_mhd {
    dp_mhd_start *start_daemon;
    void (*stop_daemon)(struct MHD_Daemon *d);
    dp_mhd_info *get_daemon_info;
    const char *(*get_version)(void);
    const char *(*lookup_connection_value)(struct MHD_Connection *c, enum MHD_ValueKind kind, const char *name);
    struct MHD_Response *(*create_response_from_buffer)(size_t n, void *p, enum MHD_ResponseMemoryMode mode);
    enum MHD_Result (*add_response_header)(struct MHD_Response *r, const char *name, const char *value);
    enum MHD_Result (*queue_response)(struct MHD_Connection *c, unsigned status, struct MHD_Response *r);
    void (*destroy_response)(struct MHD_Response *r);
} dp_mhd;

/* Load it, from any thread; asked again, the first answer stands. NULL and DP_EABSENT: it is not there. */
const dp_mhd *dp_mhd_load(dp_error *err);

#endif
