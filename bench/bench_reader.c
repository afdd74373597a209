/* bench_reader.c - files of every format, and how fast they are read.
 *
 *     bench_reader make FORMAT <URLS >FILE      a record for each URL
 *     bench_reader NAME FILE [BASE-URL]         read FILE; two lines: records, and bytes after decompression
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define BENCH_COUNT_ALLOCATIONS
#include "bench.h"

#include "dustpan.h"

static const char agent[] =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Safari/537.36";

/* A URL in its parts: scheme://host/path. */
typedef struct parts {
    const char *url, *host, *path; /* the path without its first slash */
    int         host_n;
    unsigned    number;
} parts;

static void put_urls(const parts *p)
{
    printf("%s\n", p->url);
}

static void put_tsv(const parts *p)
{
    if (p->number == 0)
        puts("url\tstatus\tsize\tsketch");
    printf("%s\t200\t%u\t%016x,%016x,%016x,%016x\n", p->url, p->number % 9999, p->number, p->number * 3, p->number * 5,
           p->number * 7);
}

static void put_jsonl(const parts *p)
{
    printf("{\"url\": \"%s\", \"status\": 200, \"size\": %u, \"digest\": \"OSSAPWJ23L56IYVRW3GFEAR4%08u\", \"title\": "
           "\"A page\"}\n",
           p->url, p->number % 9999, p->number);
}

static void put_combined(const parts *p)
{
    printf("%.*s:443 192.0.2.%u - - [17/May/2015:10:%02u:%02u +0000] \"GET /%s HTTP/1.1\" 200 %u \"-\" \"%s\"\n",
           p->host_n, p->host, p->number % 255, p->number / 60 % 60, p->number % 60, p->path, p->number % 9999, agent);
}

static void put_w3c(const parts *p)
{
    if (p->number == 0)
        puts("#Fields: date time cs-method cs-uri-stem cs-host s-port c-ip cs(User-Agent) sc-status sc-bytes");
    printf("2015-05-17 10:%02u:%02u GET /%s %.*s 443 192.0.2.%u Mozilla/5.0+(X11;+Linux+x86_64) 200 %u\n",
           p->number / 60 % 60, p->number % 60, p->path, p->host_n, p->host, p->number % 255, p->number % 9999);
}

static void put_cdx(const parts *p)
{
    if (p->number == 0)
        puts(" CDX N b a m s k r M S V g");
    printf("%.*s)/%s 201505171005%02u %s text/html 200 OSSAPWJ23L56IYVRW3GFEAR4%08u - - %u %u crawl.warc.gz\n",
           p->host_n, p->host, p->path, p->number % 60, p->url, p->number, p->number % 9999, p->number * 100);
}

static void put_cdxj(const parts *p)
{
    printf(
        "%.*s)/%s 201505171005%02u {\"url\": \"%s\", \"mime\": \"text/html\", \"status\": \"200\", \"digest\": "
        "\"OSSAPWJ23L56IYVRW3GFEAR4%08u\", \"length\": \"%u\", \"offset\": \"%u\", \"filename\": \"crawl.warc.gz\"}\n",
        p->host_n, p->host, p->path, p->number % 60, p->url, p->number, p->number % 9999, p->number * 100);
}

static void put_crawllog(const parts *p)
{
    printf("2015-05-17T10:05:%02u.532Z   200 %10u %s LLE %s text/html #%03u 20150517100503532+115 "
           "sha1:OSSAPWJ23L56IYVRW3GFEAR4%08u - -\n",
           p->number % 60, p->number % 9999, p->url, p->url, p->number % 100, p->number);
}

/* A record of an archive. */
static void put_record(const char *type, const char *mime, const char *url, const char *block, int n)
{
    printf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2015-05-17T10:05:03Z\r\n"
           "WARC-Payload-Digest: sha1:OSSAPWJ23L56IYVRW3GFEAR4MCJMGPTB\r\nContent-Type: %s\r\nContent-Length: "
           "%d\r\n\r\n%s\r\n\r\n",
           type, url, mime, n, block);
}

static void put_warc(const parts *p)
{
    static char block[20000];
    int n =
        snprintf(block, sizeof block, "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Type: text/html; charset=utf-8\r\n\r\n");
    while (n < 4000 + (int)(p->number % 8000))
        n += snprintf(block + n, sizeof block - (size_t)n, "<p>A line of page %u, and %d bytes of it so far.</p>\n",
                      p->number, n);
    put_record("response", "application/http; msgtype=response", p->url, block, n);
}

static void put_wat(const parts *p)
{
    static char block[20000];
    int n = snprintf(
        block, sizeof block,
        "{\"Container\":{\"Filename\":\"x\"},\"Envelope\":{\"WARC-Header-Metadata\":{\"WARC-Type\":\"response\","
        "\"WARC-Date\":\"2015-05-17T10:05:03Z\",\"WARC-Target-URI\":\"%s\"},\"Payload-Metadata\":{"
        "\"HTTP-Response-Metadata\":{\"Response-Message\":{\"Status\":\"200\"},\"Headers\":{\"Content-Type\":"
        "\"text/html\"},\"Entity-Length\":\"%u\",\"HTML-Metadata\":{\"Head\":{\"Title\":\"A page\"},\"Links\":[",
        p->url, p->number % 9999);
    for (unsigned i = 0; i < 30; i++)
        n += snprintf(block + n, sizeof block - (size_t)n, "%s{\"path\":\"A@/href\",\"url\":\"/link/%u/%u\"}",
                      i ? "," : "", p->number, i);
    n += snprintf(block + n, sizeof block - (size_t)n, "]}}}}}");
    put_record("metadata", "application/json", p->url, block, n);
}

static const struct {
    const char *name;
    void (*put)(const parts *p);
} formats[] = {{"urls", put_urls},   {"tsv", put_tsv},           {"jsonl", put_jsonl}, {"combined", put_combined},
               {"w3c", put_w3c},     {"cdx", put_cdx},           {"cdxj", put_cdxj},   {"crawllog", put_crawllog},
               {"warc", put_warc},   {"wat", put_wat}};

static int make(const char *format)
{
    static char line[1 << 16], buffer[1 << 20];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(format, formats[i].name) != 0)
            continue;
        for (unsigned number = 0; fgets(line, sizeof line, stdin); number++) {
            line[strcspn(line, "\n")] = 0;
            const char *scheme = strstr(line, "://"), *host = scheme ? scheme + 3 : line;
            int         n = (int)strcspn(host, "/");
            formats[i].put(&(parts){line, host, host[n] ? host + n + 1 : "", n, number});
        }
        return fflush(stdout) == 0 ? 0 : 2;
    }
    fprintf(stderr, "bench_reader: no format '%s'\n", format);
    return 2;
}

static int measure(const char *name, const char *path, const char *base_url)
{
    dp_input *in;
    dp_error  err = {0};
    int       more = 1;
    uint64_t  records = 0, sum = 0;
    char      bytes_name[256];
    if (dp_input_new(&in) || dp_input_set(in, DP_INPUT_BASE_URL, base_url))
        bench_die("memory");
    bench_run run = bench_start();
    dp_err    code = dp_input_open(in, &path, 1, DP_WITH_BODIES, &err);
    for (; !code && more; records += (unsigned)more) {
        size_t      n;
        const char *url;
        code = dp_input_next(in, &more, &err);
        if (more && (url = dp_input_text(in, DP_FIELD_URL, &n)))
            sum += (unsigned char)url[n / 2];
    }
    if (code || dp_input_bad_lines(in) || !sum) {
        fprintf(stderr, "bench_reader: %s: %s, %" PRIu64 " bad lines\n", path, err.message, dp_input_bad_lines(in));
        return 2;
    }
    bench_print(name, records, &run);
    struct stat st;
    if (stat(path, &st) == 0) {
        snprintf(bytes_name, sizeof bytes_name, "%s, bytes", name);
        bench_print(bytes_name, (uint64_t)st.st_size, &run);
    }
    dp_input_free(in);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "make") == 0)
        return make(argv[2]);
    if (argc == 3 || argc == 4)
        return measure(argv[1], argv[2], argc == 4 ? argv[3] : NULL);
    fputs("usage: bench_reader make FORMAT <URLS >FILE | bench_reader NAME FILE [BASE-URL]\n", stderr);
    return 2;
}
