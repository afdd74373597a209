/* alb.c - the access logs of AWS Application Load Balancers.
 *
 *     https 2018-07-02T22:23:00.186641Z app/my-lb/50dc 192.0.2.5:2817 10.0.0.1:80 0.1 0.2 0.0 200 200 0 57
 *         "GET https://www.example.com:443/a?b HTTP/1.1" "curl/7.46.0" ... "redirect URL" ...            one line
 *
 * Blanks stand between the values, which may be in quotes. The request holds the whole URL; the size is that of the
 * answer with its headers. Values that later versions append are passed over, those that a line has not are unknown.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "input/format/columns.h"
#include "input/format/request.h"
#include "input/format/when.h"

enum { TYPE, TIME, CLIENT = 3, STATUS = 8, SENT = 11, REQUEST, AGENT, REDIRECT = 23, VALUES, LEAST = REQUEST + 1 };

/* The next value; in quotes it may hold blanks, and quotes behind a backslash. */
static dp_str next_value(dp_str *rest)
{
    if (!rest->n || rest->p[0] != '"')
        return dp_next_field(rest, ' ');
    size_t end = 1;
    while (end < rest->n && rest->p[end] != '"')
        end += rest->p[end] == '\\' ? 2 : 1;
    end = end < rest->n ? end : rest->n;
    dp_str value = dp_str_cut(*rest, 1, end);
    *rest = dp_str_cut(*rest, end + 2 < rest->n ? end + 2 : rest->n, rest->n);
    return value;
}

static bool is_type(dp_str s)
{
    static const char *const types[] = {"http", "https", "h2", "grpcs", "ws", "wss"};
    for (size_t i = 0; i < DP_COUNT(types); i++) {
        if (dp_str_eq(s, dp_str_c(types[i])))
            return true;
    }
    return false;
}

/* "192.0.2.5:2817": one client, whatever the port. */
static dp_str without_port(dp_str client)
{
    const char *colon = client.n ? memrchr(client.p, ':', client.n) : NULL;
    return colon ? dp_str_cut(client, 0, (size_t)(colon - client.p)) : client;
}

/* "GET https://www.example.com:443/a HTTP/1.1": method and URL. */
static dp_line read_request(dp_record *r, dp_str request, dp_why *why)
{
    dp_str      line = request, method = dp_next_field(&line, ' ');
    const char *last = line.n ? memrchr(line.p, ' ', line.n) : NULL;
    dp_str      url = last ? dp_str_cut(line, 0, (size_t)(last - line.p)) : line;
    if (!method.n || method.p[0] < 'A' || method.p[0] > 'Z' || !dp_looks_like_url(url))
        return dp_bad(why, "malformed request: %s", dp_shape(request).text);
    r->url = url;
    r->has |= 1u << DP_FIELD_URL;
    r->method = dp_str_eq(method, DP_STR("GET")) ? DP_STR("") : method;
    return DP_LINE_RECORD;
}

static dp_line read_line(void *state, dp_str line, dp_record *r, dp_why *why)
{
    dp_str v[VALUES] = {{0}}, rest = line;
    size_t n = 0;
    (void)state;
    if (!line.n)
        return DP_LINE_OTHER;
    while (rest.n && n < VALUES)
        v[n++] = next_value(&rest);
    if (n < LEAST || !is_type(v[TYPE]))
        return dp_bad(why, "not a line of a load balancer: %s", dp_shape(line).text);
    if (!dp_when_iso(v[TIME], &r->time))
        return dp_bad(why, "not a time: %s", dp_shape(v[TIME]).text);
    r->has |= 1u << DP_FIELD_TIME;
    const struct {
        dp_field field;
        dp_str   text;
    } plain[] = {{DP_FIELD_STATUS, v[STATUS]},
                 {DP_FIELD_SIZE, v[SENT]},
                 {DP_FIELD_CLIENT, without_port(v[CLIENT])},
                 {DP_FIELD_AGENT, v[AGENT]},
                 {DP_FIELD_TARGET, v[REDIRECT]}};
    for (size_t i = 0; i < DP_COUNT(plain); i++) {
        if (dp_column_set(r, plain[i].field, plain[i].text, why) != DP_LINE_RECORD)
            return DP_LINE_BAD;
    }
    return read_request(r, v[REQUEST], why);
}

static int recognise(dp_str head)
{
    dp_str line = DP_STR("");
    while (dp_next_line(&head, &line) && !line.n) {}
    dp_str  type = dp_next_field(&line, ' '), when = dp_next_field(&line, ' ');
    int64_t t;
    return is_type(type) && dp_when_iso(when, &t) ? -1 : 0;
}

const dp_record_format dp_alb = {.name = "alb",
                                 .what = "an access log of an AWS load balancer",
                                 .sep = ' ',
                                 .recognise = recognise,
                                 .line = read_line};
