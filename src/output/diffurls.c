/* diffurls.c - dp_diff_urls of dustpan.h: whose keys change from one engine to another.
 *
 *     lines ──► key under a, key under b ──► differ? ──► hosts: how many, one example
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/arena.h"

#include "base/intern.h"
#include "base/room.h"
#include "base/text.h"
#include "base/words/json.h"
#include "input/bytes/lines.h"
#include "url/mask.h"
#include "url/split.h"

typedef struct host {
    dp_str   name;
    uint64_t urls, changed;
    dp_str   url, a, b; /* the first that changed */
} host;

typedef struct diff {
    const dp_engine *a, *b;
    dp_scratch      *form, *scratch_a, *scratch_b;
    dp_arena         text;
    dp_intern        number; /* of a host's name */
    host            *host;   /* [nhost] */
    size_t           nhost, cap;
    uint64_t         urls, changed;
} diff;

static host *find_host(diff *d, dp_str name)
{
    uint32_t i;
    if (dp_intern_find(&d->number, name, &i))
        return &d->host[i];
    if (!DP_ROOM(d->host, d->nhost, d->cap))
        return NULL;
    dp_str own = dp_arena_str(&d->text, name);
    if (!own.p || d->nhost == UINT32_MAX || !dp_intern_add(&d->number, own, (uint32_t)d->nhost))
        return NULL;
    d->host[d->nhost] = (host){.name = own};
    return &d->host[d->nhost++];
}

static dp_err compare_line(diff *d, dp_str url)
{
    dp_str   form, a, b;
    dp_split parts;
    form.p = dp_apply_view(d->a, d->form, DP_STAGE0, url.p, url.n, &form.n);
    a.p = dp_apply_view(d->a, d->scratch_a, DP_KEY, url.p, url.n, &a.n);
    b.p = dp_apply_view(d->b, d->scratch_b, DP_KEY, url.p, url.n, &b.n);
    if (!form.p || !a.p || !b.p)
        return DP_ENOMEM;
    if (!dp_scratch_is_url(d->form) || !dp_split_url(&parts, form))
        return DP_OK;
    host *h = find_host(d, parts.host);
    if (!h)
        return DP_ENOMEM;
    bool changed = !dp_str_eq(a, b);
    d->urls++;
    h->urls++;
    d->changed += changed;
    if (changed && h->changed++ == 0) {
        h->url = dp_arena_str(&d->text, url);
        h->a = dp_arena_str(&d->text, a);
        h->b = dp_arena_str(&d->text, b);
        return h->url.p && h->a.p && h->b.p ? DP_OK : DP_ENOMEM;
    }
    return DP_OK;
}

static dp_err compare_files(diff *d, const dp_lines_options *o, dp_error *err)
{
    dp_lines *lines;
    dp_chunk  c = {0};
    DP_TRY(dp_lines_open(&lines, o, err));
    dp_err code;
    while ((code = dp_lines_next(lines, &c, err)) == DP_OK && c.n) {
        dp_chunk_strip_cr(&c);
        for (size_t at = 0, end; at < c.n && code == DP_OK; at = end + 1) {
            end = (size_t)((char *)memchr(c.p + at, '\n', c.n - at) - c.p);
            code = compare_line(d, (dp_str){c.p + at, end - at});
        }
        if (code != DP_OK)
            break;
    }
    dp_chunk_done(&c);
    dp_lines_close(lines);
    return code;
}

static int by_changed(const void *pa, const void *pb)
{
    const host *a = pa, *b = pb;
    if (a->changed != b->changed)
        return a->changed < b->changed ? 1 : -1;
    return dp_str_cmp(a->name, b->name);
}

/* The example's URL and keys, in `part` 0 to 2. What the other two do not say is what a
 * rule dropped or erased. */
static void add_example(dp_buf *out, const host *h, int part, bool raw)
{
    dp_str all[] = {h->url, h->a, h->b}, kept[] = {part == 1 ? h->b : h->a, h->b};
    if (raw)
        dp_buf_str(out, all[part]);
    else
        dp_mask_url(out, all[part], kept, part == 0 ? 2 : 1);
}

static void add_plain(dp_buf *out, const host *h, bool raw)
{
    dp_buf_str(out, h->name);
    dp_buf_printf(out, "\t%" PRIu64 "\t%" PRIu64, h->changed, h->urls);
    for (int i = 0; i < 3; i++) {
        dp_buf_byte(out, '\t');
        add_example(out, h, i, raw);
    }
    dp_buf_byte(out, '\n');
}

static void add_json(dp_buf *out, const host *h, bool raw)
{
    static const char *const name[] = {"url", "a", "b"};
    dp_json_open(out, NULL, '{');
    dp_json_text(out, "host", h->name);
    dp_json_count(out, "changed", h->changed);
    dp_json_count(out, "urls", h->urls);
    for (int i = 0; i < 3; i++) {
        dp_buf text = {0};
        add_example(&text, h, i, raw);
        dp_json_take(out, name[i], &text);
    }
    dp_buf_byte(out, '}');
}

static dp_err print(dp_text **out, diff *d, unsigned flags, dp_format format)
{
    dp_buf b = {0};
    bool   raw = flags & DP_RAW_EXAMPLES;
    if (d->nhost)
        qsort(d->host, d->nhost, sizeof *d->host, by_changed);
    if (format == DP_JSON) {
        dp_buf_byte(&b, '{');
        dp_json_id(&b, "set_a", dp_engine_set_id(d->a));
        dp_json_id(&b, "set_b", dp_engine_set_id(d->b));
        dp_json_count(&b, "changed", d->changed);
        dp_json_count(&b, "urls", d->urls);
        dp_json_open(&b, "hosts", '[');
    }
    for (size_t i = 0; i < d->nhost && d->host[i].changed; i++)
        (format == DP_JSON ? add_json : add_plain)(&b, &d->host[i], raw);
    if (format == DP_JSON)
        dp_buf_c(&b, "]}\n");
    return dp_text_take(out, &b);
}

dp_err dp_diff_urls(dp_text **out, const dp_engine *a, const dp_engine *b, const char *const *paths, size_t count,
                    unsigned flags, dp_format format, size_t *differences, dp_error *err)
{
    diff             d = {.a = a, .b = b};
    dp_lines_options o = {.paths = paths, .count = count};
    dp_err           code = DP_ENOMEM;
    if (err)
        *err = (dp_error){0};
    if (dp_scratch_new(&d.form) == DP_OK && dp_scratch_new(&d.scratch_a) == DP_OK &&
        dp_scratch_new(&d.scratch_b) == DP_OK)
        code = compare_files(&d, &o, err);
    if (code == DP_OK)
        code = print(out, &d, flags, format);
    *differences = d.changed;
    if (code == DP_ENOMEM)
        dp_fail_as(err, code);
    dp_scratch_free(d.form);
    dp_scratch_free(d.scratch_a);
    dp_scratch_free(d.scratch_b);
    dp_intern_done(&d.number);
    dp_arena_done(&d.text);
    free(d.host);
    return code;
}
