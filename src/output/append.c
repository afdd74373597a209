/* SPDX-License-Identifier: Apache-2.0 */
#include "output/append.h"

#include <stdio.h>

#include "base/outfile.h"
#include "base/words/json.h"
#include "input/format/jsonscan.h"
#include "input/bytes/stream.h"
#include "url/mask.h"

enum { FLUSH_AT = 1 << 20 /* bytes */, TICK = 4096 /* lines */ };

/* ---- one line ---------------------------------------------------------------------------------------- */

static bool is_json(char sep)
{
    return sep == '{' || sep == '}';
}

/* Whether keys are appended: with DP_FOUND each line stays as it is. */
static bool has_keys(const dp_append *a)
{
    return a->ask->form != DP_FOUND;
}

/* The object that a line of JSON is, or ends with. */
static dp_str object_of(char sep, dp_str raw)
{
    const char *begin = sep == '}' ? memmem(raw.p, raw.n, " {", 2) : NULL;
    return begin ? (dp_str){begin + 1, (size_t)(raw.p + raw.n - begin) - 1} : raw;
}

/* Where the value of a member of the object lies, quotes included; false when it has none of that name. */
static bool find_member(dp_str object, dp_str name, dp_str *value)
{
    dp_jsonscan   s;
    dp_json_value key, v;
    if (!memmem(object.p, object.n, name.p, name.n) || !dp_jsonscan_init(&s, object))
        return false;
    while (dp_jsonscan_next(&s, &key, &v)) {
        if (!key.escaped && dp_str_eq(key.raw, name)) {
            size_t quote = v.kind == DP_JSON_TEXT;
            *value = (dp_str){v.raw.p - quote, v.raw.n + 2 * quote};
            return true;
        }
    }
    return false;
}

/* Append `raw`, whose object gets the member `name` with the text `value`; says where in `out` that text is. */
static dp_mark add_member(dp_buf *out, char sep, dp_str raw, const char *name, dp_str value)
{
    dp_mark mark;
    dp_str      old, object = object_of(sep, raw);
    const char *at = memrchr(raw.p, '}', raw.n);
    if (find_member(object, dp_str_c(name), &old)) {
        dp_buf_add(out, raw.p, (size_t)(old.p - raw.p));
        mark.from = out->n;
        dp_buf_str(out, value);
        at = old.p + old.n;
    } else {
        while (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\r') /* there is a '{' before it */
            at--;
        dp_buf_add(out, raw.p, (size_t)(at - raw.p));
        dp_json_key(out, name);
        mark.from = out->n;
        dp_buf_str(out, value);
    }
    mark.to = out->n;
    dp_buf_add(out, at, (size_t)(raw.p + raw.n - at));
    return mark;
}

/* Give the line of JSON in a->line a member: a->value. */
static dp_mark add_value(dp_append *a, char sep, const char *name)
{
    dp_buf  old = a->line;
    dp_mark mark = {0};
    dp_buf_reset(&a->next);
    if (!old.failed && !a->value.failed)
        mark = add_member(&a->next, sep, dp_buf_view(&old), name, dp_buf_view(&a->value));
    a->line = a->next;
    a->line.failed |= old.failed || a->value.failed;
    a->next = old;
    return mark;
}

static void probe_array(dp_append *a, const dp_answer *answer)
{
    size_t fired;
    dp_buf_reset(&a->value);
    dp_scratch_fired(a->answers->scratch, &fired);
    if (!answer->form.n)
        dp_buf_c(&a->value, "[]");
    else if (!fired)
        dp_buf_c(&a->value, "[\"other\"]");
    else
        dp_answer_add_array(&a->value, a->ask, a->answers->scratch);
}

/* A line of JSON with the key in it, with the rules, and with those that it is a probe of. */
static dp_mark add_json_line(dp_append *a, char sep, const dp_record *r, const dp_answer *answer)
{
    dp_buf *out = &a->answers->out;
    dp_mark mark = {0};
    dp_buf_reset(&a->value);
    dp_buf_reset(&a->line);
    dp_json_str(&a->value, answer->text);
    if (has_keys(a) && !a->value.failed)
        add_member(&a->line, sep, r->raw, "dustpan_key", dp_buf_view(&a->value));
    else
        dp_buf_str(&a->line, r->raw);
    a->line.failed |= a->value.failed;
    if (a->ask->explain) {
        dp_buf_reset(&a->value);
        dp_answer_add_array(&a->value, a->ask, a->answers->scratch);
        add_value(a, sep, "dustpan_rules");
    }
    if (a->ask->explore.most) {
        probe_array(a, answer);
        mark = add_value(a, sep, "dustpan_probe");
    }
    size_t before = out->n;
    if (!a->line.failed)
        dp_buf_str(out, dp_buf_view(&a->line));
    out->failed |= a->line.failed;
    return (dp_mark){before + mark.from, before + mark.to};
}

static void add_column(dp_buf *out, char sep, dp_str text)
{
    dp_buf_byte(out, sep);
    dp_buf_str(out, text);
}

static dp_mark add_columns(dp_append *a, char sep, const dp_record *r, const dp_answer *answer)
{
    dp_buf *out = &a->answers->out;
    dp_buf_str(out, sep ? r->raw : r->url);
    sep = sep ? sep : '\t';
    if (has_keys(a))
        add_column(out, sep, answer->text);
    if (a->ask->explain) {
        dp_buf_byte(out, sep);
        dp_answer_add_ids(out, a->ask, a->answers->scratch);
    }
    if (!a->ask->explore.most)
        return (dp_mark){0, 0};
    dp_buf_byte(out, sep);
    dp_mark mark = {out->n, 0};
    if (answer->form.n)
        dp_answer_add_mark(out, a->ask, a->answers->scratch);
    else
        dp_buf_byte(out, '-');
    mark.to = out->n;
    return mark;
}

static dp_mark add_record(dp_append *a, char sep, const dp_record *r, const dp_answer *answer)
{
    if (a->ask->format == DP_JSON) {
        a->answers->unmarked = "";
        return dp_answer_add_object(a->answers, a->ask, r->url, answer);
    }
    a->answers->unmarked = is_json(sep) ? "[]" : "-";
    dp_mark mark = is_json(sep) ? add_json_line(a, sep, r, answer) : add_columns(a, sep, r, answer);
    dp_buf_byte(&a->answers->out, '\n');
    return mark;
}

/* A line that is no record. */
static void add_other(dp_append *a, char sep, const dp_record *r)
{
    dp_buf *out = &a->answers->out;
    bool    comment = !r->raw.n || r->raw.p[0] == '#' || r->raw.p[0] == '!';
    if (a->ask->format == DP_JSON || !sep)
        return;
    dp_buf_str(out, r->raw);
    bool header = r->kind == DP_LINE_HEADER;
    if (header || (!is_json(sep) && !(r->kind == DP_LINE_OTHER && comment))) {
        if (has_keys(a))
            add_column(out, sep, header ? DP_STR("key") : DP_STR("-"));
        if (a->ask->explain)
            add_column(out, sep, header ? DP_STR("rules") : DP_STR("-"));
        if (a->ask->explore.most)
            add_column(out, sep, header ? DP_STR("probe") : DP_STR("-"));
    }
    dp_buf_byte(out, '\n');
}

/* ---- all of them --------------------------------------------------------------------------------------- */

/* Write what has gathered, less the records whose keys were seen. */
static dp_err write_out(dp_append *a, dp_error *err)
{
    dp_answers *answers = a->answers;
    size_t      noted = answers->lines;
    dp_sieved   sieved;
    if (answers->out.failed)
        return DP_ENOMEM;
    DP_TRY(dp_sieve_pass(a->sieve, answers, &sieved, err));
    DP_TRY(dp_write_all(a->fd, answers->out.p, answers->out.n, NULL, err));
    a->written -= noted - sieved.kept;
    a->probes += sieved.probes;
    return dp_sieve_settle(a->sieve, a->fd, err);
}

static dp_err flush(dp_append *a, dp_error *err)
{
    dp_err code = write_out(a, err);
    dp_answers_empty(a->answers);
    return code == DP_ENOMEM ? dp_fail_as(err, DP_ENOMEM) : code;
}

static dp_err not_a_url(dp_append *a, const dp_record *r, dp_error *err)
{
    char     text[128];
    dp_error why = {0};
    dp_mask_stray(text, sizeof text, r->url);
    dp_fail_at(&why, DP_ESYNTAX, dp_path_name(r->path), r->line, 0, "not a URL: %s", text);
    a->bad(a->ctx, &why, false);
    a->answers->not_urls++;
    if (a->ask->strict && err)
        *err = why;
    return a->ask->strict ? DP_ESYNTAX : DP_OK;
}

static dp_err pass_record(dp_append *a, char sep, const dp_record *r, dp_error *err)
{
    dp_answer answer;
    if (dp_answer_make(a->answers, a->ask, r->url, &answer) != DP_OK)
        return dp_fail_as(err, DP_ENOMEM);
    if (!answer.is_url)
        DP_TRY(not_a_url(a, r, err));
    dp_answer_count(a->answers, a->ask, r->url, &answer);
    a->lines++;
    a->written++; /* flush() takes back what is not */
    dp_mark mark = add_record(a, sep, r, &answer);
    if (a->ask->unique && dp_answer_note(a->answers, a->ask, &answer, mark) != DP_OK)
        return dp_fail_as(err, DP_ENOMEM);
    return DP_OK;
}

static dp_err pass_other(dp_append *a, char sep, const dp_record *r, dp_error *err)
{
    add_other(a, sep, r);
    if (a->ask->unique && dp_answers_stay(a->answers) != DP_OK)
        return dp_fail_as(err, DP_ENOMEM);
    return DP_OK;
}

/* Tell of the lines that could not be read since the last time. */
static void tell_bad(dp_append *a, const dp_reader *r, uint64_t *told)
{
    dp_error why = {0};
    for (; *told < dp_reader_bad(r); (*told)++) {
        a->lines++;
        if (!dp_reader_bad_line(r, (size_t)*told, &why))
            why = (dp_error){0};
        a->bad(a->ctx, &why, true);
    }
}

dp_err dp_append_run(dp_append *a, dp_reader *r, dp_error *err)
{
    dp_record rec;
    uint64_t  told = 0;
    bool      more = true;
    dp_err    code = DP_OK;
    dp_answers_empty(a->answers);
    for (uint64_t n = 0; code == DP_OK && more; n++) {
        code = dp_reader_next(r, &rec, &more, err);
        tell_bad(a, r, &told);
        if (code != DP_OK || !more)
            break;
        /* A line that tells what separates the columns has been read by now. */
        char sep = dp_reader_separator(r);
        code = rec.kind == DP_LINE_RECORD ? pass_record(a, sep, &rec, err) : pass_other(a, sep, &rec, err);
        if (code == DP_OK && (a->line_buffered || a->answers->out.n >= FLUSH_AT))
            code = flush(a, err);
        if (code == DP_OK && n % TICK == TICK - 1)
            code = a->tick(a->ctx, r);
    }
    dp_err last = flush(a, code == DP_OK ? err : NULL);
    dp_buf_done(&a->value);
    dp_buf_done(&a->line);
    dp_buf_done(&a->next);
    return code == DP_OK ? last : code;
}
