/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/forms/absences.h"

#include <stdlib.h>

#include "base/room.h"

bool dp_absences_add(dp_absences *f, const dp_absence *one)
{
    dp_str text = one->text.p ? dp_arena_str(&f->arena, one->text) : one->text;
    if ((one->text.p && !text.p) || !DP_ROOM(f->v, f->n, f->cap))
        return false;
    f->v[f->n] = *one;
    f->v[f->n++].text = text;
    return true;
}

bool dp_absences_open(dp_absences *f, uint32_t url)
{
    if (!DP_ROOM(f->open, f->nopen, f->open_cap))
        return false;
    f->open[f->nopen++] = url;
    return true;
}

void dp_absences_reset(dp_absences *f)
{
    f->n = f->nopen = 0;
    dp_arena_reset(&f->arena);
}

void dp_absences_done(dp_absences *f)
{
    free(f->v);
    free(f->open);
    dp_arena_done(&f->arena);
    *f = (dp_absences){0};
}
