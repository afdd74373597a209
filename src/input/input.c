/* input.c - dp_input of dustpan.h: the reader, for programs that see no structs.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "input/how.h"

struct dp_input {
    char      *how[DP_HOWS];
    dp_reader *reader; /* NULL: not open */
    dp_record  rec;    /* zeroed: none */
};

dp_err dp_input_new(dp_input **out)
{
    *out = calloc(1, sizeof **out);
    return *out ? DP_OK : DP_ENOMEM;
}

void dp_input_free(dp_input *in)
{
    if (!in)
        return;
    dp_reader_close(in->reader);
    dp_how_done(in->how);
    free(in);
}

dp_err dp_input_set(dp_input *in, dp_input_option option, const char *text)
{
    return in->reader ? DP_EINVALID : dp_how_set(in->how, option, text);
}

dp_err dp_input_open(dp_input *in, const char *const *paths, size_t count, unsigned flags, dp_error *err)
{
    dp_reader_options o = dp_how_options(in->how);
    o.strict = flags & DP_STRICT;
    o.want_body = flags & DP_WITH_BODIES;
    if (in->reader)
        return dp_fail_at(err, DP_EINVALID, NULL, 0, 0, "the input is already open");
    return dp_reader_open(&in->reader, paths, count, &o, err);
}

dp_err dp_input_next(dp_input *in, int *more, dp_error *err)
{
    bool any = false;
    *more = 0;
    if (!in->reader)
        return dp_fail_at(err, DP_EINVALID, NULL, 0, 0, "the input is not open");
    dp_err code = dp_reader_next(in->reader, &in->rec, &any, err);
    *more = code == DP_OK && any;
    if (!*more)
        in->rec = (dp_record){0};
    return code;
}

int dp_input_has(const dp_input *in, dp_field field)
{
    return (unsigned)field < DP_FIELDS && dp_record_has(&in->rec, field);
}

static const char *give(dp_str text, bool known, size_t *n)
{
    *n = known ? text.n : 0;
    return known ? text.p : NULL;
}

const char *dp_input_text(const dp_input *in, dp_field field, size_t *n)
{
    const dp_record *r = &in->rec;
    dp_str           text = {0};
    switch (field) {
    case DP_FIELD_URL: text = r->url; break;
    case DP_FIELD_CLUSTER: text = r->cluster; break;
    case DP_FIELD_DIGEST: text = r->digest; break;
    case DP_FIELD_SKETCH: text = r->sketch.token; break;
    case DP_FIELD_TITLE: text = r->title; break;
    case DP_FIELD_TARGET: text = r->target; break;
    case DP_FIELD_CANONICAL: text = r->canonical; break;
    case DP_FIELD_MIME: text = r->mime; break;
    case DP_FIELD_CLIENT: text = r->client; break;
    case DP_FIELD_AGENT: text = r->agent; break;
    default: break;
    }
    return give(text, dp_input_has(in, field) && text.p, n);
}

int64_t dp_input_number(const dp_input *in, dp_field field)
{
    switch (field) {
    case DP_FIELD_STATUS: return in->rec.status;
    case DP_FIELD_SIZE: return in->rec.size;
    case DP_FIELD_TIME: return in->rec.time;
    case DP_FIELD_INLINKS: return in->rec.inlinks;
    case DP_FIELD_HOPS: return in->rec.hops;
    case DP_FIELD_HITS: return in->rec.hits;
    default: return 0;
    }
}

uint64_t dp_input_hash(const dp_input *in, dp_field field, unsigned i)
{
    if (field == DP_FIELD_SIMHASH && i == 0)
        return in->rec.simhash;
    return field == DP_FIELD_SKETCH && i < 4 ? in->rec.sketch.min[i] : 0;
}

double dp_input_importance(const dp_input *in)
{
    return in->rec.importance;
}

const char *dp_input_part(const dp_input *in, dp_part part, size_t *n)
{
    dp_str text = {0};
    switch (part) {
    case DP_PART_LINE: text = in->rec.raw; break;
    case DP_PART_METHOD: text = in->rec.method; break;
    case DP_PART_HEADER: text = in->rec.header; break;
    case DP_PART_BODY: text = in->rec.body; break;
    }
    return give(text, text.n > 0, n);
}

const char *dp_input_path(const dp_input *in)
{
    return in->rec.path;
}

uint64_t dp_input_line(const dp_input *in)
{
    return in->rec.line;
}

const char *dp_input_format(const dp_input *in)
{
    return in->reader ? dp_reader_format(in->reader) : "";
}

uint64_t dp_input_bad_lines(const dp_input *in)
{
    return in->reader ? dp_reader_bad(in->reader) : 0;
}

dp_err dp_input_bad(const dp_input *in, size_t i, dp_error *bad)
{
    return in->reader && dp_reader_bad_line(in->reader, i, bad) ? DP_OK : DP_EINVALID;
}
