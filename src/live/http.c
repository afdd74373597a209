/* SPDX-License-Identifier: Apache-2.0 */
#include "live/http.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/words/case.h"
#include "live/address.h"
#include "live/curl.h"

enum { HEADER_MAX = 64 << 10 /* bytes of a header */ };

typedef struct request {
    struct request *next, **here; /* among those under way */
    dp_http        *http;
    CURL           *easy;
    uint32_t        tag;
    dp_buf          header, body;
    uint64_t        received;            /* bytes of the body as they came, coded */
    bool            is_private, is_large;
} request;

struct dp_http {
    const dp_curl *curl;
    CURLM         *multi;
    char          *user_agent, *ca_file; /* ca_file may be NULL */
    int64_t        timeout;
    size_t         max_size;
    bool           allow_private;
    int            running; /* requests whose answers were not given out */
    request       *under_way;
    request       *given; /* the one whose answer was given out last */
};

/* ---- what curl calls ---------------------------------------------------------------------- */

/* The address is looked at here, after DNS: no name and no redirect gets round it. */
static curl_socket_t open_socket(void *ctx, curlsocktype purpose, struct curl_sockaddr *a)
{
    request *r = ctx;
    if (purpose != CURLSOCKTYPE_IPCXN || (!r->http->allow_private && !dp_address_is_public(&a->addr))) {
        r->is_private = true;
        return CURL_SOCKET_BAD;
    }
    return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

static size_t take_header(char *p, size_t size, size_t n, void *ctx)
{
    request *r = ctx;
    if (n >= 5 && memcmp(p, "HTTP/", 5) == 0)
        dp_buf_reset(&r->header); /* after a 1xx the real one follows */
    dp_buf_add(&r->header, p, size * n);
    return r->header.failed ? 0 : size * n;
}

static size_t take_body(char *p, size_t size, size_t n, void *ctx)
{
    request *r = ctx;
    dp_buf_add(&r->body, p, size * n);
    r->is_large |= r->body.failed;
    return r->body.failed ? 0 : size * n;
}

/* Body bytes as they come, before curl cuts off what Content-Length does not cover. */
static int count_bytes(CURL *easy, curl_infotype what, char *p, size_t n, void *ctx)
{
    (void)easy, (void)p;
    if (what == CURLINFO_DATA_IN)
        ((request *)ctx)->received += n;
    return 0;
}

/* ---- requests ------------------------------------------------------------------------------ */

static void free_request(request *r)
{
    if (!r)
        return;
    if (r->here) {
        *r->here = r->next;
        if (r->next)
            r->next->here = r->here;
    }
    if (r->easy) {
        r->http->curl->multi_remove_handle(r->http->multi, r->easy);
        r->http->curl->easy_cleanup(r->easy);
    }
    dp_buf_done(&r->header);
    dp_buf_done(&r->body);
    free(r);
}

static bool configure(request *r, const char *url)
{
    const dp_http *h = r->http;
    CURL          *c = r->easy;
    dp_curl_set   *set = h->curl->easy_setopt;
    long           ms = (long)h->timeout;
    return !(set(c, CURLOPT_URL, url) || set(c, CURLOPT_HTTPGET, 1L) || set(c, CURLOPT_PROTOCOLS_STR, "http,https") ||
             set(c, CURLOPT_FOLLOWLOCATION, 0L) || set(c, CURLOPT_PATH_AS_IS, 1L) ||
             set(c, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L) || set(c, CURLOPT_PROXY, "") ||
             set(c, CURLOPT_NOSIGNAL, 1L) || set(c, CURLOPT_USERAGENT, h->user_agent) ||
             set(c, CURLOPT_ACCEPT_ENCODING, "") || set(c, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS) ||
             (h->ca_file && set(c, CURLOPT_CAINFO, h->ca_file)) || set(c, CURLOPT_TIMEOUT_MS, ms) ||
             set(c, CURLOPT_CONNECTTIMEOUT_MS, ms > 3 ? ms / 3 : 1) ||
             set(c, CURLOPT_OPENSOCKETFUNCTION, open_socket) || set(c, CURLOPT_OPENSOCKETDATA, r) ||
             set(c, CURLOPT_HEADERFUNCTION, take_header) || set(c, CURLOPT_HEADERDATA, r) ||
             set(c, CURLOPT_WRITEFUNCTION, take_body) || set(c, CURLOPT_WRITEDATA, r) ||
             set(c, CURLOPT_VERBOSE, 1L) || set(c, CURLOPT_DEBUGFUNCTION, count_bytes) ||
             set(c, CURLOPT_DEBUGDATA, r) || set(c, CURLOPT_PRIVATE, r));
}

dp_err dp_http_start(dp_http *h, dp_str url, uint32_t tag)
{
    request *r = calloc(1, sizeof *r);
    char    *z = strndup(url.p, url.n);
    if (r) {
        *r = (request){.http = h, .tag = tag, .header.max = HEADER_MAX, .body.max = h->max_size};
        r->easy = h->curl->easy_init();
    }
    bool good = r && z && r->easy && configure(r, z) && h->curl->multi_add_handle(h->multi, r->easy) == CURLM_OK;
    free(z);
    if (!good) {
        free_request(r);
        return DP_ENOMEM;
    }
    r->next = h->under_way;
    r->here = &h->under_way;
    if (r->next)
        r->next->here = &r->next;
    h->under_way = r;
    h->running++;
    return DP_OK;
}

/* Whether the server sent more than Content-Length says. Curl stops there: what it has read beyond is in `received`,
 * what it has not lies in the socket, where nothing can lie between two answers of HTTP/1. */
static bool has_excess(const request *r)
{
    curl_off_t    length = -1;
    long          version = 0;
    char         *scheme = NULL, byte;
    curl_socket_t fd = CURL_SOCKET_BAD;
    r->http->curl->easy_getinfo(r->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    r->http->curl->easy_getinfo(r->easy, CURLINFO_HTTP_VERSION, &version);
    r->http->curl->easy_getinfo(r->easy, CURLINFO_SCHEME, &scheme);
    r->http->curl->easy_getinfo(r->easy, CURLINFO_ACTIVESOCKET, &fd);
    if (length < 0)
        return false;
    if (r->received > (uint64_t)length)
        return true;
    bool plain = scheme && dp_is_word(dp_str_c(scheme), "http");
    return fd != CURL_SOCKET_BAD && version <= CURL_HTTP_VERSION_1_1 && plain &&
           recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

/* Why there is no connection. */
static dp_fault connect_fault(const request *r)
{
    long number = 0;
    if (r->is_private)
        return DP_FAULT_PRIVATE;
    r->http->curl->easy_getinfo(r->easy, CURLINFO_OS_ERRNO, &number);
    switch (number) {
    case ECONNREFUSED: return DP_FAULT_REFUSED;
    case ENETUNREACH:
    case EHOSTUNREACH: return DP_FAULT_UNREACHABLE;
    default: return DP_FAULT_CONNECT;
    }
}

static dp_fault fault_of(const request *r, CURLcode code)
{
    if (r->is_large)
        return DP_FAULT_LARGE;
    switch (code) {
    case CURLE_OK: return has_excess(r) ? DP_FAULT_LENGTH : DP_FAULT_NONE;
    case CURLE_COULDNT_RESOLVE_HOST: return DP_FAULT_RESOLVE;
    case CURLE_COULDNT_CONNECT: return connect_fault(r);
    case CURLE_OPERATION_TIMEDOUT: return DP_FAULT_TIMEOUT;
    case CURLE_PARTIAL_FILE: return DP_FAULT_LENGTH;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_PEER_FAILED_VERIFICATION: return DP_FAULT_TLS;
    default: return DP_FAULT_BROKEN;
    }
}

/* ---- public -------------------------------------------------------------------------------- */

dp_err dp_http_new(dp_http **out, const dp_http_options *o, dp_error *err)
{
    const dp_curl *curl = dp_curl_load(err);
    if (!curl)
        return DP_EABSENT;
    dp_http *h = calloc(1, sizeof *h);
    if (!h)
        return dp_no_memory(err);
    *h = (dp_http){.curl = curl, .timeout = o->timeout, .max_size = o->max_size, .allow_private = o->allow_private};
    h->user_agent = strdup(o->user_agent);
    h->ca_file = o->ca_file ? strdup(o->ca_file) : NULL;
    h->multi = curl->multi_init();
    if (!h->user_agent || (o->ca_file && !h->ca_file) || !h->multi ||
        curl->multi_setopt(h->multi, CURLMOPT_MAX_HOST_CONNECTIONS, 1L) != CURLM_OK) {
        dp_http_free(h);
        return dp_no_memory(err);
    }
    *out = h;
    return DP_OK;
}

void dp_http_free(dp_http *h)
{
    if (!h)
        return;
    free_request(h->given);
    while (h->under_way)
        free_request(h->under_way);
    if (h->multi)
        h->curl->multi_cleanup(h->multi);
    free(h->user_agent);
    free(h->ca_file);
    free(h);
}

dp_err dp_http_wait(dp_http *h, int ms)
{
    int       running;
    CURLMcode code = h->curl->multi_perform(h->multi, &running);
    /* Where an answer is there already, nothing more may happen. */
    if (code == CURLM_OK && running == h->running)
        code = h->curl->multi_poll(h->multi, NULL, 0, ms, NULL);
    if (code == CURLM_OK)
        code = h->curl->multi_perform(h->multi, &running);
    return code == CURLM_OK ? DP_OK : code == CURLM_OUT_OF_MEMORY ? DP_ENOMEM : DP_EIO;
}

bool dp_http_next(dp_http *h, dp_http_answer *out)
{
    int      left;
    CURLMsg *m;
    free_request(h->given);
    h->given = NULL;
    while ((m = h->curl->multi_info_read(h->multi, &left))) {
        if (m->msg != CURLMSG_DONE)
            continue;
        request *r = NULL;
        long     status = 0;
        CURLcode code = m->data.result;
        h->curl->easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, (char **)&r);
        h->curl->easy_getinfo(m->easy_handle, CURLINFO_RESPONSE_CODE, &status);
        *out = (dp_http_answer){.tag = r->tag, .fault = fault_of(r, code), .status = (int)status};
        if (out->fault == DP_FAULT_NONE) {
            out->header = dp_buf_view(&r->header);
            out->body = dp_buf_view(&r->body);
        }
        h->given = r;
        h->running--;
        return true;
    }
    return false;
}
