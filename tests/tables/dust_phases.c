/* dust_phases - how many candidates phases 1 and 2 of DustBuster leave: URLs, detected, left.
 *
 *     dust_phases size|near|list BASE_URL FILE       what similarity is judged by; BASE_URL of a log, or -
 *
 * For tools/evidence/dust.sh; `learn` shows only what is left.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "input/reader.h"
#include "learn/dust/dust.h"
#include "url/normalize.h"

typedef struct list {
    dp_dust_url *v;
    size_t       n, cap;
    dp_arena     a;
    dp_buf       text;
} list;

static void die(const char *what)
{
    fprintf(stderr, "dust_phases: %s\n", what);
    exit(2);
}

static void add(list *l, const dp_record *r)
{
    dp_buf_reset(&l->text);
    if (!dp_record_is_page(r) || !dp_normalize(&l->text, r->url))
        return;
    if (l->n == l->cap && !(l->v = realloc(l->v, (l->cap = l->cap * 2 + 1024) * sizeof *l->v)))
        die("memory is out");
    dp_dust_url *u = &l->v[l->n++];
    *u = (dp_dust_url){.url = dp_arena_str(&l->a, dp_buf_view(&l->text))};
    u->has_size = dp_record_has(r, DP_FIELD_SIZE);
    u->size_min = u->size_max = r->size;
    u->has_sketch = dp_record_has(r, DP_FIELD_SKETCH);
    memcpy(u->sketch, r->sketch.min, sizeof u->sketch);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        die("usage: dust_phases size|near|list BASE_URL FILE");
    dp_reader_options how = {.base_url = strcmp(argv[2], "-") ? argv[2] : NULL};
    const char       *path = argv[3];
    dp_reader        *r = NULL;
    dp_record         rec;
    dp_error          err = {0};
    list              l = {0};
    bool              more = true;
    if (dp_reader_open(&r, &path, 1, &how, &err) != DP_OK)
        die(err.message);
    while (dp_reader_next(r, &rec, &more, &err) == DP_OK && more)
        add(&l, &rec);
    dp_dust_options o = DP_DUST_OPTIONS_INIT;
    o.shingles = strcmp(argv[1], "near") ? 0 : 4;
    o.ignore_sizes = strcmp(argv[1], "size") != 0;
    dp_dust_result found;
    if (dp_dust_learn(&found, l.v, l.n, &o, &l.a) != DP_OK)
        die("memory is out");
    printf("%zu %zu %zu\n", found.urls, found.detected, found.rules.n);
    dp_reader_close(r);
    dp_arena_done(&l.a);
    dp_buf_done(&l.text);
    free(l.v);
    return 0;
}
