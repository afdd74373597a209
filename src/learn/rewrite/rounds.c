/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/rewrite/rounds.h"

/* Whether (c, a) can say anything in an entry at its key: a value, or a place to generalize. */
static bool is_member(dp_rw_part p)
{
    return dp_is_text(p.c) || dp_rw_is_open(p.a);
}

/* Whether a rule has a star elsewhere; entries of specific rules are done with (dp_rw_first). */
static bool has_star_beside(const dp_rw_rule *r, dp_rw_part p)
{
    return r->stars > (p.c == DP_V_STAR ? 1u : 0u) + (p.a == DP_V_STAR ? 1u : 0u);
}

typedef struct round {
    dp_rw_maker  *m;
    dp_rw_sieve   sieve;
    dp_rw_entries entries;
} round;

static uint64_t entry_hash(const dp_rw_rule *r, dp_rw_part p)
{
    return r->hash - dp_rw_part_hash(p) + dp_rw_gap_hash(p.key);
}

/* Count rules [from, to) in all their entries, and mark these; or take the marks away. */
static void mark(round *w, uint32_t from, uint32_t to, bool on)
{
    const dp_rw_rules *s = w->m->rules;
    for (uint32_t i = from; i < to; i++) {
        const dp_rw_rule *r = &s->v[i];
        for (uint32_t j = 0; j < r->n; j++) {
            dp_rw_part p = s->part[r->at + j];
            if (!is_member(p) || !has_star_beside(r, p))
                continue;
            uint64_t hash = entry_hash(r, p);
            if (on)
                dp_rw_sieve_add(&w->sieve, hash, 1);
            uint8_t *c = dp_rw_sieve_cell(&w->sieve, hash);
            *c = (uint8_t)(on ? *c | DP_RW_MARK : *c & DP_RW_MOST);
        }
    }
}

/* Fill the entries that are marked and may have enough members. */
static dp_err fill(round *w, uint32_t n)
{
    const dp_rw_rules *s = w->m->rules;
    uint8_t            least = (uint8_t)(DP_RW_MARK | dp_rw_least(w->m->options));
    for (uint32_t i = 0; i < n; i++) {
        const dp_rw_rule *r = &s->v[i];
        for (uint32_t j = 0; j < r->n; j++) {
            dp_rw_part p = s->part[r->at + j];
            if (!is_member(p) || !has_star_beside(r, p))
                continue;
            dp_rw_member m = {.hash = entry_hash(r, p), .key = p.key, .c = p.c, .a = p.a, .times = 1,
                              .origin = {i, DP_RW_IS_RULE}};
            if (*dp_rw_sieve_cell(&w->sieve, m.hash) >= least)
                DP_TRY(dp_rw_entries_add(&w->entries, &m));
        }
    }
    return DP_OK;
}

/* Room for what later rounds add, too. */
static dp_err begin(round *w)
{
    const dp_rw_rules *s = w->m->rules;
    uint64_t           members = 0;
    for (uint32_t i = 0; i < s->n; i++)
        members += s->v[i].n;
    w->entries.enough = w->m->options->filter == DP_REWRITE_ENTROPY ? UINT32_MAX : dp_rw_least(w->m->options);
    return dp_rw_sieve_init(&w->sieve, 2 * members);
}

static dp_err add_later(dp_rw_maker *m)
{
    dp_rw_draft r;
    for (uint32_t i = 0; i < m->later->n; i++) {
        dp_rw_draft_of(&r, m->later, i);
        DP_TRY(dp_rw_rules_add(m->rules, &r));
    }
    return DP_OK;
}

dp_err dp_rw_rounds(dp_rw_maker *m)
{
    round  w = {.m = m};
    dp_err e = begin(&w);
    m->first = false;
    for (uint32_t from = 0; e == DP_OK && from < m->rules->n;) {
        uint32_t to = m->rules->n;
        mark(&w, from, to, true);
        e = fill(&w, to);
        if (e == DP_OK)
            e = dp_rw_generalize(m, &w.entries);
        if (e == DP_OK && from == 0)
            e = add_later(m);
        mark(&w, from, to, false);
        dp_rw_entries_reset(&w.entries);
        from = to;
    }
    dp_rw_sieve_done(&w.sieve);
    dp_rw_entries_done(&w.entries);
    return e;
}
