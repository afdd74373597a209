/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include <stdlib.h>

struct dp_text {
    char  *p;
    size_t n;
};

dp_err dp_text_take(dp_text **out, dp_buf *b)
{
    size_t   n = b->n;
    dp_text *t = malloc(sizeof *t);
    dp_buf_byte(b, 0);
    if (!t || b->failed) {
        free(t);
        dp_buf_done(b);
        return DP_ENOMEM;
    }
    *t = (dp_text){b->p, n};
    *b = (dp_buf){.max = b->max};
    *out = t;
    return DP_OK;
}

const char *dp_text_data(const dp_text *t)
{
    return t->p;
}

size_t dp_text_size(const dp_text *t)
{
    return t->n;
}

void dp_text_free(dp_text *t)
{
    if (t) {
        free(t->p);
        free(t);
    }
}
