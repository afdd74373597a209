/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/rulefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/room.h"
#include "rule/cursor.h"
#include "rule/id.h"
#include "rule/print.h"
#include "rule/ruleline.h"
#include "rule/scope.h"

static const char header[] = "dustpan-rules 1";

typedef struct reader {
    dp_cursor  c;
    dp_rules  *rules;
    dp_id_base ids;        /* of the block */
    size_t     first_rule; /* of the block, in rules->rule */
    dp_keep   *keep;       /* of the block; malloc'd, moved to the arena at its end */
    size_t     nkeep, keep_cap;
    dp_buf     lead; /* comment lines since the last line */
    dp_str     tail; /* comment of this line, from '#' */

    dp_rulefile_report report;
    void              *ctx;
} reader;

/* ---- comments --------------------------------------------------------------------------- */

/* Move the comment lines gathered so far to the arena. */
static dp_err take_lead(dp_str *out, reader *r)
{
    if (r->lead.failed)
        return DP_ENOMEM;
    *out = (dp_str){NULL, 0};
    if (r->lead.n && !(*out = dp_arena_str(r->c.arena, dp_buf_view(&r->lead))).p)
        return DP_ENOMEM;
    dp_buf_reset(&r->lead);
    return DP_OK;
}

static void add_lead(reader *r, dp_str comment)
{
    if (comment.n) {
        dp_buf_str(&r->lead, comment);
        dp_buf_byte(&r->lead, '\n');
    }
}

/* ---- blocks ----------------------------------------------------------------------------- */

/* The rules and keep lines of the block are all there: give it its lists. */
static dp_err end_block(reader *r)
{
    dp_block *b = r->c.block;
    if (!b)
        return DP_OK;
    b->nrule = r->rules->nrule - r->first_rule;
    b->rule = DP_NEWS(r->c.arena, b->nrule, dp_rule *);
    b->nkeep = r->nkeep;
    b->keep = DP_NEWS(r->c.arena, b->nkeep, dp_keep);
    if (!b->rule || !b->keep)
        return DP_ENOMEM;
    if (b->nrule)
        memcpy(b->rule, r->rules->rule + r->first_rule, b->nrule * sizeof *b->rule);
    if (b->nkeep)
        memcpy(b->keep, r->keep, b->nkeep * sizeof *b->keep);
    return DP_OK;
}

static dp_err read_host(reader *r)
{
    dp_cursor *c = &r->c;
    DP_TRY(end_block(r));
    dp_block *b = DP_NEW(c->arena, dp_block);
    if (!b || !DP_ROOM(r->rules->block, r->rules->nblock, r->rules->block_cap))
        return DP_ENOMEM;
    c->block = r->rules->block[r->rules->nblock++] = b;
    r->first_rule = r->rules->nrule;
    r->nkeep = 0;
    b->file = c->file;
    b->line = c->number;
    b->tail = r->tail;
    DP_TRY(take_lead(&b->lead, r));
    dp_err e = dp_scope_read(b, c);
    if (e != DP_OK)
        b->nscope = 0; /* its rules are still looked at, but not for their scope */
    dp_id_base_init(&r->ids, b);
    return e;
}

static dp_err need_block(dp_cursor *c, dp_str word)
{
    if (c->block)
        return DP_OK;
    return dp_cursor_fail(c, word.p, "a host line must come first ('host any' is for every host)");
}

static dp_err read_order(reader *r)
{
    dp_cursor *c = &r->c;
    dp_block  *b = c->block;
    dp_str     word = dp_cursor_word(c);
    dp_order   order = dp_str_eq(word, DP_STR("any")) ? DP_ORDER_ANY : DP_ORDER_KEEP;
    if (order == DP_ORDER_KEEP && !dp_str_eq(word, DP_STR("keep")))
        return dp_cursor_expected(c, word, "'any' or 'keep'", "any keep");
    if (dp_cursor_peek(c).n)
        return dp_cursor_fail(c, c->at, "expected the end of the order line, found " DP_SHOW,
                              DP_SHOWN(dp_cursor_peek(c)));
    if (b->order != DP_ORDER_UNSET)
        return dp_cursor_fail(c, word.p, "this block already has an order, in line %zu", b->order_line);
    b->order = order;
    b->order_line = c->number;
    b->order_tail = r->tail;
    return take_lead(&b->order_lead, r);
}

static dp_err read_keep(reader *r)
{
    dp_cursor *c = &r->c;
    dp_keep    k = {.tail = r->tail, .line = c->number, .column = (size_t)(c->at - c->line) - strlen("keep") + 1};
    DP_TRY(dp_ruleline_keep(&k, c));
    DP_TRY(take_lead(&k.lead, r));
    if (!DP_ROOM(r->keep, r->nkeep, r->keep_cap))
        return DP_ENOMEM;
    r->keep[r->nkeep++] = k;
    return DP_OK;
}

static dp_err read_rule(reader *r)
{
    dp_cursor *c = &r->c;
    dp_rule   *rule = DP_NEW(c->arena, dp_rule);
    if (!rule || !DP_ROOM(r->rules->rule, r->rules->nrule, r->rules->rule_cap))
        return DP_ENOMEM;
    rule->file = c->file;
    rule->line = c->number;
    rule->column = (size_t)(c->at - c->line) + 1;
    rule->block = c->block;
    rule->tail = r->tail;
    DP_TRY(dp_ruleline_read(rule, c));
    DP_TRY(take_lead(&rule->lead, r));
    DP_TRY(dp_id_fill(rule, &r->ids, &c->scratch, c->arena));
    r->rules->rule[r->rules->nrule++] = rule;
    return DP_OK;
}

/* ---- lines ------------------------------------------------------------------------------ */

/* Where the comment of a line begins: a '#' first or after white space. */
static size_t find_comment(dp_str line)
{
    for (size_t i = dp_str_find(line, '#'); i < line.n; i++) {
        if (i == 0 || dp_is_space(line.p[i - 1]))
            return i;
        i += dp_str_find(dp_str_cut(line, i + 1, line.n), '#');
    }
    return line.n;
}

static dp_str trim_end(dp_str s)
{
    while (s.n && (dp_is_space(s.p[s.n - 1]) || s.p[s.n - 1] == '\r'))
        s.n--;
    return s;
}

static dp_err check_bytes(dp_cursor *c)
{
    for (const char *p = c->at; p < c->end; p++) {
        unsigned char b = (unsigned char)*p;
        if (b >= 0x80)
            return dp_cursor_fail(c, p, "byte 0x%02X is not ASCII: in a host write xn--..., elsewhere %%%02X", b, b);
        if ((b < 0x20 && b != '\t') || b == 0x7F)
            return dp_cursor_fail(c, p, "control byte 0x%02X: write %%%02X", b, b);
    }
    return DP_OK;
}

/* Set the cursor to the content of `line` and `tail` to its comment. */
static void set_line(reader *r, dp_str line)
{
    size_t hash = find_comment(line);
    r->tail = trim_end(dp_str_cut(line, hash, line.n));
    dp_str content = trim_end(dp_str_cut(line, 0, hash));
    r->c.line = r->c.at = line.p;
    r->c.end = line.p + content.n;
}

static dp_err read_line(reader *r, dp_str line)
{
    dp_cursor *c = &r->c;
    set_line(r, line);
    if (c->at == c->end) {
        add_lead(r, r->tail);
        return DP_OK;
    }
    DP_TRY(check_bytes(c));
    dp_str word = dp_cursor_peek(c);
    if (dp_str_eq(word, DP_STR("host"))) {
        c->at += word.n;
        return read_host(r);
    }
    if (dp_str_eq(word, DP_STR("order"))) {
        c->at += word.n;
        DP_TRY(need_block(c, word));
        return read_order(r);
    }
    if (dp_str_eq(word, DP_STR("keep"))) {
        c->at += word.n;
        DP_TRY(need_block(c, word));
        return read_keep(r);
    }
    DP_TRY(need_block(c, word));
    return read_rule(r);
}

/* The first line. A file that begins with something else is read on as if the header
 * were there, so that a check can name what else is wrong. */
static dp_err read_header(reader *r, dp_str line, bool *is_header)
{
    dp_cursor *c = &r->c;
    set_line(r, line);
    dp_str content = {c->at, (size_t)(c->end - c->at)};
    *is_header = dp_str_starts(content, DP_STR("dustpan-rules"));
    if (dp_str_eq(content, dp_str_c(header))) {
        add_lead(r, r->tail);
        return DP_OK;
    }
    if (dp_str_starts(content, DP_STR("\xEF\xBB\xBF")))
        return dp_cursor_fail(c, c->at, "the file begins with a byte order mark: save it without one");
    if (!*is_header)
        return dp_cursor_fail(c, c->at, "the first line of a rule file must be '%s'", header);
    DP_TRY(check_bytes(c));
    return dp_cursor_fail(c, c->at, "the first line is " DP_SHOW ", but this version of dustpan reads only '%s'",
                          DP_SHOWN(content), header);
}

/* Tell of a bad line; DP_OK when reading goes on. */
static dp_err report(reader *r, dp_err e)
{
    if (e != DP_ESYNTAX)
        return e;
    dp_buf_reset(&r->lead);
    return r->report(r->ctx, &r->c.error) ? DP_OK : e;
}

static dp_err read_lines(reader *r, dp_str text)
{
    for (size_t i = 0, j; i < text.n || r->c.number == 0; i = j + 1) {
        j = i + dp_str_find(dp_str_cut(text, i, text.n), '\n');
        dp_str line = dp_str_cut(text, i, j);
        bool   is_header = false;
        if (line.n && line.p[line.n - 1] == '\r')
            line.n--;
        if (++r->c.number == 1)
            DP_TRY(report(r, read_header(r, line, &is_header)));
        if (!is_header)
            DP_TRY(report(r, read_line(r, line)));
    }
    DP_TRY(end_block(r));
    return take_lead(&r->rules->end, r);
}

/* ---- files ------------------------------------------------------------------------------ */

bool dp_rulefile_skip(void *ctx, const dp_error *error)
{
    (void)ctx;
    (void)error;
    return true;
}

dp_err dp_rulefile_read(dp_rules *rules, const char *name, dp_str text, dp_rulefile_report call, void *ctx)
{
    size_t nblock = rules->nblock, nrule = rules->nrule;
    dp_str end = rules->end;
    reader r = {.rules = rules, .report = call, .ctx = ctx};
    r.c.arena = &rules->arena;
    r.c.file = dp_arena_str(&rules->arena, dp_str_c(name));
    dp_str copy = dp_arena_str(&rules->arena, text);
    /* What stood after the last rule now stands before the next one. */
    dp_buf_str(&r.lead, end);
    dp_err e = r.c.file.p && copy.p ? read_lines(&r, copy) : DP_ENOMEM;
    if (e != DP_OK) {
        rules->nblock = nblock;
        rules->nrule = nrule;
        rules->end = end;
    }
    dp_buf_done(&r.lead);
    dp_buf_done(&r.c.scratch);
    free(r.keep);
    return e;
}

static bool stop_at_first(void *ctx, const dp_error *error)
{
    if (ctx)
        memcpy(ctx, error, sizeof *error);
    return false;
}

dp_err dp_rules_parse(dp_rules *r, const char *name, const char *text, size_t n, dp_error *err)
{
    dp_err e = dp_rulefile_read(r, name, (dp_str){text, n}, stop_at_first, err);
    return e == DP_ENOMEM ? dp_fail_at(err, e, name, 0, 0, "out of memory") : e;
}

/* False when reading failed (errno says why) or memory is out (out->failed). */
static bool read_all(dp_buf *out, int fd)
{
    enum { STEP = 1 << 16 };
    struct stat st;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        dp_buf_room(out, (size_t)st.st_size + 1); /* one more to see the end */
    while (dp_buf_room(out, out->n < out->cap ? 1 : STEP)) {
        ssize_t n = read(fd, out->p + out->n, out->cap - out->n);
        if (n == 0)
            return true;
        if (n < 0 && errno != EINTR)
            return false;
        out->n += n > 0 ? (size_t)n : 0;
    }
    return false;
}

dp_err dp_rulefile_slurp(dp_buf *out, const char *path, dp_error *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    int  fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return dp_fail_at(err, DP_EIO, path, 0, 0, "cannot open: %s", strerror(errno));
    dp_err e = DP_OK;
    if (!read_all(out, fd))
        e = out->failed ? dp_fail_at(err, DP_ENOMEM, path, 0, 0, "out of memory")
                        : dp_fail_at(err, DP_EIO, path, 0, 0, "cannot read: %s", strerror(errno));
    if (!is_stdin)
        close(fd);
    return e;
}
