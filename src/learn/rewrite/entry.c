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

/* Twice as many slots, and everything in them again. */
static bool grow_slots(dp_rw_entries *e)
{
    size_t    n = e->nslot ? 2 * e->nslot : 1024;
    uint32_t *slot = calloc(n, sizeof *slot);
    if (!slot)
        return false;
    for (uint32_t i = 0; i < e->n; i++) {
        size_t at = e->v[i].hash & (n - 1);
        while (slot[at])
            at = (at + 1) & (n - 1);
        slot[at] = i + 1;
    }
    free(e->slot);
    e->slot = slot;
    e->nslot = n;
    return true;
}

static bool grow_record_slots(dp_rw_entries *e)
{
    size_t    n = e->nrecord_slot ? 2 * e->nrecord_slot : 1024;
    uint32_t *slot = calloc(n, sizeof *slot);
    if (!slot)
        return false;
    for (uint32_t i = 0; i < e->nrecord; i++) {
        const dp_rw_record *r = &e->record[i];
        size_t              at = record_hash(r->entry, r->is_a, r->value) & (n - 1);
        while (slot[at])
            at = (at + 1) & (n - 1);
        slot[at] = i + 1;
    }
    free(e->record_slot);
    e->record_slot = slot;
    e->nrecord_slot = n;
    return true;
}

static bool room_for_entry(dp_rw_entries *e)
{
    return DP_ROOM(e->v, e->n, e->cap) && (e->n < e->nslot / 2 || grow_slots(e));
}

static bool room_for_record(dp_rw_entries *e)
{
    return DP_ROOM(e->record, e->nrecord, e->record_cap) &&
           (e->nrecord < e->nrecord_slot / 2 || grow_record_slots(e));
}

static dp_err find_entry(uint32_t *out, dp_rw_entries *e, const dp_rw_member *m)
{
    if (!room_for_entry(e))
        return DP_ENOMEM;
    size_t at = m->hash & (e->nslot - 1);
    for (; e->slot[at]; at = (at + 1) & (e->nslot - 1))
        if (e->v[e->slot[at] - 1].hash == m->hash) {
            *out = e->slot[at] - 1;
            return DP_OK;
        }
    e->v[e->n] = (dp_rw_entry){.hash = m->hash, .key = m->key};
    *out = e->n++;
    e->slot[at] = *out + 1;
    return DP_OK;
}

/* The record of a value; `*is_new` when it was not there. */
static dp_err find_record(dp_rw_record **out, bool *is_new, dp_rw_entries *e, uint32_t entry, bool is_a, uint32_t value)
{
    if (!room_for_record(e))
        return DP_ENOMEM;
    size_t at = record_hash(entry, is_a, value) & (e->nrecord_slot - 1);
    for (; e->record_slot[at]; at = (at + 1) & (e->nrecord_slot - 1)) {
        dp_rw_record *r = &e->record[e->record_slot[at] - 1];
        if (r->entry == entry && r->is_a == is_a && r->value == value) {
            *out = r;
            *is_new = false;
            return DP_OK;
        }
    }
    *out = &e->record[e->nrecord];
    **out = (dp_rw_record){.entry = entry, .value = value, .is_a = is_a, .next = e->v[entry].first};
    e->record_slot[at] = e->v[entry].first = ++e->nrecord;
    *is_new = true;
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
    if (e->nslot)
        memset(e->slot, 0, e->nslot * sizeof *e->slot);
    if (e->nrecord_slot)
        memset(e->record_slot, 0, e->nrecord_slot * sizeof *e->record_slot);
}

void dp_rw_entries_done(dp_rw_entries *e)
{
    free(e->v);
    free(e->record);
    free(e->slot);
    free(e->record_slot);
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
    *let = m->options->filter != DP_REWRITE_EFPR || m->estimate(m->self, &r);
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
