/* accesslog.c - the logs of Apache, nginx and their kind.
 *
 *     h00001 - - [17/May/2015:10:05:03 +0000] "GET /a?b HTTP/1.1" 200 5120 "referer" "agent"
 *     www.a.com:443 h00001 - - ...            a virtual-host column may stand first
 *
 * `clf` ends with the size, `combined` goes on with referer and agent; both are format strings
 * for input/format/logspec.h, as is what --log-format says. Whether a virtual host stands first is told
 * by the first lines of a file.
 *
 * Lines of any method and status are records; dp_record_is_page says which can be evidence.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "input/format/columns.h"
#include "input/format/logspec.h"
#include "input/format/request.h"
#include "input/format/when.h"

#define CLF      "%h %l %u %t \"%r\" %>s %b"
#define COMBINED CLF " \"%{Referer}i\" \"%{User-Agent}i\""

typedef struct accesslog {
    dp_logspec spec;
    dp_origin  origin;
    dp_buf     request; /* without escapes */
} accesslog;

/* ---- opening ---------------------------------------------------------------------------------------- */

/* "a.com:443 h00001 - - [": four words or more before the time, the second no '-'. */
static bool has_virtual_host(dp_str line)
{
    const char *bracket = memmem(line.p, line.n, " [", 2);
    dp_str      rest = {line.p, bracket ? (size_t)(bracket - line.p) : 0}, second = DP_STR("");
    size_t      words = 0;
    for (; rest.n; words++) {
        dp_str word = dp_next_field(&rest, ' ');
        if (words == 1)
            second = word;
    }
    return words >= 4 && !dp_str_eq(second, DP_STR("-"));
}

static bool most_have_virtual_hosts(dp_str head)
{
    size_t lines = 0, with = 0;
    for (dp_str line; lines < 100 && dp_next_line(&head, &line); lines++)
        with += has_virtual_host(line);
    return with * 2 > lines;
}

static void close_log(void *state)
{
    accesslog *l = state;
    dp_origin_done(&l->origin);
    dp_buf_done(&l->request);
    free(l);
}

static dp_err open_as(void **state, const dp_setup *s, const char *format, dp_error *err)
{
    accesslog *l = calloc(1, sizeof *l);
    if (!l)
        return dp_fail_as(err, DP_ENOMEM);
    dp_err code = dp_logspec_compile(&l->spec, dp_str_c(format), err);
    if (code == DP_OK)
        code = dp_origin_init(&l->origin, s->o->base_url, err);
    bool has_host = dp_logspec_has(&l->spec, DP_LOG_HOST) || dp_logspec_has(&l->spec, DP_LOG_SERVER);
    if (code == DP_OK && !has_host && !l->origin.base.n)
        code = dp_origin_missing(s->path, err);
    if (code == DP_OK)
        *state = l;
    else
        close_log(l);
    return code;
}

static dp_err open_clf(void **state, const dp_setup *s, dp_error *err)
{
    return open_as(state, s, most_have_virtual_hosts(s->head) ? "%v " CLF : CLF, err);
}

static dp_err open_combined(void **state, const dp_setup *s, dp_error *err)
{
    return open_as(state, s, most_have_virtual_hosts(s->head) ? "%v " COMBINED : COMBINED, err);
}

static dp_err open_logformat(void **state, const dp_setup *s, dp_error *err)
{
    return open_as(state, s, s->o->log_format, err);
}

/* ---- lines -------------------------------------------------------------------------------------------- */

static dp_line read_time(const dp_str *v, dp_record *r, dp_why *why)
{
    static const struct {
        dp_log_field field;
        bool (*read)(dp_str s, int64_t *t);
        int64_t unit;
    } kinds[] = {{DP_LOG_TIME, dp_when_clf, 1},
                 {DP_LOG_TIME_ISO, dp_when_iso, 1},
                 {DP_LOG_SECONDS, dp_when_seconds, 1},
                 {DP_LOG_MSECONDS, dp_number, 1000},
                 {DP_LOG_USECONDS, dp_number, 1000000}};
    for (size_t i = 0; i < DP_COUNT(kinds); i++) {
        dp_str text = v[kinds[i].field];
        if (!dp_is_known(text))
            continue;
        if (!kinds[i].read(text, &r->time))
            return dp_bad(why, "not a time: %s", dp_shape(text).text);
        r->time /= kinds[i].unit;
        r->has |= 1u << DP_FIELD_TIME;
        return DP_LINE_RECORD;
    }
    return DP_LINE_RECORD;
}

static dp_line read_numbers(const dp_str *v, dp_record *r, dp_why *why)
{
    int64_t status;
    if (dp_is_known(v[DP_LOG_STATUS])) {
        if (!dp_number(v[DP_LOG_STATUS], &status) || status > 999)
            return dp_bad(why, "not a status: %s", dp_shape(v[DP_LOG_STATUS]).text);
        r->status = (uint16_t)status;
        r->has |= 1u << DP_FIELD_STATUS;
    }
    if (dp_is_known(v[DP_LOG_SIZE])) {
        if (!dp_number(v[DP_LOG_SIZE], &r->size))
            return dp_bad(why, "not a size: %s", dp_shape(v[DP_LOG_SIZE]).text);
        r->has |= 1u << DP_FIELD_SIZE;
    }
    return DP_LINE_RECORD;
}

static void read_text(dp_record *r, dp_field field, dp_str *to, dp_str text)
{
    if (dp_is_known(text)) {
        *to = text;
        r->has |= 1u << field;
    }
}

/* The text without its escapes, in l->request when it has some. */
static dp_str plain(accesslog *l, dp_str text)
{
    if (!text.n || !memchr(text.p, '\\', text.n))
        return text;
    dp_buf_reset(&l->request);
    dp_log_unescape(&l->request, text);
    return l->request.failed ? (dp_str){NULL, 0} : dp_buf_view(&l->request);
}

/* What was asked for, as path and query. */
static dp_line read_target(accesslog *l, const dp_str *v, dp_record *r, dp_str *path, dp_str *query, dp_why *why)
{
    *query = DP_STR("");
    if (dp_logspec_has(&l->spec, DP_LOG_REQUEST)) {
        dp_str request = plain(l, v[DP_LOG_REQUEST]);
        return request.p ? dp_request_split(request, &r->method, path, why) : DP_LINE_NOMEM;
    }
    if (dp_is_known(v[DP_LOG_METHOD]) && !dp_str_eq(v[DP_LOG_METHOD], DP_STR("GET")))
        r->method = v[DP_LOG_METHOD];
    *path = plain(l, v[DP_LOG_URI].n ? v[DP_LOG_URI] : v[DP_LOG_PATH]);
    if (!v[DP_LOG_URI].n)
        *query = v[DP_LOG_QUERY];
    return l->request.failed ? DP_LINE_NOMEM : dp_request_check(r->method, *path, why);
}

static dp_line read_line(void *state, dp_str line, dp_record *r, dp_why *why)
{
    accesslog *l = state;
    dp_str     v[DP_LOG_FIELDS], path, query;
    if (!line.n || line.p[0] == '#')
        return DP_LINE_OTHER;
    dp_line kind = dp_logspec_cut(&l->spec, line, v, why);
    if (kind == DP_LINE_RECORD)
        kind = read_time(v, r, why);
    if (kind == DP_LINE_RECORD)
        kind = read_numbers(v, r, why);
    if (kind == DP_LINE_RECORD)
        kind = read_target(l, v, r, &path, &query, why);
    dp_str   host = dp_is_known(v[DP_LOG_HOST]) ? v[DP_LOG_HOST] : v[DP_LOG_SERVER];
    dp_place place = {v[DP_LOG_SCHEME], host, v[DP_LOG_PORT]};
    if (kind == DP_LINE_RECORD)
        kind = dp_origin_join(&l->origin, &place, path, query, why);
    if (kind != DP_LINE_RECORD)
        return kind;
    r->url = dp_buf_view(&l->origin.url);
    r->has |= 1u << DP_FIELD_URL;
    read_text(r, DP_FIELD_CLIENT, &r->client, v[DP_LOG_CLIENT]);
    read_text(r, DP_FIELD_AGENT, &r->agent, v[DP_LOG_AGENT]);
    read_text(r, DP_FIELD_MIME, &r->mime, v[DP_LOG_MIME]);
    read_text(r, DP_FIELD_TARGET, &r->target, v[DP_LOG_TARGET]);
    r->referer = dp_known(v[DP_LOG_REFERER]);
    r->etag = dp_known(v[DP_LOG_ETAG]);
    return DP_LINE_RECORD;
}

static int only_by_name(dp_str head)
{
    (void)head;
    return 0;
}

const dp_record_format dp_combined = {.name = "combined",
                               .what = "an access log with referer and agent",
                               .sep = '\t',
                               .open = open_combined,
                               .line = read_line,
                               .close = close_log};

const dp_record_format dp_clf = {.name = "clf",
                          .what = "an access log in the common format",
                          .sep = '\t',
                          .open = open_clf,
                          .line = read_line,
                          .close = close_log};

const dp_record_format dp_logformat = {.name = "log-format",
                                .what = "a log in the given format",
                                .sep = '\t',
                                .recognise = only_by_name,
                                .open = open_logformat,
                                .line = read_line,
                                .close = close_log};
