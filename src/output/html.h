/* output/html.h - text and numbers in a page: nothing from outside may be taken for markup.
 *
 *     <b>"x"  ──►  &lt;b&gt;&quot;x&quot;         1234567 ──► 1,234,567         .41203 ──► 41.2 %
 *
 * Bytes that are no UTF-8, control characters, and invisible ones that change the direction or the look of what stands
 * around them become %XX, as stage 0 writes them. So a page is valid UTF-8 whatever the input is.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_OUTPUT_HTML_H
#define DP_OUTPUT_HTML_H

#include "base/buf.h"

/* Between tags, or in a quoted attribute. */
void dp_html_text(dp_buf *out, dp_str text);

/* The same of several lines, which stay lines: inside <pre>. */
void dp_html_lines(dp_buf *out, dp_str text);

/* JSON inside a script element: < > and & become \uXXXX, so that no "</script" or "<!--" is seen; what
 * is not seen itself, too. */
void dp_html_json(dp_buf *out, dp_str json);

void dp_html_count(dp_buf *out, uint64_t v);

/* A share with one decimal, two where it is near 0 or 1; never 0 or 100 % when it is not exactly that. */
void dp_html_share(dp_buf *out, double v);

#endif
