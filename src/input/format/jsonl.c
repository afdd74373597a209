/* jsonl.c - a JSON object a line, with the field names of input/format/columns.h.
 *
 *     {"url": "http://a.com/x", "status": 200, "size": 5120, "sketch": "0186dc807b3b451e,..."}
 *
 * Other names are passed over, and so are empty lines.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "input/format/columns.h"
#include "input/format/jsonrecord.h"

static int recognise(dp_str head)
{
    dp_str line = DP_STR("");
    while (dp_next_line(&head, &line) && !line.n) {}
    return line.n && line.p[0] == '{' ? -1 : 0;
}

static dp_line read_line(void *state, dp_str line, dp_record *r, dp_why *why)
{
    size_t blanks = 0;
    while (blanks < line.n && (line.p[blanks] == ' ' || line.p[blanks] == '\t'))
        blanks++;
    return blanks == line.n ? DP_LINE_OTHER : dp_json_record(line, state, r, dp_column_find, why);
}

const dp_record_format dp_jsonl = {.name = "jsonl",
                                  .what = "one JSON object per line",
                                  .sep = '{',
                                  .recognise = recognise,
                                  .open = dp_json_record_open,
                                  .line = read_line,
                                  .close = dp_json_record_close};
