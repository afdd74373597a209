/* rekey.c - dp_seen_rekey of dustpan.h: a seen-set for other rules.
 *
 *     key k of the old rules ──► key(k) under the new ones, in its place; foreign ones tagged (foreign.h)
 *     where its first URL u is known (rollback.h): key(u), which is right also where the old rules were wrong
 *
 * All in one transaction: who reads meanwhile sees the old keys, who is killed leaves them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>

#include "base/buf.h"
#include "store/foreign.h"
#include "store/rollback.h"

typedef struct rekeying {
    const dp_engine *engine;
    dp_scratch      *scratch;
    dp_buf           tagged, note;
} rekeying;

/* The key of a URL, in r->scratch or r->tagged; the rules that fired are appended to `rules`. */
static int find_key(rekeying *r, dp_str url, dp_str *key, dp_buf *rules)
{
    dp_str own = {0};
    size_t n = 0;
    key->p = dp_apply_view(r->engine, r->scratch, DP_KEY, url.p ? url.p : "", url.n, &key->n);
    if (!key->p)
        return ENOMEM;
    const uint32_t *fired = dp_scratch_hit_limit(r->scratch) ? NULL : dp_scratch_fired(r->scratch, &n);
    for (size_t i = 0; i < n; i++)
        dp_rollback_add_id(rules, dp_engine_id(r->engine, fired[i]));
    own.p = dp_scratch_foreign(r->scratch, &own.n);
    if (own.p) {
        dp_buf_reset(&r->tagged);
        dp_foreign_key(&r->tagged, own, *key);
        *key = dp_buf_view(&r->tagged);
    }
    return r->tagged.failed || rules->failed ? ENOMEM : 0;
}

/* Give the key at which `v` stands its new form: that of the URL that had it first, where it is known. One that was put
 * in further on is met again, and stays. */
static int rekey(dp_seen *s, rekeying *r, dp_seen_visit *v, dp_str key, dp_str note)
{
    dp_str form, rules, first;
    bool   fresh;
    if (!dp_rollback_read_first(note, &rules, &first))
        return MDB_CORRUPTED;
    first = first.n ? first : key;
    dp_buf_reset(&r->note);
    int code = find_key(r, first, &form, &r->note);
    if (code)
        return code;
    dp_rollback_write_first(&s->note, s->remembers ? dp_buf_view(&r->note) : DP_STR(""), first);
    if (s->note.failed)
        return ENOMEM;
    dp_str now = dp_buf_view(&s->note);
    if (dp_str_eq(form, key))
        return dp_str_eq(now, note) ? 0 : dp_seen_keys_set(&s->known, v->txn, key, now);
    code = dp_seen_keys_put(&s->known, v->txn, form, now, &fresh);
    return code ? code : dp_seen_visit_drop(v);
}

/* What was left out is left out by the new rules, too: these are added to those that have done it before. */
static int rekey_hidden(dp_seen *s, rekeying *r, dp_seen_visit *v, dp_str url, dp_str rules)
{
    dp_str key;
    bool   is_first;
    dp_buf_reset(&r->note);
    dp_buf_str(&r->note, rules);
    int code = find_key(r, url, &key, &r->note);
    if (code == 0)
        code = dp_rollback_add_first(s, v->txn, key, url, &r->note, &is_first);
    return code || r->note.n == rules.n ? code : dp_seen_keys_set(&s->hidden, v->txn, url, dp_buf_view(&r->note));
}

static int rekey_each(dp_seen *s, MDB_txn *txn, rekeying *r, dp_seen_keys *k)
{
    dp_seen_visit v = {.k = k, .txn = txn};
    dp_str        key, note;
    int           code = 0;
    while (code == 0 && (code = dp_seen_visit_next(&v, &key, &note)) == 0)
        code = (k == &s->known ? rekey : rekey_hidden)(s, r, &v, key, note);
    dp_seen_visit_done(&v);
    return code == MDB_NOTFOUND ? 0 : code;
}

static int rekey_all(dp_seen *s, MDB_txn *txn, void *ctx)
{
    rekeying *r = ctx;
    uint64_t  set = dp_engine_set_id(r->engine);
    MDB_val   name = {sizeof dp_seen_magic - 1, (void *)dp_seen_magic}, value = {sizeof set, &set};
    int       code = dp_pages_check_all(&s->pages, txn);
    if (code == 0)
        code = rekey_each(s, txn, r, &s->known);
    if (code == 0 && s->remembers)
        code = rekey_each(s, txn, r, &s->hidden);
    return code ? code : mdb_put(txn, s->meta, &name, &value, 0);
}

dp_err dp_seen_rekey(dp_seen *s, const dp_engine *e, dp_error *err)
{
    rekeying r = {.engine = e};
    if (s->txn)
        return dp_fail_at(err, DP_EINVALID, s->path, 0, 0, "the batch before this one was not committed");
    int code = dp_scratch_new(&r.scratch) == DP_OK ? dp_seen_apply(s, rekey_all, &r) : ENOMEM;
    if (code == 0)
        s->set = dp_engine_set_id(e);
    dp_scratch_free(r.scratch);
    dp_buf_done(&r.tagged);
    dp_buf_done(&r.note);
    return code ? dp_seen_fail(s, code, err) : DP_OK;
}
