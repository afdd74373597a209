/* SPDX-License-Identifier: Apache-2.0 */
#include "output/sieve.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/room.h"
#include "base/secret.h"
#include "store/foreign.h"

static dp_err add_source(dp_sieve *s, const dp_ask *ask, dp_str key, dp_error *err)
{
    const uint64_t at[] = {0, key.n};
    dp_hash128     hash = dp_secret_hash128(dp_secret_of_process(), key);
    uint8_t        said;
    bool           fresh;
    if (!s->seen)
        return dp_unique_add(s->unique, &hash, 1, &fresh, err);
    DP_TRY(dp_seen_about(s->seen, ask->source_url.p, ask->source_url.n, ask->source_rules, ask->source_nrules, 0, err));
    DP_TRY(dp_seen_add(s->seen, key.p, at, 1, 0, &said, err));
    return dp_seen_commit(s->seen, err);
}

dp_err dp_sieve_init(dp_sieve *s, const dp_ask *ask, dp_error *err)
{
    *s = (dp_sieve){.seen = ask->unique ? ask->seen : NULL};
    if (!ask->unique)
        return DP_OK;
    if (!s->seen) {
        DP_TRY(dp_unique_new(&s->unique));
        dp_unique_limit(s->unique, ask->memory, ask->tmp);
    }
    if (!ask->has_source)
        return DP_OK;
    dp_buf tagged = {0};
    if (ask->source_own.n)
        dp_foreign_key(&tagged, ask->source_own, ask->source_key);
    dp_str key = tagged.n ? dp_buf_view(&tagged) : ask->source_key;
    dp_err code = tagged.failed ? DP_ENOMEM : add_source(s, ask, key, err);
    dp_buf_done(&tagged);
    return code;
}

void dp_sieve_done(dp_sieve *s)
{
    if (s->seen)
        dp_seen_forget(s->seen);
    dp_unique_free(s->unique);
    free(s->fresh);
    free(s->first);
    free(s->said);
    free(s->known);
    *s = (dp_sieve){0};
}

static dp_err reserve(dp_sieve *s, const dp_answers *a)
{
    size_t cap[] = {s->cap, s->cap};
    if (!DP_ROOM_FOR(s->fresh, a->lines, cap[0]) || !DP_ROOM_FOR(s->first, a->lines, cap[1]) ||
        !DP_ROOM_FOR(s->known, a->lines, s->cap) || !DP_ROOM_FOR(s->said, a->keys_told, s->text_cap))
        return DP_ENOMEM;
    return DP_OK;
}

/* s->fresh of all lines with keys, in their order; a foreign one is out when its key is in `u`. */
static dp_err ask_unique(dp_sieve *s, dp_unique *u, const dp_answers *a, dp_error *err)
{
    for (size_t i = 0, next; i < a->lines; i = next) {
        for (next = i; next < a->lines && (!a->nforeign || dp_hash128_is_none(a->other[next])); next++) {}
        DP_TRY(dp_unique_add(u, a->hash + i, next - i, s->fresh + i, err));
        if (next == a->lines)
            break;
        if (dp_unique_has(u, a->other[next]))
            s->fresh[next] = false;
        else
            DP_TRY(dp_unique_add(u, a->hash + next, 1, s->fresh + next, err));
        next++;
    }
    return DP_OK;
}

/* Whether line `i`, of which `other` foreign ones come before, is foreign and left out. */
static bool is_out(const dp_sieve *s, const dp_answers *a, size_t i, size_t other)
{
    return a->nforeign && !dp_hash128_is_none(a->other[i]) && (s->known[other] || !s->fresh[i]);
}

/* Tell the file which URLs the keys are of, where it remembers them. A foreign line that is out does not mark its key,
 * neither by itself nor with its domain. */
static dp_err tell_urls(dp_sieve *s, const dp_answers *a, dp_error *err)
{
    size_t key = 0, other = 0, url = 0, rule = 0;
    for (size_t i = 0; i < a->lines; i++) {
        bool out = is_out(s, a, i, other);
        other += a->nforeign && !dp_hash128_is_none(a->other[i]);
        for (int tag = 0; tag < 2; tag++) {
            if (dp_hash128_is_none((tag ? a->tag : a->hash)[i]))
                continue;
            dp_told_url to = a->told[key++];
            DP_TRY(dp_seen_about(s->seen, a->urls.p ? a->urls.p + url : "", to.url - url, a->rules + rule,
                                 to.rules - rule, !tag && out, err));
            url = to.url;
            rule = to.rules;
        }
    }
    return DP_OK;
}

/* The same by the file. It is told of all lines at once: what comes before what is asked of those of this chunk. */
static dp_err ask_seen(dp_sieve *s, const dp_answers *a, dp_error *err)
{
    dp_unique *chunk = NULL;
    dp_err     code = a->nforeign ? dp_unique_new(&chunk) : DP_OK;
    if (code == DP_OK && chunk)
        code = dp_seen_has(s->seen, a->others.p, a->other_at, a->nforeign, 0, s->known, err);
    if (code == DP_OK && chunk)
        code = ask_unique(s, chunk, a, err);
    dp_unique_free(chunk);
    if (code == DP_OK && dp_seen_remembers(s->seen))
        code = tell_urls(s, a, err);
    if (code == DP_OK)
        code = dp_seen_add(s->seen, a->texts.p ? a->texts.p : "", a->text_at, a->keys_told, 0, s->said, err);
    for (size_t i = 0, key = 0, other = 0; i < a->lines && code == DP_OK; i++) {
        bool out = is_out(s, a, i, other);
        other += a->nforeign && !dp_hash128_is_none(a->other[i]);
        s->fresh[i] = !dp_hash128_is_none(a->hash[i]) && s->said[key++] && !out;
        s->first[i] = !dp_hash128_is_none(a->tag[i]) && s->said[key++];
    }
    return code;
}

/* s->first of all lines, where there is no file. */
static dp_err ask_tags(dp_sieve *s, const dp_answers *a, dp_error *err)
{
    for (size_t i = 0; i < a->lines; i++) {
        s->first[i] = false;
        if (!dp_hash128_is_none(a->tag[i]))
            DP_TRY(dp_unique_add(s->unique, &a->tag[i], 1, &s->first[i], err));
    }
    return DP_OK;
}

/* s->fresh and s->first of all lines. */
static dp_err ask_each(dp_sieve *s, const dp_answers *a, dp_error *err)
{
    DP_TRY(s->seen ? ask_seen(s, a, err) : ask_unique(s, s->unique, a, err));
    if (!s->seen)
        DP_TRY(ask_tags(s, a, err));
    for (size_t i = 0; i < a->lines; i++)
        s->fresh[i] |= dp_hash128_is_none(a->hash[i]);
    return DP_OK;
}

static bool is_probe(const dp_sieve *s, size_t i)
{
    return !s->fresh[i] && s->first[i];
}

static bool stays(const dp_sieve *s, size_t i)
{
    return s->fresh[i] || s->first[i];
}

/* Move bytes of a->out to the end of what stays of it. */
static void move(dp_answers *a, size_t *to, size_t from, size_t end)
{
    if (*to != from)
        memmove(a->out.p + *to, a->out.p + from, end - from);
    *to += end - from;
}

/* Move answer `i` there without its mark. */
static void move_unmarked(dp_answers *a, size_t *to, size_t i)
{
    move(a, to, i ? a->end[i - 1] : 0, a->mark[i].from);
    memcpy(a->out.p + *to, a->unmarked, strlen(a->unmarked));
    *to += strlen(a->unmarked);
    move(a, to, a->mark[i].to, a->end[i]);
}

dp_err dp_sieve_pass(dp_sieve *s, dp_answers *a, dp_sieved *out, dp_error *err)
{
    *out = (dp_sieved){a->lines, 0};
    if ((!s->unique && !s->seen) || !a->lines)
        return DP_OK;
    DP_TRY(reserve(s, a));
    DP_TRY(ask_each(s, a, err));
    /* Answers that stay side by side move together, and those before the first hole do not. */
    size_t to = 0;
    out->kept = 0;
    for (size_t i = 0, next; i < a->lines; i = next) {
        bool cut = s->fresh[i] && a->mark[i].to > a->mark[i].from;
        for (next = i + 1; !cut && next < a->lines && stays(s, next) == stays(s, i) && !a->mark[next].to; next++) {}
        if (!stays(s, i))
            continue;
        if (cut)
            move_unmarked(a, &to, i);
        else
            move(a, &to, i ? a->end[i - 1] : 0, a->end[next - 1]);
        out->kept += next - i;
        out->probes += is_probe(s, i);
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
