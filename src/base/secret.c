/* SPDX-License-Identifier: Apache-2.0 */
#include "base/secret.h"

#include <pthread.h>
#include <sys/random.h>
#include <time.h>

/* Drawn once and never changed: the one thing that a process keeps. It decides where things lie, nothing else. */
static dp_secret secret;

bool dp_secret_draw(dp_secret *s)
{
    return getrandom(s->byte, sizeof s->byte, 0) == (ssize_t)sizeof s->byte;
}

static void draw(void)
{
    struct timespec now;
    if (dp_secret_draw(&secret))
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t x = (uintptr_t)&now * 0x9E3779B97F4A7C15u ^ (uintptr_t)&secret ^ (uint64_t)now.tv_nsec << 20;
    for (size_t i = 0; i < sizeof secret.byte; i += sizeof x) {
        x = dp_hash_mix(x + 0x9E3779B97F4A7C15u);
        memcpy(secret.byte + i, &x, sizeof x);
    }
}

const dp_secret *dp_secret_of_process(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, draw);
    return &secret;
}

dp_str dp_secret_shorten(const dp_secret *s, dp_str text, char room[DP_SECRET_WHOLE])
{
    XXH128_hash_t h = {0, 0};
    for (size_t at = 0, n;; at += n) {
        n = text.n - at < DP_SECRET_WHOLE - sizeof h ? text.n - at : DP_SECRET_WHOLE - sizeof h;
        memcpy(room, &h, sizeof h);
        memcpy(room + sizeof h, text.p + at, n);
        if (at + n == text.n)
            return (dp_str){room, sizeof h + n};
        h = XXH3_128bits_withSecret(room, DP_SECRET_WHOLE, s->byte, sizeof s->byte);
    }
}
