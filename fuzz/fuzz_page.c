/* Any bytes as a page: what is read of it is valid UTF-8, squeezed, and the same every time; what is
 * hidden stays hidden; its words, sketch and simhash are made without harm.
 *
 * The first byte chooses the type that the server names, the rest is the body.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/words/utf8.h"
#include "content/page.h"
#include "content/shingle.h"
#include "content/simhash.h"
#include "content/volatile.h"
#include "content/words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const char *const types[] = {
    "text/html", "text/html; charset=utf-8", "text/html; charset=iso-8859-1", "text/html; charset=shift_jis",
    "text/html; charset=utf-16", "text/html; charset=gb18030", "text/html; charset=iso-2022-jp",
    "text/html; charset=windows-1258", "text/html; charset=big5", "text/plain", "", "application/xhtml+xml",
};

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "not so: %s\n", what);
    abort();
}

static void keep(dp_buf *to, dp_str s)
{
    dp_buf_reset(to);
    dp_buf_str(to, s);
}

static void check_text(dp_str text)
{
    must(dp_utf8_is_valid(text), "valid UTF-8");
    for (size_t i = 0; i < text.n; i++) {
        must((unsigned char)text.p[i] >= ' ', "no control characters");
        must(text.p[i] != ' ' || (i && i + 1 < text.n && text.p[i - 1] != ' '), "blanks are single and inside");
    }
}

static void check_hiding(dp_str text)
{
    dp_buf once = {0}, twice = {0};
    dp_volatile_hide(&once, text);
    dp_volatile_hide(&twice, dp_buf_view(&once));
    must(dp_str_eq(dp_buf_view(&once), dp_buf_view(&twice)), "hiding twice is hiding once");
    must(dp_utf8_is_valid(dp_buf_view(&once)), "hidden text is valid UTF-8");
    dp_buf_done(&once);
    dp_buf_done(&twice);
}

static void check_words(dp_str text)
{
    dp_words w = {0};
    uint64_t a[DP_SKETCH_SIZE], b[DP_SKETCH_SIZE];
    must(dp_words_read(&w, text) == DP_OK, "words are read");
    if (w.n) {
        dp_shingle_sketch(a, w.v, w.n);
        dp_shingle_sketch(b, w.v, w.n);
        must(dp_shingle_common(a, b) == DP_SKETCH_SIZE, "sketches repeat");
        must(dp_simhash(w.v, w.n) == dp_simhash(w.v, w.n), "simhashes repeat");
    }
    dp_words_done(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static dp_page_reader *r; /* kept between inputs: what one leaves behind must not matter to the next */
    static dp_buf          text, title, canonical;
    dp_page                p;
    dp_page_reader        *fresh;
    if (!n || (!r && dp_page_reader_new(&r) != DP_OK))
        return 0;
    const dp_page_source in = {.url = DP_STR("http://a.com/dir/page?x#y"),
                               .header = DP_STR("Link: </c>; rel=next\r\n"),
                               .mime = dp_str_c(types[data[0] % DP_COUNT(types)]),
                               .body = {(const char *)data + 1, n - 1}};
    must(dp_page_read(r, &p, &in) == DP_OK, "any page is read");
    check_text(p.text);
    check_text(p.title);
    check_hiding(p.text);
    check_words(p.text);
    must(!p.canonical.n || memmem(p.canonical.p, p.canonical.n, "://", 3), "a canonical link is a URL");
    keep(&text, p.text), keep(&title, p.title), keep(&canonical, p.canonical);
    dp_page_kind kind = p.kind;
    must(dp_page_reader_new(&fresh) == DP_OK && dp_page_read(fresh, &p, &in) == DP_OK, "it is read again");
    must(p.kind == kind && dp_str_eq(p.text, dp_buf_view(&text)) && dp_str_eq(p.title, dp_buf_view(&title)) &&
             dp_str_eq(p.canonical, dp_buf_view(&canonical)),
         "another reader sees the same");
    dp_page_reader_free(fresh);
    return 0;
}
