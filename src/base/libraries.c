/* SPDX-License-Identifier: Apache-2.0 */
#include "base/libraries.h"

#include "base/str.h"

static const struct {
    const char *name;
    const char *(*version)(void);
    const char *serves;
} libraries[] = {
    {"libcurl", dp_curl_version, "fetching pages: validate"},
    {"gumbo", dp_gumbo_version, "HTML pages of WARC files: cluster, learn and others; validate"},
    {"LMDB", dp_lmdb_version, "apply --seen, learn --state"},
    {"OpenBLAS", dp_openblas_version, "learn --method seq2seq"},
    {"libmicrohttpd", dp_microhttpd_version, "review --serve"},
};

const char *dp_library(size_t i, const char **version, const char **serves)
{
    if (i >= DP_COUNT(libraries))
        return NULL;
    *version = libraries[i].version();
    *serves = libraries[i].serves;
    return libraries[i].name;
}

dp_err dp_library_fail(dp_error *err, const char *what, const char *library)
{
    return dp_fail_at(err, DP_EABSENT, NULL, 0, 0,
                      "%s needs %s, and this dustpan was built without it (dustpan --version -v)", what, library);
}
