/* learn/seq2seq/blas.h - OpenBLAS, loaded when the neural learner needs it and not before.
 *
 *     dp_blas_load ──► libopenblas.so.0 ──► dp_blas_multiply
 *
 * A program that is linked with OpenBLAS pays for it in every command: a thread for each core when it is loaded, which
 * spins for a tenth of a second, and buffers of 128 MB that are asked for again and again, for ever, where the address
 * space is limited. So the library is opened by name, once in a process, and its threads are ended at once: the
 * learner has threads of its own.
 *
 * The only file that knows of OpenBLAS is blas.c; nothing of it is needed to build dustpan. In a static program
 * src/absent/openblas.c stands in.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SEQ2SEQ_BLAS_H
#define DP_LEARN_SEQ2SEQ_BLAS_H

#include <stdbool.h>

#include "base/err.h"

/* Load it, from any thread; asked again, the first answer stands. DP_EABSENT: it is not installed, or the address space
 * is too small for it. */
dp_err dp_blas_load(dp_error *err);

typedef struct dp_matrix {
    const float *v;
    size_t       rows, columns; /* as stored */
    bool         turned;        /* taken transposed */
} dp_matrix;

/* out = a b, or out += a b. It must have been loaded. */
void dp_blas_multiply(float *out, dp_matrix a, dp_matrix b, bool add);

#endif
