/* Any bytes as fetches of a few pages of one host: slots are sound and lose no word; what is hidden, and which pages
 * are equal then, does not depend on the order in which fetches come.
 *
 *     ff, page and type, time, body of a fetch; the next one ...
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>

#include "content/hidden.h"
#include "content/page.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { MOST = 24, PAGES = 6 };

typedef struct fetch {
    dp_slots slots;
    dp_shown shown;
    uint32_t page;
} fetch;

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "not so: %s\n", what);
    abort();
}

static uint64_t fold(const dp_slots *s)
{
    uint64_t h = 0;
    for (size_t i = 0; i < s->n; i++)
        h = dp_slot_fold(h, &s->v[i]);
    return h;
}

static void check_slots(const dp_slots *s, const dp_slots_source *in)
{
    size_t at = 0;
    must(s->n <= DP_SLOTS_MAX + 1, "there are not too many");
    for (size_t i = 0; i < s->n; i++) {
        const dp_slot *x = &s->v[i];
        must(dp_slot_is_valid(x), "a slot is valid");
        must(!(x->flags & DP_SLOT_OPENS) || x->kind == DP_SLOT_TEXT, "a node begins with plain text");
        must(i || x->flags & DP_SLOT_OPENS, "the first slot opens a node");
        at = dp_slot_end(in, at, x);
    }
    must(at == in->text.n, "all words are in a slot");
}

/* Words, not slots, are hashed: the same text without its marks has the same hash. */
static void check_hash(const dp_slots *s, const dp_slots_source *in)
{
    dp_slots        plain = {0};
    dp_slots_source bare = *in;
    bare.marks = NULL;
    bare.nmark = 0;
    must(dp_slots_read(&plain, &bare) == DP_OK && fold(&plain) == fold(s), "slots do not change the hash");
    dp_slots_done(&plain);
}

static void read_fetch(fetch *f, dp_page_reader *r, dp_str bytes, size_t number)
{
    unsigned char  head = (unsigned char)bytes.p[0], time = (unsigned char)bytes.p[1];
    char           url[64];
    dp_page        page;
    dp_page_source source = {.mime = dp_str_c(head & 8 ? "application/json" : "text/html"),
                             .body = dp_str_cut(bytes, 2, bytes.n)};
    f->page = (head & 7) % PAGES;
    snprintf(url, sizeof url, "http://a.com/item/%u?id=%u", (unsigned)f->page / 2, (unsigned)f->page);
    source.url = dp_str_c(url);
    must(dp_page_read(r, &page, &source) == DP_OK, "any page is read");
    const dp_slots_source in = {.text = page.text, .marks = page.marks, .nmark = page.nmark,
                                .is_html = page.kind == DP_PAGE_HTML, .url = source.url,
                                .time = (int64_t)(number * 256 + time)};
    must(dp_slots_read(&f->slots, &in) == DP_OK, "slots are read");
    check_slots(&f->slots, &in);
    check_hash(&f->slots, &in);
    f->shown = (dp_shown){.slots = f->slots.v, .n = (uint32_t)f->slots.n, .host = 7, .path = f->page / 2,
                          .ties = UINT64_C(3) << (f->page % 2), .time = in.time, .url = f->page + 1};
}

/* The hashes of the pages, with the fetches in one order or the other. */
static void find(uint64_t hash[PAGES], const fetch *v, size_t n, bool turned)
{
    dp_fetches     all = {0};
    dp_hidden_open open;
    uint32_t       current[PAGES];
    memset(current, 0xFF, sizeof current);
    for (size_t i = 0; i < n; i++) {
        size_t k = turned ? n - 1 - i : i;
        bool   newer = current[v[k].page] == DP_NO_FETCH || all.v[current[v[k].page]].time < v[k].shown.time;
        if (newer)
            current[v[k].page] = (uint32_t)i;
        must(dp_fetches_add(&all, v[k].page, &v[k].shown) == DP_OK, "a fetch is added");
    }
    must(dp_hidden_find(hash, &all, current, PAGES, &open, NULL) == DP_OK, "places are found");
    dp_fetches_done(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static dp_page_reader *r;
    static fetch           v[MOST]; /* memory is used again */
    uint64_t               one[PAGES], other[PAGES];
    size_t                 count = 0;
    if (!r && dp_page_reader_new(&r) != DP_OK)
        return 0;
    for (size_t at = 0, end; at < n && count < MOST; at = end + 1) {
        const uint8_t *mark = memchr(data + at, 0xFF, n - at);
        end = mark ? (size_t)(mark - data) : n;
        if (end - at < 2)
            continue;
        read_fetch(&v[count], r, (dp_str){(const char *)data + at, end - at}, count);
        count++;
    }
    find(one, v, count, false);
    find(other, v, count, true);
    must(memcmp(one, other, sizeof one) == 0, "the order does not matter");
    return 0;
}
