/* SPDX-License-Identifier: Apache-2.0 */
#include "input/format/jsonrecord.h"

#include <stdlib.h>

#include "input/format/columns.h"
#include "input/format/jsonscan.h"

dp_err dp_json_record_open(void **state, const dp_setup *s, dp_error *err)
{
    (void)s;
    *state = calloc(1, sizeof(dp_buf));
    return *state ? DP_OK : dp_fail_as(err, DP_ENOMEM);
}

void dp_json_record_close(void *state)
{
    dp_buf_done(state);
    free(state);
}

/* A sketch as an array of four texts. */
static dp_line set_array(dp_record *r, const dp_json_value *v, dp_buf *buf, dp_why *why)
{
    dp_jsonscan   s;
    dp_json_value item;
    unsigned      i = 0;
    dp_jsonscan_init_array(&s, v);
    for (; dp_jsonscan_next_item(&s, &item); i++) {
        if (i == 4 || item.kind != DP_JSON_TEXT)
            return dp_bad(why, "sketch: expected four strings of 16 hex digits");
        if (dp_column_set(r, DP_COLUMN_MH + i, dp_jsonscan_text(&item, buf), why) != DP_LINE_RECORD)
            return DP_LINE_BAD;
    }
    return i == 4 ? DP_LINE_RECORD : dp_bad(why, "sketch: expected four strings of 16 hex digits");
}

/* "5120.0" is what some programs write for 5120. */
static dp_str without_zeros(dp_str number)
{
    const char *point = memchr(number.p, '.', number.n);
    if (!point)
        return number;
    for (const char *p = point + 1; p < number.p + number.n; p++) {
        if (*p != '0')
            return number;
    }
    return dp_str_cut(number, 0, (size_t)(point - number.p));
}

static dp_line set_number(dp_record *r, unsigned column, dp_str number, dp_why *why)
{
    if (column == DP_FIELD_SIMHASH || (column >= DP_COLUMN_MH && column < DP_COLUMN_NONE))
        return dp_bad(why, "expected 16 hex digits in quotes, found the number %s", dp_quote(number).text);
    return dp_column_set(r, column, without_zeros(number), why);
}

static dp_line set_value(dp_record *r, unsigned column, const dp_json_value *v, dp_buf *buf, dp_why *why)
{
    switch (v->kind) {
    case DP_JSON_TEXT: return dp_column_set(r, column, dp_jsonscan_text(v, buf), why);
    case DP_JSON_NUMBER: return set_number(r, column, v->raw, why);
    case DP_JSON_NULL: return DP_LINE_RECORD;
    case DP_JSON_ARRAY:
        if (column == DP_FIELD_SKETCH)
            return set_array(r, v, buf, why);
        break;
    default: break;
    }
    return dp_bad(why, "expected a string or a number, found %s", dp_quote(v->raw).text);
}

dp_line dp_json_record(dp_str text, dp_buf *buf, dp_record *r, unsigned (*find)(dp_str name), dp_why *why)
{
    dp_jsonscan   s;
    dp_json_value key, value;
    dp_buf_reset(buf);
    if (!dp_buf_room(buf, text.n)) /* for every text of the object */
        return DP_LINE_NOMEM;
    if (!dp_jsonscan_init(&s, text))
        return dp_bad(why, "expected a JSON object, found %s", dp_stray(text).text);
    while (dp_jsonscan_next(&s, &key, &value)) {
        unsigned column = find(dp_jsonscan_text(&key, buf));
        if (column == DP_COLUMN_NONE)
            continue;
        dp_line kind = set_value(r, column, &value, buf, why);
        if (kind != DP_LINE_RECORD)
            return kind;
    }
    if (s.why)
        return dp_bad(why, "broken JSON at byte %zu: %s", (size_t)(s.p - s.begin) + 1, s.why);
    return dp_record_has(r, DP_FIELD_URL) ? DP_LINE_RECORD : dp_bad(why, "the object has no 'url'");
}
