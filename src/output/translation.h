/* output/translation.h - the dp_model of dustpan.h: networks that translate keys further.
 *
 *     line ──► rules ──► key ──► learn/seq2seq/translate ──► key
 *
 * Without OpenBLAS at build time there is nothing to translate with: opening a model then fails and says so.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_OUTPUT_TRANSLATION_H
#define DP_OUTPUT_TRANSLATION_H

#include "base/buf.h"
#include "base/err.h"

/* What one thread needs; NULL is valid to free. */
typedef struct dp_translate_desk dp_translate_desk;

dp_err dp_translation_desk(dp_translate_desk **out);
void   dp_translation_desk_free(dp_translate_desk *d);

/* Append the translations of `n` keys to `out`; that of key i ends at ends[i]. DP_ENOMEM. */
dp_err dp_translation_run(const dp_model *m, dp_translate_desk *d, const dp_str *key, size_t n, dp_buf *out,
                          size_t *ends);

/* What stands for the networks in set ids. */
uint64_t dp_translation_id(const dp_model *m);

#endif
