/* output/page.h - the page that web/ holds, and how values come into it.
 *
 *     web/report.html, .css, .js ─ tools/embed.c, at build ─► dp_report_page, styles and script inside
 *     "<b>{{urls}}</b>{{if labels}} of <b>{{pages}}</b>{{end}}" ─ dp_page_put ─► "<b>8</b> of <b>5</b>"
 *
 * {{name}} stands for what the caller writes there, as HTML; {{if name}} ... {{end}} and {{if not name}} ... {{end}}
 * stay when the caller says so. They may stand inside each other.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_OUTPUT_PAGE_H
#define DP_OUTPUT_PAGE_H

#include "base/buf.h"

typedef struct dp_page_values {
    const void *ctx;
    void (*put)(dp_buf *out, const void *ctx, dp_str name); /* of a name that is not known: nothing */
    bool (*has)(const void *ctx, dp_str name);
} dp_page_values;

/* Made by tools/embed.c. */
extern const char   dp_report_page[], dp_review_page[];
extern const size_t dp_report_page_size, dp_review_page_size;

void dp_page_put(dp_buf *out, dp_str page, const dp_page_values *v);

#endif
