/* cmd_split.c - dustpan split: clusters to learn from, and clusters to test on.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <unistd.h>

#include "base/plural.h"
#include "cli/commands.h"
#include "cli/records.h"
#include "cli/say.h"
#include "cli/target.h"

static const char about[] =
    "Divide records into PREFIX.train.tsv, to learn from, and PREFIX.test.tsv, to test on. All URLs of\n"
    "a page go to the same file; a hash of the page's cluster decides which. The only page of a host\n"
    "goes to train. Lines are cluster, TAB, URL. Either both files are written or neither.";

typedef struct options {
    dp_record_files in;
    const char     *prefix;
    double          test;
    int64_t         seed;
    bool            strict, quiet;
} options;

static int parse(options *o, int argc, char **argv, dp_arena *a)
{
    const dp_option table[] = {
        {'o', "output", "PREFIX", "beginning of the names of both files; required", .text = &o->prefix},
        {0, "test", "SHARE", "share of the pages that go to test; default .5", .share = &o->test},
        {0, "seed", "N", "seed; another number divides the pages in another way; default 0", .number = &o->seed,
         .max = INT64_MAX},
        DP_RECORDS_OPTIONS(&o->in),
        DP_IDENTITY_OPTION(&o->in),
        {0, "strict", NULL, "stop at the first line that cannot be read", .flag = &o->strict},
        {'q', "quiet", NULL, "print errors only", .flag = &o->quiet},
    };
    const dp_usage usage = {"split", "[FILE...] -o PREFIX", about, table, DP_COUNT(table), 0, SIZE_MAX};
    int            status = dp_options_parse(&usage, argc, argv, &o->in.files, a);
    if (status != DP_GO_ON)
        return status;
    return o->prefix ? DP_GO_ON : dp_say_usage("split", "-o PREFIX is missing");
}

static dp_err configure(dp_divide *d, const options *o)
{
    for (int i = 0; i < DP_RECORDS_HOW; i++)
        DP_TRY(dp_divide_input(d, (dp_input_option)i, o->in.how[i]));
    return dp_divide_set(d, o->test, (uint64_t)o->seed, o->strict);
}

/* Commit both, or take the first away again. */
static dp_err commit(dp_target *train, dp_target *test, const char *train_path, dp_error *err)
{
    bool was_there = access(train_path, F_OK) == 0;
    DP_TRY(dp_target_commit(train, err));
    dp_err code = dp_target_commit(test, err);
    if (code != DP_OK && !was_there)
        unlink(train_path);
    return code;
}

static dp_err run(dp_divide *d, const options *o, const char *train_path, const char *test_path, dp_error *err)
{
    dp_list   in = dp_list_or_stdin(o->in.files);
    dp_target train, test;
    DP_TRY(dp_target_open(&train, train_path, err));
    dp_err code = dp_target_open(&test, test_path, err);
    if (code == DP_OK) {
        code = dp_divide_run(d, in.v, in.n, train.fd, test.fd, err);
        if (code == DP_OK)
            code = commit(&train, &test, train_path, err);
        dp_target_abort(&test);
    }
    dp_target_abort(&train);
    return code;
}

static void say_half(const char *path, uint64_t urls, uint64_t pages)
{
    dp_say("%s: %" PRIu64 " URL%s of %" PRIu64 " page%s", path, urls, dp_s(urls), pages, dp_s(pages));
}

static void say_summary(const dp_divide *d, const options *o, const char *train, const char *test)
{
    dp_error bad;
    uint64_t lines = dp_divide_total(d, DP_DIVIDE_BAD_LINES), shown = 0;
    for (; dp_divide_bad(d, shown, &bad) == DP_OK; shown++)
        dp_say_error(&bad);
    dp_records_say_more(shown, lines);
    say_half(train, dp_divide_total(d, DP_DIVIDE_TRAIN_URLS), dp_divide_total(d, DP_DIVIDE_TRAIN_CLUSTERS));
    say_half(test, dp_divide_total(d, DP_DIVIDE_TEST_URLS), dp_divide_total(d, DP_DIVIDE_TEST_CLUSTERS));
    uint64_t left_out = dp_divide_total(d, DP_DIVIDE_LEFT_OUT);
    if (left_out)
        dp_say("%" PRIu64 " record%s left out: no valid URL, no cluster or content, or a TAB or line feed in them",
               left_out, dp_s(left_out));
    if (dp_divide_total(d, DP_DIVIDE_TEST_URLS))
        dp_say_next("dustpan learn -o %s.rules %s && dustpan eval -r %s.rules %s", o->prefix, train, o->prefix,
                    test);
    else
        dp_say_next("dustpan learn -o %s.rules %s", o->prefix, train);
}

int dp_cmd_split(int argc, char **argv, dp_arena *a)
{
    options    o = {.test = .5};
    dp_divide *d = NULL;
    dp_error   err = {0};
    int        status = parse(&o, argc, argv, a);
    if (status != DP_GO_ON)
        return status;
    size_t n = strlen(o.prefix) + sizeof ".train.tsv";
    char  *train = dp_arena_alloc(a, n), *test = dp_arena_alloc(a, n);
    dp_err code = train && test ? dp_divide_new(&d) : DP_ENOMEM;
    if (code == DP_OK)
        code = configure(d, &o);
    if (code != DP_OK) {
        dp_fail_as(&err, code);
    } else {
        snprintf(train, n, "%s.train.tsv", o.prefix);
        snprintf(test, n, "%s.test.tsv", o.prefix);
        code = run(d, &o, train, test, &err);
    }
    status = code == DP_OK ? DP_EXIT_OK : dp_say_error(&err);
    if (code == DP_OK && !o.quiet)
        say_summary(d, &o, train, test);
    dp_divide_free(d);
    return status;
}
