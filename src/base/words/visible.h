/* base/words/visible.h - texts of others, such as URLs and names of files, in what people read on a terminal.
 *
 *     "a\x1b[31m.com"  ->  a\x1b[31m.com, as 14 letters          "b\xff"  ->  b\xff          U+202E  ->  \u202e
 *
 * A terminal takes control characters for commands: they could hide what is said, or say something else. So they are
 * written as they are written in C, and with them what is no UTF-8, and characters that turn the direction of the text.
 * Results that are data (keys, rules, clusters) are never changed; JSON has its own way (base/words/json.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_WORDS_VISIBLE_H
#define DP_BASE_WORDS_VISIBLE_H

#include "base/buf.h"

enum { DP_VISIBLE_ROOM = 8 /* bytes that one character may take, with a NUL */ };

/* Write the first character of `s` (not empty) to `out`; returns how many bytes of `s` it has. Of control characters
 * only those in `keep` (such as "\n\t") stay as they are. */
size_t dp_visible_next(char out[DP_VISIBLE_ROOM], dp_str s, const char *keep);

/* Append all of `s` that way. */
void dp_visible(dp_buf *out, dp_str s, const char *keep);

#endif
