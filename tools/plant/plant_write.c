/* plant_write.c - items to files.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plant_write.h"

#include <stdlib.h>
#include <unistd.h>

#include "plant_log.h"
#include "plant_truth.h"

enum { PIECE = 1 << 18, RECENT_HOSTS = 256, RECENT = 8 };

/* ---- files ------------------------------------------------------------------------------------------------ */

static bool is_stdout(const plant_file *f)
{
    return strcmp(f->path, "-") == 0;
}

dp_err plant_file_open(plant_file *f, dp_error *err)
{
    f->out = DP_OUTFILE_CLOSED;
    if (is_stdout(f))
        f->out.fd = STDOUT_FILENO;
    else
        DP_TRY(dp_outfile_open(&f->out, f->path, err));
    return dp_buf_room(&f->b, PIECE + 8192) ? DP_OK : dp_fail(err, DP_ENOMEM, "out of memory");
}

dp_err plant_file_flush(plant_file *f, bool all, dp_error *err)
{
    if (f->b.failed)
        return dp_fail(err, DP_ENOMEM, "out of memory");
    if (!all && f->b.n < PIECE)
        return DP_OK;
    size_t n = f->b.n;
    f->b.n = 0;
    return is_stdout(f) ? dp_write_all(f->out.fd, f->b.p, n, "standard output", err)
                        : dp_outfile_write(&f->out, f->b.p, n, err);
}

dp_err plant_file_commit(plant_file *f, dp_error *err)
{
    DP_TRY(plant_file_flush(f, true, err));
    return is_stdout(f) ? DP_OK : dp_outfile_commit(&f->out, err);
}

void plant_file_abort(plant_file *f)
{
    if (f->path && !is_stdout(f))
        dp_outfile_abort(&f->out);
    dp_buf_done(&f->b);
}

/* ---- lines ------------------------------------------------------------------------------------------------ */

/* The contents that a host showed last: what a wrong label is taken from. */
typedef struct recent {
    uint64_t host, content[RECENT];
    unsigned n;
} recent;

typedef struct writer {
    const plant_options *o;
    plant_file           file[PLANT_OUTPUTS];
    recent               recent[RECENT_HOSTS];
    plant_log            log;
    dp_error            *err;
} writer;

/* A list also names pages that are not there, two for a thousand that are. */
static bool is_beside_gone(const writer *w, uint64_t hash)
{
    return plant_mix2(hash, w->o->seed + 5) % 1000 < 2;
}

static uint64_t label(writer *w, const plant_item *it)
{
    recent  *past = &w->recent[it->host % RECENT_HOSTS];
    uint64_t x = plant_mix2(it->hash, w->o->seed), wrong = plant_mix2(it->content, x);
    if (past->host != it->host || !past->n)
        *past = (recent){.host = it->host};
    /* About half of the wrong labels are another page's, the rest nobody's. */
    uint64_t other = past->n ? past->content[(x >> 8) % (past->n < RECENT ? past->n : RECENT)] : it->content;
    if ((x & 1) && other != it->content)
        wrong = other;
    if (!past->n || past->content[(past->n - 1) % RECENT] != it->content)
        past->content[past->n++ % RECENT] = it->content;
    return plant_under(plant_mix(x), w->o->noise) ? wrong : it->content;
}

static char *put_line(char *to, uint64_t id, const plant_item *it)
{
    to = put_hex(to, id, 16);
    *to++ = '\t';
    to = put_bytes(to, it->url, it->n);
    *to++ = '\n';
    return to;
}

static char *put_list_line(char *to, const writer *w, const plant_item *it)
{
    to = put_bytes(to, it->url, it->n);
    to = put_c(to, "\t200\t");
    to = put_number(to, plant_item_bytes(w->o, it));
    for (unsigned i = 0; i < 4; i++) {
        *to++ = i ? ',' : '\t';
        to = put_hex(to, plant_mix2(it->content, i), 16);
    }
    *to++ = '\n';
    if (!is_beside_gone(w, it->hash))
        return to;
    to = put_bytes(to, it->url, it->n);
    return put_c(to, "~gone\t404\t512\t-\n");
}

static char *put_item(char *to, writer *w, plant_output which, const plant_item *it)
{
    switch (which) {
    case PLANT_CLUSTERS: return put_line(to, label(w, it), it);
    case PLANT_CLEAN: return put_line(to, it->content, it);
    case PLANT_PAGES: return put_line(to, it->page, it);
    case PLANT_LIST: return put_list_line(to, w, it);
    default:
        to = put_bytes(to, it->url, it->n);
        *to++ = '\n';
        return to;
    }
}

static dp_err write_item(void *ctx, const plant_item *it)
{
    writer *w = ctx;
    for (unsigned i = 0; i <= PLANT_LOG; i++) {
        plant_file *f = &w->file[i];
        if (!f->path)
            continue;
        if (i == PLANT_LOG)
            plant_log_item(&w->log, &f->b, it);
        else if (dp_buf_room(&f->b, 2 * PLANT_URL_MAX + 128))
            f->b.n = (size_t)(put_item(f->b.p + f->b.n, w, (plant_output)i, it) - f->b.p);
        DP_TRY(plant_file_flush(f, false, w->err));
    }
    return DP_OK;
}

/* ---- all ---------------------------------------------------------------------------------------------------- */

static void write_head(writer *w, plant_output which)
{
    dp_buf *b = &w->file[which].b;
    if (which == PLANT_TRUTH)
        dp_buf_c(b, "dustpan-rules 1\n");
    dp_buf_c(b, "# ");
    plant_options_print(b, w->o);
    dp_buf_byte(b, '\n');
    if (which == PLANT_LIST)
        dp_buf_c(b, "#url\tstatus\tsize\tsketch\n");
    if (which == PLANT_DECOYS)
        dp_buf_c(b, "#decoy\tkind\thost\turl\tnot-the-same\n");
}

static dp_err write_hosts(writer *w)
{
    plant_host *h = malloc(sizeof *h);
    plant_hosts hosts;
    uint64_t    fresh;
    dp_err      code = h ? DP_OK : DP_ENOMEM;
    plant_hosts_open(&hosts, w->o, 0);
    while (code == DP_OK && plant_hosts_next(&hosts, h, &fresh, &code)) {
        for (unsigned i = PLANT_TRUTH; i <= PLANT_DECOYS && code == DP_OK; i++) {
            if (w->file[i].path) {
                (i == PLANT_TRUTH ? plant_host_rules : plant_host_decoys)(&w->file[i].b, h);
                code = plant_file_flush(&w->file[i], false, w->err);
            }
        }
        plant_host_done(h);
    }
    free(h);
    return code;
}

static dp_err write_all(writer *w)
{
    bool items = false, hosts = false;
    for (unsigned i = 0; i < PLANT_OUTPUTS; i++) {
        if (w->file[i].path) {
            DP_TRY(plant_file_open(&w->file[i], w->err));
            write_head(w, (plant_output)i);
            *(i <= PLANT_LOG ? &items : &hosts) = true;
        }
    }
    if (hosts)
        DP_TRY(write_hosts(w));
    if (items)
        DP_TRY(plant_stream(w->o, (plant_draw){0}, write_item, w));
    for (unsigned i = 0; i < PLANT_OUTPUTS; i++) {
        if (w->file[i].path)
            DP_TRY(plant_file_commit(&w->file[i], w->err));
    }
    return DP_OK;
}

dp_err plant_write(const plant_options *o, const char *const path[PLANT_OUTPUTS], bool vhost, dp_error *err)
{
    writer *w = calloc(1, sizeof *w);
    if (!w)
        return dp_fail(err, DP_ENOMEM, "out of memory");
    w->o = o;
    w->err = err;
    plant_log_init(&w->log, o, vhost);
    for (unsigned i = 0; i < PLANT_OUTPUTS; i++) {
        w->file[i].out = DP_OUTFILE_CLOSED;
        w->file[i].path = path[i];
    }
    dp_err code = write_all(w);
    for (unsigned i = 0; i < PLANT_OUTPUTS; i++)
        plant_file_abort(&w->file[i]);
    free(w);
    return code;
}
