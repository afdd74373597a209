/* content/charset.h - what the bytes of a page are written in, and the same page in UTF-8.
 *
 *     byte order mark  >  charset= of Content-Type  >  <meta charset>  >  UTF-8 if it is valid  >  windows-1252
 *
 * The first that says something the table in charset.c knows wins; labels mean what the WHATWG
 * Encoding Standard makes of them (iso-8859-1 is windows-1252). content/page.h asks before it
 * reads a page. The conversion is libc's iconv, used in this file alone.
 *
 * Invariants:
 *   - What is appended is valid UTF-8; bytes that mean nothing become U+FFFD.
 *   - A byte order mark is not part of the text.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CONTENT_CHARSET_H
#define DP_CONTENT_CHARSET_H

#include "base/buf.h"
#include "base/err.h"

/* A conversion that stays open for the next page. A zeroed one is valid. */
typedef struct dp_charset {
    const char *open; /* its name in iconv, NULL: none */
    void       *cd;
} dp_charset;

/* The name that iconv knows for what a page says it is written in; "UTF-8" has no other
 * spelling. `content_type` may be empty; <meta> counts where `is_html`. */
const char *dp_charset_find(dp_str page, dp_str content_type, bool is_html);

/* Append `page`, written in `name` (from dp_charset_find), in UTF-8. out->failed when memory
 * is out. */
void dp_charset_convert(dp_charset *c, dp_buf *out, dp_str page, const char *name);

void dp_charset_done(dp_charset *c);

#endif
