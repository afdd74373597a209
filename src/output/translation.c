/* SPDX-License-Identifier: Apache-2.0 */
#include "output/translation.h"

#include <stdlib.h>

#include "learn/seq2seq/blas.h"
#include "learn/seq2seq/translate.h"

struct dp_model {
    dp_seq_model   networks;
    dp_translator *translator;
};

dp_err dp_model_open(dp_model **out, const char *path, dp_error *err)
{
    dp_model *m = calloc(1, sizeof *m);
    if (!m)
        return dp_fail_as(err, DP_ENOMEM);
    dp_err code = dp_blas_load(err);
    if (code == DP_OK)
        code = dp_seq_model_load(&m->networks, path, err);
    if (code == DP_OK && (code = dp_translator_new(&m->translator, &m->networks, true)) != DP_OK)
        dp_fail(err, code, "out of memory");
    if (code == DP_OK)
        *out = m;
    else
        dp_model_free(m);
    return code;
}

void dp_model_free(dp_model *m)
{
    if (!m)
        return;
    dp_translator_free(m->translator);
    dp_seq_model_done(&m->networks);
    free(m);
}

dp_err dp_translation_desk(dp_translate_desk **out)
{
    return dp_translate_desk_new(out);
}

void dp_translation_desk_free(dp_translate_desk *d)
{
    dp_translate_desk_free(d);
}

dp_err dp_translation_run(const dp_model *m, dp_translate_desk *d, const dp_str *key, size_t n, dp_buf *out,
                          size_t *ends)
{
    return dp_translate(m->translator, d, key, n, out, ends);
}

uint64_t dp_translation_id(const dp_model *m)
{
    return m->networks.id;
}
