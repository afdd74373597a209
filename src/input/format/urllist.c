/* urllist.c - one URL a line.
 *
 * Lines that are empty or begin with '#' are passed over. Whether the rest is a URL is for stage
 * 0 to say; a list is recognised by more than half of its lines having a scheme or a dotted name.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "input/format/format.h"
#include "url/split.h"

static int recognise(dp_str head)
{
    size_t lines = 0, urls = 0;
    for (dp_str line; lines < 100 && dp_next_line(&head, &line);) {
        dp_split parts;
        if (!line.n || line.p[0] == '#')
            continue;
        lines++;
        urls += dp_looks_like_url(line) || dp_split_url(&parts, line);
    }
    return !lines || urls * 2 > lines;
}

static dp_line read_line(void *state, dp_str line, dp_record *r, dp_why *why)
{
    (void)state;
    (void)why;
    if (!line.n || line.p[0] == '#')
        return DP_LINE_OTHER;
    r->url = line;
    r->has = 1u << DP_FIELD_URL;
    return DP_LINE_RECORD;
}

const dp_record_format dp_urllist = {.name = "urls",
                              .what = "a list of URLs",
                              .sep = '\t',
                              .recognise = recognise,
                              .line = read_line};
