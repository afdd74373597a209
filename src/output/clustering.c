/* clustering.c - dp_cluster of dustpan.h: records in, cluster and URL out.
 *
 *     files ──► input/reader ──► output/inquiry ──► output/pagelist ──┐
 *                                                                      ▼
 *     descriptor ◄── lines in input order ◄── content/soft ◄── content/cluster
 *
 * Everything is kept until the last record is read. What is left out (docs/clusters.md): records
 * that are no pages, pages of which nothing is known, repeated URLs, soft errors.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/machine.h"
#include "base/number.h"
#include "base/outfile.h"
#include "base/words/json.h"
#include "content/near.h"
#include "content/soft.h"
#include "input/how.h"
#include "output/difference.h"
#include "output/inquiry.h"
#include "output/pagelist.h"
#include "url/mask.h"
#include "url/split.h"

enum { BAD_KEPT = 5, FLUSH_AT = 1 << 16 /* bytes */, COUNTS = DP_CLUSTER_ALIKE + 1, MILLION = 1000000 };

struct dp_cluster {
    dp_sameness       same;
    dp_soft_options   soft;
    int64_t           min_size;
    bool              mask, keep_soft, any_status, relabel, raw;
    dp_format         format;
    bool              strict;
    unsigned          threads;
    char             *how[DP_HOWS];
    dp_progress       progress;
    void             *progress_ctx;
    uint64_t          total[COUNTS];
    dp_error          bad[BAD_KEPT];
    size_t            nbad;
    dp_strlist        softs; /* a line each */
    dp_strlist        alike; /* two URLs whose pages differ in little, or none */
};

dp_err dp_cluster_new(dp_cluster **out)
{
    dp_cluster *c = calloc(1, sizeof *c);
    if (!c)
        return DP_ENOMEM;
    c->same.simhash = -1;
    c->soft = (dp_soft_options)DP_SOFT_OPTIONS_INIT;
    c->min_size = 512;
    *out = c;
    return DP_OK;
}

void dp_cluster_free(dp_cluster *c)
{
    if (!c)
        return;
    dp_strlist_done(&c->softs);
    dp_strlist_done(&c->alike);
    dp_how_done(c->how);
    free(c);
}

dp_err dp_cluster_set(dp_cluster *c, dp_cluster_option option, int64_t value)
{
    static const struct {
        int64_t min, max;
    } range[] = {
        [DP_CLUSTER_SHINGLES] = {0, DP_SKETCH_SIZE},
        [DP_CLUSTER_SIMHASH] = {-1, DP_NEAR_MAX},
        [DP_CLUSTER_SAME_TITLE] = {0, 1},
        [DP_CLUSTER_MASK] = {0, 1},
        [DP_CLUSTER_MIN_SIZE] = {0, INT64_MAX},
        [DP_CLUSTER_SOFT_URLS] = {0, UINT32_MAX},
        [DP_CLUSTER_SOFT_SHARE] = {0, MILLION},
        [DP_CLUSTER_KEEP_SOFT] = {0, 1},
        [DP_CLUSTER_ANY_STATUS] = {0, 1},
        [DP_CLUSTER_RELABEL] = {0, 1},
        [DP_CLUSTER_RAW] = {0, 1},
        [DP_CLUSTER_FORMAT] = {DP_PLAIN, DP_JSON},
        [DP_CLUSTER_STRICT] = {0, 1},
        [DP_CLUSTER_THREADS] = {0, 1024},
    };
    if ((size_t)option >= DP_COUNT(range) || value < range[option].min || value > range[option].max)
        return DP_EINVALID;
    switch (option) {
    case DP_CLUSTER_SHINGLES: c->same.shingles = (unsigned)value; break;
    case DP_CLUSTER_SIMHASH: c->same.simhash = (int)value; break;
    case DP_CLUSTER_SAME_TITLE: c->same.same_title = value; break;
    case DP_CLUSTER_MASK: c->mask = value; break;
    case DP_CLUSTER_MIN_SIZE: c->min_size = value; break;
    case DP_CLUSTER_SOFT_URLS: c->soft.urls = (uint64_t)value; break;
    case DP_CLUSTER_SOFT_SHARE: c->soft.share = (double)value / MILLION; break;
    case DP_CLUSTER_KEEP_SOFT: c->keep_soft = value; break;
    case DP_CLUSTER_ANY_STATUS: c->any_status = value; break;
    case DP_CLUSTER_RELABEL: c->relabel = value; break;
    case DP_CLUSTER_RAW: c->raw = value; break;
    case DP_CLUSTER_FORMAT: c->format = (dp_format)value; break;
    case DP_CLUSTER_STRICT: c->strict = value; break;
    case DP_CLUSTER_THREADS: c->threads = (unsigned)value; break;
    }
    return DP_OK;
}

void dp_cluster_progress(dp_cluster *c, dp_progress call, void *ctx)
{
    c->progress = call;
    c->progress_ctx = ctx;
}

dp_err dp_cluster_input(dp_cluster *c, dp_input_option option, const char *text)
{
    return dp_how_set(c->how, option, text);
}

uint64_t dp_cluster_total(const dp_cluster *c, dp_cluster_count which)
{
    return (size_t)which < COUNTS ? c->total[which] : 0;
}

dp_err dp_cluster_bad(const dp_cluster *c, size_t i, dp_error *bad)
{
    if (i >= c->nbad)
        return DP_EINVALID;
    *bad = c->bad[i];
    return DP_OK;
}

const char *dp_cluster_soft(const dp_cluster *c, size_t i, size_t *n)
{
    if (i >= c->softs.n)
        return NULL;
    dp_str line = dp_strlist_get(&c->softs, i);
    *n = line.n;
    return line.p;
}

const char *dp_cluster_alike(const dp_cluster *c, size_t i, size_t *n)
{
    if (i >= c->alike.n)
        return NULL;
    dp_str url = dp_strlist_get(&c->alike, i);
    *n = url.n;
    return url.p;
}

typedef struct job {
    dp_cluster *o;
    int         fd;
    dp_error   *err;
    dp_inquiry  inquiry;
    dp_pagelist list;
    dp_difference *explain; /* NULL: clusters are written */
    bool       *is_soft; /* [entries], by root */
    dp_buf      out;
    uint64_t    last;    /* when progress was told, ms */
} job;

/* Whether a line can hold it. */
static bool is_printable(dp_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if ((unsigned char)s.p[i] < ' ')
            return false;
    }
    return true;
}

static bool is_labelled(const job *j, const dp_record *r)
{
    return dp_record_has(r, DP_FIELD_CLUSTER) && !j->o->relabel;
}

/* A record that is wanted, and what its content says. */
static dp_err add(void *self, const dp_record *r, const dp_evidence *e)
{
    job     *j = self;
    dp_split s;
    if (is_labelled(j, r))
        return dp_pagelist_add_labelled(&j->list, r);
    if (e->has && dp_split_url(&s, r->url)) {
        if (j->explain)
            DP_TRY(dp_difference_see(j->explain, r, e, (uint32_t)j->list.urls.n));
        return dp_pagelist_add(&j->list, r, e, s.host);
    }
    j->o->total[DP_CLUSTER_UNKNOWN]++;
    return DP_OK;
}

static dp_err take(job *j, const dp_record *r)
{
    dp_split  s;
    uint64_t *total = j->o->total;
    bool      is_page = j->o->any_status ? !r->method.n : dp_record_is_page(r);
    total[DP_CLUSTER_RECORDS]++;
    if (!dp_split_url(&s, r->url) || !is_printable(r->url) || !is_printable(r->cluster)) {
        total[DP_CLUSTER_NOT_URLS]++;
        return DP_OK;
    }
    if (is_labelled(j, r)) {
        total[DP_CLUSTER_LABELLED]++;
        return dp_inquiry_ask(&j->inquiry, r, false);
    }
    if (!is_page) {
        total[DP_CLUSTER_NOT_PAGES]++;
        return DP_OK;
    }
    return dp_inquiry_ask(&j->inquiry, r, true);
}

/* ---- reading -------------------------------------------------------------------------------------------- */

/* Tell the caller how far it is, ten times a second; it may want to stop. */
static dp_err report(job *j, const dp_reader *r)
{
    if (!j->o->progress || j->o->total[DP_CLUSTER_RECORDS] % 64 || !dp_clock_is_due(&j->last, 100))
        return DP_OK;
    bool stop = j->o->progress(j->o->progress_ctx, dp_reader_done(r), dp_reader_total(r), "bytes");
    return stop ? dp_fail(j->err, DP_EINVALID, "stopped") : DP_OK;
}

static dp_err read_all(job *j, const char *const *paths, size_t count)
{
    dp_cluster       *o = j->o;
    dp_reader        *r;
    dp_reader_options in = dp_how_options(o->how);
    in.strict = o->strict;
    in.want_body = true;
    DP_TRY(dp_reader_open(&r, paths, count, &in, j->err));
    dp_err code = DP_OK;
    for (bool more = true; code == DP_OK && more;) {
        dp_record rec;
        code = dp_reader_next(r, &rec, &more, j->err);
        if (code == DP_OK && more)
            code = take(j, &rec);
        if (code == DP_OK && more)
            code = report(j, r);
    }
    if (code == DP_OK)
        code = dp_inquiry_end(&j->inquiry);
    o->total[DP_CLUSTER_RECORDS] += dp_reader_no_pages(r);
    o->total[DP_CLUSTER_NOT_PAGES] += dp_reader_no_pages(r);
    o->total[DP_CLUSTER_BAD] = dp_reader_bad(r);
    while (o->nbad < BAD_KEPT && dp_reader_bad_line(r, o->nbad, &o->bad[o->nbad]))
        o->nbad++;
    dp_reader_close(r);
    return code;
}

/* ---- soft errors -------------------------------------------------------------------------------------------- */

static void describe_soft(const job *j, dp_buf *line, const dp_soft *s)
{
    dp_str   url = dp_strlist_get(&j->list.urls, s->example);
    uint64_t id = j->list.clusters.id[s->root];
    dp_buf   example = {0};
    dp_split parts = {0};
    dp_split_url(&parts, url);
    if (j->o->raw)
        dp_buf_str(&example, url);
    else
        dp_mask_url(&example, url, NULL, 0);
    if (j->o->format == DP_JSON) {
        dp_buf_byte(line, '{');
        dp_json_id(line, "cluster", id);
        dp_json_count(line, "urls", s->urls);
        dp_json_text(line, "host", parts.host);
        dp_json_text(line, "example", dp_buf_view(&example));
        dp_buf_byte(line, '}');
    } else {
        dp_buf_printf(line, "%016" PRIx64 "\t%" PRIu32 "\t", id, s->urls);
        dp_buf_str(line, parts.host);
        dp_buf_byte(line, '\t');
        dp_buf_str(line, dp_buf_view(&example));
    }
    line->failed |= example.failed;
    dp_buf_done(&example);
}

/* Labelled entries have no page: their host is never looked at. */
static dp_err find_soft(job *j)
{
    dp_softs found;
    dp_buf   line = {0};
    if (!(j->is_soft = calloc(j->list.urls.n + 1, sizeof *j->is_soft)))
        return DP_ENOMEM;
    DP_TRY(dp_softs_find(&found, &j->list.clusters, &j->list.urls, j->list.host, j->list.hosts.n, &j->o->soft));
    dp_err code = DP_OK;
    for (size_t i = 0; i < found.n && code == DP_OK; i++) {
        uint32_t root = found.v[i].root;
        if (!j->is_soft[root]) {
            j->o->total[DP_CLUSTER_SOFT_SETS]++;
            j->o->total[DP_CLUSTER_SOFT_PAGES] += j->list.clusters.size[root];
        }
        j->is_soft[root] = true;
        dp_buf_reset(&line);
        describe_soft(j, &line, &found.v[i]);
        code = line.failed || !dp_strlist_add(&j->o->softs, dp_buf_view(&line)) ? DP_ENOMEM : DP_OK;
    }
    dp_buf_done(&line);
    dp_softs_done(&found);
    return code;
}

/* ---- writing --------------------------------------------------------------------------------------------------- */

static dp_err flush(job *j)
{
    if (j->out.failed)
        return DP_ENOMEM;
    DP_TRY(dp_write_all(j->fd, j->out.p, j->out.n, NULL, j->err));
    dp_buf_reset(&j->out);
    return DP_OK;
}

static dp_err write_line(job *j, dp_str cluster, dp_str url, bool soft)
{
    if (j->o->format == DP_JSON) {
        dp_buf_byte(&j->out, '{');
        dp_json_text(&j->out, "cluster", cluster);
        dp_json_text(&j->out, "url", url);
        if (soft)
            dp_json_flag(&j->out, "soft_error", true);
        dp_buf_c(&j->out, "}\n");
    } else {
        if (soft)
            dp_buf_c(&j->out, "soft:");
        dp_buf_str(&j->out, cluster);
        dp_buf_byte(&j->out, '\t');
        dp_buf_str(&j->out, url);
        dp_buf_byte(&j->out, '\n');
    }
    return j->out.n >= FLUSH_AT || j->out.failed ? flush(j) : DP_OK;
}

static dp_err write_all(job *j)
{
    size_t label = 0;
    for (size_t i = 0; i < j->list.urls.n; i++) {
        char     hex[16];
        dp_str   url = dp_strlist_get(&j->list.urls, i);
        uint32_t root = dp_sets_root(&j->list.clusters.sets, (uint32_t)i);
        if (j->list.host[i] == DP_NO_HOST)
            DP_TRY(write_line(j, dp_strlist_get(&j->list.labels, label++), url, false));
        else if (j->list.clusters.has[i] && (!j->is_soft[root] || j->o->keep_soft))
            DP_TRY(write_line(j, dp_number_hex(hex, j->list.clusters.id[root]), url, j->is_soft[root]));
    }
    return flush(j);
}

static void count(job *j)
{
    uint64_t *total = j->o->total;
    for (size_t i = 0; i < j->list.clusters.n; i++) {
        uint64_t size = j->list.clusters.size[i];
        total[DP_CLUSTER_PAGES] += size;
        total[DP_CLUSTER_SETS] += size > 0;
        total[DP_CLUSTER_GROUPS] += size > 1;
        total[DP_CLUSTER_LARGEST] = size > total[DP_CLUSTER_LARGEST] ? size : total[DP_CLUSTER_LARGEST];
    }
}

/* Note that pages differ in little, and an example. */
static dp_err note_alike(job *j)
{
    const dp_hidden_open *open = &j->list.clusters.open;
    j->o->total[DP_CLUSTER_ALIKE] = open->pages;
    for (int k = 0; k < 2 && open->pages; k++) {
        dp_buf example = {0};
        dp_str url = dp_strlist_get(&j->list.urls, k ? open->b : open->a);
        if (j->o->raw)
            dp_buf_str(&example, url);
        else
            dp_mask_url(&example, url, NULL, 0);
        bool ok = !example.failed && dp_strlist_add(&j->o->alike, dp_buf_view(&example));
        dp_buf_done(&example);
        if (!ok)
            return DP_ENOMEM;
    }
    return DP_OK;
}

static dp_err write_difference(job *j)
{
    dp_difference_print(&j->out, j->explain, &j->list.clusters, j->o->format == DP_JSON);
    return flush(j);
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

static dp_err work(job *j, const char *const *paths, size_t count_of_paths)
{
    DP_TRY(read_all(j, paths, count_of_paths));
    if (!j->list.urls.n && j->o->total[DP_CLUSTER_UNKNOWN])
        return dp_fail(j->err, DP_EINVALID, "nothing to compare: no record has a digest or a body (sketches need "
                                            "--shingles, simhashes need --simhash). For a log, 'dustpan report' shows "
                                            "what its URLs cost, and 'dustpan learn' makes rules that 'dustpan "
                                            "validate' tests on live pages");
    DP_TRY(dp_pagelist_drop_repeated(&j->list, &j->o->same, &j->o->total[DP_CLUSTER_REPEATED]));
    if (j->explain)
        DP_TRY(dp_difference_settle(j->explain, &j->list.clusters, j->err));
    DP_TRY(dp_clusters_join(&j->list.clusters, &j->o->same));
    if (j->explain)
        return write_difference(j);
    DP_TRY(note_alike(j));
    DP_TRY(find_soft(j));
    count(j);
    return write_all(j);
}

static dp_err run(dp_cluster *c, const char *const *paths, size_t count_of_paths, int fd, dp_difference *explain,
                  dp_error *err)
{
    job                     j = {.o = c, .fd = fd, .err = err, .explain = explain};
    const dp_evidence_maker like = {.same = c->same, .min_size = c->min_size, .mask = c->mask};
    if (err)
        *err = (dp_error){0};
    memset(c->total, 0, sizeof c->total);
    c->nbad = 0;
    dp_strlist_done(&c->softs);
    dp_strlist_done(&c->alike);
    dp_err code = dp_inquiry_init(&j.inquiry, &like, c->threads, add, &j);
    if (code == DP_OK)
        code = work(&j, paths, count_of_paths);
    if (code != DP_OK && err && !err->message[0])
        dp_fail_as(err, code);
    dp_inquiry_done(&j.inquiry);
    dp_pagelist_done(&j.list);
    free(j.is_soft);
    dp_buf_done(&j.out);
    return code;
}

dp_err dp_cluster_run(dp_cluster *c, const char *const *paths, size_t count_of_paths, int fd, dp_error *err)
{
    return run(c, paths, count_of_paths, fd, NULL, err);
}

dp_err dp_cluster_explain(dp_cluster *c, const char *first, const char *second, const char *const *paths,
                          size_t count_of_paths, int fd, dp_error *err)
{
    dp_difference d = {.url = {dp_str_c(first), dp_str_c(second)}};
    dp_err        code = run(c, paths, count_of_paths, fd, &d, err);
    dp_difference_done(&d);
    return code;
}
