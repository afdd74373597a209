/* cmd_cluster.c - dustpan cluster: which URLs show the same page.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include "base/plural.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/records.h"
#include "cli/say.h"
#include "cli/target.h"

static const char about[] =
    "Find the URLs that show the same page: the same bytes (by digest), the same visible text, or\n"
    "what --shingles and --simhash accept as the same. Writes a line per URL: cluster, TAB, URL.\n"
    "Input: WARC files, or records with digests, sketches or simhashes; - is standard input.";

enum { SOFT_SHOWN = 5 };

typedef struct options {
    dp_record_files in;
    const char     *output;
    bool            same_title, mask, explain, keep_soft, any_status, relabel, json, strict, quiet, progress;
    int             raw;
    int64_t         shingles, simhash, min_size, soft_urls, threads;
    double          soft_share;
    const char     *url[2]; /* with explain */
} options;

static int parse(options *o, int argc, char **argv, dp_arena *a)
{
    const dp_option table[] = {
        {'o', "output", "FILE", "write to FILE instead of standard output, once it is complete", .text = &o->output},
        {0, "shingles", "K", "also the same: K of the 4 min-hashes are equal; 1 to 4", .number = &o->shingles,
         .max = 4},
        {0, "simhash", "K", "also the same: simhashes differ in at most K bits; 0 to 8", .number = &o->simhash,
         .max = 8},
        {0, "same-title", NULL, "pages with different titles are never the same", .flag = &o->same_title},
        {0, "mask", NULL, "ignore times, dates, counters and session ids in texts", .flag = &o->mask},
        {0, "explain", NULL, "show what differs between two pages, and why: URL URL FILE...", .flag = &o->explain},
        {0, "min-size", "N", "ignore digests of pages of at most N bytes; default 512", .number = &o->min_size,
         .max = INT64_MAX},
        {0, "soft-urls", "N", "a soft error has at least N URLs on a host; default 20, 0: never",
         .number = &o->soft_urls, .max = UINT32_MAX},
        {0, "soft-share", "P", "... and more than this share of the host's URLs; default .01", .share = &o->soft_share},
        {0, "keep-soft-errors", NULL, "also write soft errors, marked soft:", .flag = &o->keep_soft},
        {0, "any-status", NULL, "also compare pages with a status other than 200", .flag = &o->any_status},
        {0, "relabel", NULL, "make new clusters even where the input has some", .flag = &o->relabel},
        DP_RECORDS_OPTIONS(&o->in),
        DP_IDENTITY_OPTION(&o->in),
        {0, "examples", "masked|raw", "hide possible secrets in messages, or show them; default masked",
         .choice = &o->raw},
        {0, "json", NULL, "write one JSON object per line: cluster, url, soft_error", .flag = &o->json},
        {0, "strict", NULL, "stop at the first line that cannot be read", .flag = &o->strict},
        {'t', "threads", "N", "number of threads; 0, the default: one per core", .number = &o->threads, .max = 1024},
        DP_METER_OPTIONS(o),
    };
    const dp_usage usage = {"cluster", "[FILE...]", about, table, DP_COUNT(table), 0, SIZE_MAX};
    int status = dp_options_parse(&usage, argc, argv, &o->in.files, a);
    if (status != DP_GO_ON || !o->explain)
        return status;
    if (o->in.files.n < 2 || strcmp(o->in.files.v[0], o->in.files.v[1]) == 0) {
        dp_say("cluster: --explain needs two different URLs: dustpan cluster --explain URL URL FILE...");
        return DP_EXIT_ERROR;
    }
    for (int i = 0; i < 2; i++)
        o->url[i] = o->in.files.v[i];
    o->in.files.v += 2;
    o->in.files.n -= 2;
    return status;
}

static dp_err configure(dp_cluster *c, const options *o)
{
    const struct {
        dp_cluster_option option;
        int64_t           value;
    } set[] = {
        {DP_CLUSTER_SHINGLES, o->shingles},
        {DP_CLUSTER_SIMHASH, o->simhash},
        {DP_CLUSTER_SAME_TITLE, o->same_title},
        {DP_CLUSTER_MASK, o->mask},
        {DP_CLUSTER_MIN_SIZE, o->min_size},
        {DP_CLUSTER_SOFT_URLS, o->soft_urls},
        {DP_CLUSTER_SOFT_SHARE, (int64_t)(o->soft_share * 1e6 + .5)},
        {DP_CLUSTER_KEEP_SOFT, o->keep_soft},
        {DP_CLUSTER_ANY_STATUS, o->any_status},
        {DP_CLUSTER_RELABEL, o->relabel},
        {DP_CLUSTER_RAW, o->raw},
        {DP_CLUSTER_FORMAT, o->json ? DP_JSON : DP_PLAIN},
        {DP_CLUSTER_STRICT, o->strict},
        {DP_CLUSTER_THREADS, o->threads},
    };
    for (size_t i = 0; i < DP_COUNT(set); i++)
        DP_TRY(dp_cluster_set(c, set[i].option, set[i].value));
    for (int i = 0; i < DP_RECORDS_HOW; i++)
        DP_TRY(dp_cluster_input(c, (dp_input_option)i, o->in.how[i]));
    return DP_OK;
}

static dp_err run(dp_cluster *c, const options *o, dp_error *err)
{
    dp_list   in = dp_list_or_stdin(o->in.files);
    dp_target out;
    dp_meter  meter;
    dp_meter_init(&meter, o->progress, o->quiet);
    dp_cluster_progress(c, meter.on ? dp_meter_show : NULL, &meter);
    DP_TRY(dp_target_open(&out, o->output, err));
    dp_err code = o->explain ? dp_cluster_explain(c, o->url[0], o->url[1], in.v, in.n, out.fd, err)
                             : dp_cluster_run(c, in.v, in.n, out.fd, err);
    dp_meter_done(&meter);
    if (code == DP_EIO && !err->file[0])
        snprintf(err->file, sizeof err->file, "%s", out.name);
    if (code == DP_OK)
        code = dp_target_commit(&out, err);
    dp_target_abort(&out);
    return code;
}

static void say_bad(const dp_cluster *c)
{
    dp_error bad;
    uint64_t all = dp_cluster_total(c, DP_CLUSTER_BAD), shown = 0;
    for (; dp_cluster_bad(c, shown, &bad) == DP_OK; shown++)
        dp_say_error(&bad);
    dp_records_say_more(shown, all);
}

/* "id TAB urls TAB host TAB example", in words. */
static void say_soft_error(dp_str line, const options *o)
{
    dp_str part[4] = {{0}};
    for (size_t i = 0; i < DP_COUNT(part) && line.n; i++) {
        const char *tab = memchr(line.p, '\t', line.n);
        size_t      n = tab ? (size_t)(tab - line.p) : line.n;
        part[i] = dp_str_cut(line, 0, n);
        line = dp_str_cut(line, tab ? n + 1 : n, line.n);
    }
    dp_say("soft error%s: %.*s URLs of %.*s show one page, such as %.*s (cluster %.*s)",
           o->keep_soft ? "" : ", left out", DP_FMT(part[1]), DP_FMT(part[2]), DP_FMT(part[3]), DP_FMT(part[0]));
}

/* A line each, so that people see what was taken for errors. */
static void say_soft(const dp_cluster *c, const options *o)
{
    size_t      n, all = 0;
    const char *line;
    while ((line = dp_cluster_soft(c, all, &n))) {
        if (all++ >= SOFT_SHOWN)
            continue;
        if (o->json)
            dp_say("soft error%s: %.*s", o->keep_soft ? "" : ", left out", (int)n, line);
        else
            say_soft_error((dp_str){line, n}, o);
    }
    if (all > SOFT_SHOWN)
        dp_say("... and %zu more soft error%s", all - SOFT_SHOWN, dp_s(all - SOFT_SHOWN));
}

/* Records that made no line, and why. */
static void say_left_out(const dp_cluster *c, const options *o)
{
    static const struct {
        dp_cluster_count count;
        const char      *one, *many;
    } why[] = {
        {DP_CLUSTER_NOT_PAGES, "request that shows no page (not GET, or not answered with 200)",
         "requests that show no page (not GET, or not answered with 200)"},
        {DP_CLUSTER_UNKNOWN, "without content to compare", "without content to compare"},
        {DP_CLUSTER_NOT_URLS, "not a URL", "not URLs"},
        {DP_CLUSTER_REPEATED, "repeated URL", "repeated URLs"},
        {DP_CLUSTER_BAD, "line that cannot be read", "lines that cannot be read"},
    };
    dp_buf b = {.max = 1024};
    for (size_t i = 0; i < DP_COUNT(why); i++)
        dp_count_add(&b, dp_cluster_total(c, why[i].count), why[i].one, why[i].many);
    if (!o->keep_soft)
        dp_count_add(&b, dp_cluster_total(c, DP_CLUSTER_SOFT_PAGES), "URL of soft errors", "URLs of soft errors");
    if (b.n && !b.failed)
        dp_say("left out: %.*s", DP_FMT(dp_buf_view(&b)));
    dp_buf_done(&b);
}

/* Pages that may be the same. */
static void say_alike(const dp_cluster *c, const options *o)
{
    uint64_t    pages = dp_cluster_total(c, DP_CLUSTER_ALIKE);
    size_t      n, m;
    const char *a = dp_cluster_alike(c, 0, &n), *b = dp_cluster_alike(c, 1, &m);
    if (!pages || !a || !b)
        return;
    dp_say("%" PRIu64 " %s from another one only in a few places, such as these two:", pages,
           dp_plural(pages, "page differs", "pages differ"));
    dp_say("  %.*s", (int)n, a);
    dp_say("  %.*s", (int)m, b);
    dp_say("  (dustpan cluster --explain URL URL FILE... shows where); fetch some URLs twice to learn whether that "
           "matters:");
    dp_say("  dustpan validate --echo 50 -o echo.warc.gz %s", dp_list_name(o->in.files, "FILE..."));
}

static void say_summary(const dp_cluster *c, const options *o)
{
    uint64_t records = dp_cluster_total(c, DP_CLUSTER_RECORDS), urls = dp_cluster_total(c, DP_CLUSTER_PAGES);
    uint64_t pages = dp_cluster_total(c, DP_CLUSTER_SETS), several = dp_cluster_total(c, DP_CLUSTER_GROUPS);
    uint64_t named = dp_cluster_total(c, DP_CLUSTER_LABELLED);
    char     share[96] = "no page has two URLs";
    if (several)
        snprintf(share, sizeof share, "%" PRIu64 " %s two or more URLs, at most %" PRIu64, several,
                 dp_plural(several, "page has", "pages have"), dp_cluster_total(c, DP_CLUSTER_LARGEST));
    if (urls)
        dp_say("%" PRIu64 " record%s: %" PRIu64 " URL%s %s %" PRIu64 " page%s; %s", records, dp_s(records), urls,
               dp_s(urls), dp_plural(urls, "shows", "show"), pages, dp_s(pages), share);
    else
        dp_say("%" PRIu64 " record%s", records, dp_s(records));
    if (named)
        dp_say("%" PRIu64 " URL%s passed on with the clusters that the input names (--relabel makes new ones)", named,
               dp_s(named));
    say_left_out(c, o);
    say_alike(c, o);
    const char *out = o->output;
    if (urls + named)
        dp_say_next("dustpan learn -o site.rules %s", dp_list_name((dp_list){&out, out != NULL}, "CLUSTERS"));
}

int dp_cmd_cluster(int argc, char **argv, dp_arena *a)
{
    options     o = {.simhash = -1, .min_size = 512, .soft_urls = 20, .soft_share = .01};
    dp_cluster *c = NULL;
    dp_error    err = {0};
    int         status = parse(&o, argc, argv, a);
    if (status != DP_GO_ON)
        return status;
    dp_err code = dp_cluster_new(&c);
    if (code == DP_OK)
        code = configure(c, &o);
    if (code != DP_OK)
        dp_fail_as(&err, code);
    else
        code = run(c, &o, &err);
    if (c && !o.quiet && code == DP_OK && !o.explain) {
        say_bad(c);
        say_soft(c, &o);
        say_summary(c, &o);
    }
    status = code == DP_OK ? DP_EXIT_OK : dp_say_error(&err);
    dp_cluster_free(c);
    return status;
}
