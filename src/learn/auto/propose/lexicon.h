/* learn/auto/propose/lexicon.h - how many clusters know a word: components and their runs of letters and digits.
 *
 *     docs 812     python 640     3fa9c2 1
 *
 * A word that many pages share is part of how the site is built (a function, as SIGIR 2017 says); one that few have is
 * an argument, and a rule must not hold it as a literal.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_PROPOSE_LEXICON_H
#define DP_LEARN_AUTO_PROPOSE_LEXICON_H

#include "base/index.h"
#include "learn/auto/forms/forms.h"

typedef struct dp_lexeme {
    uint64_t hash;
    uint32_t clusters, last;
} dp_lexeme;

typedef struct dp_lexicon {
    dp_lexeme *v; /* [index.n] */
    size_t     cap;
    dp_index   index;
    uint32_t   clusters; /* in all */
    uint32_t   common;   /* clusters from which on a word is a function */
} dp_lexicon;

/* Count the words of all forms of clusters that have several, and of enough others. DP_ENOMEM. */
dp_err dp_lexicon_init(dp_lexicon *w, const dp_forms *f);
void   dp_lexicon_done(dp_lexicon *w);

/* Whether a component, a value or a run of one class of characters is a function. */
bool dp_lexicon_has(const dp_lexicon *w, dp_str word);

/* The share of clusters that have it. */
double dp_lexicon_share(const dp_lexicon *w, dp_str word);

/* Where the run that begins at `i` ends: lower case, upper case, digits, or one other byte (%XX is one). */
size_t dp_lexicon_end(dp_str s, size_t i);

#endif
