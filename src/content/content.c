/* The dp_content of dustpan.h: one page as the columns of a record, for programs that fetch pages themselves.
 *
 *     url, header, body ── content/page ──► title, canonical, text ── words ──► sketch, simhash
 *                                                               └── hash ──► cluster
 *
 * What `learn` and `cluster` find out of a WARC, a crawler can write beside its URLs, and keep no bodies.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/hash.h"
#include "content/cluster.h"
#include "content/page.h"
#include "content/shingle.h"
#include "content/simhash.h"
#include "content/words.h"

struct dp_content {
    dp_page_reader *pages;
    dp_words        words;
    dp_page         page;
    dp_buf          sketch, simhash, cluster; /* as text; empty: none */
};

dp_err dp_content_new(dp_content **out)
{
    dp_content *c = calloc(1, sizeof *c);
    if (!c)
        return DP_ENOMEM;
    dp_err code = dp_page_reader_new(&c->pages);
    if (code == DP_OK)
        *out = c;
    else
        free(c);
    return code;
}

void dp_content_free(dp_content *c)
{
    if (!c)
        return;
    dp_page_reader_free(c->pages);
    dp_words_done(&c->words);
    dp_buf_done(&c->sketch);
    dp_buf_done(&c->simhash);
    dp_buf_done(&c->cluster);
    free(c);
}

static void forget(dp_content *c)
{
    c->page = (dp_page){0};
    dp_buf_reset(&c->sketch);
    dp_buf_reset(&c->simhash);
    dp_buf_reset(&c->cluster);
}

static void put_sketch(dp_content *c, const uint64_t sketch[DP_SKETCH_SIZE])
{
    for (int i = 0; i < DP_SKETCH_SIZE; i++)
        dp_buf_printf(&c->sketch, "%s%016" PRIx64, i ? "," : "", sketch[i]);
}

static dp_err put_text(dp_content *c, dp_str text)
{
    uint64_t   sketch[DP_SKETCH_SIZE], simhash;
    dp_hash128 hash = dp_hash128_of(text);
    DP_TRY(dp_words_read(&c->words, text));
    dp_buf_printf(&c->cluster, "%016" PRIx64 "%016" PRIx64, hash.hi, hash.lo);
    if (!c->words.n)
        return DP_OK;
    dp_shingle_sketch(sketch, c->words.v, c->words.n);
    put_sketch(c, sketch);
    simhash = dp_simhash(c->words.v, c->words.n);
    if (simhash)
        dp_buf_printf(&c->simhash, "%016" PRIx64, simhash);
    return DP_OK;
}

static dp_err look(dp_content *c, const dp_page_source *in)
{
    uint64_t sketch[DP_SKETCH_SIZE];
    DP_TRY(dp_page_read(c->pages, &c->page, in));
    if (c->page.text.n)
        DP_TRY(put_text(c, c->page.text));
    if (c->page.kind == DP_PAGE_BINARY && in->body.n) {
        DP_TRY(dp_shingle_binary(sketch, in->body));
        put_sketch(c, sketch);
    }
    return c->sketch.failed || c->simhash.failed || c->cluster.failed ? DP_ENOMEM : DP_OK;
}

dp_err dp_content_read(dp_content *c, const char *url, size_t url_size, const char *header, size_t header_size,
                       const char *body, size_t body_size)
{
    const dp_page_source in = {.url = {url, url_size}, .header = {header, header_size}, .body = {body, body_size}};
    forget(c);
    dp_err code = look(c, &in);
    if (code != DP_OK)
        forget(c);
    return code;
}

const char *dp_content_text(const dp_content *c, dp_field field, size_t *n)
{
    dp_str text = {0};
    switch (field) {
    case DP_FIELD_TITLE: text = c->page.title; break;
    case DP_FIELD_CANONICAL: text = c->page.canonical; break;
    case DP_FIELD_SKETCH: text = dp_buf_view(&c->sketch); break;
    case DP_FIELD_SIMHASH: text = dp_buf_view(&c->simhash); break;
    case DP_FIELD_CLUSTER: text = dp_buf_view(&c->cluster); break;
    default: break;
    }
    *n = text.n;
    return text.n ? text.p : NULL;
}
