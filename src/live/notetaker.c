/* SPDX-License-Identifier: Apache-2.0 */
#include "live/notetaker.h"

#include <stdlib.h>

#include "base/hash.h"
#include "content/page.h"
#include "content/words.h"
#include "input/format/http.h"
#include "url/normalize.h"
#include "url/resolve.h"

struct dp_notetaker {
    dp_page_reader *pages;
    dp_words        words;
    dp_buf          room[2];
};

dp_err dp_notetaker_new(dp_notetaker **out)
{
    dp_notetaker *t = calloc(1, sizeof *t);
    if (!t || dp_page_reader_new(&t->pages) != DP_OK) {
        free(t);
        return DP_ENOMEM;
    }
    *out = t;
    return DP_OK;
}

void dp_notetaker_free(dp_notetaker *t)
{
    if (!t)
        return;
    dp_page_reader_free(t->pages);
    dp_words_done(&t->words);
    dp_buf_done(&t->room[0]);
    dp_buf_done(&t->room[1]);
    free(t);
}

/* Sketch and digest of a page. DP_ENOMEM. */
static dp_err read_page(dp_notetaker *t, dp_note *n, dp_str url, const dp_http_answer *a)
{
    dp_page              page;
    const dp_page_source source = {.url = url, .header = a->header, .body = a->body};
    n->size = (int64_t)a->body.n;
    n->digest = dp_hash128_of(a->body);
    DP_TRY(dp_page_read(t->pages, &page, &source));
    DP_TRY(dp_words_read(&t->words, page.kind == DP_PAGE_BINARY ? (dp_str){0} : page.text));
    if (!t->words.n)
        return dp_shingle_binary(n->sketch, a->body);
    dp_shingle_sketch(n->sketch, t->words.v, t->words.n);
    return DP_OK;
}

/* Where a redirect leads, in room[1]; empty: nowhere. */
static dp_str read_target(dp_notetaker *t, dp_str url, const dp_http_answer *a)
{
    dp_str location = dp_header_field(a->header, "location");
    dp_buf_reset(&t->room[0]);
    dp_buf_reset(&t->room[1]);
    if (!location.n || !dp_resolve(&t->room[0], url, location) || !dp_normalize(&t->room[1], dp_buf_view(&t->room[0])))
        return (dp_str){0};
    return dp_buf_view(&t->room[1]);
}

static bool is_redirect(int status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

static bool is_server_fault(int status)
{
    return status >= 500 || status == 408 || status == 425 || status == 429;
}

dp_err dp_notetaker_take(dp_notetaker *t, dp_note *n, dp_str url, const dp_http_answer *a)
{
    *n = (dp_note){.kind = DP_NOTE_FAILED, .fault = a->fault, .status = a->status};
    if (n->fault != DP_FAULT_NONE)
        return DP_OK;
    if (a->status >= 200 && a->status < 300) {
        n->kind = DP_NOTE_PAGE;
        return read_page(t, n, url, a);
    }
    if (is_redirect(a->status)) {
        n->target = read_target(t, url, a);
        if (t->room[0].failed || t->room[1].failed)
            return DP_ENOMEM;
        n->kind = n->target.n ? DP_NOTE_MOVED : DP_NOTE_FAILED;
        n->fault = n->target.n ? DP_FAULT_NONE : DP_FAULT_REDIRECT;
    } else if (is_server_fault(a->status)) {
        n->fault = DP_FAULT_SERVER;
    } else if (a->status >= 400) {
        n->kind = DP_NOTE_GONE;
    } else {
        n->fault = DP_FAULT_BROKEN;
    }
    return DP_OK;
}
