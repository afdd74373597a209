/* Many URLs at once: the same answers, with the memory of many hosts fetched ahead.
 *
 *     window of 16:   read the frames, hash the hosts, fetch their slots
 *                     look at the slots, fetch names and layers
 *                     plan which slots of the layers to look at, fetch them
 *                     find candidates in them, fetch their bodies
 *                     run each
 *
 * Each step needs memory that the one before it named, and with many hosts that memory lies
 * in no cache; sixteen at a time the waiting overlaps.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "apply/engine.h"
#include "apply/hash.h"

enum { LAYER_LINES = 4 /* cache lines of a layer that hold what is looked at first */ };

/* What is known of a URL before its turn comes. */
typedef struct ahead {
    dp_str   url;
    uint64_t host_hash;
    bool     is_read; /* in stage-0 form already, and its frame is there */
} ahead;

static bool look_ahead(const dp_engine *e, dp_scratch *s, ahead *v, size_t n)
{
    const dp_image *im = &e->im;
    for (size_t i = 0; i < n; i++) {
        const dp_frame *f = &s->view[2 + i].frame;
        v[i].is_read = dp_frame_read(&s->view[2 + i].frame, v[i].url) == DP_FRAME_OK;
        if (v[i].is_read) {
            v[i].host_hash = dp_hash_host(dp_frame_host(f), DP_HOST_ANY_PORT);
            __builtin_prefetch(&im->host[v[i].host_hash & im->host_mask]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        const dp_im_host *h = &im->host[v[i].host_hash & im->host_mask];
        if (!v[i].is_read || h->layer == DP_NONE)
            continue;
        const char *layer = (const char *)dp_im_layer_at(im, h->layer);
        __builtin_prefetch(im->text + h->name.at);
        for (size_t line = 0; line < LAYER_LINES; line++)
            __builtin_prefetch(layer + 64 * line);
    }
    for (size_t i = 0; i < n; i++)
        if (v[i].is_read && !dp_view_plan(e, &s->view[2 + i], &s->chain[2 + i], v[i].host_hash, &s->first[2 + i]))
            return false;
    for (size_t i = 0; i < n; i++)
        if (v[i].is_read && !dp_view_gather(e, &s->view[2 + i]))
            return false;
    return true;
}

static uint8_t flags_of(const dp_scratch *s, dp_str url, dp_str answer)
{
    return (uint8_t)((s->is_url ? DP_IS_URL : 0) | (s->nfired && !s->hit_limit ? DP_FIRED : 0) |
                     (s->hit_limit ? DP_HIT_LIMIT : 0) |
                     (answer.p != url.p && !dp_str_eq(answer, url) ? DP_CHANGED : 0));
}

/* The answer for a URL of the window, and what is to be said of it. */
static dp_str answer_view(const dp_engine *e, dp_scratch *s, int view, dp_str url, uint8_t *flags)
{
    const dp_view *v = &s->view[view];
    dp_str         answer = {v->frame.s, v->frame.n};
    if (v->candidates.n) {
        answer = dp_engine_run_view(e, s, view);
        *flags = flags_of(s, url, answer);
    } else {
        *flags = (uint8_t)(answer.p == url.p ? DP_IS_URL : DP_IS_URL | DP_CHANGED);
    }
    return answer;
}

size_t dp_apply_batch(const dp_engine *e, dp_scratch *s, dp_form form, const char *urls, const uint64_t *at,
                      size_t count, size_t gap, char *out, size_t cap, uint64_t *ends, uint8_t *flags)
{
    uint64_t w = 0;
    s->failed = false;
    for (size_t first = 0; first < count; first += DP_WINDOW) {
        ahead  v[DP_WINDOW];
        size_t n = count - first < DP_WINDOW ? count - first : DP_WINDOW;
        for (size_t i = 0; i < n; i++)
            v[i] = (ahead){.url = {urls + at[first + i], at[first + i + 1] - at[first + i] - gap}};
        if (form == DP_KEY && !look_ahead(e, s, v, n))
            return (size_t)-1;
        for (size_t i = 0; i < n; i++) {
            dp_str  answer;
            uint8_t said;
            if (v[i].is_read) {
                answer = answer_view(e, s, 2 + (int)i, v[i].url, &said);
            } else {
                answer = dp_engine_run(e, s, form, v[i].url, NULL, NULL);
                said = flags_of(s, v[i].url, answer);
            }
            if (s->failed)
                return (size_t)-1;
            if (answer.n + gap > cap - w)
                return first + i;
            memcpy(out + w, answer.p, answer.n);
            w += answer.n;
            ends[first + i] = w;
            for (size_t k = 0; k < gap; k++)
                out[w++] = '\n';
            if (flags)
                flags[first + i] = said;
        }
    }
    return count;
}
