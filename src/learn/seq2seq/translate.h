/* learn/seq2seq/translate.h - apply trained networks to URLs, one decoding for each template ever seen.
 *
 *     URL ──► template ──► memo ──► template of the answer ──► spelled with the URL's arguments
 *                           │ not there
 *                           ▼
 *                  network, many templates at once
 *
 * The network sees templates, so its answer is a function of the template: it is looked up after the first time. An
 * answer is translated again until it stays as it is, so that the key of a key is the key itself.
 * A URL keeps its own form (its tokens joined: without a slash at the end) when its site has no network, it is too
 * long, or the answer is no URL of the site, does not end, is unsure, or goes round in a circle.
 *
 * Threads share one dp_translator; each has its dp_translate_desk.
 *
 * Memory: about 300 bytes a distinct template.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SEQ2SEQ_TRANSLATE_H
#define DP_LEARN_SEQ2SEQ_TRANSLATE_H

#include "learn/seq2seq/decode.h"
#include "learn/seq2seq/model.h"

typedef struct dp_translator dp_translator;

/* The model must outlive it. `memo` false: every URL is decoded, for tests. DP_ENOMEM. */
dp_err dp_translator_new(dp_translator **out, const dp_seq_model *m, bool memo);
void   dp_translator_free(dp_translator *t);

typedef struct dp_translate_desk dp_translate_desk;
dp_err dp_translate_desk_new(dp_translate_desk **out);
void   dp_translate_desk_free(dp_translate_desk *d);

/* The answers to `n` URLs in stage-0 form, appended to `out` one after another; answer i ends at ends[i]. What is not
 * in stage-0 form comes back as it is. DP_ENOMEM. */
dp_err dp_translate(dp_translator *t, dp_translate_desk *d, const dp_str *url, size_t n, dp_buf *out, size_t *ends);

/* What a template becomes in the end, in its own arguments. */
typedef struct dp_seq_outcome {
    uint32_t id[DP_SEQ_LONGEST];
    uint32_t n;    /* 0: it keeps its own form */
    float    sure; /* of the least sure translation on the way */
} dp_seq_outcome;

/* The same for `n` templates of a site of the model, for distil.h; by one thread alone. DP_ENOMEM. */
dp_err dp_translate_templates(dp_translator *t, const dp_seq_site *s, const dp_seq_question *q, size_t n,
                              dp_seq_outcome *out);

#endif
