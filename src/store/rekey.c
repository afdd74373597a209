/* rekey.c - dp_seen_rekey of dustpan.h: a seen-set for other rules.
 *
 *     key k of the old rules ──► key(k) under the new ones, in its place; foreign ones tagged (foreign.h)
 *
 * All in one transaction: who reads meanwhile sees the old keys, who is killed leaves them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>

#include "base/buf.h"
#include "store/foreign.h"
#include "store/seen.h"

typedef struct rekeying {
    const dp_engine *engine;
    dp_scratch      *scratch;
    dp_buf           last, entry; /* copies, since the tree moves under us */
    dp_buf           tagged;
    bool             again;       /* another entry has come to the place of the last */
} rekeying;

/* Go to the first entry of a tree behind r->last, or to that again; r->last becomes its key, r->entry its value. */
static int next_entry(MDB_cursor *c, rekeying *r)
{
    MDB_val key = {r->last.n, r->last.p}, value;
    int     code = mdb_cursor_get(c, &key, &value, r->last.n ? MDB_SET_RANGE : MDB_FIRST);
    if (code == 0 && !r->again && dp_str_eq(dp_buf_view(&r->last), (dp_str){key.mv_data, key.mv_size}))
        code = mdb_cursor_get(c, &key, &value, MDB_NEXT);
    if (code)
        return code;
    dp_buf_reset(&r->last);
    dp_buf_reset(&r->entry);
    dp_buf_add(&r->last, key.mv_data, key.mv_size);
    dp_buf_add(&r->entry, value.mv_data, value.mv_size);
    r->again = false;
    return r->last.failed || r->entry.failed ? ENOMEM : 0;
}

/* Add the new form of `key`; `*moved` says whether it has another one. */
static int rekey(dp_seen *s, MDB_txn *txn, rekeying *r, dp_str key, bool *moved)
{
    dp_str form;
    bool   fresh;
    form.p = dp_apply_view(r->engine, r->scratch, DP_KEY, key.p ? key.p : "", key.n, &form.n);
    if (!form.p)
        return ENOMEM;
    *moved = !dp_str_eq(form, key);
    dp_str own = {0};
    own.p = dp_scratch_foreign(r->scratch, &own.n);
    if (own.p) {
        dp_buf_reset(&r->tagged);
        dp_foreign_key(&r->tagged, own, form);
        form = dp_buf_view(&r->tagged);
    }
    if (r->tagged.failed)
        return ENOMEM;
    return *moved ? dp_seen_put(s, txn, form, &fresh) : 0;
}

/* One that was put in further on is met again, and stays: a key is its own key. */
static int rekey_tree(dp_seen *s, MDB_txn *txn, rekeying *r, MDB_dbi tree)
{
    MDB_cursor *c;
    int         code = mdb_cursor_open(txn, tree, &c);
    if (code)
        return code;
    dp_buf_reset(&r->last);
    while (code == 0 && (code = next_entry(c, r)) == 0) {
        bool    moved = false, is_long = tree == s->longs;
        MDB_val key = {r->last.n, r->last.p};
        code = rekey(s, txn, r, dp_buf_view(is_long ? &r->entry : &r->last), &moved);
        if (code == 0 && moved)
            code = is_long ? dp_seen_drop_long(s, txn, dp_buf_view(&r->last), &r->again)
                           : mdb_del(txn, s->keys, &key, NULL);
    }
    mdb_cursor_close(c);
    return code == MDB_NOTFOUND ? 0 : code;
}

static int rekey_all(dp_seen *s, MDB_txn *txn, void *ctx)
{
    rekeying *r = ctx;
    uint64_t  set = dp_engine_set_id(r->engine);
    MDB_val   name = {sizeof dp_seen_magic - 1, (void *)dp_seen_magic}, value = {sizeof set, &set};
    int       code = dp_pages_check_all(&s->pages, txn);
    if (code == 0)
        code = rekey_tree(s, txn, r, s->keys);
    if (code == 0)
        code = rekey_tree(s, txn, r, s->longs);
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
    dp_buf_done(&r.last);
    dp_buf_done(&r.entry);
    dp_buf_done(&r.tagged);
    return code ? dp_seen_fail(s, code, err) : DP_OK;
}
