/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/groups.h"

#include <stdlib.h>

enum {
    DIGITS = 16,
    TAG_DIGITS = 4,
    KEY_DIGITS = 12,
    SMALL = 24,
    FEW = 1 << 14 /* not worth threads */
};

/* Byte `d` of (tag, key, item), most significant first. */
static unsigned digit(const dp_member *m, unsigned d)
{
    if (d < TAG_DIGITS)
        return m->tag >> (8 * (TAG_DIGITS - 1 - d)) & 255;
    if (d < KEY_DIGITS)
        return (unsigned)(m->key >> (8 * (KEY_DIGITS - 1 - d))) & 255;
    return m->item >> (8 * (DIGITS - 1 - d)) & 255;
}

static bool before(const dp_member *a, const dp_member *b)
{
    if (a->tag != b->tag)
        return a->tag < b->tag;
    return a->key != b->key ? a->key < b->key : a->item < b->item;
}

static void insert_sort(dp_member *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        dp_member m = v[i];
        size_t    j = i;
        for (; j > 0 && before(&m, &v[j - 1]); j--)
            v[j] = v[j - 1];
        v[j] = m;
    }
}

/* One step of an American flag sort: count the bytes, give each its place, swap members home. Returns the byte that
 * tells them apart, from `d` on, with the buckets in count[]; DIGITS where they are too few for that or all equal:
 * then they are sorted. */
static unsigned flag_step(dp_member *v, size_t n, unsigned d, size_t count[256])
{
    size_t at[256];
    for (;; d++) {
        if (n <= SMALL || d == DIGITS) {
            insert_sort(v, n);
            return DIGITS;
        }
        memset(count, 0, 256 * sizeof *count);
        for (size_t i = 0; i < n; i++)
            count[digit(&v[i], d)]++;
        if (count[digit(&v[0], d)] < n)
            break;
    }
    at[0] = 0;
    for (size_t b = 1; b < 256; b++)
        at[b] = at[b - 1] + count[b - 1];
    for (size_t b = 0, end = 0; b < 256; b++) {
        end += count[b];
        while (at[b] < end) {
            dp_member m = v[at[b]];
            unsigned  home = digit(&m, d);
            while (home != b) {
                dp_member other = v[at[home]];
                v[at[home]++] = m;
                m = other;
                home = digit(&m, d);
            }
            v[at[b]++] = m;
        }
    }
    return d;
}

/* Go on with the next byte inside each bucket. */
static void flag_sort(dp_member *v, size_t n, unsigned d)
{
    size_t count[256];
    if ((d = flag_step(v, n, d, count)) == DIGITS)
        return;
    for (size_t b = 0, from = 0; b < 256; from += count[b], b++) {
        if (count[b] > 1)
            flag_sort(v + from, count[b], d + 1);
    }
}

/* The first byte of the tags in which they may differ: mostly there are few rules, or none. */
static unsigned first_digit(const dp_member *v, size_t n)
{
    uint32_t differ = 0;
    unsigned d = 0;
    for (size_t i = 1; i < n; i++)
        differ |= v[i].tag ^ v[0].tag;
    while (d < TAG_DIGITS && !(differ >> (8 * (TAG_DIGITS - 1 - d)) & 255))
        d++;
    return d;
}

static bool is_sorted(const dp_member *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (before(&v[i], &v[i - 1]))
            return false;
    }
    return true;
}

void dp_members_sort(dp_member *v, size_t n)
{
    if (!is_sorted(v, n))
        flag_sort(v, n, first_digit(v, n));
}

/* ---- on all threads --------------------------------------------------------------------------------- */

/* Buckets of one step; each is a task, unless it is large. */
typedef struct buckets {
    dp_member *v;
    size_t     from[257], large;
    unsigned   digit; /* to go on with */
} buckets;

static dp_err sort_bucket(void *ctx, size_t i, unsigned worker)
{
    (void)worker;
    const buckets *b = ctx;
    size_t         n = b->from[i + 1] - b->from[i];
    if (n > 1 && n < b->large)
        flag_sort(b->v + b->from[i], n, b->digit);
    return DP_OK;
}

/* A bucket that holds most members would keep one thread busy: it is cut again. */
static void sort_wide(dp_pool *pool, dp_member *v, size_t n, unsigned d)
{
    size_t  count[256];
    buckets b = {.v = v, .large = n / dp_pool_threads(pool)};
    if ((d = flag_step(v, n, d, count)) == DIGITS)
        return;
    b.large = b.large < FEW ? FEW : b.large;
    b.digit = d + 1;
    for (size_t i = 0; i < 256; i++)
        b.from[i + 1] = b.from[i] + count[i];
    dp_pool_run(pool, 256, sort_bucket, &b); /* no task fails */
    for (size_t i = 0; i < 256; i++) {
        if (count[i] >= b.large)
            sort_wide(pool, v + b.from[i], count[i], b.digit);
    }
}

void dp_members_sort_on(dp_pool *pool, dp_member *v, size_t n)
{
    if (n <= FEW || dp_pool_threads(pool) < 2)
        dp_members_sort(v, n);
    else
        sort_wide(pool, v, n, first_digit(v, n));
}

dp_err dp_stamps_init(dp_stamps *s, uint32_t clusters)
{
    *s = (dp_stamps){.n = clusters};
    s->of = calloc(clusters ? clusters : 1, sizeof *s->of);
    s->marked = calloc(clusters ? clusters : 1, sizeof *s->marked);
    if (s->of && s->marked)
        return DP_OK;
    dp_stamps_done(s);
    return DP_ENOMEM;
}

void dp_stamps_done(dp_stamps *s)
{
    free(s->of);
    free(s->marked);
    *s = (dp_stamps){0};
}

void dp_stamps_next(dp_stamps *s)
{
    if (++s->now == 0) { /* after 2^32 groups begin again */
        memset(s->of, 0, s->n * sizeof *s->of);
        s->now = 1;
    }
}

dp_tally dp_groups_tally(const dp_member *v, size_t n, const uint32_t *cluster, dp_stamps *s)
{
    dp_tally t = {.urls = n};
    for (size_t i = 0, j; i < n; i = j) {
        uint64_t d = 0;
        uint8_t *first = &s->marked[cluster[v[i].item]];
        j = dp_group_end(v, n, i);
        dp_stamps_next(s);
        for (size_t k = i; k < j; k++) {
            uint32_t c = cluster[v[k].item];
            if (!dp_stamps_add(s, c))
                continue;
            d++;
            t.clusters += s->marked[c] == 0;
            if (s->marked[c] == 0)
                s->marked[c] = 1;
        }
        t.covered += *first != 2;
        *first = 2;
        t.groups++;
        t.good += j - i - d;
        t.bad += d - 1;
    }
    return t;
}
