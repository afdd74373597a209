/* Many URLs at once: the same answers, with the memory of many hosts fetched ahead.
 *
 *     URL i        read its frame, hash its host, fetch the host's slot
 *     URL i - 3    look at the slot, fetch name and layer
 *     URL i - 6    plan which slots of the layers to look at, fetch them
 *     URL i - 9    find candidates in them, fetch their bodies
 *     URL i - 12   run
 *
 * Each step needs memory that the one before it named, and with many hosts that memory lies
 * in no cache; in between the other steps of three URLs are done.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "apply/engine.h"

#include "apply/slothash.h"

enum {
    LAG = 3,  /* URLs between one step and the next */
    STEPS = 4 /* before a URL is run */
};

/* What is known of a URL before its turn comes. */
typedef struct ahead {
    dp_str   url;
    uint64_t host_hash;
    bool     is_read; /* in stage-0 form already, and its frame is there */
} ahead;

/* A batch at work: URL i has view and room number i % DP_WINDOW of the window. */
typedef struct batch {
    const dp_engine *e;
    dp_scratch      *s;
    ahead            v[DP_WINDOW];
} batch;

static void read_frame(batch *b, size_t i, dp_str url)
{
    ahead    *v = &b->v[i % DP_WINDOW];
    dp_frame *f = &b->s->view[2 + i % DP_WINDOW].frame;
    v->url = url;
    v->is_read = dp_frame_read(f, url) == DP_FRAME_OK;
    if (v->is_read) {
        v->host_hash = dp_hash_host(dp_frame_host(f), DP_HOST_ANY_PORT);
        const dp_im_host *slot = &b->e->im.host[v->host_hash & b->e->im.host_mask];
        __builtin_prefetch(slot);
        __builtin_prefetch((const char *)(slot + 2) - 1); /* the next one, in case of a collision */
    }
}

static void fetch_layer(const batch *b, size_t i)
{
    const dp_image *im = &b->e->im;
    const ahead    *v = &b->v[i % DP_WINDOW];
    uint64_t        k = v->host_hash & im->host_mask;
    if (!v->is_read)
        return;
    /* Not base/index.h: the layout is that of the file (apply/image.h). */
    while (im->host[k].layer != DP_NONE && im->host[k].hash != v->host_hash)
        k = (k + 1) & im->host_mask;
    if (im->host[k].layer == DP_NONE)
        return;
    __builtin_prefetch(im->text + im->host[k].name.at);
    dp_layer_fetch(im, im->host[k].layer);
}

static bool make_plan(batch *b, size_t i)
{
    const ahead *v = &b->v[i % DP_WINDOW];
    size_t       k = 2 + i % DP_WINDOW;
    return !v->is_read || dp_view_plan(b->e, &b->s->view[k], &b->s->chain[k], v->host_hash, &b->s->first[k]);
}

static bool gather(batch *b, size_t i)
{
    return !b->v[i % DP_WINDOW].is_read || dp_view_gather(b->e, &b->s->view[2 + i % DP_WINDOW]);
}

static bool is_foreign(const dp_scratch *s)
{
    size_t n;
    return s->led_out && dp_scratch_foreign(s, &n);
}

static uint8_t flags_of(const dp_scratch *s, dp_str url, dp_str answer)
{
    return (uint8_t)((s->is_url ? DP_IS_URL : 0) | (s->nfired && !s->hit_limit ? DP_FIRED : 0) |
                     (s->hit_limit ? DP_HIT_LIMIT : 0) | (is_foreign(s) ? DP_FOREIGN : 0) |
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
    batch    b = {.e = e, .s = s};
    uint64_t w = 0;
    s->failed = false;
    for (size_t i = 0; i < count + STEPS * LAG; i++) {
        /* What wraps round is beyond the end. */
        size_t second = i - LAG, third = i - 2 * LAG, fourth = i - 3 * LAG, last = i - 4 * LAG;
        if (form == DP_KEY) {
            if (i < count)
                read_frame(&b, i, (dp_str){urls + at[i], at[i + 1] - at[i] - gap});
            if (second < count)
                fetch_layer(&b, second);
            if ((third < count && !make_plan(&b, third)) || (fourth < count && !gather(&b, fourth)))
                return (size_t)-1;
        }
        if (last >= count)
            continue;
        dp_str  answer, url = {urls + at[last], at[last + 1] - at[last] - gap};
        uint8_t said;
        if (form == DP_KEY && b.v[last % DP_WINDOW].is_read) {
            answer = answer_view(e, s, 2 + (int)(last % DP_WINDOW), url, &said);
        } else {
            answer = dp_engine_run(e, s, form, url, NULL, NULL);
            said = flags_of(s, url, answer);
        }
        if (s->failed)
            return (size_t)-1;
        if (answer.n + gap > cap - w)
            return last;
        memcpy(out + w, answer.p, answer.n);
        w += answer.n;
        ends[last] = w;
        for (size_t k = 0; k < gap; k++)
            out[w++] = '\n';
        if (flags)
            flags[last] = said;
    }
    return count;
}
