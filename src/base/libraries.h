/* base/libraries.h - the libraries that only some commands need, and the version of each that is there.
 *
 *     pkg-config finds gumbo      src/content/html.c is built      dp_gumbo_version() is "0.10.1"
 *     it does not                 src/absent/gumbo.c stands in     dp_gumbo_version() is NULL
 *
 * The Makefile chooses (its OPTIONAL). A stand-in has the functions of the files whose place it takes; those that
 * cannot work without the library return DP_EABSENT. Libraries that are loaded when they are needed are absent too
 * where they are not installed: asking for their version loads them.
 *
 * dp_library of dustpan.h puts them into one list.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_LIBRARIES_H
#define DP_BASE_LIBRARIES_H

#include "base/err.h"

/* NULL: it is absent. */
const char *dp_curl_version(void);
const char *dp_gumbo_version(void);
const char *dp_lmdb_version(void);
const char *dp_openblas_version(void);
const char *dp_microhttpd_version(void);

/* For stand-ins: DP_EABSENT, with the words "`what` needs `library`, and this dustpan was built without it". */
dp_err dp_library_fail(dp_error *err, const char *what, const char *library);

#endif
