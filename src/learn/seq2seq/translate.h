/* learn/seq2seq/translate.h - apply trained networks to URLs, one decoding for each template ever seen.
 *
 *     URL ─► template ─► glossary ─► template of the answer ─► spelled with the URL's arguments
 *                          │ not there
 *                          ▼
 *                 network, many templates at once
 *
 * A URL keeps its own form (its tokens joined: without a slash at the end) when its site has no network, it is too
 * long, or its template keeps its own (learn/seq2seq/glossary.h).
 *
 * Threads share one dp_translator; each has its dp_translate_desk.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SEQ2SEQ_TRANSLATE_H
#define DP_LEARN_SEQ2SEQ_TRANSLATE_H

#include "learn/seq2seq/glossary.h"

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

/* What `n` templates of a site of the model become, for distil.h; by one thread alone. DP_ENOMEM. */
dp_err dp_translate_templates(dp_translator *t, const dp_seq_site *s, const dp_seq_question *q, size_t n,
                              dp_seq_outcome *out);

#endif
