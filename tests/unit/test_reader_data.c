/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/intern.h"
#include "input/reader.h"
#include "support/data.h"

/* Every file of ../shared/data but wpt-url, and what must be found in it: records, bad lines, distinct URLs, and
 * records that can be evidence of what a page holds. The comments are what the READMEs there say. */
static const struct {
    const char *file, *format;
    size_t      records, bad, urls, pages;
} files[] = {
    /* README: 67 records with filedesc, dns and warcinfo among them, 63 URLs */
    {"cdx-archiveit-sfha/index-1.cdx", "cdx", 63, 0, 63, 60},
    /* 665 records, 650 URLs */
    {"cdx-archiveit-sfha/index-2.cdx", "cdx", 650, 0, 650, 646},
    {"cdxj-iana/dupes.cdxj", "cdxj", 12, 0, 11, 11},
    {"cdxj-iana/dupes.warc.gz", "warc", 12, 0, 11, 11},
    /* 171 lines, 43 distinct URLs, in each of its three shapes */
    {"cdxj-iana/iana.cdx", "cdx", 171, 0, 43, 167},
    {"cdxj-iana/iana.cdxj", "cdxj", 171, 0, 43, 167},
    {"cdxj-iana/iana.warc.gz", "warc", 171, 0, 43, 167},
    /* 160 rows with 158 distinct URLs */
    {"crawl-netarchive/clusters.tsv.gz", "tsv", 160, 0, 158, 160},
    /* four logs: 3,032 lines without dns: (see below) */
    {"crawl-netarchive/crawl-9.log.gz", "crawllog", 212, 0, 211, 183},
    {"crawl-netarchive/crawl-job11.log.gz", "crawllog", 1959, 0, 1957, 739},
    {"crawl-netarchive/crawl-job5.log.gz", "crawllog", 713, 0, 710, 234},
    {"crawl-netarchive/crawl-tv2.log.gz", "crawllog", 148, 0, 148, 118},
    /* 252 lines, 21 of them dns: and filedesc: */
    {"crawl-netarchive/jobs-2-4-70.cdx", "cdx", 231, 0, 77, 231},
    {"crawl-netarchive/netarkivet-20081105135926-00000.warc.gz", "warc", 22, 0, 22, 20},
    {"crawl-netarchive/netarkivet-20081105135926-00001.warc.gz", "warc", 20, 0, 20, 16},
    {"crawl-netarchive/netarkivet-20081105140044-00002.warc.gz", "warc", 1, 0, 1, 1},
    {"live-docs/access-vhost.log.gz", "combined", 5913, 0, 5092, 5796},
    {"live-docs/access.log.gz", "combined", 5913, 0, 2579, 5796},
    {"live-docs/clusters-near.tsv.gz", "tsv", 4962, 0, 4962, 4962},
    {"live-docs/clusters.tsv.gz", "tsv", 4962, 0, 4962, 4962},
    /* 5,000 URLs */
    {"live-docs/pages.tsv.gz", "tsv", 5000, 0, 5000, 4962},
    {"live-dokuwiki/access.log.gz", "combined", 3948, 0, 3593, 3938},
    {"live-dokuwiki/clusters-near.tsv.gz", "tsv", 3498, 0, 3498, 3498},
    {"live-dokuwiki/clusters.tsv.gz", "tsv", 3498, 0, 3498, 3498},
    /* 3,500 URLs, 3,498 answered 200 */
    {"live-dokuwiki/crawl.warc.gz", "warc", 3500, 0, 3500, 3498},
    {"live-dokuwiki/pages.tsv.gz", "tsv", 3500, 0, 3500, 3498},
    /* 10,000 lines, 1,498 distinct; one line ends inside of its agent */
    {"log-semicomplete/access.log.gz", "combined", 9999, 1, 1498, 9090},
    /* 11,676 lines, 2,250 distinct; two of them are a proxy's */
    {"log-society2013/access.log.gz", "combined", 11674, 2, 2248, 10028},
    {"redirects-githubdocs/clusters.tsv.gz", "tsv", 23364, 0, 23364, 23364},
    {"redirects-githubdocs/pairs.tsv.gz", "tsv", 20145, 0, 20138, 20145},
    {"redirects-mdn/clusters.tsv.gz", "tsv", 24317, 0, 24317, 24317},
    {"redirects-mdn/pairs.tsv.gz", "tsv", 17572, 0, 17572, 17572},
    {"redirects-sqldocs/clusters.tsv.gz", "tsv", 24401, 0, 24401, 24401},
    {"redirects-sqldocs/pairs.tsv.gz", "tsv", 12774, 0, 12774, 12774},
    {"site-networkx/index.cdxj.gz", "cdxj", 77870, 0, 77870, 77870},
    /* 1,645 clusters with 3,722 URLs */
    {"urls-archived-hosts/blog.newrelic.com.silver.tsv.gz", "tsv", 3722, 0, 3722, 3722},
    {"urls-archived-hosts/blog.newrelic.com.txt.gz", "urls", 19550, 0, 19550, 19550},
    {"urls-archived-hosts/businesshelp.snapchat.com.txt.gz", "urls", 5138, 0, 5138, 5138},
    {"urls-archived-hosts/capturingreality.com.txt.gz", "urls", 35630, 0, 35630, 35630},
    {"urls-mixed48k/urls.txt.gz", "urls", 47905, 0, 47905, 47905},
    /* 261 HTTP responses for 261 URLs */
    {"warc-archiveorg/example.warc.gz", "warc", 261, 0, 261, 214},
};

typedef struct counts {
    size_t    records, bad, pages, clusters, digests, sketches, targets, bodies;
    dp_intern urls, cluster, digest, body;
    uint32_t  seen;
    char      format[16];
} counts;

static void keep(dp_intern *m, dp_str key)
{
    uint32_t v;
    if (!dp_intern_find(m, key, &v))
        assert_true(dp_intern_add(m, key, 1));
}

static counts count(const char *name, bool want_body)
{
    counts      c = {0};
    const char *path = dp_test_data(name);
    dp_reader  *r;
    dp_record   rec;
    dp_error    err = {0};
    bool        more;
    dp_err code =
        dp_reader_open(&r, &path, 1, &(dp_reader_options){.base_url = "http://a.com", .want_body = want_body}, &err);
    if (code != DP_OK)
        fail_msg("%s: %s", name, err.message);
    snprintf(c.format, sizeof c.format, "%s", dp_reader_format(r));
    while ((code = dp_reader_next(r, &rec, &more, &err)) == DP_OK && more) {
        c.records++;
        c.pages += dp_record_is_page(&rec);
        c.sketches += dp_record_has(&rec, DP_FIELD_SKETCH);
        c.targets += dp_record_has(&rec, DP_FIELD_TARGET);
        c.bodies += rec.body.n > 0;
        if (rec.body.n && rec.status == 200)
            keep(&c.body, rec.body);
        keep(&c.urls, rec.url);
        if (dp_record_has(&rec, DP_FIELD_CLUSTER))
            keep(&c.cluster, rec.cluster);
        if (dp_record_has(&rec, DP_FIELD_DIGEST))
            keep(&c.digest, rec.digest);
    }
    assert_int_equal(DP_OK, code);
    c.bad = dp_reader_bad(r);
    c.seen = dp_reader_seen(r);
    dp_reader_close(r);
    return c;
}

static void done(counts *c)
{
    dp_intern_done(&c->urls);
    dp_intern_done(&c->cluster);
    dp_intern_done(&c->digest);
    dp_intern_done(&c->body);
}

static void reads_every_file(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < DP_COUNT(files); i++) {
        counts c = count(files[i].file, false);
        if (strcmp(c.format, files[i].format) != 0 || c.records != files[i].records || c.bad != files[i].bad ||
            c.urls.n != files[i].urls || c.pages != files[i].pages) {
            print_message("%s: %s, %zu records, %zu bad, %zu URLs, %zu pages\n", files[i].file, c.format, c.records,
                          c.bad, c.urls.n, c.pages);
            wrong++;
        }
        done(&c);
    }
    assert_int_equal(0, wrong);
}

/* A file that is new there needs a row here. */
static void knows_every_file(void **state)
{
    (void)state;
    struct dirent *folder, *file;
    size_t         n = 0;
    char           root[4096];
    snprintf(root, sizeof root, "%s", dp_test_data("."));
    DIR *d = opendir(root);
    assert_non_null(d);
    while ((folder = readdir(d))) {
        char path[8192];
        snprintf(path, sizeof path, "%s/%s", root, folder->d_name);
        DIR *inner = folder->d_name[0] != '.' && strcmp(folder->d_name, "wpt-url") != 0 ? opendir(path) : NULL;
        while (inner && (file = readdir(inner))) {
            char   name[1024];
            size_t i = 0;
            if (file->d_name[0] == '.' || strcmp(file->d_name, "README.md") == 0)
                continue;
            snprintf(name, sizeof name, "%s/%s", folder->d_name, file->d_name);
            while (i < DP_COUNT(files) && strcmp(files[i].file, name) != 0)
                i++;
            if (i == DP_COUNT(files))
                fail_msg("no row for %s", name);
            n++;
        }
        if (inner)
            closedir(inner);
    }
    closedir(d);
    assert_int_equal(DP_COUNT(files), n);
}

static void finds_what_the_readmes_say(void **state)
{
    (void)state;
    /* crawl-netarchive: 3,032 lines without dns:, 2,318 distinct URLs over the four logs */
    static const char *const logs[] = {"crawl-9", "crawl-job11", "crawl-job5", "crawl-tv2"};
    dp_intern                urls = {0};
    size_t                   records = 0;
    for (size_t i = 0; i < DP_COUNT(logs); i++) {
        char name[64];
        snprintf(name, sizeof name, "crawl-netarchive/%s.log.gz", logs[i]);
        counts c = count(name, false);
        records += c.records;
        for (size_t j = 0; j < c.urls.n; j++)
            keep(&urls, c.urls.v[j].key);
        done(&c);
    }
    assert_int_equal(3032, records);
    assert_int_equal(2318, urls.n);
    dp_intern_done(&urls);

    static const struct { const char *file; size_t clusters, digests; } wants[] = {
        {"crawl-netarchive/clusters.tsv.gz", 60, 0},          {"live-dokuwiki/clusters.tsv.gz", 3148, 0},
        {"live-dokuwiki/clusters-near.tsv.gz", 2245, 0},      {"live-docs/clusters.tsv.gz", 1319, 0},
        {"redirects-mdn/clusters.tsv.gz", 6745, 0},           {"redirects-sqldocs/clusters.tsv.gz", 11627, 0},
        {"redirects-githubdocs/clusters.tsv.gz", 3221, 0},    {"site-networkx/index.cdxj.gz", 0, 66781},
        {"urls-archived-hosts/blog.newrelic.com.silver.tsv.gz", 1645, 0},
    };
    for (size_t i = 0; i < DP_COUNT(wants); i++) {
        counts c = count(wants[i].file, false);
        assert_int_equal(wants[i].clusters, c.cluster.n);
        assert_int_equal(wants[i].digests, c.digest.n);
        done(&c);
    }
}

static void archives_have_bodies(void **state)
{
    (void)state;
    counts c = count("warc-archiveorg/example.warc.gz", true);
    assert_int_equal(261, c.records);
    assert_int_equal(254, c.bodies);   /* the others are empty */
    assert_int_equal(177, c.body.n);   /* distinct ones of those answered 200 */
    done(&c);
    c = count("live-dokuwiki/pages.tsv.gz", false);
    assert_int_equal(3500, c.sketches);
    assert_int_equal(1, c.targets);
    done(&c);
}

/* The CDX, the CDXJ and the WARC file of one crawl agree. */
static void three_shapes_of_one_crawl_agree(void **state)
{
    (void)state;
    counts a = count("cdxj-iana/iana.cdx", false), b = count("cdxj-iana/iana.cdxj", false),
           c = count("cdxj-iana/iana.warc.gz", false);
    uint32_t v;
    for (size_t i = 0; i < c.urls.n; i++) {
        dp_str key = c.urls.v[i].key;
        assert_true(dp_intern_find(&a.urls, key, &v) && dp_intern_find(&b.urls, key, &v));
    }
    for (size_t i = 0; i < c.digest.n; i++) {
        dp_str key = c.digest.v[i].key;
        assert_true(dp_intern_find(&a.digest, key, &v) && dp_intern_find(&b.digest, key, &v));
    }
    assert_true(a.digest.n == b.digest.n && b.digest.n == c.digest.n);
    done(&a);
    done(&b);
    done(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_every_file),
        cmocka_unit_test(reads_every_file),
        cmocka_unit_test(finds_what_the_readmes_say),
        cmocka_unit_test(archives_have_bodies),
        cmocka_unit_test(three_shapes_of_one_crawl_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
