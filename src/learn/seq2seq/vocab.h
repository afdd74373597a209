/* learn/seq2seq/vocab.h - function words and arguments of one site, and URLs as templates over them.
 *
 *     http://a.com/user/123/mike         http: a.com user arg_1 arg_2         123, mike
 *     http://a.com/user/123?by=123       http: a.com user arg_1 ? by = arg_1  123
 *
 * A token that at least a hundredth of the site's URLs (and five) have is a function word and is written as itself;
 * all others are arguments and become placeholders, equal ones the same (Xu et al. 2017, section 2.3). So is a token of
 * the one URL that so many become: `login`, where all that is forbidden ends. The network
 * sees templates alone, so what it does depends on a URL's template only. `?`, `=` and `&` are always words; other
 * delimiters are tokens where they are that frequent, bytes like others where not. Reads url/token.h.
 *
 * Invariants:
 *   - Ids: 0 ends a sequence, 1 to 16 are arguments, then words in the order of their bytes.
 *   - The vocabulary depends on the set of URLs alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SEQ2SEQ_VOCAB_H
#define DP_LEARN_SEQ2SEQ_VOCAB_H

#include "learn/seq2seq/frequency.h"

enum {
    DP_SEQ_ARGS = 16,
    DP_SEQ_WORDS = DP_SEQ_ARGS + 1, /* id of the first word */
    DP_SEQ_LONGEST = 64             /* tokens of a template */
};

/* A zeroed one is valid and knows no word. */
typedef struct dp_vocab {
    char      delimiters[sizeof DP_SEQ_DELIMITERS]; /* those that cut */
    dp_str   *word; /* [n] by bytes; in `arena` */
    uint32_t  n;
    dp_intern id;   /* word -> number */
    dp_arena  arena;
} dp_vocab;

/* The delimiters of URLs in stage-0 form: those that at least `least` of them have behind the authority. DP_ENOMEM. */
dp_err dp_vocab_cut_at(dp_vocab *v, const dp_str *url, size_t n, double least);

/* The words: tokens that at least `least` URLs have, or so many become URLs that have them (`targets`). DP_ENOMEM;
 * DP_ELIMIT when they are more than a network takes. */
dp_err dp_vocab_learn(dp_vocab *v, const dp_frequency *all, const dp_frequency *targets, double least);

/* The same out of a list, as a model file has it: sorted, distinct. DP_ESYNTAX when they are not. */
dp_err dp_vocab_set(dp_vocab *v, const char *delimiters, const dp_str *word, uint32_t n);

void dp_vocab_done(dp_vocab *v);

/* How many ids there are. */
static inline uint32_t dp_vocab_size(const dp_vocab *v)
{
    return DP_SEQ_WORDS + v->n;
}

/* A URL as ids; its arguments by number. */
typedef struct dp_seq_form {
    uint32_t id[DP_SEQ_LONGEST];
    uint32_t n;
    dp_str   arg[DP_SEQ_ARGS]; /* views into the URL */
    uint32_t nargs;
} dp_seq_form;

/* What cuts URLs into tokens; grows, and is used again. Valid when zeroed. */
typedef struct dp_seq_reader {
    dp_frame frame;
    dp_arena arena;
} dp_seq_reader;

void dp_seq_reader_done(dp_seq_reader *r);

/* The tokens of `url` with this site's delimiters; in r->arena until the next call. *n is 0 when it is not in
 * stage-0 form. DP_ENOMEM. */
dp_err dp_seq_read(dp_seq_reader *r, const dp_vocab *v, dp_str url, dp_seq_tokens *out);

/* The same of the URL that r->frame holds. */
dp_err dp_seq_cut(dp_seq_reader *r, const dp_vocab *v, dp_seq_tokens *out);

/* The template of tokens. False when it has too many tokens or arguments. */
bool dp_seq_form_of(dp_seq_form *out, const dp_vocab *v, const dp_seq_tokens *t);

/* The ids of tokens in the arguments of `source`, as the target of a pair: id[DP_SEQ_LONGEST], *n of them. False when
 * it has an argument that the source has not, or is too long. */
bool dp_seq_form_target(uint32_t *id, uint32_t *n, const dp_vocab *v, const dp_seq_tokens *t,
                        const dp_seq_form *source);

/* Append the URL that ids spell with these arguments. False, with nothing of use appended, when they spell none: no
 * scheme and host in front, or an argument that is not there. */
bool dp_seq_spell(dp_buf *out, const dp_vocab *v, const uint32_t *id, uint32_t n, const dp_seq_form *source);

#endif
