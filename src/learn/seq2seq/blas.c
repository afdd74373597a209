/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/seq2seq/blas.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>

#include "base/libraries.h"
#include "base/str.h"

/* The constants of the C interface of BLAS, whose header is not needed to build. */
enum { ROW_MAJOR = 101, AS_STORED = 111, TRANSPOSED = 112 };

typedef void sgemm(int order, int turn_a, int turn_b, int m, int n, int k, float alpha, const float *a, int lda,
                   const float *b, int ldb, float beta, float *c, int ldc);

static struct {
    sgemm          *multiply;
    bool            in_turn; /* an OpenBLAS built without threads shares its buffers between callers */
    pthread_mutex_t turn;
    const char     *why;     /* it was not loaded */
    char            version[32];
} blas = {.turn = PTHREAD_MUTEX_INITIALIZER};

static const char *const names[] = {"libopenblas.so.0", "libopenblas.so"};

/* What its first thread maps; with less it would try for ever. */
static const rlim_t address_space = (rlim_t)1 << 30;

/* A function of the library, as the pointer that POSIX lets dlsym return. */
static void find(void *out, void *library, const char *name)
{
    *(void **)out = dlsym(library, name);
}

static void load(void)
{
    struct rlimit limit;
    void         *library = NULL;
    int (*end_threads)(void), (*is_parallel)(void);
    void (*set_threads)(int);
    char *(*get_config)(void);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < address_space) {
        blas.why = "seq2seq needs 1 GB of address space for OpenBLAS; raise the limit (ulimit -v)";
        return;
    }
    for (size_t i = 0; i < DP_COUNT(names) && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (library)
        find(&blas.multiply, library, "cblas_sgemm");
    if (!blas.multiply) {
        blas.why = "seq2seq needs OpenBLAS, which is not installed (Debian: apt install libopenblas0-pthread)";
        return;
    }
    find(&end_threads, library, "blas_thread_shutdown_");
    find(&set_threads, library, "openblas_set_num_threads");
    find(&is_parallel, library, "openblas_get_parallel");
    if (end_threads)
        end_threads();
    if (set_threads)
        set_threads(1);
    find(&get_config, library, "openblas_get_config");
    if (get_config) /* "OpenBLAS 0.3.21 DYNAMIC_ARCH ..." */
        sscanf(get_config(), "%*s %31s", blas.version);
    blas.in_turn = !is_parallel || is_parallel() == 0;
}

dp_err dp_blas_load(dp_error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return blas.why ? dp_fail(err, DP_EABSENT, "%s", blas.why) : DP_OK;
}

const char *dp_openblas_version(void)
{
    return dp_blas_load(NULL) == DP_OK ? blas.version : NULL;
}

void dp_blas_multiply(float *out, dp_matrix a, dp_matrix b, bool add)
{
    int m = (int)(a.turned ? a.columns : a.rows), k = (int)(a.turned ? a.rows : a.columns);
    int n = (int)(b.turned ? b.rows : b.columns);
    if (blas.in_turn)
        pthread_mutex_lock(&blas.turn);
    blas.multiply(ROW_MAJOR, a.turned ? TRANSPOSED : AS_STORED, b.turned ? TRANSPOSED : AS_STORED, m, n, k, 1, a.v,
                  (int)a.columns, b.v, (int)b.columns, add ? 1 : 0, out, n);
    if (blas.in_turn)
        pthread_mutex_unlock(&blas.turn);
}
