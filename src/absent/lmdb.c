/* lmdb.c - in the place of store/seen.c, seenkeys.c, rekey.c, rollback.c, state.c, pages.c and lmdbfile.c where there
 * is no LMDB: nothing is kept from one run to the next.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stddef.h>

#include "base/libraries.h"
#include "store/state.h"

/* ---- seen-sets: none can be opened, so nobody calls the rest ------------------------------------------- */

dp_err dp_seen_open(dp_seen **out, const char *path, uint64_t set, unsigned flags, dp_error *err)
{
    (void)out, (void)path, (void)set, (void)flags;
    return dp_library_fail(err, "a seen-set", "LMDB");
}

void dp_seen_close(dp_seen *s)
{
    (void)s;
}

uint64_t dp_seen_set(const dp_seen *s)
{
    (void)s;
    return 0;
}

int dp_seen_remembers(const dp_seen *s)
{
    (void)s;
    return 0;
}

dp_err dp_seen_about(dp_seen *s, const char *url, size_t len, const uint64_t *rules, size_t count, int out,
                     dp_error *err)
{
    (void)s, (void)url, (void)len, (void)rules, (void)count, (void)out;
    return dp_library_fail(err, "a seen-set", "LMDB");
}

dp_err dp_seen_rollback(dp_seen *s, const uint64_t *rules, size_t count, dp_error *err)
{
    (void)s, (void)rules, (void)count;
    return dp_library_fail(err, "a seen-set", "LMDB");
}

dp_err dp_seen_next(dp_seen *s, const char **url, size_t *len, dp_error *err)
{
    (void)s, (void)url, (void)len;
    return dp_library_fail(err, "a seen-set", "LMDB");
}

dp_err dp_seen_print(dp_text **out, dp_seen *s, dp_format format, dp_error *err)
{
    (void)out, (void)s, (void)format;
    return dp_library_fail(err, "a seen-set", "LMDB");
}

dp_err dp_seen_add(dp_seen *s, const char *keys, const uint64_t *at, size_t count, size_t gap, uint8_t *fresh,
                   dp_error *err)
{
    (void)s, (void)keys, (void)at, (void)count, (void)gap, (void)fresh;
    return dp_library_fail(err, "a seen-set", "LMDB");
}

dp_err dp_seen_commit(dp_seen *s, dp_error *err)
{
    (void)s;
    return dp_library_fail(err, "a seen-set", "LMDB");
}

void dp_seen_forget(dp_seen *s)
{
    (void)s;
}

dp_err dp_seen_has(dp_seen *s, const char *keys, const uint64_t *at, size_t count, size_t gap, uint8_t *has,
                   dp_error *err)
{
    (void)s, (void)keys, (void)at, (void)count, (void)gap, (void)has;
    return dp_library_fail(err, "a seen-set", "LMDB");
}

dp_err dp_seen_count(dp_seen *s, uint64_t *count, uint64_t *bytes, dp_error *err)
{
    (void)s, (void)count, (void)bytes;
    return dp_library_fail(err, "a seen-set", "LMDB");
}

dp_err dp_seen_rekey(dp_seen *s, const dp_engine *e, dp_error *err)
{
    (void)s, (void)e;
    return dp_library_fail(err, "a seen-set", "LMDB");
}

/* ---- states of learn: likewise ---------------------------------------------------------------------------- */

dp_err dp_statefile_open(dp_statefile **out, const dp_state_how *how, dp_error *err)
{
    (void)out, (void)how;
    return dp_library_fail(err, "--state", "LMDB");
}

dp_err dp_statefile_add(dp_statefile *s, const dp_fact *f, dp_error *err)
{
    (void)s, (void)f;
    return dp_library_fail(err, "--state", "LMDB");
}

dp_err dp_statefile_known(dp_statefile *s, bool *known, dp_error *err)
{
    (void)s, (void)known;
    return dp_library_fail(err, "--state", "LMDB");
}

dp_err dp_statefile_each(dp_statefile *s, dp_err (*call)(void *ctx, const dp_fact *f), void *ctx, dp_error *err)
{
    (void)s, (void)call, (void)ctx;
    return dp_library_fail(err, "--state", "LMDB");
}

void dp_statefile_count(const dp_statefile *s, uint64_t total[DP_FACT_COUNTS])
{
    (void)s, (void)total;
}

dp_err dp_statefile_commit(dp_statefile *s, const uint64_t total[DP_FACT_COUNTS], dp_error *err)
{
    (void)s, (void)total;
    return dp_library_fail(err, "--state", "LMDB");
}

void dp_statefile_close(dp_statefile *s)
{
    (void)s;
}

const char *dp_lmdb_version(void)
{
    return NULL;
}
