/* content/page.h - the bytes of a response to what they say: text, title, canonical link.
 *
 *     bytes ── kind ──► content/charset ──► UTF-8 ── content/html, or as it is ──► dp_page
 *
 * The kind is what Content-Type says, unless the first bytes plainly are something else; without
 * a type the bytes are looked at. Feeds, scripts and data are text as they stand: tags and all.
 * Everything else, and HTML that content/html.h refuses, is binary: bytes without text.
 *
 * Invariants:
 *   - text and title are valid UTF-8, white space squeezed; the same bytes, header and URL give
 *     the same page.
 *   - canonical is a URL: resolved against <base> and the URL of the page. Where links disagree
 *     (two in the page, or page and header) there is none.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CONTENT_PAGE_H
#define DP_CONTENT_PAGE_H

#include "base/err.h"
#include "content/html.h"

typedef enum dp_page_kind { DP_PAGE_HTML, DP_PAGE_TEXT, DP_PAGE_BINARY } dp_page_kind;

typedef struct dp_page_source {
    dp_str url;    /* may be empty: then there is no canonical */
    dp_str header; /* HTTP header block, with or without the status line; may be empty */
    dp_str mime;   /* where the header has no Content-Type; may be empty */
    dp_str body;   /* decoded */
} dp_page_source;

typedef struct dp_page {
    dp_page_kind kind;
    dp_str       text, title, canonical; /* empty: none; until the reader's next page */
    const dp_mark *marks;                /* [nmark] of an HTML page: where its text stands */
    size_t       nmark;
} dp_page;

typedef struct dp_page_reader dp_page_reader;

dp_err dp_page_reader_new(dp_page_reader **out);
void   dp_page_reader_free(dp_page_reader *r);

/* DP_ENOMEM; DP_EABSENT: HTML, and there is no gumbo. */
dp_err dp_page_read(dp_page_reader *r, dp_page *out, const dp_page_source *in);

#endif
