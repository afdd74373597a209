/* holdout.c - dp_divide of dustpan.h: clusters to learn from, and clusters to test on.
 *
 *     records ─► all in memory ─► hash(cluster, seed) < test ?  ─► test : train
 *                                 its host has no other cluster ─► train
 *
 * Memory: the text of the records and 40 bytes each.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "base/hash.h"
#include "base/outfile.h"
#include "base/room.h"
#include "base/secret.h"
#include "eval/records.h"

enum { WRITE_AT = 1 << 20 /* bytes */, MOST = INT32_MAX };

typedef struct line {
    dp_str   name, url; /* name.n == 0: the page is known by its content */
    uint32_t number;    /* of the URL in `truth` */
    uint32_t cluster;   /* by the name of this line: others may give the URL another one */
} line;

struct dp_divide {
    dp_records  in;
    double      test;
    uint64_t    seed;
    uint64_t    total[DP_DIVIDE_BAD_LINES + 1];
    dp_truth    truth; /* URLs, hosts, and pages that are known by their content */
    dp_arena    text;
    line       *v; /* [n] */
    uint32_t    n, cap;
    dp_ordinals clusters;
    uint32_t   *only; /* [hosts] its cluster; MANY when it has several */
    uint8_t    *side; /* [clusters] */
};

#define MANY UINT32_MAX

enum { TRAIN, TEST, SIDES, KEPT_IN_TRAIN = 2, SEEN = 4 };

dp_err dp_divide_new(dp_divide **out)
{
    dp_divide *d = calloc(1, sizeof *d);
    if (!d)
        return DP_ENOMEM;
    d->test = .5;
    *out = d;
    return DP_OK;
}

/* Forget the records. */
static void clear(dp_divide *d)
{
    dp_truth_done(&d->truth);
    dp_arena_done(&d->text);
    free(d->v);
    dp_ordinals_done(&d->clusters);
    free(d->only);
    free(d->side);
    d->v = NULL;
    d->only = NULL;
    d->side = NULL;
    d->n = d->cap = 0;
}

void dp_divide_free(dp_divide *d)
{
    if (!d)
        return;
    clear(d);
    dp_records_done(&d->in);
    free(d);
}

dp_err dp_divide_input(dp_divide *d, dp_input_option option, const char *text)
{
    return dp_records_set(&d->in, option, text);
}

dp_err dp_divide_set(dp_divide *d, double test, uint64_t seed, int strict)
{
    if (!(test >= 0 && test <= 1))
        return DP_EINVALID;
    d->test = test;
    d->seed = seed;
    d->in.strict = strict != 0;
    return DP_OK;
}

/* ---- reading ------------------------------------------------------------------------------------------ */

static bool fits_line(dp_str s)
{
    return !s.n || (!memchr(s.p, '\t', s.n) && !memchr(s.p, '\n', s.n) && !memchr(s.p, '\r', s.n));
}

static dp_err add(dp_divide *d, const dp_labelled *rec)
{
    line l = {.name = dp_arena_str(&d->text, rec->says.name), .url = dp_arena_str(&d->text, rec->url)};
    bool fresh;
    if (!l.name.p || !l.url.p || !DP_ROOM(d->v, d->n, d->cap))
        return DP_ENOMEM;
    if (d->n == MOST)
        return DP_ELIMIT;
    DP_TRY(dp_truth_add(&d->truth, rec->url, rec->host, &rec->says, &fresh));
    l.number = d->truth.n - 1;
    if (!fresh)
        dp_truth_find(&d->truth, rec->url, &l.number);
    d->v[d->n++] = l;
    return DP_OK;
}

static dp_err read_all(dp_divide *d, const char *const *paths, size_t count, dp_error *err)
{
    bool        more;
    dp_labelled rec;
    uint64_t    unfit = 0;
    DP_TRY(dp_records_open(&d->in, paths, count, err));
    for (;;) {
        DP_TRY(dp_records_next(&d->in, &d->truth, &rec, &more, err));
        if (!more)
            break;
        if (fits_line(rec.says.name) && fits_line(rec.url))
            DP_TRY(add(d, &rec));
        else
            unfit++;
    }
    d->total[DP_DIVIDE_LEFT_OUT] = unfit + d->truth.unlabelled + d->truth.not_ok + d->truth.not_urls;
    if (d->n == 0)
        return dp_records_none(&d->in, &d->truth, err);
    return dp_truth_settle(&d->truth);
}

/* ---- dividing ----------------------------------------------------------------------------------------- */

/* What the page of a line is called: by the input, or by its content. */
static dp_str name_of(const dp_divide *d, const line *l, char room[16])
{
    return l->name.n ? l->name : dp_truth_name(&d->truth, l->number, room);
}

/* Leave out lines that show the content of a URL which another line names. */
static void drop_named(dp_divide *d)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->n; i++) {
        if (d->v[i].name.n || dp_truth_has_content(&d->truth, d->v[i].number))
            d->v[n++] = d->v[i];
    }
    d->n = n;
}

/* The cluster of each line, and the only one of each host. */
static dp_err number_clusters(dp_divide *d)
{
    uint32_t hosts = d->truth.nhost;
    char     room[16];
    bool     fresh;
    if (!(d->only = malloc((hosts + 1u) * sizeof *d->only)))
        return DP_ENOMEM;
    for (uint32_t i = 0; i < d->n; i++) {
        line *l = &d->v[i];
        DP_TRY(dp_ordinals_add(&d->clusters, dp_secret_text(name_of(d, l, room)), &l->cluster, &fresh));
        d->only[d->truth.host[l->number]] = l->cluster;
    }
    for (uint32_t i = 0; i < d->n; i++) {
        uint32_t *only = &d->only[d->truth.host[d->v[i].number]];
        if (*only != d->v[i].cluster)
            *only = MANY;
    }
    return DP_OK;
}

static dp_err choose_sides(dp_divide *d)
{
    char room[16];
    drop_named(d);
    DP_TRY(number_clusters(d));
    if (!(d->side = calloc(d->clusters.n, 1)))
        return DP_ENOMEM;
    for (uint32_t i = 0; i < d->n; i++) {
        const line *l = &d->v[i];
        uint8_t    *side = &d->side[l->cluster];
        dp_str      name = name_of(d, l, room);
        if (d->only[d->truth.host[l->number]] != MANY)
            *side |= KEPT_IN_TRAIN;
        /* 53 bits of the hash as a number in [0, 1) */
        double at = (double)(dp_hash_seeded(name.p, name.n, d->seed) >> 11) * 0x1p-53;
        if (at < d->test)
            *side |= TEST;
    }
    for (uint32_t c = 0; c < d->clusters.n; c++)
        d->side[c] = d->side[c] & KEPT_IN_TRAIN ? TRAIN : d->side[c] & TEST;
    return DP_OK;
}

static dp_err write_sides(dp_divide *d, const int *fd, dp_error *err)
{
    static const char *const name[SIDES] = {"train file", "test file"};
    dp_buf                   b[SIDES] = {{0}, {0}};
    dp_err                   code = DP_OK;
    char                     room[16];
    for (uint32_t i = 0; i < d->n && code == DP_OK; i++) {
        const line *l = &d->v[i];
        uint8_t    *page = &d->side[l->cluster];
        int         side = *page & TEST;
        dp_buf     *out = &b[side];
        bool        first = !(*page & SEEN);
        *page |= SEEN;
        d->total[side == TEST ? DP_DIVIDE_TEST_URLS : DP_DIVIDE_TRAIN_URLS]++;
        d->total[side == TEST ? DP_DIVIDE_TEST_CLUSTERS : DP_DIVIDE_TRAIN_CLUSTERS] += first;
        dp_buf_str(out, name_of(d, l, room));
        dp_buf_byte(out, '\t');
        dp_buf_str(out, l->url);
        dp_buf_byte(out, '\n');
        if (out->failed)
            code = DP_ENOMEM;
        else if (out->n >= WRITE_AT) {
            code = dp_write_all(fd[side], out->p, out->n, name[side], err);
            dp_buf_reset(out);
        }
    }
    for (int s = TRAIN; s < SIDES; s++) {
        if (code == DP_OK)
            code = dp_write_all(fd[s], b[s].p, b[s].n, name[s], err);
        dp_buf_done(&b[s]);
    }
    return code;
}

dp_err dp_divide_run(dp_divide *d, const char *const *paths, size_t count, int train_fd, int test_fd, dp_error *err)
{
    const int fd[SIDES] = {train_fd, test_fd};
    if (err)
        *err = (dp_error){0};
    clear(d);
    memset(d->total, 0, sizeof d->total);
    dp_err code = read_all(d, paths, count, err);
    dp_records_close(&d->in);
    d->total[DP_DIVIDE_BAD_LINES] = d->in.bad;
    if (code == DP_OK)
        code = choose_sides(d);
    if (code == DP_OK)
        code = write_sides(d, fd, err);
    if (code != DP_OK && err && !err->message[0])
        dp_fail_as(err, code);
    clear(d);
    return code;
}

uint64_t dp_divide_total(const dp_divide *d, dp_divide_count which)
{
    return d->total[which];
}

dp_err dp_divide_bad(const dp_divide *d, size_t i, dp_error *bad)
{
    return dp_records_bad(&d->in, i, bad);
}
