/* SPDX-License-Identifier: Apache-2.0 */
#include "store/rollback.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/room.h"
#include "base/text.h"
#include "base/words/json.h"
#include "store/foreign.h"

/* ---- rules and notes --------------------------------------------------------------------------------------- */

static bool has_rule(dp_str rules, const char *rule)
{
    for (size_t i = 0; i + DP_RULE_BYTES <= rules.n; i += DP_RULE_BYTES) {
        if (memcmp(rules.p + i, rule, DP_RULE_BYTES) == 0)
            return true;
    }
    return false;
}

static bool have_common(dp_str rules, dp_str others)
{
    for (size_t i = 0; i + DP_RULE_BYTES <= others.n; i += DP_RULE_BYTES) {
        if (has_rule(rules, others.p + i))
            return true;
    }
    return false;
}

void dp_rollback_add_rules(dp_buf *rules, dp_str more)
{
    for (size_t i = 0; i + DP_RULE_BYTES <= more.n; i += DP_RULE_BYTES) {
        if (!has_rule(dp_buf_view(rules), more.p + i))
            dp_buf_add(rules, more.p + i, DP_RULE_BYTES);
    }
}

void dp_rollback_add_id(dp_buf *rules, uint64_t id)
{
    char rule[DP_RULE_BYTES];
    for (int i = 0; i < DP_RULE_BYTES; i++)
        rule[i] = (char)(id >> (56 - 8 * i));
    dp_rollback_add_rules(rules, (dp_str){rule, sizeof rule});
}

static void add_ids(dp_buf *out, const uint64_t *ids, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dp_rollback_add_id(out, ids[i]);
}

bool dp_rollback_read_first(dp_str note, dp_str *rules, dp_str *url)
{
    size_t n = note.n ? (size_t)(unsigned char)note.p[0] * DP_RULE_BYTES : 0;
    *rules = *url = DP_STR("");
    if (!note.n)
        return true;
    if (n + 1 > note.n)
        return false;
    *rules = dp_str_cut(note, 1, 1 + n);
    *url = dp_str_cut(note, 1 + n, note.n);
    return true;
}

void dp_rollback_write_first(dp_buf *note, dp_str rules, dp_str url)
{
    dp_buf_reset(note);
    if (!rules.n)
        return;
    dp_buf_byte(note, (char)(rules.n / DP_RULE_BYTES));
    dp_buf_str(note, rules);
    dp_buf_str(note, url);
}

/* ---- what is told of a batch ------------------------------------------------------------------------------- */

dp_err dp_seen_about(dp_seen *s, const char *url, size_t len, const uint64_t *rules, size_t count, int out,
                     dp_error *err)
{
    const char *fragment = len ? memchr(url, '#', len) : NULL;
    dp_buf      own = {0};
    if (!s->remembers)
        return DP_OK;
    if (!DP_ROOM(s->about, s->nabout, s->about_cap))
        return dp_fail_as(err, DP_ENOMEM);
    add_ids(&own, rules, count);
    bool   many = own.n > UINT8_MAX * DP_RULE_BYTES;
    size_t before = s->urls.n;
    dp_buf_add(&s->urls, url, fragment ? (size_t)(fragment - url) : len);
    if (!s->urls.failed)
        dp_buf_str(&s->rules, dp_buf_view(&own));
    bool failed = own.failed || s->rules.failed || s->urls.failed;
    dp_buf_done(&own);
    if (many || failed) {
        s->urls.n = before;
        return dp_fail_as(err, many ? DP_ELIMIT : DP_ENOMEM);
    }
    s->about[s->nabout++] = (dp_seen_url){s->urls.n, s->rules.n, out != 0};
    return DP_OK;
}

void dp_rollback_reset(dp_seen *s)
{
    s->nabout = 0;
    dp_buf_reset(&s->urls);
    dp_buf_reset(&s->rules);
}

static dp_str url_of(const dp_seen *s, size_t i)
{
    return i < s->nabout ? dp_str_cut(dp_buf_view(&s->urls), i ? s->about[i - 1].url : 0, s->about[i].url) : DP_STR("");
}

static dp_str rules_of(const dp_seen *s, size_t i)
{
    return i < s->nabout ? dp_str_cut(dp_buf_view(&s->rules), i ? s->about[i - 1].rules : 0, s->about[i].rules)
                         : DP_STR("");
}

/* ---- remembering ------------------------------------------------------------------------------------------- */

/* What is looked up for the URLs of a batch, one after another, as the tables have it. */
typedef struct walk {
    dp_seen             *s;
    const dp_seen_batch *b; /* of the keys that foreign ones stand for; NULL: of the URLs themselves */
    size_t               i;
    bool                 longs;
    dp_long_name         name;
} walk;

static bool next_text(void *ctx, dp_str *key)
{
    walk               *w = ctx;
    const dp_seen_keys *k = w->b ? &w->s->known : &w->s->hidden;
    for (; w->i < w->s->nabout; w->i++) {
        *key = w->b ? dp_foreign_inner(dp_seen_batch_key(w->b, w->i)) : url_of(w->s, w->i);
        if ((w->b ? w->s->about[w->i].out : key->n != 0) && dp_seen_keys_is_long(k, *key) == w->longs)
            break;
    }
    if (w->i++ >= w->s->nabout)
        return false;
    if (w->longs)
        *key = dp_seen_keys_name(k, *key, &w->name);
    return true;
}

int dp_rollback_check_pages(dp_seen *s, MDB_txn *txn, const dp_seen_batch *b)
{
    int code = s->nabout > b->count ? EINVAL : 0;
    for (int i = 0; i < 4 && code == 0 && s->nabout; i++) {
        const dp_seen_keys *k = i / 2 ? &s->known : &s->hidden;
        walk                w = {.s = s, .b = i / 2 ? b : NULL, .longs = i % 2};
        code = dp_pages_check_keys(&s->pages, txn, i % 2 ? k->long_name : k->name, next_text, &w);
    }
    return code;
}

int dp_rollback_first(dp_seen *s, size_t i, dp_str *note)
{
    dp_rollback_write_first(&s->note, rules_of(s, i), url_of(s, i));
    *note = dp_buf_view(&s->note);
    return s->note.failed ? ENOMEM : 0;
}

int dp_rollback_add_first(dp_seen *s, MDB_txn *txn, dp_str key, dp_str url, dp_buf *rules, bool *is_first)
{
    dp_str keys[] = {key, dp_foreign_inner(key)}, note, of, first;
    int    code = 0;
    *is_first = false;
    for (int i = 0; i < 2 && code == 0; i++) {
        if (i && keys[i].n == key.n)
            break;
        code = dp_seen_keys_get(&s->known, txn, keys[i], &note);
        if (code == 0 && !dp_rollback_read_first(note, &of, &first))
            return MDB_CORRUPTED;
        if (code == 0) {
            dp_rollback_add_rules(rules, of);
            *is_first |= first.n && dp_str_eq(first, url);
        }
        code = code == MDB_NOTFOUND ? 0 : code;
    }
    return code || !rules->failed ? code : ENOMEM;
}

/* Add rules to those that a URL is remembered with, in s->note. */
static int remember(dp_seen *s, MDB_txn *txn, dp_str url)
{
    dp_str before;
    bool   fresh;
    int    code = dp_seen_keys_get(&s->hidden, txn, url, &before);
    if (code == MDB_NOTFOUND)
        return dp_seen_keys_put(&s->hidden, txn, url, dp_buf_view(&s->note), &fresh);
    size_t n = s->note.n;
    if (code == 0)
        dp_rollback_add_rules(&s->note, before);
    if (code || s->note.failed)
        return code ? code : ENOMEM;
    return n == before.n && s->note.n == n ? 0 : dp_seen_keys_set(&s->hidden, txn, url, dp_buf_view(&s->note));
}

int dp_rollback_add(dp_seen *s, MDB_txn *txn, const dp_seen_batch *b)
{
    int code = 0;
    for (size_t i = 0; i < s->nabout && code == 0; i++) {
        dp_str url = url_of(s, i);
        bool   is_first;
        if (b->fresh[i] || !url.n)
            continue;
        dp_buf_reset(&s->note);
        dp_buf_str(&s->note, rules_of(s, i));
        code = dp_rollback_add_first(s, txn, dp_seen_batch_key(b, i), url, &s->note, &is_first);
        if (code == 0 && s->note.n && !is_first)
            code = remember(s, txn, url);
    }
    return code;
}

/* ---- taking back ------------------------------------------------------------------------------------------- */

/* Keys that some rules have made give way to their first URLs. */
static int take_back(dp_seen *s, MDB_txn *txn, void *ctx)
{
    dp_seen_visit v = {.k = &s->known, .txn = txn};
    uint64_t      count;
    size_t        pages[2];
    dp_str        key, note, rules, first;
    bool          fresh;
    int           code = dp_pages_check_all(&s->pages, txn);
    (void)ctx;
    if (code || (code = dp_seen_keys_count(&s->known, txn, &count, &pages[0])) ||
        (code = dp_seen_keys_count(&s->hidden, txn, &count, &pages[1])) ||
        (code = dp_seen_check_room(s, txn, 3 * (pages[0] + pages[1]) + 1024)))
        return code;
    while (code == 0 && (code = dp_seen_visit_next(&v, &key, &note)) == 0) {
        if (!dp_rollback_read_first(note, &rules, &first))
            code = MDB_CORRUPTED;
        if (code == 0 && have_common(dp_buf_view(&s->wanted), rules) && (code = dp_seen_visit_drop(&v)) == 0)
            code = dp_seen_keys_put(&s->known, txn, first, DP_STR(""), &fresh);
    }
    dp_seen_visit_done(&v);
    return code == MDB_NOTFOUND ? 0 : code;
}

dp_err dp_seen_rollback(dp_seen *s, const uint64_t *rules, size_t count, dp_error *err)
{
    if (!s->remembers)
        return dp_fail_at(err, DP_EINVALID, s->path, 0, 0,
                          "does not remember URLs: 'dustpan apply --remember' makes a file that does");
    if (s->txn)
        return dp_fail_at(err, DP_EINVALID, s->path, 0, 0, "the batch before this one was not committed");
    dp_buf_reset(&s->wanted);
    add_ids(&s->wanted, rules, count);
    int code = s->wanted.failed ? ENOMEM : dp_seen_attempt(s, take_back, NULL);
    if (code)
        return dp_seen_fail(s, code, err);
    s->giving = (dp_seen_visit){.k = &s->hidden, .txn = s->txn};
    return DP_OK;
}

dp_err dp_seen_next(dp_seen *s, const char **url, size_t *len, dp_error *err)
{
    dp_str key, rules;
    int    code = MDB_NOTFOUND;
    *url = NULL;
    *len = 0;
    while (s->giving.txn && (code = dp_seen_visit_next(&s->giving, &key, &rules)) == 0) {
        if (!have_common(dp_buf_view(&s->wanted), rules))
            continue;
        if ((code = dp_seen_visit_drop(&s->giving)) == 0) {
            *url = key.p;
            *len = key.n;
        }
        break;
    }
    return code && code != MDB_NOTFOUND ? dp_seen_fail(s, code, err) : DP_OK;
}

/* ---- counting ---------------------------------------------------------------------------------------------- */

/* How many URLs a rule has hidden. */
typedef struct tally {
    uint32_t rule;
    uint64_t urls;
} tally;

typedef struct sums {
    uint64_t keys, urls;
    size_t   pages;
    tally   *v; /* [n] by rule */
    size_t   n, cap;
} sums;

static int count_rule(sums *c, uint32_t rule)
{
    size_t low = 0, high = c->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (c->v[middle].rule < rule)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == c->n || c->v[low].rule != rule) {
        if (!DP_ROOM(c->v, c->n, c->cap))
            return ENOMEM;
        memmove(c->v + low + 1, c->v + low, (c->n++ - low) * sizeof *c->v);
        c->v[low] = (tally){rule, 0};
    }
    c->v[low].urls++;
    return 0;
}

static int sum_up(dp_seen *s, MDB_txn *txn, void *ctx)
{
    sums         *c = ctx;
    dp_seen_visit v = {.k = &s->hidden, .txn = txn};
    dp_str        url, rules;
    int           code = dp_seen_keys_count(&s->known, txn, &c->keys, &c->pages);
    c->n = 0;
    c->urls = 0;
    if (code || !s->remembers)
        return code;
    code = dp_pages_check_keys(&s->pages, txn, s->hidden.name, NULL, NULL);
    if (code == 0)
        code = dp_pages_check_keys(&s->pages, txn, s->hidden.long_name, NULL, NULL);
    while (code == 0 && (code = dp_seen_visit_next(&v, &url, &rules)) == 0) {
        c->urls++;
        for (size_t i = 0; i + DP_RULE_BYTES <= rules.n && code == 0; i += DP_RULE_BYTES) {
            const unsigned char *p = (const unsigned char *)rules.p + i;
            code = count_rule(c, (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]);
        }
    }
    dp_seen_visit_done(&v);
    return code == MDB_NOTFOUND ? 0 : code;
}

static void print_plain(dp_buf *b, const dp_seen *s, const sums *c, uint64_t bytes)
{
    dp_buf_printf(b, "keys         %" PRIu64 "\nbytes        %" PRIu64 "\n", c->keys, bytes);
    dp_buf_printf(b, "rules        %016" PRIx64 "\n", s->set);
    if (!s->remembers)
        return;
    dp_buf_printf(b, "URLs hidden  %" PRIu64 "\n", c->urls);
    for (size_t i = 0; i < c->n; i++)
        dp_buf_printf(b, "  by %08" PRIx32 "  %" PRIu64 "\n", c->v[i].rule, c->v[i].urls);
}

static void print_json(dp_buf *b, const dp_seen *s, const sums *c, uint64_t bytes)
{
    dp_buf_byte(b, '{');
    dp_json_count(b, "keys", c->keys);
    dp_json_count(b, "bytes", bytes);
    dp_json_id(b, "set", s->set);
    dp_json_flag(b, "remembers", s->remembers);
    dp_json_count(b, "hidden", c->urls);
    dp_json_open(b, "rules", '[');
    for (size_t i = 0; i < c->n; i++) {
        dp_json_open(b, NULL, '{');
        dp_json_short_id(b, "id", (uint64_t)c->v[i].rule << 32);
        dp_json_count(b, "hidden", c->v[i].urls);
        dp_buf_byte(b, '}');
    }
    dp_buf_c(b, "]}\n");
}

dp_err dp_seen_print(dp_text **out, dp_seen *s, dp_format format, dp_error *err)
{
    sums     c = {0};
    dp_buf   b = {0};
    uint64_t keys, bytes;
    dp_err   code = dp_seen_count(s, &keys, &bytes, err);
    int      failed = code == DP_OK ? dp_seen_read(s, sum_up, &c) : 0;
    if (failed)
        code = dp_seen_fail(s, failed, err);
    if (code == DP_OK) {
        (format == DP_JSON ? print_json : print_plain)(&b, s, &c, bytes);
        code = dp_fail_as(err, dp_text_take(out, &b));
    }
    dp_buf_done(&b);
    free(c.v);
    return code;
}
