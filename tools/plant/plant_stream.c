/* plant_stream.c - hosts, contents and their URLs in order.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plant_stream.h"

#include <math.h>
#include <stdlib.h>
#include <xxhash.h>

enum { OPEN_HOSTS = 256, PART_TRIES = 8, URL_TRIES = 40 };

/* ---- sizes of contents --------------------------------------------------------------------------------- */

typedef struct sizes {
    double  singletons;
    double *sum; /* [most - 1]: share of sizes 2 to i + 2 */
    size_t  n;
} sizes;

/* Fill s->sum for exponent `a` and return the mean size. */
static double set_exponent(sizes *s, double a)
{
    double total = 0, weighted = 0;
    for (size_t i = 0; i < s->n; i++) {
        double w = pow((double)(i + 2), -a);
        total += w;
        weighted += w * (double)(i + 2);
        s->sum[i] = total;
    }
    for (size_t i = 0; i < s->n; i++)
        s->sum[i] /= total;
    return weighted / total;
}

/* Sizes as the options say; where they name the number of contents, the exponent that gives it. */
static dp_err sizes_init(sizes *s, const plant_options *o)
{
    double contents = o->contents ? (double)o->contents : (double)o->urls * (1 - o->redundant);
    bool   wanted = o->contents || o->redundant >= 0;
    s->n = o->max_size - 1;
    s->singletons = o->singletons;
    s->sum = malloc(s->n * sizeof *s->sum);
    if (!s->sum)
        return DP_ENOMEM;
    if (!wanted) {
        set_exponent(s, o->zipf);
        return DP_OK;
    }
    double mean = contents >= 1 ? (double)o->urls / contents : (double)o->urls; /* of all contents */
    double of_others = s->singletons < 1 ? (mean - s->singletons) / (1 - s->singletons) : 2;
    if (of_others < 2.2) { /* too few for that many contents of two and more: more singletons */
        of_others = s->n > 1 ? 3 : 2;
        s->singletons = mean > 1 ? (of_others - mean) / (of_others - 1) : 1;
        s->singletons = s->singletons < 0 ? 0 : s->singletons;
    }
    double low = -3, high = 12; /* the mean falls as the exponent grows */
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (set_exponent(s, middle) > of_others)
            low = middle;
        else
            high = middle;
    }
    return DP_OK;
}

/* A size for the next number of a sequence that fills [0, 1) evenly (steps of the golden ratio): the sum of few sizes
 * is what it should be, although single ones are large. */
static uint64_t draw_size(const sizes *s, uint64_t *sequence)
{
    double u = (double)((*sequence += 0x9E3779B97F4A7C15u) >> 11) * 0x1p-53;
    if (u < s->singletons)
        return 1;
    u = (u - s->singletons) / (1 - s->singletons);
    size_t low = 0, high = s->n - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->sum[middle] < u)
            low = middle + 1;
        else
            high = middle;
    }
    return low + 2;
}

/* ---- hosts --------------------------------------------------------------------------------------------- */

static double host_weight(const plant_options *o, uint64_t number)
{
    return pow((double)(number + 1), -o->host_zipf);
}

void plant_hosts_open(plant_hosts *s, const plant_options *o, uint64_t urls)
{
    *s = (plant_hosts){.o = o, .urls = urls};
    for (uint64_t i = 0; i < o->hosts; i++)
        s->total += host_weight(o, i);
}

bool plant_hosts_next(plant_hosts *s, plant_host *h, uint64_t *fresh, dp_err *code)
{
    *code = DP_OK;
    while (s->next < s->o->hosts) {
        uint64_t number = s->next++;
        s->sum += host_weight(s->o, number);
        double   share = s->next == s->o->hosts ? 1 : s->sum / s->total;
        uint64_t upto = (uint64_t)(share * (double)s->o->urls + 0.5), urls = upto - s->given;
        uint64_t upto_fresh = (uint64_t)(share * (double)s->urls + 0.5);
        *fresh = upto_fresh - s->given_fresh;
        s->given = upto;
        s->given_fresh = upto_fresh;
        if (urls) {
            *code = plant_host_init(h, s->o, number, urls);
            return *code == DP_OK;
        }
    }
    return false;
}

/* ---- the contents of a host --------------------------------------------------------------------------- */

typedef struct open_host {
    plant_host h;
    uint64_t   left;  /* URLs still to be given */
    uint64_t   sizes; /* place in the sequence of sizes */
    dp_rng     r;
} open_host;

typedef struct stream {
    const plant_options *o;
    plant_draw           draw;
    plant_hosts          hosts;
    sizes                size;
    open_host           *open[OPEN_HOSTS]; /* [nopen] are in use; the parts of a host point into it */
    size_t               nopen;
    plant_item          *window; /* [nwindow] of o->crawl */
    size_t               nwindow;
    uint64_t            *seen;  /* [nseen] hashes of the content's URLs, 0: free */
    size_t               nseen;
    dp_rng               r; /* for the window */
    plant_sink           sink;
    void                *ctx;
} stream;

void plant_item_set(plant_item *it, const plant_page *p, plant_style s, dp_rng *r)
{
    it->n = (uint16_t)plant_url(it->url, p, s, r);
    const char *host = memchr(it->url, ':', it->n);
    const char *path = memchr(host + 3, '/', (size_t)(it->url + it->n - host - 3));
    it->path = (uint16_t)(path - it->url);
    it->host = p->host->number;
    it->page = p->id;
    it->content = p->content;
    it->size = plant_page_size(p);
    it->hash = XXH3_64bits(it->url, it->n);
}

/* Whether the hash is new among the `n` of this content. */
static bool is_new(stream *s, uint64_t hash, uint64_t n)
{
    size_t mask = s->nseen - 1, i;
    if (n == 1)
        return true;
    for (i = hash & mask; s->seen[i]; i = (i + 1) & mask) {
        if (s->seen[i] == (hash | 1))
            return false;
    }
    s->seen[i] = hash | 1;
    return true;
}

/* To the sink, or into the window from which another one leaves. */
static dp_err emit(stream *s, plant_item *it)
{
    if (!s->o->crawl)
        return s->sink(s->ctx, it);
    if (s->nwindow < s->o->crawl) {
        s->window[s->nwindow++] = *it;
        return DP_OK;
    }
    plant_item *slot = &s->window[dp_rng_below(&s->r, s->nwindow)];
    DP_TRY(s->sink(s->ctx, slot));
    *slot = *it;
    return DP_OK;
}

/* A part of the site whose pages can have `k` URLs. */
static plant_part *draw_part(open_host *oh, uint64_t k)
{
    for (int i = 0; i < PART_TRIES && k < 1000; i++) {
        uint64_t    x = dp_rng_next(&oh->r);
        plant_part *p = &oh->h.part[(k > 3 ? oh->h.many : oh->h.some)[x & 255]];
        if (p->room >= k)
            return p;
    }
    return &oh->h.part[oh->h.many[dp_rng_next(&oh->r) & 255]];
}

/* One page with up to `k` URLs. */
static dp_err give_page(stream *s, open_host *oh, uint64_t k)
{
    plant_item  it;
    plant_part *part = draw_part(oh, k);
    plant_page  p = plant_page_make(&oh->h, part, part->next++);
    k = part->room == 1 ? 1 : k;
    if (k > 1) {
        for (s->nseen = 4; s->nseen < 2 * k; s->nseen *= 2) {}
        memset(s->seen, 0, s->nseen * sizeof *s->seen);
    }
    for (uint64_t i = 0; i < k; i++) {
        bool fresh = false;
        for (int t = 0; t < URL_TRIES && !fresh; t++) {
            plant_item_set(&it, &p, plant_style_draw(&p, &oh->r), &oh->r);
            fresh = is_new(s, it.hash, k);
        }
        if (!fresh)
            break;
        if (i && s->o->missing > 0 && plant_under(plant_mix(it.hash), s->o->missing))
            continue;
        oh->left--;
        DP_TRY(emit(s, &it));
    }
    return DP_OK;
}

static dp_err give_content(stream *s, open_host *oh)
{
    uint64_t k = draw_size(&s->size, &oh->sizes);
    return give_page(s, oh, k < oh->left ? k : oh->left);
}

/* ---- all of them ---------------------------------------------------------------------------------------- */

static bool open_next(stream *s, open_host *oh, dp_err *code)
{
    uint64_t fresh;
    do {
        if (!plant_hosts_next(&s->hosts, &oh->h, &fresh, code))
            return false;
        oh->left = s->draw.urls ? fresh : oh->h.urls;
        if (!oh->left)
            plant_host_done(&oh->h);
    } while (!oh->left);
    oh->r = dp_rng_seed(plant_mix2(oh->h.seed, s->draw.seed));
    oh->sizes = dp_rng_next(&oh->r);
    for (unsigned i = 0; i < oh->h.parts && s->draw.urls; i++)
        oh->h.part[i].next = (oh->h.urls / oh->h.part[i].dims + 1) * oh->h.part[i].dims;
    return true;
}

static dp_err host_by_host(stream *s)
{
    open_host *oh = s->open[0];
    dp_err     code;
    while (open_next(s, oh, &code)) {
        while (oh->left && code == DP_OK)
            code = give_content(s, oh);
        plant_host_done(&oh->h);
        DP_TRY(code);
    }
    return code;
}

/* Contents of up to OPEN_HOSTS hosts in turn, by chance; the window mixes what they give. */
static dp_err mixed(stream *s)
{
    dp_err code = DP_OK;
    while (s->nopen < OPEN_HOSTS && open_next(s, s->open[s->nopen], &code))
        s->nopen++;
    while (s->nopen && code == DP_OK) {
        size_t     i = dp_rng_below(&s->r, s->nopen);
        open_host *oh = s->open[i];
        code = give_content(s, oh);
        if (code != DP_OK || oh->left)
            continue;
        plant_host_done(&oh->h);
        if (!open_next(s, oh, &code)) {
            s->open[i] = s->open[--s->nopen];
            s->open[s->nopen] = oh;
        }
    }
    while (s->nopen)
        plant_host_done(&s->open[--s->nopen]->h);
    for (; s->nwindow && code == DP_OK; s->nwindow--) {
        plant_item *slot = &s->window[dp_rng_below(&s->r, s->nwindow)];
        code = s->sink(s->ctx, slot);
        *slot = s->window[s->nwindow - 1];
    }
    return code;
}

dp_err plant_stream(const plant_options *o, plant_draw draw, plant_sink sink, void *ctx)
{
    stream s = {.o = o, .draw = draw, .sink = sink, .ctx = ctx};
    dp_err code = sizes_init(&s.size, o);
    size_t most = 4, hosts = o->crawl ? OPEN_HOSTS : 1;
    while (most < 2 * o->max_size)
        most *= 2;
    s.r = dp_rng_seed(plant_mix2(o->seed, 77));
    open_host *open = malloc(hosts * sizeof *open);
    s.window = o->crawl ? malloc(o->crawl * sizeof *s.window) : NULL;
    s.seen = malloc(most * sizeof *s.seen);
    if (!open || !s.seen || (o->crawl && !s.window))
        code = DP_ENOMEM;
    for (size_t i = 0; i < hosts && open; i++)
        s.open[i] = open + i;
    plant_hosts_open(&s.hosts, o, draw.urls);
    if (code == DP_OK)
        code = o->crawl ? mixed(&s) : host_by_host(&s);
    free(s.size.sum);
    free(open);
    free(s.window);
    free(s.seen);
    return code;
}
