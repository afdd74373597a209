/* SPDX-License-Identifier: Apache-2.0 */
#include "output/sieve.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/secret.h"

dp_err dp_sieve_init(dp_sieve *s, const dp_ask *ask, dp_error *err)
{
    *s = (dp_sieve){.seen = ask->unique ? ask->seen : NULL};
    if (!ask->unique)
        return DP_OK;
    if (s->seen) {
        const uint64_t at[] = {0, ask->source_key.n};
        uint8_t        fresh;
        if (ask->has_source)
            DP_TRY(dp_seen_add(s->seen, ask->source_key.p, at, 1, 0, &fresh, err));
        return dp_seen_commit(s->seen, err);
    }
    DP_TRY(dp_unique_new(&s->unique));
    dp_unique_limit(s->unique, ask->memory, ask->tmp);
    dp_hash128 source = dp_secret_hash128(dp_secret_of_process(), ask->source_key);
    bool       fresh;
    return ask->has_source ? dp_unique_add(s->unique, &source, 1, &fresh, err) : DP_OK;
}

void dp_sieve_done(dp_sieve *s)
{
    if (s->seen)
        dp_seen_forget(s->seen);
    dp_unique_free(s->unique);
    free(s->fresh);
    free(s->said);
    *s = (dp_sieve){0};
}

static dp_err reserve(dp_sieve *s, const dp_answers *a)
{
    if (s->cap >= a->lines)
        return DP_OK;
    free(s->fresh);
    free(s->said);
    s->fresh = malloc(a->cap);
    s->said = s->seen ? malloc(a->cap) : NULL;
    s->cap = s->fresh && (s->said || !s->seen) ? a->cap : 0;
    return s->cap ? DP_OK : DP_ENOMEM;
}

/* s->fresh of all lines. */
static dp_err ask_each(dp_sieve *s, const dp_answers *a, dp_error *err)
{
    if (s->seen)
        DP_TRY(dp_seen_add(s->seen, a->texts.p ? a->texts.p : "", a->text_at, a->keys_told, 0, s->said, err));
    else
        DP_TRY(dp_unique_add(s->unique, a->hash, a->lines, s->fresh, err));
    for (size_t i = 0, key = 0; i < a->lines; i++) {
        if (dp_hash128_is_none(a->hash[i]))
            s->fresh[i] = true;
        else if (s->seen)
            s->fresh[i] = s->said[key++];
    }
    return DP_OK;
}

dp_err dp_sieve_pass(dp_sieve *s, dp_answers *a, size_t *kept, dp_error *err)
{
    *kept = a->lines;
    if ((!s->unique && !s->seen) || !a->lines)
        return DP_OK;
    DP_TRY(reserve(s, a));
    DP_TRY(ask_each(s, a, err));
    /* Answers that stay side by side move together, and those before the first hole do not. */
    size_t to = 0;
    *kept = 0;
    for (size_t i = 0, next; i < a->lines; i = next) {
        for (next = i + 1; next < a->lines && s->fresh[next] == s->fresh[i]; next++) {}
        if (!s->fresh[i])
            continue;
        size_t begin = i ? a->end[i - 1] : 0, n = a->end[next - 1] - begin;
        if (to != begin)
            memmove(a->out.p + to, a->out.p + begin, n);
        to += n;
        *kept += next - i;
    }
    a->out.n = to;
    return DP_OK;
}

dp_err dp_sieve_settle(dp_sieve *s, int fd, dp_error *err)
{
    if (!s->seen)
        return DP_OK;
    /* Answers in a file reach the disk before their keys do; a pipe or a terminal cannot be synced. */
    if (fdatasync(fd) != 0 && errno != EINVAL && errno != EROFS)
        return dp_fail(err, DP_EIO, "%s", strerror(errno));
    return dp_seen_commit(s->seen, err);
}
