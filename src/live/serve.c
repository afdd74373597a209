/* dp_server of dustpan.h: one page over HTTP, for a browser on this machine and nobody else.
 *
 *     GET /TOKEN/        the page           PUT /TOKEN/rules     what it saves; If-Match: the version it was made of
 *
 * Others can reach the loopback address, too: other users of the machine, and every web site that the browser has open.
 *   - Nobody guesses the path: 128 random bits.
 *   - A site whose name is made to mean 127.0.0.1 sends its own name as Host, which is refused.
 *   - What saves must come from the page itself: its Origin is that Host.
 *   - What is refused is refused before its body is read; a body, the head of a request, the number of connections and
 *     the time for which one may say nothing are bounded.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/number.h"
#include "base/secret.h"
#include "live/microhttpd.h"

enum {
    TOKEN_BYTES = 16,
    MOST_BODY = 64 << 20,
    MOST_HEAD = 32 << 10, /* of a request, with what is read ahead */
    MOST_CONNECTIONS = 32,
    MOST_SECONDS = 30     /* of silence */
};

struct dp_server {
    const dp_mhd      *mhd;
    struct MHD_Daemon *daemon;
    dp_server_page     page;
    dp_server_save     save;
    void              *ctx;
    char               host[2][32]; /* 127.0.0.1:PORT, localhost:PORT */
    char               token[2 * TOKEN_BYTES + 1];
    char               url[96];
};

/* ---- answers ------------------------------------------------------------------------------------------- */

static const struct { const char *name, *value; } always[] = {
    {"Cache-Control", "no-store"},
    {"Content-Security-Policy", "frame-ancestors 'none'"}, /* the rest stands in the page */
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"X-Content-Type-Options", "nosniff"},
};

static const char PLAIN[] = "text/plain; charset=utf-8";

/* Queue a copy of `body`. */
static enum MHD_Result reply(const dp_server *s, struct MHD_Connection *c, unsigned status, const char *type,
                             dp_str body)
{
    union { const char *given; void *asked; } p = {body.p}; /* it is copied, not written */
    struct MHD_Response *r = s->mhd->create_response_from_buffer(body.n, p.asked, MHD_RESPMEM_MUST_COPY);
    enum MHD_Result      ok = r ? MHD_YES : MHD_NO;
    for (size_t i = 0; i < DP_COUNT(always) && ok == MHD_YES; i++)
        ok = s->mhd->add_response_header(r, always[i].name, always[i].value);
    if (ok == MHD_YES)
        ok = s->mhd->add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    if (ok == MHD_YES && status == MHD_HTTP_METHOD_NOT_ALLOWED)
        ok = s->mhd->add_response_header(r, MHD_HTTP_HEADER_ALLOW, "GET, HEAD, PUT");
    if (ok == MHD_YES)
        ok = s->mhd->queue_response(c, status, r);
    if (r)
        s->mhd->destroy_response(r);
    return ok;
}

static enum MHD_Result say(const dp_server *s, struct MHD_Connection *c, unsigned status, const char *text)
{
    return reply(s, c, status, PLAIN, dp_str_c(text));
}

static enum MHD_Result say_error(const dp_server *s, struct MHD_Connection *c, dp_err code, const dp_error *err)
{
    unsigned status = code == DP_ESYNTAX    ? MHD_HTTP_UNPROCESSABLE_CONTENT
                      : code == DP_EINVALID ? MHD_HTTP_PRECONDITION_FAILED
                                            : MHD_HTTP_INTERNAL_SERVER_ERROR;
    dp_buf b = {0};
    if (err->file[0])
        dp_buf_printf(&b, "%s:", err->file);
    if (err->line)
        dp_buf_printf(&b, "%zu:", err->line);
    if (err->line && err->column)
        dp_buf_printf(&b, "%zu:", err->column);
    dp_buf_printf(&b, "%s%s", b.n ? " " : "", err->message[0] ? err->message : dp_err_name(code));
    enum MHD_Result ok = b.failed ? MHD_NO : reply(s, c, status, PLAIN, dp_buf_view(&b));
    dp_buf_done(&b);
    return ok;
}

/* ---- who asks ------------------------------------------------------------------------------------------ */

static dp_str header(const dp_server *s, struct MHD_Connection *c, const char *name)
{
    const char *value = s->mhd->lookup_connection_value(c, MHD_HEADER_KIND, name);
    return value ? dp_str_c(value) : (dp_str){NULL, 0};
}

/* The rest of a path behind "/TOKEN/", NULL when it begins otherwise. A token takes the same time whatever it is. */
static const char *behind_token(const dp_server *s, const char *path)
{
    size_t   n = sizeof s->token - 1;
    unsigned differs = 0;
    if (strlen(path) < n + 2 || path[0] != '/' || path[n + 1] != '/')
        return NULL;
    for (size_t i = 0; i < n; i++)
        differs |= (unsigned char)(path[i + 1] ^ s->token[i]);
    return differs ? NULL : path + n + 2;
}

static bool is_own_host(const dp_server *s, dp_str host)
{
    return dp_str_eq(host, dp_str_c(s->host[0])) || dp_str_eq(host, dp_str_c(s->host[1]));
}

static bool is_own_origin(dp_str origin, dp_str host)
{
    return dp_str_starts(origin, DP_STR("http://")) && dp_str_eq(dp_str_cut(origin, 7, origin.n), host);
}

typedef struct refusal {
    unsigned    status; /* 0: none */
    const char *why;
} refusal;

static refusal judge(const dp_server *s, struct MHD_Connection *c, const char *path, const char *method)
{
    dp_str      host = header(s, c, MHD_HTTP_HEADER_HOST), origin = header(s, c, MHD_HTTP_HEADER_ORIGIN);
    dp_str      length = header(s, c, MHD_HTTP_HEADER_CONTENT_LENGTH);
    const char *rest = behind_token(s, path);
    bool        saves = strcmp(method, MHD_HTTP_METHOD_PUT) == 0;
    uint64_t    bytes = 0;
    if (!is_own_host(s, host))
        return (refusal){MHD_HTTP_MISDIRECTED_REQUEST, "There is no such host here.\n"};
    if (!rest || strcmp(rest, saves ? "rules" : "") != 0)
        return (refusal){MHD_HTTP_NOT_FOUND, "There is no such page: dustpan review has printed its address.\n"};
    if (!saves && strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        return (refusal){MHD_HTTP_METHOD_NOT_ALLOWED, "Pages are read and rules are put here, nothing else.\n"};
    if ((saves || origin.n) && !is_own_origin(origin, host))
        return (refusal){MHD_HTTP_FORBIDDEN, "Only the page itself may save.\n"};
    if (length.n && (!dp_size_read(&bytes, length) || bytes > MOST_BODY))
        return (refusal){MHD_HTTP_CONTENT_TOO_LARGE, "That is too long for a rule file.\n"};
    return (refusal){0, NULL};
}

/* ---- what is asked ------------------------------------------------------------------------------------- */

static enum MHD_Result give_page(const dp_server *s, struct MHD_Connection *c)
{
    dp_error err = {0};
    dp_text *page = NULL;
    dp_err   code = s->page(s->ctx, &page, &err);
    if (code != DP_OK)
        return say_error(s, c, code, &err);
    enum MHD_Result ok = reply(s, c, MHD_HTTP_OK, "text/html; charset=utf-8",
                               (dp_str){dp_text_data(page), dp_text_size(page)});
    dp_text_free(page);
    return ok;
}

static enum MHD_Result take_rules(const dp_server *s, struct MHD_Connection *c, dp_str text)
{
    dp_error err = {0};
    dp_str   tag = header(s, c, MHD_HTTP_HEADER_IF_MATCH); /* "3" */
    uint64_t version = 0;
    char     next[24];
    if (tag.n < 2 || !dp_size_read(&version, dp_str_cut(tag, 1, tag.n - 1)))
        return say(s, c, MHD_HTTP_PRECONDITION_REQUIRED, "If-Match must name the version that was changed.\n");
    dp_err code = s->save(s->ctx, &version, text.p, text.n, &err);
    if (code != DP_OK)
        return say_error(s, c, code, &err);
    snprintf(next, sizeof next, "%" PRIu64, version);
    return say(s, c, MHD_HTTP_OK, next);
}

/* Called when the head of a request is there, for each piece of its body, and at its end. */
static enum MHD_Result answer(void *ctx, struct MHD_Connection *c, const char *path, const char *method,
                              const char *version, const char *piece, size_t *n, void **state)
{
    const dp_server *s = ctx;
    dp_buf          *body = *state;
    (void)version;
    if (!body) {
        refusal no = judge(s, c, path, method);
        if (no.status)
            return say(s, c, no.status, no.why);
        *state = body = calloc(1, sizeof *body);
        if (!body)
            return MHD_NO;
        body->max = MOST_BODY;
        return MHD_YES;
    }
    if (*n) {
        dp_buf_add(body, piece, *n);
        *n = 0;
        return body->failed ? MHD_NO : MHD_YES; /* MHD_NO: hang up */
    }
    if (strcmp(method, MHD_HTTP_METHOD_PUT) == 0)
        return take_rules(s, c, dp_buf_view(body));
    return give_page(s, c);
}

static void forget(void *ctx, struct MHD_Connection *c, void **state, enum MHD_RequestTerminationCode how)
{
    (void)ctx, (void)c, (void)how;
    if (*state)
        dp_buf_done(*state);
    free(*state);
    *state = NULL;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static bool make_token(dp_server *s)
{
    dp_secret random;
    if (!dp_secret_draw(&random))
        return false;
    for (size_t i = 0; i < TOKEN_BYTES; i++)
        snprintf(s->token + 2 * i, 3, "%02x", random.byte[i]);
    return true;
}

static dp_err start(dp_server *s, dp_error *err)
{
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    s->daemon = s->mhd->start_daemon(MHD_USE_AUTO_INTERNAL_THREAD, 0, NULL, NULL, answer, s,
                                     MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&here,
                                     MHD_OPTION_NOTIFY_COMPLETED, forget, NULL,
                                     MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MOST_HEAD,
                                     MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CONNECTIONS,
                                     MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)MOST_SECONDS,
                                     MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        s->daemon ? s->mhd->get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    if (!info)
        return dp_fail(err, DP_EIO, "cannot listen on 127.0.0.1");
    snprintf(s->host[0], sizeof s->host[0], "127.0.0.1:%u", info->port);
    snprintf(s->host[1], sizeof s->host[1], "localhost:%u", info->port);
    snprintf(s->url, sizeof s->url, "http://%s/%s/", s->host[0], s->token);
    return DP_OK;
}

dp_err dp_server_new(dp_server **out, dp_server_page page, dp_server_save save, void *ctx, dp_error *err)
{
    const dp_mhd *mhd = dp_mhd_load(err);
    if (!mhd)
        return DP_EABSENT;
    dp_server *s = calloc(1, sizeof *s);
    if (!s)
        return dp_fail_as(err, DP_ENOMEM);
    *s = (dp_server){.mhd = mhd, .page = page, .save = save, .ctx = ctx};
    dp_err code = make_token(s) ? start(s, err) : dp_fail(err, DP_EIO, "the system has no random bytes to give");
    if (code != DP_OK)
        dp_server_free(s);
    else
        *out = s;
    return code;
}

const char *dp_server_url(const dp_server *s)
{
    return s->url;
}

void dp_server_free(dp_server *s)
{
    if (!s)
        return;
    if (s->daemon)
        s->mhd->stop_daemon(s->daemon);
    free(s);
}
