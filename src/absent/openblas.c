/* openblas.c - in the place of learn/seq2seq/blas.c in a static program, which cannot load a library.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stddef.h>

#include "base/libraries.h"
#include "learn/seq2seq/blas.h"

dp_err dp_blas_load(dp_error *err)
{
    return dp_library_fail(err, "seq2seq", "OpenBLAS");
}

void dp_blas_multiply(float *out, dp_matrix a, dp_matrix b, bool add)
{
    (void)out, (void)a, (void)b, (void)add;
}

const char *dp_openblas_version(void)
{
    return NULL;
}
