/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/findings.h"

#include <stdlib.h>

#include "base/room.h"
#include "base/words/json.h"
#include "rule/setid.h"

void dp_findings_add(dp_findings *f, dp_str file, size_t line, size_t column, dp_str message)
{
    if (!DP_ROOM(f->v, f->n, f->cap)) {
        f->failed = true;
        return;
    }
    dp_found x = {.line = line, .column = column, .number = f->n};
    x.file = dp_arena_str(&f->arena, file);
    x.message = dp_arena_str(&f->arena, message);
    if (!x.file.p || !x.message.p)
        f->failed = true;
    else
        f->v[f->n++] = x;
}

static int by_place(const void *a, const void *b)
{
    const dp_found *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

static void print_json(dp_buf *out, const dp_found *x)
{
    dp_json_line(out);
    dp_json_open(out, NULL, '{');
    dp_json_text(out, "file", x->file);
    dp_json_count(out, "line", x->line);
    dp_json_count(out, "column", x->column);
    dp_json_text(out, "message", x->message);
    dp_buf_byte(out, '}');
}

void dp_findings_print(dp_buf *out, dp_findings *f, const dp_rules *r, dp_format format)
{
    if (f->n > 1)
        qsort(f->v, f->n, sizeof *f->v, by_place);
    if (format == DP_JSON) {
        dp_buf_byte(out, '{');
        dp_json_open(out, "findings", '[');
    }
    for (size_t i = 0; i < f->n; i++) {
        const dp_found *x = &f->v[i];
        if (format == DP_JSON)
            print_json(out, x);
        else
            dp_buf_printf(out, "%.*s:%zu:%zu: %.*s\n", DP_FMT(x->file), x->line, x->column, DP_FMT(x->message));
    }
    if (format == DP_JSON) {
        dp_buf_byte(out, ']');
        dp_set_print(out, "set", r);
        dp_buf_c(out, "}\n");
    }
}

void dp_findings_done(dp_findings *f)
{
    free(f->v);
    dp_arena_done(&f->arena);
    *f = (dp_findings){0};
}
