/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/rng.h"
#include "dustpan.h"
#include "output/unique.h"
#include "support/failing_alloc.h"
#include "support/rules.h"
#include "support/tempfile.h"

static const char rules_text[] = "dustpan-rules 1\n"
                                 "host a.com\n"
                                 "drop ?sid                       [by=text]\n"
                                 "/{**}/index.html => /{**}/      [by=redirect]\n"
                                 "/old/{x} => /new/{x}            [by=redirect]\n"
                                 "likely drop ?view\n";

static dp_engine *engine;

static int make_engine(void **state)
{
    (void)state;
    engine = engine_of(rules_text);
    return 0;
}

static int free_engine(void **state)
{
    (void)state;
    dp_engine_free(engine);
    return 0;
}

/* ---- running a filter ------------------------------------------------------------------------ */

typedef struct setting {
    dp_filter_option option;
    int64_t          value;
} setting;

typedef struct result {
    dp_err   code;
    dp_error err;
    dp_buf   out;
} result;

/* Run over the files into a file and read that. */
static result run(dp_filter *f, const char *const *paths, size_t n)
{
    result      r = {0};
    const char *to = dp_temp_path("out");
    int         fd = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    r.code = dp_filter_run(f, paths, n, fd, &r.err);
    close(fd);
    assert_true(dp_temp_read(&r.out, to));
    return r;
}

static dp_filter *make_filter(const setting *s, size_t n)
{
    dp_filter *f;
    assert_int_equal(DP_OK, dp_filter_new(&f, engine));
    for (size_t i = 0; i < n; i++)
        assert_int_equal(DP_OK, dp_filter_set(f, s[i].option, s[i].value));
    return f;
}

/* One text through a filter with those settings; the answer must be `want`. */
static void assert_answers(const char *text, const char *want, const setting *s, size_t n)
{
    dp_filter  *f = make_filter(s, n);
    const char *path = dp_temp_write("in", dp_str_c(text));
    result      r = run(f, &path, 1);
    assert_int_equal(DP_OK, r.code);
    dp_buf_byte(&r.out, 0);
    assert_string_equal(want, r.out.p);
    dp_buf_done(&r.out);
    dp_filter_free(f);
    dp_temp_remove(NULL);
}

static void answers_every_kind_of_line(void **state)
{
    (void)state;
    static const struct { const char *text, *want; } cases[] = {
        {"http://a.com/x?sid=1\n", "http://a.com/x\n"},
        {"http://a.com/x?sid=1", "http://a.com/x\n"},     /* no LF at the end */
        {"http://a.com/x?sid=1\r\n", "http://a.com/x\n"}, /* CR LF */
        {"\n\nhttp://a.com/#f\n", "\n\nhttp://a.com/\n"}, /* empty lines */
        {"mailto:a\nnothing\n", "mailto:a\nnothing\n"},   /* no URLs */
        {"http://a.com/%c3%a9 \xff\n", "http://a.com/%C3%A9%20%FF\n"},
        {"", ""},
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++)
        assert_answers(cases[i].text, cases[i].want, NULL, 0);
}

static void forms_formats_and_ids(void **state)
{
    (void)state;
    static const char text[] = "http://a.com/old/1?sid=2\nno\n";
    char              id[2][9];
    for (size_t i = 0; i < 2; i++)
        snprintf(id[i], sizeof id[i], "%08x", (unsigned)(dp_engine_id(engine, i ? 2 : 0) >> 32));
    char want[512];
    assert_answers(text, "http://a.com/new/1\nno\n", (setting[]){{DP_FILTER_FORM, DP_KEY}}, 1);
    assert_answers(text, "http://a.com/new/1?sid=2\nno\n", (setting[]){{DP_FILTER_FORM, DP_FETCH}}, 1);
    assert_answers(text, "com,a)/new/1\nno\n", (setting[]){{DP_FILTER_FORM, DP_SURT}}, 1);
    assert_answers(text, "http://a.com/old/1?sid=2\nno\n", (setting[]){{DP_FILTER_FORM, DP_STAGE0}}, 1);
    snprintf(want, sizeof want, "http://a.com/new/1\t%s,%s\nno\t-\n", id[0], id[1]);
    assert_answers(text, want, (setting[]){{DP_FILTER_EXPLAIN, 1}}, 1);
    snprintf(want, sizeof want,
             "{\"url\":\"http://a.com/old/1?sid=2\",\"dustpan_key\":\"http://a.com/new/1\",\"rules\":[\"%s\",\"%s\"],"
             "\"set\":\"%016llx\"}\n{\"url\":\"no\",\"dustpan_key\":\"no\",\"rules\":[],\"set\":\"%016llx\"}\n",
             id[0], id[1], (unsigned long long)dp_engine_set_id(engine), (unsigned long long)dp_engine_set_id(engine));
    assert_answers(text, want, (setting[]){{DP_FILTER_FORMAT, DP_JSON}}, 1);
}

static void unique_is_by_key_in_every_form(void **state)
{
    (void)state;
    static const char text[] = "http://a.com/x?sid=1\nhttp://a.com/x?sid=2\nb\nhttp://a.com/x\nb\n\n\nhttp://a.com/y";
    assert_answers(text, "http://a.com/x\nb\n\nhttp://a.com/y\n", (setting[]){{DP_FILTER_UNIQUE, 1}}, 1);
    assert_answers(text, "http://a.com/x?sid=1\nb\n\nhttp://a.com/y\n",
                   (setting[]){{DP_FILTER_UNIQUE, 1}, {DP_FILTER_FORM, DP_FETCH}}, 2);
    assert_answers(text, "http://a.com/x?sid=1\t-\nb\t-\n\t-\nhttp://a.com/y\t-\n",
                   (setting[]){{DP_FILTER_UNIQUE, 1}, {DP_FILTER_FORM, DP_FETCH}, {DP_FILTER_EXPLAIN, 1}}, 3);
    assert_answers(text, "http://a.com/x?sid=1\nb\n\nhttp://a.com/y\n",
                   (setting[]){{DP_FILTER_UNIQUE, 1}, {DP_FILTER_FORM, DP_FOUND}}, 2);
    assert_answers("http://a.com/x\nhttps://a.com/x\nhttp://a.com/x?sid=1\n", "com,a)/x\ncom,a)/x\n",
                   (setting[]){{DP_FILTER_UNIQUE, 1}, {DP_FILTER_FORM, DP_SURT}}, 2);
}

static void a_target_with_the_sources_key_is_followed_once(void **state)
{
    (void)state;
    static const char text[] = "http://a.com/new/1?sid=3\n"  /* its key, another URL: as it is */
                               "http://a.com/new/1?sid=3#x\n" /* the same again */
                               "http://a.com/old/1\n"         /* the source itself */
                               "http://a.com/new/1\n"         /* what is its key as it is, too */
                               "http://a.com/new/1\n"
                               "http://a.com/other\n";
    static const struct { int unique; dp_form form; const char *want; } cases[] = {
        {0, DP_KEY, "http://a.com/new/1?sid=3\nhttp://a.com/new/1?sid=3\nhttp://a.com/new/1\nhttp://a.com/new/1\n"
                    "http://a.com/new/1\nhttp://a.com/other\n"},
        {1, DP_KEY, "http://a.com/new/1?sid=3\nhttp://a.com/new/1\nhttp://a.com/other\n"},
        {1, DP_SURT, "http://a.com/new/1?sid=3\nhttp://a.com/new/1\ncom,a)/other\n"},
        {1, DP_FETCH, "http://a.com/new/1?sid=3\nhttp://a.com/new/1\nhttp://a.com/other\n"},
        {1, DP_FOUND, "http://a.com/new/1?sid=3\nhttp://a.com/new/1\nhttp://a.com/other\n"},
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        setting     set[] = {{DP_FILTER_UNIQUE, cases[i].unique}, {DP_FILTER_FORM, cases[i].form}};
        dp_filter  *f = make_filter(set, 2);
        const char *path = dp_temp_write("in", dp_str_c(text));
        assert_int_equal(DP_EINVALID, dp_filter_source(f, "nothing", 7));
        assert_int_equal(DP_OK, dp_filter_source(f, "http://a.com/old/1", 18));
        result r = run(f, &path, 1);
        dp_buf_byte(&r.out, 0);
        assert_string_equal(cases[i].want, r.out.p);
        dp_buf_done(&r.out);
        dp_filter_free(f);
        dp_temp_remove(NULL);
    }
}

static void counts_what_happened(void **state)
{
    (void)state;
    static const char text[] = "http://a.com/old/index.html?sid=1\nhttp://a.com/x?sid=1\nno\n\nhttp://a.com/x\r\n";
    dp_filter        *f = make_filter((setting[]){{DP_FILTER_COUNTS, 1}, {DP_FILTER_UNIQUE, 1}}, 2);
    const char       *path = dp_temp_write("in", dp_str_c(text));
    dp_error          bad;
    for (int round = 0; round < 2; round++) { /* each run counts anew */
        result r = run(f, &path, 1);
        assert_int_equal(DP_OK, r.code);
        assert_int_equal(5, dp_filter_total(f, DP_COUNT_LINES));
        assert_int_equal(4, dp_filter_total(f, DP_COUNT_WRITTEN));
        assert_int_equal(2, dp_filter_total(f, DP_COUNT_CHANGED));
        assert_int_equal(2, dp_filter_total(f, DP_COUNT_FIRED));
        assert_int_equal(2, dp_filter_total(f, DP_COUNT_NOT_URLS));
        assert_int_equal(0, dp_filter_total(f, DP_COUNT_LIMIT));
        assert_int_equal(sizeof text - 1, dp_filter_total(f, DP_COUNT_BYTES));
        assert_int_equal(2, dp_filter_fired(f, 0));
        assert_int_equal(1, dp_filter_fired(f, 1));
        assert_int_equal(0, dp_filter_fired(f, 3));
        assert_int_equal(0, dp_filter_fired(f, 99));
        assert_int_equal(DP_OK, dp_filter_bad(f, 0, &bad));
        assert_int_equal(3, bad.line);
        assert_string_equal("not a URL: no", bad.message);
        assert_int_equal(DP_OK, dp_filter_bad(f, 1, &bad));
        assert_int_equal(4, bad.line);
        assert_int_equal(DP_EINVALID, dp_filter_bad(f, 2, &bad));
        dp_buf_done(&r.out);
    }
    dp_filter_free(f);
}

static void strict_stops_at_the_first_that_is_no_url(void **state)
{
    (void)state;
    const char *paths[] = {dp_temp_write("a", DP_STR("http://a.com/1\n")),
                           dp_temp_write("b", DP_STR("http://a.com/2\nhttp://a.com/3\nno\nhttp://a.com/4\nno\n"))};
    for (int explain = 0; explain < 2; explain++) {
        dp_filter *f = make_filter((setting[]){{DP_FILTER_STRICT, 1}, {DP_FILTER_COUNTS, explain}}, 2);
        result     r = run(f, paths, 2);
        assert_int_equal(DP_ESYNTAX, r.code);
        assert_string_equal(paths[1], r.err.file);
        assert_int_equal(3, r.err.line);
        assert_true(dp_str_eq(DP_STR("http://a.com/1\nhttp://a.com/2\nhttp://a.com/3\n"), dp_buf_view(&r.out)));
        dp_buf_done(&r.out);
        dp_filter_free(f);
    }
}

/* ---- the same for any number of threads ----------------------------------------------------------- */

/* Some 6 MB of lines, so that there are several chunks: URLs, duplicates, others, a few long. */
static dp_buf random_lines(uint64_t seed)
{
    dp_rng r = dp_rng_seed(seed);
    dp_buf b = {0};
    while (b.n < 6000000) {
        unsigned kind = (unsigned)dp_rng_below(&r, 100), n = (unsigned)dp_rng_below(&r, 40000);
        if (kind < 90)
            dp_buf_printf(&b, "http://a.com/%s/item-number-%u/index.html?sid=%u%s\n", kind < 30 ? "old" : "path", n,
                          kind, kind % 7 ? "" : "\r");
        else if (kind < 95)
            dp_buf_printf(&b, "https://host-%u.org/Some/Path?q=\xc3\xa9%u\n", n, kind);
        else if (kind < 99)
            dp_buf_printf(&b, "mailto:%u\n", n % 100);
        for (unsigned i = 0; kind == 99 && i < n; i++)
            dp_buf_byte(&b, (char)('a' + i % 26));
    }
    return b;
}

/* The dumb way: line by line, with dp_apply. */
static dp_buf naive_answers(dp_str text)
{
    dp_buf      out = {0};
    dp_scratch *s;
    assert_int_equal(DP_OK, dp_scratch_new(&s));
    for (size_t at = 0; at < text.n;) {
        const char *end = memchr(text.p + at, '\n', text.n - at);
        dp_str      line = {text.p + at, end ? (size_t)(end - text.p) - at : text.n - at};
        at += line.n + 1;
        if (line.n && line.p[line.n - 1] == '\r')
            line.n--;
        size_t n = dp_apply(engine, s, line.p, line.n, NULL, 0);
        assert_true(dp_buf_room(&out, n + 1));
        dp_apply(engine, s, line.p, line.n, out.p + out.n, n);
        out.n += n;
        dp_buf_byte(&out, '\n');
    }
    dp_scratch_free(s);
    return out;
}

static void any_number_of_threads_gives_the_same(void **state)
{
    (void)state;
    dp_buf      text = random_lines(1), want = naive_answers(dp_buf_view(&text)), unique = {0};
    const char *path = dp_temp_write("in", dp_buf_view(&text));
    uint64_t    fired[8][2];
    for (int threads = 1; threads <= 7; threads += 3) {
        dp_filter *f = make_filter((setting[]){{DP_FILTER_THREADS, threads}}, 1);
        result     r = run(f, &path, 1);
        assert_int_equal(DP_OK, r.code);
        assert_true(dp_str_eq(dp_buf_view(&want), dp_buf_view(&r.out)));
        dp_buf_done(&r.out);
        assert_int_equal(DP_OK, dp_filter_set(f, DP_FILTER_UNIQUE, 1));
        assert_int_equal(DP_OK, dp_filter_set(f, DP_FILTER_COUNTS, 1));
        r = run(f, &path, 1);
        assert_int_equal(DP_OK, r.code);
        for (size_t i = 0; i < 2; i++)
            fired[threads][i] = dp_filter_fired(f, i);
        if (threads == 1) {
            unique = r.out;
            assert_in_range(unique.n, 1, want.n - 1);
        } else {
            assert_true(dp_str_eq(dp_buf_view(&unique), dp_buf_view(&r.out)));
            assert_memory_equal(fired[1], fired[threads], sizeof fired[1]);
            dp_buf_done(&r.out);
        }
        dp_filter_free(f);
    }
    dp_buf_done(&text);
    dp_buf_done(&want);
    dp_buf_done(&unique);
}

/* ---- probes ------------------------------------------------------------------------------------ */

#define SHARE .03
#define SALT  "pepper"

static bool is_new(dp_unique *u, dp_str text)
{
    dp_hash128 h = dp_hash128_of(text);
    bool       fresh;
    assert_int_equal(DP_OK, dp_unique_add(u, &h, 1, &fresh, NULL));
    return fresh;
}

/* The dumb way: keys and tags in one set, as a program would do it. */
static dp_buf naive_probes(dp_str text, uint64_t *probes)
{
    dp_buf      out = {0};
    dp_scratch *s;
    dp_unique  *u;
    assert_int_equal(DP_OK, dp_scratch_new(&s));
    assert_int_equal(DP_OK, dp_unique_new(&u));
    *probes = 0;
    for (size_t at = 0; at < text.n;) {
        const char *end = memchr(text.p + at, '\n', text.n - at);
        dp_str      line = {text.p + at, end ? (size_t)(end - text.p) - at : text.n - at}, key, tag = {0};
        at += line.n + 1;
        if (line.n && line.p[line.n - 1] == '\r')
            line.n--;
        key.p = dp_apply_view(engine, s, DP_KEY, line.p, line.n, &key.n);
        bool fresh = is_new(u, key);
        tag.p = dp_scratch_probe(s, SHARE, SALT, &tag.n);
        bool probe = tag.p && is_new(u, tag) && !fresh;
        if (fresh || probe)
            dp_buf_str(&out, line);
        size_t          n;
        const uint32_t *fired = dp_scratch_fired(s, &n);
        for (size_t i = 0; probe && i < n; i++)
            dp_buf_printf(&out, "%c%08x", i ? ',' : '\t', (unsigned)(dp_engine_id(engine, fired[i]) >> 32));
        if (probe && !n)
            dp_buf_c(&out, "\tother");
        if (fresh || probe)
            dp_buf_byte(&out, '\n');
        *probes += probe;
    }
    dp_unique_free(u);
    dp_scratch_free(s);
    return out;
}

static void probes_are_those_of_the_dumb_way(void **state)
{
    (void)state;
    uint64_t    probes;
    dp_buf      text = random_lines(2), want = naive_probes(dp_buf_view(&text), &probes);
    const char *path = dp_temp_write("in", dp_buf_view(&text));
    assert_in_range(probes, 50, 500);
    for (int threads = 1; threads <= 4; threads += 3) {
        for (int with_file = 0; with_file < 2; with_file++) {
            dp_seen   *seen = NULL;
            dp_filter *f = make_filter(
                (setting[]){{DP_FILTER_THREADS, threads}, {DP_FILTER_UNIQUE, 1}, {DP_FILTER_FORM, DP_FOUND}}, 3);
            assert_int_equal(DP_EINVALID, dp_filter_explore(f, 1.5, ""));
            assert_int_equal(DP_OK, dp_filter_explore(f, SHARE, SALT));
            const char *seen_path = dp_temp_path(threads == 1 ? "one.seen" : "four.seen");
            if (with_file)
                assert_int_equal(DP_OK, dp_seen_open(&seen, seen_path, dp_filter_set_id(f), 0, NULL));
            dp_filter_seen(f, seen);
            result r = run(f, &path, 1);
            assert_int_equal(DP_OK, r.code);
            assert_true(dp_str_eq(dp_buf_view(&want), dp_buf_view(&r.out)));
            assert_int_equal(probes, dp_filter_total(f, DP_COUNT_PROBES));
            dp_buf_done(&r.out);
            dp_filter_free(f);
            dp_seen_close(seen);
        }
    }
    dp_buf_done(&text);
    dp_buf_done(&want);
}

/* An error far in the file comes after everything before it, whoever meets it first. */
static void errors_come_in_turn(void **state)
{
    (void)state;
    dp_buf      text = random_lines(2);
    dp_buf      want = naive_answers(dp_buf_view(&text));
    const char *paths[] = {dp_temp_write("in", dp_buf_view(&text)), "/nowhere"};
    for (int threads = 1; threads <= 4; threads += 3) {
        dp_filter *f = make_filter((setting[]){{DP_FILTER_THREADS, threads}}, 1);
        result     r = run(f, paths, 2);
        assert_int_equal(DP_EIO, r.code);
        assert_string_equal("/nowhere", r.err.file);
        assert_true(dp_str_eq(dp_buf_view(&want), dp_buf_view(&r.out)));
        dp_buf_done(&r.out);
        dp_filter_free(f);
    }
    dp_buf_done(&text);
    dp_buf_done(&want);
}

static int stop_at_once(void *ctx, uint64_t done, uint64_t total, const char *unit)
{
    assert_true(done <= total);
    assert_string_equal("bytes", unit);
    ++*(int *)ctx;
    return 1;
}

static void progress_can_stop_it(void **state)
{
    (void)state;
    int         calls = 0;
    dp_buf      text = random_lines(3);
    const char *path = dp_temp_write("in", dp_buf_view(&text));
    dp_filter  *f = make_filter((setting[]){{DP_FILTER_THREADS, 3}}, 1);
    dp_filter_progress(f, stop_at_once, &calls);
    result r = run(f, &path, 1);
    assert_int_equal(DP_EINVALID, r.code);
    assert_int_equal(1, calls);
    dp_buf_done(&r.out);
    dp_filter_free(f);
    dp_buf_done(&text);
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    dp_error    err;
    dp_buf      text = random_lines(4);
    const char *path = dp_temp_write("in", dp_buf_view(&text));
    int         fd = open("/dev/full", O_WRONLY);
    dp_filter  *f = make_filter((setting[]){{DP_FILTER_THREADS, 3}}, 1);
    assert_int_equal(DP_EIO, dp_filter_run(f, &path, 1, fd, &err));
    assert_string_equal("cannot write: No space left on device", err.message);
    dp_filter_free(f);
    dp_buf_done(&text);
    close(fd);
}

static void refuses_settings_that_make_no_sense(void **state)
{
    (void)state;
    static const setting bad[] = {{DP_FILTER_FORM, DP_FOUND + 1}, {DP_FILTER_UNIQUE, 2}, {DP_FILTER_THREADS, -1},
                                  {DP_FILTER_FORMAT, 9}, {(dp_filter_option)99, 0}};
    dp_filter           *f = make_filter(NULL, 0);
    for (size_t i = 0; i < DP_COUNT(bad); i++)
        assert_int_equal(DP_EINVALID, dp_filter_set(f, bad[i].option, bad[i].value));
    dp_filter_free(f);
}

/* Once through, with everything that takes memory: line by line, then in batches. */
static dp_err use_filter(const char *path, int fd, bool in_batches)
{
    dp_filter *f = NULL;
    dp_err     code = dp_filter_new(&f, engine);
    if (code != DP_OK)
        return code;
    dp_filter_set(f, DP_FILTER_UNIQUE, 1);
    dp_filter_set(f, DP_FILTER_THREADS, 1);
    if (!in_batches) {
        dp_filter_set(f, DP_FILTER_COUNTS, 1);
        dp_filter_set(f, DP_FILTER_FORMAT, DP_JSON);
        code = dp_filter_source(f, "http://a.com/old/2", 18);
    }
    if (code == DP_OK)
        code = dp_filter_run(f, &path, 1, fd, NULL);
    dp_filter_free(f);
    return code;
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    const char *path = dp_temp_write("in", DP_STR("http://a.com/old/1?sid=1\nno\nhttp://a.com/x/index.html\n"));
    int         fd = open("/dev/null", O_WRONLY);
    for (int in_batches = 0; in_batches < 2; in_batches++) {
        DP_EVERY_ALLOC_FAILURE
        {
            dp_err code = use_filter(path, fd, in_batches);
            /* The text of a message may be missing without harm; so not every failure must be told. */
            assert_true(code == DP_OK || (code == DP_ENOMEM && dp_alloc_failed()));
        }
    }
    close(fd);
}

/* ---- records ------------------------------------------------------------------------------------ */

static void records_keep_their_columns(void **state)
{
    (void)state;
    static const struct { const char *text, *want;
    } cases[] = {
        {"url\tx\nhttp://a.com/?sid=1\ty\n", "url\tx\tkey\nhttp://a.com/?sid=1\ty\thttp://a.com/\n"},
        {"{\"url\":\"http://a.com/?sid=1\"}\n",
         "{\"url\":\"http://a.com/?sid=1\",\"dustpan_key\":\"http://a.com/\"}\n"},
        {"{ \"url\":\"http://a.com/\" }\n{}\n",
         "{ \"url\":\"http://a.com/\",\"dustpan_key\":\"http://a.com/\" }\n{}\n"},
        {"{\"url\":\"http://a.com/\"\r\t }\n", "{\"url\":\"http://a.com/\",\"dustpan_key\":\"http://a.com/\"\r\t }\n"},
        {"{\"dustpan_key\":[1,2],\"url\":\"http://a.com/\"}",
         "{\"dustpan_key\":\"http://a.com/\",\"url\":\"http://a.com/\"}\n"},
        {"{\"x\":\"dustpan_key\",\"url\":\"http://a.com/\"}",
         "{\"x\":\"dustpan_key\",\"url\":\"http://a.com/\",\"dustpan_key\":\"http://a.com/\"}\n"},
        {"a,b)/ 20140126200624 {\"url\":\"http://a.com/?sid=1\"}\n",
         "a,b)/ 20140126200624 {\"url\":\"http://a.com/?sid=1\",\"dustpan_key\":\"http://a.com/\"}\n"},
        {" CDX a s\nhttp://a.com/?sid=1 200\n", " CDX a s key\nhttp://a.com/?sid=1 200 http://a.com/\n"},
        {"#Fields: cs-host cs-uri-stem\na.com /x\n", "#Fields: cs-host cs-uri-stem key\na.com /x http://a.com/x\n"},
        {"#Fields: cs-host cs-uri-stem\na.com\t/x\n", "#Fields: cs-host cs-uri-stem key\na.com\t/x\thttp://a.com/x\n"},
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++)
        assert_answers(cases[i].text, cases[i].want, NULL, 0);
}

static void how_files_are_read_can_be_said(void **state)
{
    (void)state;
    static const struct {
        const char *text, *format, *columns, *log_format, *base_url;
        dp_err code;
        const char *want;
    } cases[] = {
        {"x\thttp://a.com/?sid=1\n", NULL, "-,url", NULL, NULL, DP_OK, "x\thttp://a.com/?sid=1\thttp://a.com/\n"},
        {"http://a.com/?sid=1\tx\n", "urls", NULL, NULL, NULL, DP_OK, "http://a.com/\n"},
        {"/?sid=1 200\n", NULL, NULL, "%U%q %s", "http://a.com", DP_OK, "/?sid=1 200\thttp://a.com/\n"},
        {"/?sid=1 200\n", NULL, NULL, "%U%q %s", NULL, DP_EINVALID, ""},
        {"http://a.com/\n", "cdx", NULL, NULL, NULL, DP_ESYNTAX, ""},
        {"http://a.com/\n", "x", NULL, NULL, NULL, DP_EINVALID, ""},
        {"http://a.com/\n", "urls", "url", NULL, NULL, DP_EINVALID, ""},
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_filter  *f = make_filter(NULL, 0);
        const char *path = dp_temp_write("in", dp_str_c(cases[i].text));
        assert_int_equal(DP_OK, dp_filter_input(f, DP_INPUT_FORMAT, "to be forgotten"));
        assert_int_equal(DP_OK, dp_filter_input(f, DP_INPUT_FORMAT, cases[i].format));
        assert_int_equal(DP_OK, dp_filter_input(f, DP_INPUT_COLUMNS, cases[i].columns));
        assert_int_equal(DP_OK, dp_filter_input(f, DP_INPUT_LOG_FORMAT, cases[i].log_format));
        assert_int_equal(DP_OK, dp_filter_input(f, DP_INPUT_BASE_URL, cases[i].base_url));
        assert_int_equal(DP_EINVALID, dp_filter_input(f, (dp_input_option)99, "x"));
        result r = run(f, &path, 1);
        assert_int_equal(cases[i].code, r.code);
        dp_buf_byte(&r.out, 0);
        assert_string_equal(cases[i].want, r.out.p);
        assert_true(cases[i].code == DP_OK || r.err.message[0]);
        dp_buf_done(&r.out);
        dp_filter_free(f);
        dp_temp_remove(NULL);
    }
}

/* Lines, records and lines again, with every count right and the first of each key over all of them. */
static void files_of_all_kinds_are_one_run(void **state)
{
    (void)state;
    const char *paths[] = {
        dp_temp_write("1", DP_STR("http://a.com/x?sid=1\nno\n")),
        dp_temp_write("2", DP_STR("1\thttp://a.com/x\n1\thttp://a.com/old/1\n")),
        dp_temp_write("3", DP_STR("{\"url\":\"http://a.com/new/1\"}\n{\"url\":\"http://a.com/z\"}\n{]\n")),
        dp_temp_write("4", DP_STR("http://a.com/z\nhttp://a.com/w\n"))};
    for (int64_t threads = 1; threads <= 3; threads++) {
        dp_filter *f =
            make_filter((setting[]){{DP_FILTER_UNIQUE, 1}, {DP_FILTER_THREADS, threads}, {DP_FILTER_COUNTS, 1}}, 3);
        result     r = run(f, paths, 4);
        dp_error   bad;
        assert_int_equal(DP_OK, r.code);
        dp_buf_byte(&r.out, 0);
        assert_string_equal("http://a.com/x\nno\n1\thttp://a.com/old/1\thttp://a.com/new/1\n"
                            "{\"url\":\"http://a.com/z\",\"dustpan_key\":\"http://a.com/z\"}\n{]\nhttp://a.com/w\n",
                            r.out.p);
        assert_int_equal(9, dp_filter_total(f, DP_COUNT_LINES));
        assert_int_equal(5, dp_filter_total(f, DP_COUNT_WRITTEN));
        assert_int_equal(2, dp_filter_total(f, DP_COUNT_FIRED));
        assert_int_equal(1, dp_filter_total(f, DP_COUNT_NOT_URLS));
        assert_int_equal(1, dp_filter_total(f, DP_COUNT_BAD));
        assert_int_equal(149, dp_filter_total(f, DP_COUNT_BYTES));
        assert_int_equal(1, dp_filter_fired(f, 0));
        assert_int_equal(DP_OK, dp_filter_bad(f, 0, &bad));
        assert_string_equal(paths[0], bad.file);
        assert_int_equal(DP_OK, dp_filter_bad(f, 1, &bad));
        assert_string_equal(paths[2], bad.file);
        assert_int_equal(3, bad.line);
        assert_int_equal(DP_EINVALID, dp_filter_bad(f, 2, &bad));
        dp_buf_done(&r.out);
        dp_filter_free(f);
    }
}

static int stop_records(void *ctx, uint64_t done, uint64_t total, const char *unit)
{
    (void)ctx;
    (void)unit;
    return done <= total;
}

static void records_can_be_stopped(void **state)
{
    (void)state;
    dp_buf text = {0};
    for (int i = 0; i < 20000; i++)
        dp_buf_printf(&text, "%d\thttp://a.com/%d\n", i, i);
    const char *path = dp_temp_write("in", dp_buf_view(&text));
    dp_filter  *f = make_filter(NULL, 0);
    dp_filter_progress(f, stop_records, NULL);
    result r = run(f, &path, 1);
    assert_int_equal(DP_EINVALID, r.code);
    assert_string_equal("stopped", r.err.message);
    dp_buf_done(&r.out);
    dp_filter_free(f);
    dp_buf_done(&text);
}

static void records_survive_every_allocation_failure(void **state)
{
    (void)state;
    const char *paths[] = {dp_temp_write("1", DP_STR("http://a.com/x?sid=1\n")),
                           dp_temp_write("2", DP_STR("{\"url\":\"http://a.com/x?sid=1\"}\n")),
                           dp_temp_write("3", DP_STR("1\thttp://a.com/y\n")),
                           dp_temp_write("4", DP_STR("http://a.com/z\n"))};
    int         null = open("/dev/null", O_WRONLY);
    DP_EVERY_ALLOC_FAILURE
    {
        dp_filter *f = NULL;
        dp_err     code = dp_filter_new(&f, engine);
        if (code == DP_OK)
            code = dp_filter_input(f, DP_INPUT_BASE_URL, "http://a.com");
        if (code == DP_OK) {
            dp_filter_set(f, DP_FILTER_THREADS, 1);
            dp_filter_set(f, DP_FILTER_UNIQUE, 1);
            dp_filter_set(f, DP_FILTER_EXPLAIN, 1);
            code = dp_filter_run(f, paths, 4, null, NULL);
        }
        assert_true(code == DP_OK || (code == DP_ENOMEM && dp_alloc_failed()));
        assert_true(code != DP_OK || dp_filter_total(f, DP_COUNT_WRITTEN) == 3);
        dp_filter_free(f);
    }
    close(null);
}

/* Hot path: record after record without an allocation. */
static void records_take_no_memory_in_the_long_run(void **state)
{
    (void)state;
    size_t count[2];
    for (int big = 0; big < 2; big++) {
        dp_buf text = {0};
        for (int i = 0; i < (big ? 40000 : 4000); i++)
            dp_buf_printf(&text,
                          i % 2 ? "{\"url\":\"http://a.com/%d?sid=1\"}\n" : "{\"url\":\"http:\\/\\/a.com/%d\"}\n",
                          i % 1000);
        const char *path = dp_temp_write(big ? "big" : "small", dp_buf_view(&text));
        dp_filter  *f = make_filter((setting[]){{DP_FILTER_EXPLAIN, 1}}, 1);
        int         null = open("/dev/null", O_WRONLY);
        dp_buf_done(&text);
        dp_alloc_count_from_zero();
        assert_int_equal(DP_OK, dp_filter_run(f, &path, 1, null, NULL));
        count[big] = dp_alloc_count();
        close(null);
        dp_filter_free(f);
    }
    assert_true(count[1] <= count[0] + 20); /* buffers grow a few times */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(answers_every_kind_of_line, dp_temp_remove),
        cmocka_unit_test_teardown(forms_formats_and_ids, dp_temp_remove),
        cmocka_unit_test_teardown(unique_is_by_key_in_every_form, dp_temp_remove),
        cmocka_unit_test_teardown(a_target_with_the_sources_key_is_followed_once, dp_temp_remove),
        cmocka_unit_test_teardown(counts_what_happened, dp_temp_remove),
        cmocka_unit_test_teardown(strict_stops_at_the_first_that_is_no_url, dp_temp_remove),
        cmocka_unit_test_teardown(any_number_of_threads_gives_the_same, dp_temp_remove),
        cmocka_unit_test_teardown(probes_are_those_of_the_dumb_way, dp_temp_remove),
        cmocka_unit_test_teardown(errors_come_in_turn, dp_temp_remove),
        cmocka_unit_test_teardown(progress_can_stop_it, dp_temp_remove),
        cmocka_unit_test_teardown(a_full_disk_is_an_error, dp_temp_remove),
        cmocka_unit_test(refuses_settings_that_make_no_sense),
        cmocka_unit_test_teardown(survives_every_allocation_failure, dp_temp_remove),
        cmocka_unit_test_teardown(records_keep_their_columns, dp_temp_remove),
        cmocka_unit_test_teardown(how_files_are_read_can_be_said, dp_temp_remove),
        cmocka_unit_test_teardown(files_of_all_kinds_are_one_run, dp_temp_remove),
        cmocka_unit_test_teardown(records_can_be_stopped, dp_temp_remove),
        cmocka_unit_test_teardown(records_survive_every_allocation_failure, dp_temp_remove),
        cmocka_unit_test_teardown(records_take_no_memory_in_the_long_run, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, make_engine, free_engine);
}
