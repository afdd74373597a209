/* Pages of real sites against what others found in them: ../shared/data/live-dokuwiki and live-docs.
 *
 * pages.tsv.gz gives, for each URL, the SHA-1 of its visible text, title, rel=canonical and simhash. Text and title
 * are defined as in content/html.h, so they must be equal; feeds (XML) are the exception: here they are text with
 * their tags, there without. Simhashes are of the same words, by BLAKE2b there (a script that used it got the same
 * values), by XXH3 here: distances are alike, values are not. Min-hashes are by functions that are not known.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/intern.h"
#include "content/page.h"
#include "content/simhash.h"
#include "content/words.h"
#include "input/reader.h"
#include "support/data.h"
#include "support/tempfile.h"

/* ---- reading ------------------------------------------------------------------------------------------ */

typedef struct known {
    uint64_t simhash, ours; /* ours: made here */
    dp_str   digest, title, canonical;
    bool     is_feed;
} known;

typedef struct table {
    dp_intern by_url;
    known    *v;
    size_t    n;
} table;

static dp_reader *open_data(const char *name, bool want_body)
{
    dp_reader              *r;
    dp_error                err = {0};
    const char             *path = dp_test_data(name);
    const dp_reader_options o = {.want_body = want_body};
    if (dp_reader_open(&r, &path, 1, &o, &err) != DP_OK)
        fail_msg("%s: %s", path, err.message);
    return r;
}

static dp_str copy(dp_arena *a, dp_str s)
{
    return dp_arena_str(a, s);
}

static void read_table(table *t, dp_arena *a, const char *name)
{
    dp_reader *r = open_data(name, false);
    dp_record  rec;
    bool       more = true;
    t->v = calloc(6000, sizeof *t->v);
    while (dp_reader_next(r, &rec, &more, NULL) == DP_OK && more) {
        if (rec.status != 200)
            continue;
        t->v[t->n] = (known){.simhash = rec.simhash, .digest = copy(a, rec.digest), .title = copy(a, rec.title),
                             .canonical = copy(a, rec.canonical)};
        assert_true(dp_intern_add(&t->by_url, rec.url, (uint32_t)t->n));
        assert_true(++t->n < 6000);
    }
    dp_reader_close(r);
}

static void sha1_hex(char out[41], dp_str text)
{
    unsigned char md[EVP_MAX_MD_SIZE];
    assert_int_equal(1, EVP_Digest(text.n ? text.p : "", text.n, md, NULL, EVP_sha1(), NULL));
    for (size_t i = 0; i < 20; i++)
        snprintf(out + 2 * i, 3, "%02x", md[i]);
}

/* ---- pages ---------------------------------------------------------------------------------------------- */

typedef struct agreement {
    size_t pages, feeds, text, title, canonical;
} agreement;

static void compare_page(agreement *n, known *k, const dp_page *p, dp_words *w, bool is_feed)
{
    char hex[41];
    sha1_hex(hex, p->text);
    n->pages++;
    n->feeds += is_feed;
    n->text += dp_str_eq(k->digest, dp_str_c(hex));
    /* long titles are cut there */
    n->title += dp_str_eq(k->title, p->title) || (k->title.n >= 250 && dp_str_starts(p->title, k->title));
    n->canonical += dp_str_eq(k->canonical, p->canonical);
    assert_int_equal(DP_OK, dp_words_read(w, p->text));
    k->ours = dp_simhash(w->v, w->n);
    k->is_feed = is_feed;
}

/* Which pairs are near. Another hash of words moves a distance by some bits, the more the fewer
 * words a page has; so most of those within 3 there are within 8 here, and the reverse. */
static void compare_distances(const table *t)
{
    size_t near[2] = {0}, also[2] = {0}, both = 0;
    for (size_t i = 0; i < t->n; i++) {
        for (size_t j = 0; j < i; j++) {
            if (t->v[i].is_feed || t->v[j].is_feed)
                continue;
            unsigned d[2] = {dp_simhash_distance(t->v[i].simhash, t->v[j].simhash),
                             dp_simhash_distance(t->v[i].ours, t->v[j].ours)};
            for (int k = 0; k < 2; k++) {
                near[k] += d[k] <= 3;
                also[k] += d[k] <= 3 && d[!k] <= 8;
            }
            both += d[0] <= 3 && d[1] <= 3;
        }
    }
    double share[2] = {(double)also[0] / (double)near[0], (double)also[1] / (double)near[1]};
    print_message("pairs within 3 bits: theirs %zu, ours %zu, both %zu; within 8 here %.4f of theirs, there %.4f of "
                  "ours\n",
                  near[0], near[1], both, share[0], share[1]);
    assert_true(share[0] > .9 && share[1] > .9);
}

static void pages_of_a_wiki_are_read_as_others_read_them(void **state)
{
    (void)state;
    table           t = {0};
    dp_arena        a = {0};
    agreement       n = {0};
    dp_words        words = {0};
    dp_page_reader *pages;
    dp_record       rec;
    bool            more = true;
    read_table(&t, &a, "live-dokuwiki/pages.tsv.gz");
    dp_reader *r = open_data("live-dokuwiki/crawl.warc.gz", true);
    assert_int_equal(DP_OK, dp_page_reader_new(&pages));
    while (dp_reader_next(r, &rec, &more, NULL) == DP_OK && more) {
        const dp_page_source in = {rec.url, rec.header, rec.mime, rec.body};
        dp_page              p;
        uint32_t             i;
        if (rec.status != 200 || !dp_intern_find(&t.by_url, rec.url, &i))
            continue;
        assert_int_equal(DP_OK, dp_page_read(pages, &p, &in));
        compare_page(&n, &t.v[i], &p, &words, dp_str_eq(rec.mime, DP_STR("application/xml")));
    }
    print_message("%zu pages, %zu of them feeds: equal text %zu, title %zu, canonical %zu\n", n.pages, n.feeds, n.text,
                  n.title, n.canonical);
    assert_int_equal(3498, n.pages);
    assert_int_equal(12, n.feeds);
    assert_int_equal(n.pages - n.feeds, n.text);
    assert_int_equal(n.pages - n.feeds, n.title);
    assert_int_equal(n.pages, n.canonical);
    compare_distances(&t);
    dp_reader_close(r);
    dp_page_reader_free(pages);
    dp_words_done(&words);
    dp_intern_done(&t.by_url);
    free(t.v);
    dp_arena_done(&a);
}

/* ---- clusters -------------------------------------------------------------------------------------------- */

typedef struct labels {
    dp_intern url;   /* to its number */
    dp_intern name;  /* of a cluster, to its number */
    uint32_t *cluster;
    size_t    n;
} labels;

static void read_labels(labels *l, const char *path)
{
    dp_reader  *r;
    dp_error    err = {0};
    dp_record   rec;
    bool        more = true;
    const char *paths[] = {path};
    if (dp_reader_open(&r, paths, 1, &(dp_reader_options){.format = "clusters"}, &err) != DP_OK)
        fail_msg("%s: %s", path, err.message);
    *l = (labels){.cluster = calloc(8000, sizeof *l->cluster)};
    while (dp_reader_next(r, &rec, &more, NULL) == DP_OK && more && l->n < 8000) {
        uint32_t id = (uint32_t)l->name.n;
        if (!dp_intern_find(&l->name, rec.cluster, &id))
            assert_true(dp_intern_add(&l->name, rec.cluster, id));
        assert_true(dp_intern_add(&l->url, rec.url, (uint32_t)l->n));
        l->cluster[l->n++] = id;
    }
    dp_reader_close(r);
}

static void free_labels(labels *l)
{
    dp_intern_done(&l->url);
    dp_intern_done(&l->name);
    free(l->cluster);
}

typedef struct score {
    size_t urls, clusters, ours, truth, both; /* the last three: pairs */
} score;

/* Pairs of one cluster here, there, and both; by URLs that both have. */
static score compare(const labels *have, const labels *want)
{
    score     s = {.clusters = have->name.n};
    uint32_t *other = calloc(have->n + 1, sizeof *other);
    bool     *shared = calloc(have->n + 1, sizeof *shared);
    for (size_t i = 0; i < have->url.n; i++) {
        const dp_intern_key *k = &have->url.v[i];
        uint32_t             at;
        if (dp_intern_find(&want->url, k->key, &at)) {
            shared[k->value] = true;
            other[k->value] = want->cluster[at];
            s.urls++;
        }
    }
    for (size_t i = 0; i < have->n; i++) {
        for (size_t j = 0; j < i && shared[i]; j++) {
            bool here = shared[j] && have->cluster[i] == have->cluster[j], there = shared[j] && other[i] == other[j];
            s.ours += here;
            s.truth += there;
            s.both += here && there;
        }
    }
    free(other);
    free(shared);
    return s;
}

typedef struct setting {
    const char *input;
    int         shingles, simhash, titles;
    const char *truth;
    double      precision, recall; /* at least */
} setting;

static void measure(const setting *o)
{
    dp_cluster *c;
    dp_error    err;
    char        truth[256];
    labels      have, want;
    snprintf(truth, sizeof truth, "%s", dp_test_data(o->truth));
    const char *input = dp_test_data(o->input), *out = dp_temp_path("clusters.tsv");
    int         fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(DP_OK, dp_cluster_new(&c));
    assert_int_equal(DP_OK, dp_cluster_set(c, DP_CLUSTER_SHINGLES, o->shingles));
    assert_int_equal(DP_OK, dp_cluster_set(c, DP_CLUSTER_SIMHASH, o->simhash));
    assert_int_equal(DP_OK, dp_cluster_set(c, DP_CLUSTER_SAME_TITLE, o->titles));
    assert_int_equal(DP_OK, dp_cluster_set(c, DP_CLUSTER_MIN_SIZE, 0));
    assert_int_equal(DP_OK, dp_cluster_set(c, DP_CLUSTER_SOFT_URLS, 0));
    if (fd < 0 || dp_cluster_run(c, &input, 1, fd, &err) != DP_OK)
        fail_msg("%s: %s", o->input, err.message);
    close(fd);
    read_labels(&have, out);
    read_labels(&want, truth);
    score  s = compare(&have, &want);
    double precision = (double)s.both / (double)s.ours, recall = (double)s.both / (double)s.truth;
    print_message("%-27s shingles %d simhash %2d titles %d: %zu URLs in %zu clusters; against %s (%zu): precision %.4f "
                  "recall %.4f\n",
                  o->input, o->shingles, o->simhash, o->titles, s.urls, s.clusters, o->truth, want.name.n, precision,
                  recall);
    assert_int_equal(have.n, s.urls);
    assert_true(precision >= o->precision && recall >= o->recall);
    free_labels(&have);
    free_labels(&want);
    dp_cluster_free(c);
}

#define WIKI "live-dokuwiki/"
#define DOCS "live-docs/"

/* Equal text must be equal text; near clusters are what they are, and are printed. */
static void clusters_of_live_sites_are_those_that_others_found(void **state)
{
    (void)state;
    static const setting settings[] = {
        {WIKI "crawl.warc.gz", 0, -1, 0, WIKI "clusters.tsv.gz", 1, 1},
        {WIKI "pages.tsv.gz", 0, -1, 0, WIKI "clusters.tsv.gz", 1, 1},
        {DOCS "pages.tsv.gz", 0, -1, 0, DOCS "clusters.tsv.gz", 1, 1},
        {WIKI "pages.tsv.gz", 0, 3, 1, WIKI "clusters-near.tsv.gz", .99, .99},
        {DOCS "pages.tsv.gz", 0, 3, 1, DOCS "clusters-near.tsv.gz", .99, .99},
        {WIKI "crawl.warc.gz", 0, 3, 1, WIKI "clusters-near.tsv.gz", .85, .85},
        {WIKI "crawl.warc.gz", 4, -1, 0, WIKI "clusters.tsv.gz", 0, 1},
        {DOCS "pages.tsv.gz", 4, -1, 0, DOCS "clusters.tsv.gz", .98, 1},
    };
    for (size_t i = 0; i < DP_COUNT(settings); i++)
        measure(&settings[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_of_a_wiki_are_read_as_others_read_them),
        cmocka_unit_test_teardown(clusters_of_live_sites_are_those_that_others_found, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
