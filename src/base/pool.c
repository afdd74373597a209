/* Threads that wait for work, take task numbers from a counter, and report when none is left.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/machine.h"

typedef struct job {
    dp_task *task;
    void    *ctx;
    size_t   n, next;    /* next: the first task nobody has taken */
    size_t   failed;     /* least number that failed; n: none */
    dp_err   code;       /* why */
    unsigned busy;       /* threads at work on it */
} job;

typedef struct worker {
    dp_pool  *pool;
    pthread_t thread;
    unsigned  number;
} worker;

struct dp_pool {
    pthread_mutex_t lock;
    pthread_cond_t  work, rest; /* a job came; a thread left it */
    job            *job;        /* NULL: none */
    worker         *v;          /* [threads - 1]; worker 0 is the caller's thread */
    unsigned        threads, started;
    bool            ending;
};

static _Thread_local const dp_pool *inside; /* the pool whose task this thread runs */

/* Take tasks until there are none. The lock is held at both ends. */
static void work_on(dp_pool *p, job *j, unsigned number)
{
    j->busy++;
    while (j->next < j->n && j->failed == j->n) {
        size_t i = j->next++;
        pthread_mutex_unlock(&p->lock);
        dp_err code = j->task(j->ctx, i, number);
        pthread_mutex_lock(&p->lock);
        if (code && i < j->failed) {
            j->failed = i;
            j->code = code;
        }
    }
    j->busy--;
    pthread_cond_broadcast(&p->rest);
}

static void *live(void *arg)
{
    worker  *w = arg;
    dp_pool *p = w->pool;
    inside = p;
    pthread_mutex_lock(&p->lock);
    while (!p->ending) {
        job *j = p->job;
        if (j && j->next < j->n && j->failed == j->n)
            work_on(p, j, w->number);
        else
            pthread_cond_wait(&p->work, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

dp_err dp_pool_new(dp_pool **out, unsigned threads)
{
    threads = threads ? threads : dp_machine_cores();
    dp_pool *p = calloc(1, sizeof *p);
    worker  *v = calloc(threads, sizeof *v);
    if (!p || !v) {
        free(p);
        free(v);
        return DP_ENOMEM;
    }
    p->v = v;
    p->threads = threads;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->rest, NULL);
    for (unsigned i = 0; i + 1 < threads; i++) {
        v[i] = (worker){.pool = p, .number = i + 1};
        if (pthread_create(&v[i].thread, NULL, live, &v[i])) {
            dp_pool_free(p);
            return DP_EIO;
        }
        p->started++;
    }
    *out = p;
    return DP_OK;
}

void dp_pool_free(dp_pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->ending = true;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < p->started; i++)
        pthread_join(p->v[i].thread, NULL);
    pthread_cond_destroy(&p->rest);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->lock);
    free(p->v);
    free(p);
}

unsigned dp_pool_threads(const dp_pool *p)
{
    return p ? p->threads : 1;
}

static dp_err run_alone(size_t n, dp_task *task, void *ctx)
{
    for (size_t i = 0; i < n; i++)
        DP_TRY(task(ctx, i, 0));
    return DP_OK;
}

dp_err dp_pool_run(dp_pool *p, size_t n, dp_task *task, void *ctx)
{
    if (!p || p->threads == 1 || n < 2 || inside == p)
        return run_alone(n, task, ctx);
    job            j = {.task = task, .ctx = ctx, .n = n, .failed = n};
    const dp_pool *before = inside; /* a task of one pool may use another */
    inside = p;
    pthread_mutex_lock(&p->lock);
    p->job = &j;
    pthread_cond_broadcast(&p->work);
    work_on(p, &j, 0);
    while (j.busy)
        pthread_cond_wait(&p->rest, &p->lock);
    p->job = NULL;
    pthread_mutex_unlock(&p->lock);
    inside = before;
    return j.failed == n ? DP_OK : j.code;
}
