/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/load.h"

#include <string.h>
#include <sys/stat.h>

#include "cli/say.h"

dp_err dp_load_rules(dp_rules **out, const char *const *paths, size_t n, dp_error *err)
{
    dp_rules *r = NULL;
    if (dp_rules_new(&r) != DP_OK)
        return dp_fail_as(err, DP_ENOMEM);
    for (size_t i = 0; i < n; i++) {
        dp_err code = dp_rules_read(r, paths[i], err);
        if (code != DP_OK) {
            dp_rules_free(r);
            return code;
        }
    }
    *out = r;
    return DP_OK;
}

/* 1: compiled, 0: not, or negative. Only what can be read twice is asked. */
static int is_compiled(const char *path, dp_error *err)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? dp_is_compiled(path, err) : 0;
}

dp_err dp_load_engine(dp_engine **out, const char *const *paths, size_t n, dp_choice c, dp_error *err)
{
    unsigned flags = c.with_likely ? DP_WITH_LIKELY : 0;
    if (n == 1 && !c.expire) {
        int compiled = is_compiled(paths[0], err);
        if (compiled < 0)
            return (dp_err)compiled;
        if (compiled)
            return dp_engine_open(out, paths[0], flags, c.min_precision, err);
    }
    dp_rules *r = NULL;
    DP_TRY(dp_load_rules(&r, paths, n, err));
    size_t expired;
    dp_err code = c.expire ? dp_rules_expire(r, c.expire, 0, &expired, err) : DP_OK;
    if (code == DP_OK)
        code = dp_engine_new(out, r, flags, c.min_precision, err);
    dp_rules_free(r);
    return code;
}

void dp_load_compare_identity(const dp_rules *r, const char *path, const char *used)
{
    size_t      n;
    const char *learned = dp_rules_identity(r, &n);
    if (learned && (n != strlen(used) || memcmp(learned, used, n) != 0))
        dp_say("warning: %s was learned with identity=%.*s, but these records tell pages apart by %s: a rule can look "
               "wrong here that is not (--identity chooses)", dp_path_name(path), (int)n, learned, used);
}

void dp_load_check_identity(const char *path, const char *used)
{
    struct stat st;
    dp_rules   *r = NULL;
    dp_error    err = {0};
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || is_compiled(path, &err))
        return;
    if (dp_load_rules(&r, &path, 1, &err) == DP_OK)
        dp_load_compare_identity(r, path, used);
    dp_rules_free(r);
}
