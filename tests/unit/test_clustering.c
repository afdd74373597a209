/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "dustpan.h"
#include "support/failing_alloc.h"
#include "support/tempfile.h"

typedef struct setting {
    dp_cluster_option option;
    int64_t           value;
} setting;

/* Run over text and put what is written, with ids as letters in the order they come, into `out`. */
static dp_err run(dp_cluster *c, dp_str input, const char *format, dp_buf *out, dp_error *err)
{
    const char *in = dp_temp_write("in", input), *to = dp_temp_path("out");
    int         fd = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(DP_OK, dp_cluster_input(c, DP_INPUT_FORMAT, format));
    dp_err code = dp_cluster_run(c, &in, 1, fd, err);
    close(fd);
    dp_buf_reset(out);
    assert_true(dp_temp_read(out, to));
    dp_buf_byte(out, 0);
    dp_temp_remove(NULL);
    return code;
}

/* Replace each id (16 hex digits at the start of a line, or after "soft:") by A, B, ... */
static void letter_ids(char *text)
{
    char   ids[16][17];
    size_t n = 0, k;
    char  *to = text;
    for (char *p = text; *p;) {
        if (strncmp(p, "soft:", 5) == 0) {
            memmove(to, p, 5);
            to += 5, p += 5;
        }
        if (strspn(p, "0123456789abcdef") == 16) {
            for (k = 0; k < n && memcmp(ids[k], p, 16) != 0; k++) {}
            if (k == n && n < 16)
                memcpy(ids[n++], p, 16);
            *to++ = (char)('A' + k);
            p += 16;
        }
        size_t rest = strcspn(p, "\n") + 1;
        memmove(to, p, rest);
        to += rest, p += rest;
    }
    *to = 0;
}

/* Lines of a file with these columns; what is not said is "-". */
#define HEAD "url\tstatus\tsize\tdigest\tmime\tsketch\tsimhash\ttitle\ttime\tcluster\n"
#define FOUND(url, status, size, digest, mime) "http://" url "\t" status "\t" size "\t" digest "\t" mime "\t"
#define DIGEST(url, digest) FOUND(url, "200", "-", digest, "-") "-\t-\t-\t-\t-\n"
#define STATUS(url, status) FOUND(url, status, "-", "x", "-") "-\t-\t-\t-\t-\n"
#define SIZE(url, size, digest) FOUND(url, "200", size, digest, "-") "-\t-\t-\t-\t-\n"
#define TYPE(url, mime) FOUND(url, "200", "-", "x", mime) "-\t-\t-\t-\t-\n"
#define TIME(url, digest, time) FOUND(url, "200", "-", digest, "-") "-\t-\t-\t" time "\t-\n"
#define LABEL(url, status, cluster) FOUND(url, status, "-", "x", "-") "-\t-\t-\t-\t" cluster "\n"
#define NEAR(url, sketch, simhash, title) FOUND(url, "200", "-", "-", "-") sketch "\t" simhash "\t" title "\t-\t-\n"
#define ZEROS "000000000000000"
#define MINS(a, b, c, d) ZEROS a "," ZEROS b "," ZEROS c "," ZEROS d

static const struct {
    setting     set[3];
    const char *in, *want;
} cases[] = {
    {{{0}},
     HEAD DIGEST("a.com/1", "x") DIGEST("a.com/2", "y") DIGEST("b.org/3", "x"),
     "A\thttp://a.com/1\nB\thttp://a.com/2\nA\thttp://b.org/3\n"},
    /* other answers than 200 */
    {{{0}}, HEAD STATUS("a.com/1", "404") STATUS("a.com/2", "200"), "A\thttp://a.com/2\n"},
    {{{DP_CLUSTER_ANY_STATUS, 1}},
     HEAD STATUS("a.com/1", "404") STATUS("a.com/2", "200"), "A\thttp://a.com/1\nA\thttp://a.com/2\n"},
    /* small pages */
    {{{0}}, HEAD SIZE("a.com/1", "512", "x") SIZE("a.com/2", "513", "y"), "A\thttp://a.com/2\n"},
    {{{DP_CLUSTER_MIN_SIZE, 100}}, HEAD SIZE("a.com/1", "512", "x"), "A\thttp://a.com/1\n"},
    /* types */
    {{{0}},
     HEAD TYPE("a.com/1", "text/html; charset=x") TYPE("a.com/2", "TEXT/HTML") TYPE("a.com/3", "warc/revisit"),
     "A\thttp://a.com/1\nA\thttp://a.com/2\nA\thttp://a.com/3\n"},
    {{{0}}, HEAD TYPE("a.com/1", "text/html") TYPE("a.com/2", "text/plain"), "A\thttp://a.com/1\nB\thttp://a.com/2\n"},
    /* digests of nothing */
    {{{0}},
     HEAD DIGEST("a.com/1", "da39a3ee5e6b4b0d3255bfef95601890afd80709") DIGEST("a.com/2", "x"), "A\thttp://a.com/2\n"},
    /* sketches and simhashes count when asked for, zero never does */
    {{{DP_CLUSTER_SHINGLES, 2}},
     HEAD NEAR("a.com/1", MINS("1", "2", "3", "4"), "-", "-") NEAR("a.com/2", MINS("9", "2", "3", "8"), "-", "-")
         NEAR("a.com/3", MINS("0", "0", "0", "0"), "-", "-") NEAR("a.com/4", "t", "-", "-") NEAR("a.com/5", "t", "-",
         "-"),
     "A\thttp://a.com/1\nA\thttp://a.com/2\nB\thttp://a.com/4\nB\thttp://a.com/5\n"},
    {{{DP_CLUSTER_SIMHASH, 3}},
     HEAD NEAR("a.com/1", "-", "00000000000000ff", "-") NEAR("a.com/2", "-", "000000000000001f", "-")
         NEAR("a.com/3", "-", ZEROS "0", "-"),
     "A\thttp://a.com/1\nA\thttp://a.com/2\n"},
    {{{DP_CLUSTER_SIMHASH, 3}, {DP_CLUSTER_SAME_TITLE, 1}},
     HEAD NEAR("a.com/1", "-", "00000000000000ff", "t") NEAR("a.com/2", "-", "000000000000001f", "u")
         NEAR("a.com/3", "-", "00000000000000fe", "t"),
     "A\thttp://a.com/1\nB\thttp://a.com/2\nA\thttp://a.com/3\n"},
    /* of a URL that comes twice the newest counts */
    {{{0}},
     HEAD TIME("a.com/1", "x", "100") DIGEST("a.com/2", "x") TIME("a.com/1", "y", "200") TIME("a.com/1", "x", "150"),
     "A\thttp://a.com/2\nB\thttp://a.com/1\n"},
    /* clusters that the input names are passed on */
    {{{0}},
     HEAD DIGEST("a.com/1", "x") LABEL("a.com/2", "404", "mine") DIGEST("a.com/3", "x"),
     "A\thttp://a.com/1\nmine\thttp://a.com/2\nA\thttp://a.com/3\n"},
    {{{DP_CLUSTER_RELABEL, 1}},
     HEAD DIGEST("a.com/1", "x") LABEL("a.com/2", "200", "mine"), "A\thttp://a.com/1\nA\thttp://a.com/2\n"},
    {{{0}}, "", ""},
};

static void clusters_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_cluster *c;
        dp_buf      out = {0};
        dp_error    err;
        assert_int_equal(DP_OK, dp_cluster_new(&c));
        for (size_t k = 0; k < DP_COUNT(cases[i].set); k++) {
            if (cases[i].set[k].value)
                assert_int_equal(DP_OK, dp_cluster_set(c, cases[i].set[k].option, cases[i].set[k].value));
        }
        dp_err code = run(c, dp_str_c(cases[i].in), NULL, &out, &err);
        if (code != DP_OK)
            fail_msg("case %zu: %s", i, err.message);
        letter_ids(out.p);
        assert_string_equal(cases[i].want, out.p);
        dp_cluster_free(c);
        dp_buf_done(&out);
    }
}

/* Two pages that show the same text, one that does not, a picture twice, and what only moves. */
static void add_response(dp_buf *out, const char *url, const char *type, const char *body)
{
    dp_buf http = {0};
    dp_buf_printf(&http, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n%s", type, body);
    dp_buf_printf(out, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nContent-Type: application/http\r\n"
                       "Content-Length: %zu\r\n\r\n%.*s\r\n\r\n", url, http.n, DP_FMT(dp_buf_view(&http)));
    dp_buf_done(&http);
}

static void make_archive(dp_buf *out)
{
    static char picture[700] = "GIF89a";
    memset(picture + 6, 'x', sizeof picture - 7);
    add_response(out, "http://a.com/1", "text/html", "<title>t</title><p>One two<p>three at 10:31:07");
    add_response(out, "http://a.com/2", "text/html", "<title>u</title><div>One <b>two</b></div>three at 10:31:07");
    add_response(out, "http://a.com/3", "text/html", "<title>t</title><p>One two<p>three at 11:59:00");
    add_response(out, "http://a.com/4", "image/gif", picture);
    add_response(out, "http://a.com/5", "image/gif", picture);
    add_response(out, "http://a.com/6", "text/html", "<script>nothing to see</script>");
}

static void bodies_are_compared_by_what_is_seen(void **state)
{
    (void)state;
    static const struct {
        setting     set[2];
        const char *want;
    } archive[] = {
        {{{0}}, "A\thttp://a.com/1\nA\thttp://a.com/2\nB\thttp://a.com/3\nC\thttp://a.com/4\nC\thttp://a.com/5\n"},
        {{{DP_CLUSTER_SAME_TITLE, 1}},
         "A\thttp://a.com/1\nB\thttp://a.com/2\nC\thttp://a.com/3\nD\thttp://a.com/4\nD\thttp://a.com/5\n"},
        {{{DP_CLUSTER_MASK, 1}},
         "A\thttp://a.com/1\nA\thttp://a.com/2\nA\thttp://a.com/3\nB\thttp://a.com/4\nB\thttp://a.com/5\n"},
        {{{DP_CLUSTER_MASK, 1}, {DP_CLUSTER_SHINGLES, 4}}, /* a sketch needs no size */
         "A\thttp://a.com/1\nA\thttp://a.com/2\nA\thttp://a.com/3\nB\thttp://a.com/4\nB\thttp://a.com/5\n"},
        {{{DP_CLUSTER_MIN_SIZE, 0}, {DP_CLUSTER_SIMHASH, 8}},
         "A\thttp://a.com/1\nA\thttp://a.com/2\nB\thttp://a.com/3\nC\thttp://a.com/4\nC\thttp://a.com/5\n"},
    };
    dp_buf input = {0}, out = {0};
    make_archive(&input);
    for (size_t i = 0; i < DP_COUNT(archive); i++) {
        dp_cluster *c;
        dp_error    err;
        assert_int_equal(DP_OK, dp_cluster_new(&c));
        for (size_t k = 0; k < 2 && archive[i].set[k].value; k++)
            assert_int_equal(DP_OK, dp_cluster_set(c, archive[i].set[k].option, archive[i].set[k].value));
        if (run(c, dp_buf_view(&input), NULL, &out, &err) != DP_OK)
            fail_msg("%s", err.message);
        letter_ids(out.p);
        assert_string_equal(archive[i].want, out.p);
        assert_int_equal(6, dp_cluster_total(c, DP_CLUSTER_RECORDS));
        dp_cluster_free(c);
    }
    dp_buf_done(&input);
    dp_buf_done(&out);
}

static void make_soft(dp_buf *out)
{
    dp_buf_c(out, "url\tdigest\n");
    for (int i = 0; i < 300; i++)
        dp_buf_printf(out, "http://a.com/p/%d?token=%d\t%s%d\n", i * 7, i, i < 40 ? "x" : "y", i < 40 ? 0 : i);
}

static void soft_errors_are_told_and_left_out_or_marked(void **state)
{
    (void)state;
    dp_buf      input = {0}, out = {0};
    dp_cluster *c;
    dp_error    err;
    size_t      n;
    make_soft(&input);
    assert_int_equal(DP_OK, dp_cluster_new(&c));
    assert_int_equal(DP_OK, run(c, dp_buf_view(&input), NULL, &out, &err));
    assert_int_equal(1, dp_cluster_total(c, DP_CLUSTER_SOFT_SETS));
    assert_int_equal(40, dp_cluster_total(c, DP_CLUSTER_SOFT_PAGES));
    const char *line = dp_cluster_soft(c, 0, &n);
    assert_non_null(line);
    assert_memory_equal("\t40\ta.com\thttp://a.com/p/", line + 16, 25);
    assert_non_null(memmem(line, n, "token=xxx", 9)); /* masked */
    assert_null(dp_cluster_soft(c, 1, &n));
    assert_null(strstr(out.p, "http://a.com/p/7?token"));
    assert_int_equal(DP_OK, dp_cluster_set(c, DP_CLUSTER_KEEP_SOFT, 1));
    assert_int_equal(DP_OK, dp_cluster_set(c, DP_CLUSTER_RAW, 1));
    assert_int_equal(DP_OK, run(c, dp_buf_view(&input), NULL, &out, &err));
    assert_memory_equal("soft:", out.p, 5);
    line = dp_cluster_soft(c, 0, &n);
    assert_null(memmem(line, n, "xxx", 3));
    assert_int_equal(DP_OK, dp_cluster_set(c, DP_CLUSTER_FORMAT, DP_JSON));
    assert_int_equal(DP_OK, run(c, dp_buf_view(&input), NULL, &out, &err));
    assert_non_null(strstr(out.p, ",\"url\":\"http://a.com/p/7?token=1\",\"soft_error\":true}\n"));
    line = dp_cluster_soft(c, 0, &n);
    assert_non_null(memmem(line, n, "\"urls\":40,\"host\":\"a.com\",", 24));
    assert_int_equal(DP_OK, dp_cluster_set(c, DP_CLUSTER_SOFT_URLS, 0));
    assert_int_equal(DP_OK, run(c, dp_buf_view(&input), NULL, &out, &err));
    assert_null(dp_cluster_soft(c, 0, &n));
    dp_cluster_free(c);
    dp_buf_done(&input);
    dp_buf_done(&out);
}

static int stop_at_once(void *ctx, uint64_t done, uint64_t total, const char *unit)
{
    (void)done, (void)total, (void)unit;
    ++*(int *)ctx;
    return 1;
}

static void says_what_is_wrong(void **state)
{
    (void)state;
    dp_buf      out = {0}, many = {0};
    dp_cluster *c;
    dp_error    err, bad;
    int         calls = 0;
    assert_int_equal(DP_OK, dp_cluster_new(&c));
    assert_int_equal(DP_EINVALID, dp_cluster_set(c, DP_CLUSTER_SHINGLES, 5));
    assert_int_equal(DP_EINVALID, dp_cluster_set(c, DP_CLUSTER_SIMHASH, 9));
    assert_int_equal(DP_EINVALID, dp_cluster_set(c, DP_CLUSTER_SIMHASH, -2));
    assert_int_equal(DP_EINVALID, dp_cluster_set(c, (dp_cluster_option)99, 0));
    assert_int_equal(DP_EINVALID, run(c, DP_STR("http://a.com/1\nhttp://a.com/2\n"), "urls", &out, &err));
    assert_non_null(strstr(err.message, "nothing to compare"));
    assert_int_equal(DP_OK, run(c, DP_STR("url\tstatus\tdigest\nhttp://a.com/1\tx\ty\nhttp://a.com/\t200\ty\n"
                                          "mailto:x\t200\ty\n"), "tsv", &out, &err));
    assert_int_equal(1, dp_cluster_total(c, DP_CLUSTER_BAD));
    assert_int_equal(1, dp_cluster_total(c, DP_CLUSTER_NOT_URLS));
    assert_int_equal(DP_OK, dp_cluster_bad(c, 0, &bad));
    assert_int_equal(2, bad.line);
    assert_int_equal(DP_EINVALID, dp_cluster_bad(c, 1, &bad));
    assert_int_equal(DP_OK, dp_cluster_set(c, DP_CLUSTER_STRICT, 1));
    assert_int_equal(DP_ESYNTAX, run(c, DP_STR("url\tstatus\tdigest\nhttp://a.com/1\tx\ty\n"), "tsv", &out, &err));
    const char *none = "/nowhere/at/all";
    assert_int_equal(DP_EIO, dp_cluster_run(c, &none, 1, 1, &err));
    make_soft(&many);
    dp_cluster_progress(c, stop_at_once, &calls);
    assert_int_equal(DP_EINVALID, run(c, dp_buf_view(&many), NULL, &out, &err));
    assert_string_equal("stopped", err.message);
    assert_int_equal(1, calls);
    dp_cluster_free(c);
    dp_buf_done(&out);
    dp_buf_done(&many);
}

/* More pages than a batch holds; a third of them show the text of another. */
static void threads_change_nothing(void **state)
{
    (void)state;
    enum { PAGES = 1300 };
    dp_buf archive = {0}, one = {0}, three = {0};
    for (int i = 0; i < PAGES; i++) {
        char url[64], body[96];
        snprintf(url, sizeof url, "http://a.com/%d", i);
        snprintf(body, sizeof body, "<title>%d</title><p>The page of number %d", i % 7, i % (PAGES * 2 / 3));
        add_response(&archive, url, "text/html", body);
    }
    for (int threads = 1; threads <= 3; threads += 2) {
        dp_cluster *c;
        dp_error    err;
        assert_int_equal(DP_OK, dp_cluster_new(&c));
        assert_int_equal(DP_OK, dp_cluster_set(c, DP_CLUSTER_THREADS, threads));
        assert_int_equal(DP_OK, run(c, dp_buf_view(&archive), NULL, threads == 1 ? &one : &three, &err));
        assert_int_equal(PAGES, dp_cluster_total(c, DP_CLUSTER_PAGES));
        assert_true(dp_cluster_total(c, DP_CLUSTER_GROUPS) >= PAGES / 3);
        dp_cluster_free(c);
    }
    assert_string_equal(one.p, three.p);
    dp_buf_done(&archive);
    dp_buf_done(&one);
    dp_buf_done(&three);
}

/* Into a descriptor that is open before, so that only the run allocates. */
static void survives_every_allocation_failure(void **state)
{
    (void)state;
    dp_buf archive = {0}, lines = {0};
    make_archive(&archive);
    make_soft(&lines);
    dp_buf_c(&lines, "http://a.com/p/7?token=1\tz\n");
    const char *paths[2];
    paths[0] = dp_temp_write("archive", dp_buf_view(&archive));
    paths[1] = dp_temp_write("lines", dp_buf_view(&lines));
    int         fd = open("/dev/null", O_WRONLY);
    DP_EVERY_ALLOC_FAILURE
    {
        dp_cluster *c = NULL;
        dp_error    err;
        dp_err      code = dp_cluster_new(&c);
        if (code == DP_OK)
            code = dp_cluster_set(c, DP_CLUSTER_SHINGLES, 2) || dp_cluster_set(c, DP_CLUSTER_MASK, 1) ||
                   dp_cluster_set(c, DP_CLUSTER_THREADS, 1);
        if (code == DP_OK)
            code = dp_cluster_run(c, paths, 2, fd, &err);
        /* Readers go on without the text of a message that nobody will see. */
        assert_true(code == DP_OK || (dp_alloc_failed() && code == DP_ENOMEM));
        dp_cluster_free(c);
    }
    close(fd);
    dp_buf_done(&archive);
    dp_buf_done(&lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(clusters_the_table, dp_temp_remove),
        cmocka_unit_test_teardown(bodies_are_compared_by_what_is_seen, dp_temp_remove),
        cmocka_unit_test_teardown(soft_errors_are_told_and_left_out_or_marked, dp_temp_remove),
        cmocka_unit_test_teardown(threads_change_nothing, dp_temp_remove),
        cmocka_unit_test_teardown(says_what_is_wrong, dp_temp_remove),
        cmocka_unit_test_teardown(survives_every_allocation_failure, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
