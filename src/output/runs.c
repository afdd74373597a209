/* SPDX-License-Identifier: Apache-2.0 */
#include "output/runs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/outfile.h"
#include "base/room.h"

enum { BITS = 10 /* of the filter, a hash */, PROBES = 4, STEP = 512 /* hashes: two pages */ };

static int compare(dp_hash128 a, dp_hash128 b)
{
    return a.hi != b.hi ? (a.hi < b.hi ? -1 : 1) : (a.lo > b.lo) - (a.lo < b.lo);
}

static int by_value(const void *a, const void *b)
{
    return compare(*(const dp_hash128 *)a, *(const dp_hash128 *)b);
}

/* Bit number `i` of the filter that stands for `h`. */
static uint64_t bit_of(const dp_run_file *f, dp_hash128 h, unsigned i)
{
    uint64_t mixed = h.lo + i * (h.hi | 1);
    return (uint64_t)(((unsigned __int128)mixed * (f->words * 64)) >> 64);
}

static dp_err write_run(dp_run_file *f, const dp_hash128 *v, const char *folder, dp_error *err)
{
    int fd;
    DP_TRY(dp_workfile_open(&fd, folder, err));
    dp_err code = dp_write_all(fd, v, f->n * sizeof *v, folder, err);
    void  *p = code == DP_OK ? mmap(NULL, f->n * sizeof *v, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    close(fd);
    if (code != DP_OK)
        return code;
    f->v = p;
    return p != MAP_FAILED ? DP_OK : DP_ENOMEM;
}

dp_err dp_runs_add(dp_runs *r, dp_hash128 *v, uint64_t n, const char *folder, dp_error *err)
{
    dp_run_file f = {.n = n, .words = n * BITS / 64 + 1};
    if (!n)
        return DP_OK;
    if (!DP_ROOM(r->v, r->n, r->cap))
        return DP_ENOMEM;
    if (!(f.filter = calloc(f.words, sizeof *f.filter)))
        return DP_ENOMEM;
    qsort(v, n, sizeof *v, by_value);
    for (uint64_t i = 0; i < n; i++) {
        for (unsigned k = 0; k < PROBES; k++) {
            uint64_t bit = bit_of(&f, v[i], k);
            f.filter[bit / 64] |= (uint64_t)1 << bit % 64;
        }
    }
    dp_err code = write_run(&f, v, folder, err);
    if (code == DP_OK)
        r->v[r->n++] = f;
    else
        free(f.filter);
    return code;
}

static bool may_have(const dp_run_file *f, dp_hash128 h)
{
    for (unsigned k = 0; k < PROBES; k++) {
        uint64_t bit = bit_of(f, h, k);
        if (!(f->filter[bit / 64] >> bit % 64 & 1))
            return false;
    }
    return true;
}

/* From where it should be, in growing steps to where it must be, then by halves. */
static bool has(const dp_run_file *f, dp_hash128 h)
{
    uint64_t at = (uint64_t)(((unsigned __int128)h.hi * f->n) >> 64), low = at, high = at, step = STEP;
    for (; low > 0 && compare(f->v[low], h) > 0; step *= 2)
        low = low > step ? low - step : 0;
    for (step = STEP; high < f->n && compare(f->v[high], h) < 0; step *= 2)
        high = f->n - high > step ? high + step : f->n;
    high = high < f->n ? high + 1 : high;
    while (low < high) {
        uint64_t mid = low + (high - low) / 2;
        int      order = compare(f->v[mid], h);
        if (order == 0)
            return true;
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return false;
}

bool dp_runs_has(const dp_runs *r, dp_hash128 h)
{
    for (size_t i = 0; i < r->n; i++) {
        if (may_have(&r->v[i], h) && has(&r->v[i], h))
            return true;
    }
    return false;
}

void dp_runs_done(dp_runs *r)
{
    for (size_t i = 0; i < r->n; i++) {
        munmap((void *)(uintptr_t)r->v[i].v, r->v[i].n * sizeof *r->v[i].v);
        free(r->v[i].filter);
    }
    free(r->v);
    *r = (dp_runs){0};
}
