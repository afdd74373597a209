/* SPDX-License-Identifier: Apache-2.0 */
#include "support/must.h"
#include "support/recordfuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/recordtext.h"

enum { LONGEST_IN_PIECES = 1500 };

static int make_file(dp_str bytes)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    MUST(fd >= 0 && write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n && lseek(fd, 0, SEEK_SET) == 0);
    return fd;
}

/* Every text lies in the line, and can be read to its end. */
static void look_at_views(const dp_record *r, unsigned laws)
{
    const dp_str texts[] = {r->url,  r->cluster, r->digest, r->title,  r->target, r->canonical,
                            r->mime, r->client,  r->agent,  r->method, r->header, r->sketch.token};
    unsigned     sum = 0;
    for (size_t i = 0; i < DP_COUNT(texts); i++) {
        for (size_t j = 0; j < texts[i].n; j++)
            sum += (unsigned char)texts[i].p[j];
        if ((laws & RECORD_VIEWS) && texts[i].n)
            MUST(texts[i].p >= r->raw.p && texts[i].p + texts[i].n <= r->raw.p + r->raw.n);
    }
    MUST(sum < 255u * 12 * (1u << 26));
}

static void look_at_records(dp_str bytes, const dp_reader_options *o, unsigned laws)
{
    char        path[32];
    const char *paths[] = {path};
    int         fd = make_file(bytes);
    dp_reader  *r = NULL;
    dp_record   rec;
    bool        more = true;
    size_t      lines = 0;
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    dp_reader_options all = *o;
    all.all_lines = true;
    dp_err code = dp_reader_open(&r, paths, 1, &all, NULL);
    while (code == DP_OK && more) {
        code = dp_reader_next(r, &rec, &more, NULL);
        if (code == DP_OK && more)
            look_at_views(&rec, rec.kind == DP_LINE_RECORD ? laws : 0);
        lines += more;
    }
    MUST(code == DP_OK || code == DP_ESYNTAX || code == DP_EINVALID);
    MUST(!r || code != DP_OK || dp_reader_bad(r) <= lines + 1);
    dp_reader_close(r);
    close(fd);
}

/* What apply makes of the bytes, without rules. */
static dp_err apply(dp_buf *out, dp_str bytes, const dp_reader_options *o, const dp_engine *e)
{
    char        path[32], part[4096];
    const char *paths[] = {path};
    int         in = make_file(bytes), to = memfd_create("answers", MFD_CLOEXEC);
    dp_filter  *f;
    ssize_t     n;
    snprintf(path, sizeof path, "/dev/fd/%d", in);
    MUST(to >= 0 && dp_filter_new(&f, e) == DP_OK);
    MUST(dp_filter_set(f, DP_FILTER_THREADS, 1) == DP_OK && dp_filter_input(f, DP_INPUT_FORMAT, o->format) == DP_OK);
    dp_err code = dp_filter_run(f, paths, 1, to, NULL);
    dp_filter_free(f);
    MUST(lseek(to, 0, SEEK_SET) == 0);
    while ((n = read(to, part, sizeof part)) > 0)
        dp_buf_add(out, part, (size_t)n);
    close(in);
    close(to);
    return code;
}

static void look_at_apply(dp_str bytes, const dp_reader_options *o)
{
    static dp_engine *e;
    dp_rules         *none;
    dp_buf            once = {0}, twice = {0};
    if (!e) {
        MUST(dp_rules_new(&none) == DP_OK && dp_engine_new(&e, none, 0, 0, NULL) == DP_OK);
        dp_rules_free(none);
    }
    if (apply(&once, bytes, o, e) == DP_OK && once.n) {
        MUST(apply(&twice, dp_buf_view(&once), o, e) == DP_OK);
        MUST(dp_str_eq(dp_buf_view(&once), dp_buf_view(&twice)));
    }
    dp_buf_done(&once);
    dp_buf_done(&twice);
}

/* How much a decompressor gives before it sees the damage depends on the pieces it was fed. */
static bool is_damaged(const dp_buf *text)
{
    static const char said[] = "cannot decompress";
    return text->n && memmem(text->p, text->n, said, sizeof said - 1);
}

void record_fuzz(const uint8_t *data, size_t n, const dp_reader_options *o, unsigned laws)
{
    dp_str bytes = {(const char *)data, n};
    dp_buf whole = {0}, pieces = {0};
    look_at_records(bytes, o, laws);
    MUST(record_text(&whole, RECORD_FILE, bytes, o) == DP_OK);
    if (n <= LONGEST_IN_PIECES) {
        MUST(record_text(&pieces, RECORD_PIECES, bytes, o) == DP_OK);
        MUST(is_damaged(&whole) || dp_str_eq(dp_buf_view(&whole), dp_buf_view(&pieces)));
    }
    if (laws & RECORD_AGAIN)
        look_at_apply(bytes, o);
    dp_buf_done(&whole);
    dp_buf_done(&pieces);
}
