/* content/words.h - the words of a text, as numbers.
 *
 *     "The fox, the FOX"   ->   #the #fox #the #fox
 *
 * A word is a run of letters, digits and '_', in lower case (ASCII letters only); where a script
 * is written without blanks (Chinese, Japanese, Thai, Khmer, ...) each character is one. The
 * number is its 64-bit hash (XXH3). content/shingle.h and content/simhash.h read the result.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CONTENT_WORDS_H
#define DP_CONTENT_WORDS_H

#include "base/err.h"
#include "base/str.h"

/* Memory that is used again for the next text. A zeroed one is valid. */
typedef struct dp_words {
    uint64_t *v; /* [n] */
    size_t    n, cap;
} dp_words;

/* Put the words of `text`, valid UTF-8, in the place of those before. DP_ENOMEM. */
dp_err dp_words_read(dp_words *w, dp_str text);

void dp_words_done(dp_words *w);

#endif
