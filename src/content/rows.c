/* SPDX-License-Identifier: Apache-2.0 */
#include "content/rows.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/room.h"

enum { BUFFER = 1 << 20 /* bytes that wait to be written, once there is a file */ };

static uint64_t limit_of(const dp_rows *r)
{
    return r->limit ? r->limit : DP_ROWS_LIMIT;
}

static dp_err write_out(dp_rows *r)
{
    const char *folder = r->folder ? r->folder : "/tmp";
    int         fd;
    if (!r->file)
        r->file = dp_workfile_open(&fd, folder, NULL) == DP_OK ? fd + 1 : -1;
    if (r->file < 0)
        return DP_OK;
    DP_TRY(dp_write_all(r->file - 1, r->v, r->n * sizeof *r->v, folder, NULL));
    free(r->v);
    r->v = NULL;
    r->n = r->cap = 0;
    return DP_OK;
}

dp_err dp_rows_add(dp_rows *r, const dp_slot *v, size_t n, uint64_t *at)
{
    uint64_t most = r->file > 0 ? BUFFER : limit_of(r);
    if ((r->n + n) * sizeof *v > most && r->n)
        DP_TRY(write_out(r));
    if (!DP_ROOM_FOR(r->v, r->n + n + 1, r->cap))
        return DP_ENOMEM;
    if (n)
        memcpy(r->v + r->n, v, n * sizeof *v);
    *at = r->total;
    r->n += n;
    r->total += n;
    return DP_OK;
}

dp_err dp_rows_settle(dp_rows *r)
{
    if (r->file <= 0 || r->map)
        return DP_OK;
    DP_TRY(write_out(r));
    r->seen = calloc(2, sizeof *r->seen);
    void *p = mmap(NULL, r->total * sizeof *r->v, PROT_READ, MAP_SHARED, r->file - 1, 0);
    r->map = p != MAP_FAILED ? p : NULL;
    return r->map && r->seen ? DP_OK : DP_ENOMEM;
}

const dp_slot *dp_rows_get(const dp_rows *r, uint64_t at, size_t n)
{
    enum { AROUND = 64 << 10 /* bytes that may be read with those that are asked for */ };
    if (!r->map)
        return r->v + at;
    r->seen[0] += n * sizeof *r->map + (at == r->seen[1] ? 0 : AROUND);
    r->seen[1] = at + n;
    if (r->seen[0] > limit_of(r)) {
        madvise(r->map, r->total * sizeof *r->map, MADV_DONTNEED); /* it stays in the file */
        r->seen[0] = n * sizeof *r->map;
    }
    return r->map + at;
}

void dp_rows_done(dp_rows *r)
{
    if (r->map)
        munmap(r->map, r->total * sizeof *r->map);
    if (r->file > 0)
        close(r->file - 1);
    free(r->v);
    free(r->seen);
    *r = (dp_rows){0};
}
