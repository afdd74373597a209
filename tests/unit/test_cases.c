/* Run the files of tests/cases/ through the engine and through the naive twin; the README there
 * has the format.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "support/naive.h"

typedef struct expectation {
    size_t line;
    dp_str url, key, fetch;
    bool   has_key, no_url, limit, has_fetch, has_fired;
    size_t fired[NAIVE_LIMIT], nfired;
} expectation;

typedef struct runner {
    const char *path;
    dp_arena    a;
    dp_buf      rules; /* text of the current file */
    size_t      rules_line;
    bool        loaded; /* parsed and compiled under the current options */
    dp_rules   *parsed;
    dp_engine  *engine;
    dp_scratch *scratch;
    unsigned    flags;
    double      min_precision;
    size_t      cases, failures;
} runner;

static dp_str text_of(const dp_buf *b)
{
    return b->n ? dp_buf_view(b) : DP_STR("");
}

static void complain(runner *r, size_t line, const char *who, const char *what, dp_str got, dp_str want)
{
    r->failures++;
    print_error("%s:%zu: %s: %s is\n    %.*s\nnot\n    %.*s\n", r->path, line, who, what, DP_FMT(got), DP_FMT(want));
}

static void unload(runner *r)
{
    dp_engine_free(r->engine);
    dp_rules_free(r->parsed);
    r->engine = NULL;
    r->parsed = NULL;
    r->loaded = false;
}

/* Parse and compile the current file, which must be fine, or refused when `refused`. */
static void load(runner *r, bool refused)
{
    dp_error err = {0};
    if (r->loaded)
        return;
    unload(r);
    assert_int_equal(DP_OK, dp_rules_new(&r->parsed));
    dp_str file = text_of(&r->rules);
    if (dp_rules_parse(r->parsed, r->path, file.p, file.n, &err) != DP_OK)
        fail_msg("%s: rules of line %zu: line %zu, column %zu: %s", r->path, r->rules_line, err.line, err.column,
                 err.message);
    dp_err code = dp_engine_new(&r->engine, r->parsed, r->flags, r->min_precision, &err);
    if (code != (refused ? DP_ESYNTAX : DP_OK))
        fail_msg("%s: rules of line %zu: %s: %s", r->path, r->rules_line, dp_err_name(code),
                 code ? err.message : "not refused");
    if (code != DP_OK)
        r->engine = NULL;
    r->loaded = true;
}

static dp_str engine_answer(runner *r, dp_form form, dp_str url)
{
    size_t n;
    const char *p = dp_apply_view(r->engine, r->scratch, form, url.p, url.n, &n);
    assert_non_null(p);
    return dp_arena_str(&r->a, (dp_str){p, n});
}

static void compare_fired(runner *r, const expectation *e, const char *who, const uint32_t *fired, size_t n)
{
    bool same = n == e->nfired;
    for (size_t i = 0; same && i < n; i++)
        same = fired[i] + 1 == e->fired[i];
    if (same)
        return;
    r->failures++;
    print_error("%s:%zu: %s: fired", r->path, e->line, who);
    for (size_t i = 0; i < n; i++)
        print_error(" %u", fired[i] + 1);
    print_error("\n");
}

static void compare(runner *r, const expectation *e, const char *who, dp_str key, bool is_url, bool limit)
{
    static const char *const yes_no[] = {"no", "yes"};
    dp_str                   want = e->has_key ? e->key : e->url;
    if (!dp_str_eq(key, want))
        complain(r, e->line, who, "key", key, want);
    if (is_url == e->no_url)
        complain(r, e->line, who, "\"is a URL\"", dp_str_c(yes_no[is_url]), dp_str_c(yes_no[!e->no_url]));
    if (limit != e->limit)
        complain(r, e->line, who, "\"hits the limit\"", dp_str_c(yes_no[limit]), dp_str_c(yes_no[e->limit]));
}

static void finish(runner *r, expectation *e, bool pending)
{
    if (!pending)
        return;
    load(r, false);
    r->cases++;
    dp_str key = engine_answer(r, DP_KEY, e->url);
    compare(r, e, "engine", key, dp_scratch_is_url(r->scratch), dp_scratch_hit_limit(r->scratch));
    if (e->has_fired) {
        size_t          n;
        const uint32_t *fired = dp_scratch_fired(r->scratch, &n);
        compare_fired(r, e, "engine", fired, n);
    }
    naive_options o = {r->parsed, r->flags, r->min_precision};
    naive_answer  ans = naive_apply(&o, DP_KEY, e->url, &r->a);
    compare(r, e, "naive", ans.text, ans.is_url, ans.limit);
    if (e->has_fired)
        compare_fired(r, e, "naive", ans.fired, ans.nfired);
    if (e->has_fetch) {
        dp_str got = engine_answer(r, DP_FETCH, e->url);
        if (!dp_str_eq(got, e->fetch))
            complain(r, e->line, "engine", "fetch form", got, e->fetch);
        got = naive_apply(&o, DP_FETCH, e->url, &r->a).text;
        if (!dp_str_eq(got, e->fetch))
            complain(r, e->line, "naive", "fetch form", got, e->fetch);
    }
    dp_arena_reset(&r->a);
}

/* TEXT with \xHH and \\ undone; the copy is the test's to leak into its own arena. */
static dp_str undo_escapes(dp_str s, dp_arena *a)
{
    char  *p = dp_arena_alloc(a, s.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        unsigned byte;
        if (s.p[i] == '\\' && i + 3 < s.n && s.p[i + 1] == 'x') {
            char hex[3] = {s.p[i + 2], s.p[i + 3], 0};
            assert_int_equal(1, sscanf(hex, "%2x", &byte));
            p[n++] = (char)(unsigned char)byte;
            i += 3;
        } else {
            if (s.p[i] == '\\' && i + 1 < s.n && s.p[i + 1] == '\\')
                i++;
            p[n++] = s.p[i];
        }
    }
    return (dp_str){p, n};
}

static bool is_word(dp_str line, const char *word, dp_str *rest)
{
    dp_str w = dp_str_c(word);
    if (!dp_str_starts(line, w) || (line.n > w.n && line.p[w.n] != ' '))
        return false;
    while (w.n < line.n && line.p[w.n] == ' ')
        w.n++;
    *rest = dp_str_cut(line, w.n, line.n);
    return true;
}

static void set_options(runner *r, dp_str words)
{
    char z[128];
    snprintf(z, sizeof z, "%.*s", DP_FMT(words));
    const char *p = strstr(z, "min-precision=");
    r->flags = strstr(z, "with-likely") ? DP_WITH_LIKELY : 0;
    r->min_precision = p ? strtod(p + strlen("min-precision="), NULL) : 0;
    r->loaded = false;
}

static void read_fired(expectation *e, dp_str rest)
{
    e->has_fired = true;
    for (size_t i = 0; i < rest.n; i++) {
        if (rest.p[i] == ' ')
            continue;
        size_t n = 0;
        for (; i < rest.n && rest.p[i] != ' '; i++)
            n = n * 10 + (size_t)(rest.p[i] - '0');
        e->fired[e->nfired++] = n;
    }
}

static void run_lines(runner *r, dp_str text)
{
    dp_arena    strings = {0};
    expectation e = {0};
    bool        pending = false;
    size_t      number = 0;
    for (size_t at = 0; at < text.n;) {
        size_t end = at;
        while (end < text.n && text.p[end] != '\n')
            end++;
        dp_str line = dp_str_cut(text, at, end), rest;
        at = end + 1;
        number++;
        if (line.n == 0 || line.p[0] == '#')
            continue;
        if (dp_str_starts(line, DP_STR("    "))) {
            dp_buf_str(&r->rules, dp_str_cut(line, 4, line.n));
            dp_buf_byte(&r->rules, '\n');
        } else if (is_word(line, "rules", &rest)) {
            finish(r, &e, pending);
            pending = false;
            set_options(r, DP_STR(""));
            dp_buf_reset(&r->rules);
            dp_buf_c(&r->rules, "dustpan-rules 1\n");
            r->rules_line = number;
        } else if (is_word(line, "options", &rest)) {
            finish(r, &e, pending);
            pending = false;
            set_options(r, rest);
        } else if (is_word(line, "refused", &rest)) {
            load(r, true);
            r->cases++;
        } else if (is_word(line, "url", &rest)) {
            finish(r, &e, pending);
            pending = true;
            dp_arena_reset(&strings);
            e = (expectation){.line = number, .url = undo_escapes(rest, &strings)};
        } else if (is_word(line, "key", &rest)) {
            e.has_key = true;
            e.key = undo_escapes(rest, &strings);
        } else if (is_word(line, "fetch", &rest)) {
            e.has_fetch = true;
            e.fetch = undo_escapes(rest, &strings);
        } else if (is_word(line, "fired", &rest)) {
            read_fired(&e, rest);
        } else if (is_word(line, "no-url", &rest)) {
            e.no_url = true;
        } else if (is_word(line, "limit", &rest)) {
            e.limit = true;
        } else if (!is_word(line, "same", &rest)) {
            fail_msg("%s:%zu: what is '%.*s'?", r->path, number, DP_FMT(line));
        }
    }
    finish(r, &e, pending);
    dp_arena_done(&strings);
}

static void cases_hold(void **state)
{
    runner r = {.path = *state};
    dp_buf text = {0};
    FILE  *f = fopen(r.path, "rb");
    assert_non_null(f);
    for (int c; (c = getc(f)) != EOF;)
        dp_buf_byte(&text, (char)c);
    fclose(f);
    assert_int_equal(DP_OK, dp_scratch_new(&r.scratch));
    run_lines(&r, text_of(&text));
    print_message("%s: %zu cases\n", r.path, r.cases);
    unload(&r);
    dp_scratch_free(r.scratch);
    dp_buf_done(&r.rules);
    dp_buf_done(&text);
    dp_arena_done(&r.a);
    if (r.failures)
        fail_msg("%zu answers differ", r.failures);
}

int main(void)
{
    glob_t files;
    if (glob("tests/cases/*.test", 0, NULL, &files) != 0) {
        fputs("test_cases: no tests/cases/*.test; run it in the repository's root\n", stderr);
        return 1;
    }
    struct CMUnitTest *tests = calloc(files.gl_pathc, sizeof *tests);
    if (!tests)
        return 1;
    for (size_t i = 0; i < files.gl_pathc; i++)
        tests[i] = (struct CMUnitTest){files.gl_pathv[i], cases_hold, NULL, NULL, files.gl_pathv[i]};
    int failed = _cmocka_run_group_tests("cases", tests, files.gl_pathc, NULL, NULL);
    free(tests);
    globfree(&files);
    return failed;
}
