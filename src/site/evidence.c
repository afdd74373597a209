/* SPDX-License-Identifier: Apache-2.0 */
#include "site/evidence.h"

#include "base/hash.h"
#include "content/simhash.h"
#include "content/volatile.h"
#include "content/ties.h"
#include "url/chars.h"
#include "url/normalize.h"
#include "url/split.h"

static uint64_t hash_title(dp_str title)
{
    uint64_t h = title.n ? dp_hash_str(title) : 0;
    return title.n && !h ? 1 : h;
}

/* The type without parameters, in lower case; 0 for those that name none. */
static uint32_t hash_type(dp_str mime)
{
    char   small[64];
    size_t n = 0;
    while (n < mime.n && n < sizeof small && mime.p[n] != ';' && mime.p[n] != ' ') {
        small[n] = dp_lower(mime.p[n]);
        n++;
    }
    static const char *const none[] = {"", "-", "unk", "no-type", "warc/revisit"};
    for (size_t i = 0; i < DP_COUNT(none); i++) {
        if (strlen(none[i]) == n && memcmp(none[i], small, n) == 0)
            return 0;
    }
    uint32_t h = (uint32_t)dp_hash_bytes(small, n);
    return h ? h : 1;
}

/* Digests of nothing: SHA-1 in hex and in base 32, MD5, SHA-256. */
static bool is_of_nothing(dp_str digest)
{
    static const char *const empty[] = {
        "da39a3ee5e6b4b0d3255bfef95601890afd80709", "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
        "d41d8cd98f00b204e9800998ecf8427e", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    };
    for (size_t i = 0; i < DP_COUNT(empty); i++) {
        if (dp_is_word(digest, empty[i]))
            return true;
    }
    return false;
}

static void add_digest(const dp_evidence_maker *w, dp_evidence *e, const dp_record *r)
{
    bool small = dp_record_has(r, DP_FIELD_SIZE) && r->size <= w->min_size;
    if (dp_record_has(r, DP_FIELD_DIGEST) && !small && !is_of_nothing(r->digest)) {
        e->digest = dp_hash128_of(r->digest);
        e->has |= DP_EVIDENCE_DIGEST;
    } else if (r->body.n && !small && !dp_record_has(r, DP_FIELD_DIGEST)) {
        e->digest = dp_hash128_of(r->body);
        e->has |= DP_EVIDENCE_DIGEST;
    }
    e->mime = hash_type(r->mime);
}

/* Columns that others have filled; zero is what they write for a page without words. */
static void add_columns(dp_evidence *e, const dp_record *r)
{
    const uint64_t *min = r->sketch.min;
    if (dp_record_has(r, DP_FIELD_SKETCH) && (min[0] | min[1] | min[2] | min[3])) {
        memcpy(e->sketch, min, sizeof e->sketch);
        e->has |= DP_EVIDENCE_SKETCH;
    }
    if (dp_record_has(r, DP_FIELD_SIMHASH) && r->simhash) {
        e->simhash = r->simhash;
        e->has |= DP_EVIDENCE_SIMHASH;
    }
    e->title = hash_title(r->title);
}

/* What the words of a text say, where anybody asks. */
static dp_err add_words(dp_evidence_maker *w, dp_evidence *e, dp_str text)
{
    const dp_sameness *same = &w->same;
    if (!same->shingles && same->simhash < 0)
        return DP_OK;
    DP_TRY(dp_words_read(&w->words, text));
    if (!w->words.n)
        return DP_OK;
    if (same->shingles)
        dp_shingle_sketch(e->sketch, w->words.v, w->words.n);
    e->simhash = dp_simhash(w->words.v, w->words.n);
    e->has |= (same->shingles ? DP_EVIDENCE_SKETCH : 0u) | (e->simhash ? DP_EVIDENCE_SIMHASH : 0u);
    return DP_OK;
}

void dp_evidence_locate(dp_evidence *e, dp_str url)
{
    dp_split parts;
    dp_ties  ties;
    if (!dp_split_url(&parts, url))
        return;
    dp_ties_find(&ties, url, NULL);
    e->shown.url = dp_hash_str(url);
    e->shown.host = (uint32_t)dp_hash_str(parts.host);
    size_t end = 0;
    while (end < parts.path.n && parts.path.p[end] != ';') /* /a;jsessionid=... is /a */
        end++;
    e->shown.path = (uint32_t)dp_hash_str(dp_str_cut(parts.path, 0, end));
    for (size_t i = 0; i < ties.n; i++)
        e->shown.ties |= UINT64_C(1) << (ties.v[i].hash >> 58);
}

/* What stands where on the page. */
static dp_err add_slots(dp_evidence_maker *w, dp_evidence *e, const dp_record *r, const dp_page *page)
{
    dp_buf_reset(&w->form);
    dp_str url = dp_normalize(&w->form, r->url) ? dp_buf_view(&w->form) : r->url;
    if (w->form.failed)
        return DP_ENOMEM;
    const dp_slots_source in = {.text = page->text, .marks = page->marks, .nmark = page->nmark,
                                .is_html = page->kind == DP_PAGE_HTML, .url = url,
                                .time = dp_record_has(r, DP_FIELD_TIME) ? r->time : 0};
    DP_TRY(dp_slots_read(&w->slots, &in));
    dp_slot *kept = dp_arena_alloc(&w->kept, w->slots.n * sizeof *kept);
    if (!kept)
        return DP_ENOMEM;
    memcpy(kept, w->slots.v, w->slots.n * sizeof *kept);
    e->shown = (dp_shown){.slots = kept, .n = (uint32_t)w->slots.n, .time = in.time};
    dp_evidence_locate(e, url);
    return DP_OK;
}

static dp_err add_page(dp_evidence_maker *w, dp_evidence *e, const dp_record *r)
{
    const dp_page_source source = {.url = r->url, .header = r->header, .mime = r->mime, .body = r->body};
    dp_page              page;
    if (!w->pages)
        DP_TRY(dp_page_reader_new(&w->pages));
    DP_TRY(dp_page_read(w->pages, &page, &source));
    e->title = hash_title(page.title);
    w->canonical = page.canonical;
    if (page.kind == DP_PAGE_BINARY && w->same.shingles) {
        DP_TRY(dp_shingle_binary(e->sketch, r->body));
        e->has |= DP_EVIDENCE_SKETCH;
    }
    if (!page.text.n)
        return DP_OK;
    DP_TRY(add_slots(w, e, r, &page));
    dp_str text = page.text;
    if (w->mask) {
        dp_buf_reset(&w->hidden);
        dp_volatile_hide(&w->hidden, text);
        if (w->hidden.failed)
            return DP_ENOMEM;
        text = dp_buf_view(&w->hidden);
    }
    e->text = dp_hash128_of(text);
    e->has |= DP_EVIDENCE_TEXT;
    return add_words(w, e, text);
}

dp_err dp_evidence_make(dp_evidence_maker *w, dp_evidence *e, const dp_record *r)
{
    *e = (dp_evidence){0};
    w->canonical = (dp_str){0};
    add_digest(w, e, r);
    add_columns(e, r);
    if (r->body.n)
        DP_TRY(add_page(w, e, r));
    e->has &= dp_sameness_kinds(&w->same);
    return DP_OK;
}

void dp_evidence_maker_done(dp_evidence_maker *w)
{
    dp_page_reader_free(w->pages);
    dp_words_done(&w->words);
    dp_buf_done(&w->hidden);
    dp_slots_done(&w->slots);
    dp_buf_done(&w->form);
    dp_arena_done(&w->kept);
    w->pages = NULL;
}
