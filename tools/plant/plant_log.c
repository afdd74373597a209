/* plant_log.c - combined log lines.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plant_log.h"

#include <time.h>

enum { CLIENTS = 1 << 16, CRAWLERS = 24, LINE_MAX_BYTES = PLANT_URL_MAX + 512 };

static const char *const browsers[] = {
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1",
    "Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
};

static const char *const crawlers[] = {
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "CCBot/2.0 (https://commoncrawl.org/faq/)",
};

typedef struct request {
    const char       *method;
    unsigned          status;
    uint64_t          bytes;
    bool              no_size;
    const plant_item *it;
    const char       *after; /* appended to the path */
} request;

uint64_t plant_item_bytes(const plant_options *o, const plant_item *it)
{
    return it->size + (o->size_jitter ? plant_mix(it->hash) % (o->size_jitter + 1) : 0);
}

void plant_log_init(plant_log *l, const plant_options *o, bool vhost)
{
    l->o = o;
    l->vhost = vhost || o->hosts > 1;
    l->r = dp_rng_seed(plant_mix2(o->seed, 80));
    l->now = 1704067200000; /* 2024-01-01 */
    l->shown = -1;
    l->n = 0;
}

static void set_stamp(plant_log *l)
{
    time_t    seconds = (time_t)(l->now / 1000);
    struct tm t;
    if (seconds == l->shown)
        return;
    l->shown = seconds;
    gmtime_r(&seconds, &t);
    strftime(l->stamp, sizeof l->stamp, "[%d/%b/%Y:%H:%M:%S +0000]", &t);
}

static char *put_client(char *to, uint64_t client)
{
    uint64_t x = plant_mix(client);
    if (x % 16 == 0) { /* IPv6 */
        to = put_c(to, "2001:db8:");
        to = put_hex(to, x >> 8 | 1, 4);
        to = put_c(to, "::");
        return put_hex(to, x >> 24 | 1, 3);
    }
    to = put_c(to, "10.");
    for (unsigned i = 0; i < 3; i++) {
        to = put_number(to, x >> (8 + 8 * i) & 255);
        if (i < 2)
            *to++ = '.';
    }
    return to;
}

/* Whoever asks: crawlers a third of the time, else a client, the first ones more often. */
static uint64_t draw_client(plant_log *l)
{
    uint64_t x = dp_rng_next(&l->r);
    if (x % 3 == 0)
        return (x >> 8) % CRAWLERS;
    return CRAWLERS + ((x >> 8 & (CLIENTS - 1)) * (x >> 24 & (CLIENTS - 1)) >> 16);
}

static void put_request(plant_log *l, dp_buf *out, request q)
{
    if (!dp_buf_room(out, LINE_MAX_BYTES))
        return;
    char             *to = out->p + out->n;
    const plant_item *it = q.it;
    const char       *host = (const char *)memchr(it->url, ':', it->n) + 3;
    size_t            host_n = (size_t)(it->url + it->path - host);
    uint64_t          client = draw_client(l);
    l->now += (int64_t)(dp_rng_next(&l->r) % 700);
    set_stamp(l);
    if (l->vhost) {
        to = put_bytes(to, host, host_n);
        to = put_c(to, host - it->url == 8 ? ":443 " : ":80 ");
    }
    to = put_client(to, client);
    to = put_c(to, " - - ");
    to = put_c(to, l->stamp);
    to = put_c(to, " \"");
    to = put_c(to, q.method);
    *to++ = ' ';
    to = put_bytes(to, it->url + it->path, (size_t)(it->n - it->path));
    to = put_c(to, q.after);
    to = put_c(to, client < CRAWLERS ? " HTTP/1.1\" " : " HTTP/2.0\" ");
    to = put_number(to, q.status);
    *to++ = ' ';
    to = q.no_size ? put_c(to, "-") : put_number(to, q.bytes);
    to = put_c(to, client % 4 == 1 ? " \"https://search.example/?q=%22x%22\" \"" : " \"-\" \"");
    to = put_c(to, client < CRAWLERS ? crawlers[client % DP_COUNT(crawlers)] : browsers[client % DP_COUNT(browsers)]);
    to = put_c(to, "\"\n");
    out->n = (size_t)(to - out->p);
}

/* What happens between two new URLs: old ones again, and things that are no evidence. */
static void put_others(plant_log *l, dp_buf *out)
{
    for (uint64_t x = dp_rng_next(&l->r); x % 3 == 0; x = dp_rng_next(&l->r)) {
        size_t            held = l->n < PLANT_LOG_RECENT ? l->n : PLANT_LOG_RECENT;
        const plant_item *it = &l->recent[(x >> 8) % held];
        request           q = {"GET", 200, plant_item_bytes(l->o, it), false, it, ""};
        switch (x >> 32 & 31) {
        case 0:
            q.method = "HEAD";
            q.bytes = 0;
            break;
        case 1:
            q.method = "POST";
            q.bytes = 17 + (x >> 40) % 300;
            break;
        case 2:
        case 3:
            q.status = 404;
            q.bytes = 512;
            q.after = "~gone";
            break;
        case 4:
        case 5:
            q.status = 304;
            q.no_size = true;
            break;
        default: break;
        }
        put_request(l, out, q);
    }
}

void plant_log_item(plant_log *l, dp_buf *out, const plant_item *it)
{
    l->recent[l->n++ % PLANT_LOG_RECENT] = *it;
    put_request(l, out, (request){"GET", 200, plant_item_bytes(l->o, it), false, it, ""});
    put_others(l, out);
}
