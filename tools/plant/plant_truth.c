/* plant_truth.c - draw pairs of URLs that are the same, or not.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plant_truth.h"

enum { QUESTIONS = 64, TRIES = 64 };

size_t plant_questions(plant_question *out, size_t cap, const plant_host *h)
{
    size_t n = 0;
    for (unsigned i = 0; i < h->mechanisms; i++) {
        const plant_mechanism *m = &h->mechanism[i];
        for (unsigned k = 0; k < PLANT_RULES && m->rule[k].p && n < cap; k++)
            out[n++] = (plant_question){.host = h, .m = m, .rule = k + 1};
    }
    for (unsigned i = 0; i < h->parts && n < cap; i++) {
        if (plant_part_is_decoy(&h->part[i]))
            out[n++] = (plant_question){.host = h, .m = h->part[i].m, .part = &h->part[i]};
    }
    return n;
}

/* ---- rules ---------------------------------------------------------------------------------------------- */

/* A page as it is and with the host's alias or with parameters that do not matter. */
static void ask_site_wide(plant_item pair[2], const plant_question *q, uint64_t from, dp_rng *r)
{
    const plant_host *h = q->host;
    const plant_part *part = NULL;
    for (int i = 0; i < TRIES; i++) {
        part = &h->part[h->some[dp_rng_next(r) & 255]];
        if (!part->form[0].rule && !part->form[0].whole && !(part->m->kind->flags & PLANT_SOLO))
            break;
    }
    plant_page  p = plant_page_make(h, part, from + dp_rng_below(r, 100000));
    plant_style plain = {.form = 0}, other = plain;
    other.alias = q->m == h->alias_by;
    if (q->m == h->drop_by) {
        other.drops = 1 + (unsigned)dp_rng_below(r, (1u << h->drops) - 1);
        other.first = dp_rng_below(r, 4) == 0;
    }
    plant_item_set(&pair[0], &p, plain, r);
    plant_item_set(&pair[1], &p, other, r);
}

/* The forms that need the rule, drawn with equal chance, against the part's first one. */
static void ask_form(plant_item pair[2], const plant_question *q, uint64_t from, dp_rng *r)
{
    const plant_part *part = NULL;
    unsigned          form = 0, seen = 0;
    for (unsigned i = 0; i < q->host->parts; i++) {
        const plant_part *p = &q->host->part[i];
        for (unsigned f = 0; f < p->forms && p->m == q->m; f++) {
            if (p->form[f].rule == q->rule && dp_rng_below(r, ++seen) == 0) {
                part = p;
                form = f;
            }
        }
    }
    plant_page p = plant_page_make(q->host, part, from + dp_rng_below(r, 100000));
    for (int i = 0; i < TRIES; i++) {
        plant_item_set(&pair[0], &p, (plant_style){.form = 0}, r);
        plant_item_set(&pair[1], &p, (plant_style){.form = form}, r);
        if (pair[0].hash != pair[1].hash)
            return;
    }
}

/* ---- decoys ------------------------------------------------------------------------------------------------ */

static void ask_decoy(plant_item pair[2], const plant_question *q, uint64_t from, dp_rng *r)
{
    bool solo = q->m->kind->flags & PLANT_SOLO;
    for (int i = 0; i < TRIES; i++) {
        uint64_t   dims = q->part->dims, number = from + dp_rng_below(r, 100000), other = number;
        uint64_t   first = number - number % dims;
        if (solo)
            other++;
        else
            other = first + (number - first + 1 + dp_rng_below(r, dims - 1)) % dims;
        plant_page a = plant_page_make(q->host, q->part, number), b = plant_page_make(q->host, q->part, other);
        plant_item_set(&pair[0], &a, (plant_style){.form = (unsigned)dp_rng_below(r, q->part->forms)}, r);
        plant_item_set(&pair[1], &b, (plant_style){.form = (unsigned)dp_rng_below(r, q->part->forms)}, r);
        if (solo || a.content != b.content) /* where varieties are equal today, those that are not */
            return;
    }
}

void plant_ask(plant_item pair[2], const plant_question *q, uint64_t from, dp_rng *r)
{
    if (!q->rule)
        ask_decoy(pair, q, from, r);
    else if (q->m->kind->flags & (PLANT_ALIAS | PLANT_DROP))
        ask_site_wide(pair, q, from, r);
    else
        ask_form(pair, q, from, r);
}

/* ---- the list ------------------------------------------------------------------------------------------------ */

void plant_decoy_name(dp_buf *out, const plant_question *q)
{
    dp_buf_printf(out, "%.*s:%s.%u", DP_FMT(q->host->name), q->m->kind->name,
                  (unsigned)(q->part->kind - q->m->kind->part));
}

void plant_host_decoys(dp_buf *out, const plant_host *h)
{
    plant_question q[QUESTIONS];
    size_t         n = plant_questions(q, QUESTIONS, h);
    dp_rng         r = dp_rng_seed(plant_mix2(h->seed, 9));
    for (size_t i = 0; i < n; i++) {
        plant_item pair[2];
        if (q[i].rule)
            continue;
        plant_ask(pair, &q[i], 0, &r);
        plant_decoy_name(out, &q[i]);
        dp_buf_printf(out, "\t%s\t%.*s\t%.*s\t%.*s\n", q[i].m->kind->name, DP_FMT(h->name), (int)pair[0].n, pair[0].url,
                      (int)pair[1].n, pair[1].url);
    }
}
