/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/rewrite/entry.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"

dp_err dp_rw_sieve_init(dp_rw_sieve *s, uint64_t things)
{
    uint64_t n = 1024;
    while (n < 2 * things)
        n *= 2;
    *s = (dp_rw_sieve){calloc(n, 1), n - 1};
    return s->cell ? DP_OK : DP_ENOMEM;
}

void dp_rw_sieve_done(dp_rw_sieve *s)
{
    free(s->cell);
    *s = (dp_rw_sieve){0};
}

/* ---- tables ---------------------------------------------------------------------------------- */

static uint64_t record_hash(uint32_t entry, bool is_a, uint32_t value)
{
    return dp_hash_mix(((uint64_t)entry << 32 | value) + (is_a ? 0x9E3779B97F4A7C15u : 0));
}

static uint64_t hash_of_entry(const void *self, uint32_t number)
{
    return ((const dp_rw_entries *)self)->v[number].hash;
}

static uint64_t hash_of_record(const void *self, uint32_t number)
{
    const dp_rw_record *r = &((const dp_rw_entries *)self)->record[number];
    return record_hash(r->entry, r->is_a, r->value);
}

static dp_err find_entry(uint32_t *out, dp_rw_entries *e, const dp_rw_member *m)
{
    for (dp_index_walk w = dp_index_from(&e->index, m->hash); dp_index_next(&w, out);)
        if (e->v[*out].hash == m->hash)
            return DP_OK;
    if (!DP_ROOM(e->v, e->n, e->cap) || !dp_index_room(&e->index, hash_of_entry, e))
        return DP_ENOMEM;
    *out = dp_index_put(&e->index, m->hash);
    e->v[e->n++] = (dp_rw_entry){.hash = m->hash, .key = m->key};
    return DP_OK;
}

/* The record of a value; `*is_new` when it was not there. */
static dp_err find_record(dp_rw_record **out, bool *is_new, dp_rw_entries *e, uint32_t entry, bool is_a, uint32_t value)
{
    uint32_t i;
    if (!DP_ROOM(e->record, e->nrecord, e->record_cap) || !dp_index_room(&e->record_index, hash_of_record, e))
        return DP_ENOMEM;
    dp_index_walk w = dp_index_from(&e->record_index, record_hash(entry, is_a, value));
    *is_new = false;
    while (dp_index_next(&w, &i)) {
        *out = &e->record[i];
        if ((*out)->entry == entry && (*out)->is_a == is_a && (*out)->value == value)
            return DP_OK;
    }
    *is_new = true;
    *out = &e->record[dp_index_end(&e->record_index, &w)];
    **out = (dp_rw_record){.entry = entry, .value = value, .is_a = is_a, .next = e->v[entry].first};
    e->v[entry].first = ++e->nrecord;
    return DP_OK;
}

static dp_err add_c(dp_rw_entries *e, uint32_t entry, const dp_rw_member *m)
{
    dp_rw_record *r;
    bool          is_new, is_text = dp_is_text(m->c);
    if (is_text ? e->v[entry].ntext >= e->enough : !dp_rw_is_open(m->a))
        return DP_OK;
    DP_TRY(find_record(&r, &is_new, e, entry, false, m->c));
    if (is_new) {
        r->origin = m->origin;
        e->v[entry].ntext += is_text;
    }
    r->count += m->times;
    return DP_OK;
}

static dp_err add_a(dp_rw_entries *e, uint32_t entry, const dp_rw_member *m)
{
    dp_rw_record *r;
    bool          is_new, is_mate = dp_is_text(m->c);
    if (!is_mate && (!dp_rw_is_open(m->a) || e->v[entry].nopen >= e->enough))
        return DP_OK;
    DP_TRY(find_record(&r, &is_new, e, entry, true, m->a));
    /* What is made of it begins with a rule that has a text for c. */
    if (is_new || (is_mate && !r->is_mate))
        r->origin = m->origin;
    r->is_mate |= is_mate;
    if (!is_mate) {
        e->v[entry].nopen += r->count == 0;
        r->count += m->times;
    }
    return DP_OK;
}

dp_err dp_rw_entries_value(dp_rw_entries *e, const dp_rw_member *m, bool is_a)
{
    uint32_t entry;
    DP_TRY(find_entry(&entry, e, m));
    return is_a ? add_a(e, entry, m) : add_c(e, entry, m);
}

dp_err dp_rw_entries_add(dp_rw_entries *e, const dp_rw_member *m)
{
    uint32_t entry;
    DP_TRY(find_entry(&entry, e, m));
    DP_TRY(add_c(e, entry, m));
    return add_a(e, entry, m);
}

void dp_rw_entries_reset(dp_rw_entries *e)
{
    e->n = e->nrecord = 0;
    dp_index_reset(&e->index);
    dp_index_reset(&e->record_index);
}

void dp_rw_entries_done(dp_rw_entries *e)
{
    free(e->v);
    free(e->record);
    dp_index_done(&e->index);
    dp_index_done(&e->record_index);
    *e = (dp_rw_entries){0};
}

/* ---- filters --------------------------------------------------------------------------------- */

uint32_t dp_rw_least(const dp_rewrite_options *o)
{
    return o->filter == DP_REWRITE_FANOUT ? o->fan_out : 2;
}

/* The values of one side: how many, and the entropy of how many members have each, as a share of that of equal shares.
 * Rules (*, a) that were made are members, too. */
static uint32_t count_values(double *entropy, const dp_rw_entries *e, const dp_rw_entry *n, bool is_a)
{
    double   sum = 0, logs = 0;
    uint32_t values = 0;
    for (uint32_t i = n->first; i; i = e->record[i - 1].next) {
        const dp_rw_record *r = &e->record[i - 1];
        double              x = (double)r->count + (r->is_made ? 1 : 0);
        if (r->is_a != is_a || x < 1 || !(is_a ? dp_rw_is_open(r->value) : dp_is_text(r->value)))
            continue;
        sum += x;
        logs += x * log2(x);
        values++;
    }
    *entropy = values < 2 ? 0 : (log2(sum) - logs / sum) / log2((double)values);
    return values;
}

static bool passes(const dp_rw_maker *m, const dp_rw_entries *e, const dp_rw_entry *n, bool is_a)
{
    double                    entropy;
    const dp_rewrite_options *o = m->options;
    /* The sum of logarithms depends on the order of records in its last bits. */
    return count_values(&entropy, e, n, is_a) >= dp_rw_least(o) &&
           (o->filter != DP_REWRITE_ENTROPY || entropy >= o->min_entropy - 1e-9);
}

/* ---- making ---------------------------------------------------------------------------------- */

/* `*let` is false when the rule is estimated to be wrong. */
static dp_err make(bool *let, const dp_rw_maker *m, dp_rw_rules *to, dp_rw_origin from, dp_rw_part put)
{
    dp_rw_draft r;
    if (from.v == DP_RW_IS_RULE)
        dp_rw_draft_of(&r, m->rules, from.u);
    else
        dp_rw_generate(&r, m->book, from.u, from.v);
    dp_rw_put(&r, dp_rw_find(&r, put.key), put.c, put.a);
    *let = m->options->filter < DP_REWRITE_EFPR || m->estimate(m->self, &r);
    return *let ? dp_rw_rules_add(to, &r) : DP_OK;
}

/* c(k) becomes *, with every a that stands with a text. */
static dp_err generalize_c(const dp_rw_maker *m, dp_rw_entries *e, const dp_rw_entry *n)
{
    for (uint32_t i = n->first; i; i = e->record[i - 1].next) {
        dp_rw_record *r = &e->record[i - 1];
        if (r->is_a && r->is_mate)
            DP_TRY(make(&r->is_made, m, m->rules, r->origin, (dp_rw_part){n->key, DP_V_STAR, r->value}));
    }
    return DP_OK;
}

/* a(k) becomes *, with every c that is no text. */
static dp_err generalize_a(const dp_rw_maker *m, const dp_rw_entries *e, const dp_rw_entry *n, dp_rw_rules *to)
{
    for (uint32_t i = n->first; i; i = e->record[i - 1].next) {
        const dp_rw_record *r = &e->record[i - 1];
        bool                let;
        if (!r->is_a && !dp_is_text(r->value))
            DP_TRY(make(&let, m, to, r->origin, (dp_rw_part){n->key, r->value, DP_V_STAR}));
        if (r->is_made && dp_rw_is_open(r->value))
            DP_TRY(make(&let, m, to, r->origin, (dp_rw_part){n->key, DP_V_STAR, DP_V_STAR}));
    }
    return DP_OK;
}

static dp_err generalize(const dp_rw_maker *m, dp_rw_entries *e, const dp_rw_entry *n)
{
    bool c_goes = passes(m, e, n, false);
    if (passes(m, e, n, true))
        DP_TRY(generalize_a(m, e, n, m->rules));
    if (c_goes)
        DP_TRY(generalize_c(m, e, n));
    /* In the next round of an entry of specific rules all that is new are the rules (*, a) just made. */
    if (m->first && c_goes && passes(m, e, n, true))
        DP_TRY(generalize_a(m, e, n, m->later));
    return DP_OK;
}

dp_err dp_rw_generalize(const dp_rw_maker *m, dp_rw_entries *e)
{
    for (uint32_t i = 0; i < e->n; i++)
        if (e->v[i].ntext >= dp_rw_least(m->options) || e->v[i].nopen >= dp_rw_least(m->options))
            DP_TRY(generalize(m, e, &e->v[i]));
    return DP_OK;
}
