/* jsonl.c - a JSON object a line, with the field names of input/format/columns.h.
 *
 *     {"url": "http://a.com/x", "status": 200, "size": 5120, "sketch": "0186dc807b3b451e,..."}
 *
 * Other names are passed over, and so are empty lines. An object without a URL may be a line of a server's log
 * (input/format/jsonlog.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "input/format/columns.h"
#include "input/format/jsonlog.h"
#include "input/format/jsonrecord.h"

typedef struct jsonl {
    dp_buf    buf;
    dp_origin origin;
} jsonl;

static int recognise(dp_str head)
{
    dp_str line = DP_STR("");
    while (dp_next_line(&head, &line) && !line.n) {}
    return line.n && line.p[0] == '{' ? -1 : 0;
}

/* Whether an object is a line of a server's log. */
static bool is_log(dp_str line)
{
    return !memmem(line.p, line.n, "\"url\"", 5) &&
           (memmem(line.p, line.n, "\"request", 8) || memmem(line.p, line.n, "\"uri\"", 5));
}

static dp_line read_line(void *state, dp_str line, dp_record *r, dp_why *why)
{
    size_t blanks = 0;
    while (blanks < line.n && (line.p[blanks] == ' ' || line.p[blanks] == '\t'))
        blanks++;
    if (blanks == line.n)
        return DP_LINE_OTHER;
    jsonl *l = state;
    if (is_log(line))
        return dp_json_log(line, &l->buf, &l->origin, r, why);
    return dp_json_record(line, &l->buf, r, dp_column_find, why);
}

static void close_file(void *state)
{
    jsonl *l = state;
    dp_buf_done(&l->buf);
    dp_origin_done(&l->origin);
    free(l);
}

/* Whether lines of the head are readable as a log but for their host, and none has one. */
static bool lacks_hosts(jsonl *l, dp_str head)
{
    const dp_str base = DP_STR("http://host");
    bool         any = false;
    for (dp_str line; dp_next_line(&head, &line);) {
        dp_record r = {0};
        if (!is_log(line))
            continue;
        l->origin.base = DP_STR("");
        if (dp_json_log(line, &l->buf, &l->origin, &r, NULL) == DP_LINE_RECORD)
            return false;
        l->origin.base = base;
        any |= dp_json_log(line, &l->buf, &l->origin, &r, NULL) == DP_LINE_RECORD;
    }
    l->origin.base = DP_STR("");
    return any;
}

static dp_err open_file(void **state, const dp_setup *s, dp_error *err)
{
    jsonl *l = calloc(1, sizeof *l);
    if (!l)
        return dp_fail_as(err, DP_ENOMEM);
    dp_err code = dp_origin_init(&l->origin, s->o->base_url, err);
    if (code == DP_OK && !l->origin.base.n && lacks_hosts(l, s->head))
        code = dp_origin_missing(s->path, err);
    if (code == DP_OK)
        *state = l;
    else
        close_file(l);
    return code;
}

const dp_record_format dp_jsonl = {.name = "jsonl",
                                  .what = "one JSON object per line",
                                  .sep = '{',
                                  .recognise = recognise,
                                  .open = open_file,
                                  .line = read_line,
                                  .close = close_file};
