/* Facts as bytes, in buckets, on shelves, in memory and in files.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/pack.h"
#include "store/by_site.h"
#include "support/failing_alloc.h"

static const dp_slot slots[] = {
    {.hash = 5, .place = 6, .words = 7, .flags = DP_SLOT_OPENS},
    {.hash = 8, .place = 9, .words = 1, .kind = DP_SLOT_ID, .flags = DP_SLOT_IN_URL},
};

static const dp_fact facts[] = {
    {.kind = DP_FACT_PAGE, .url = DP_STR("http://a.com/1")},
    {.kind = DP_FACT_PAGE, .has = DP_FACT_CLUSTER | DP_FACT_SIZE | DP_FACT_CLIENT, .url = DP_STR("http://b.com/"),
     .cluster = 0x123456789abcdef0, .fold = 7, .size = 1 << 20, .clients = {"\5\0\0\0\6\0\0\0", 8}},
    {.kind = DP_FACT_PAGE, .has = DP_FACT_DIGEST | DP_FACT_TEXT | DP_FACT_SKETCH | DP_FACT_SIMHASH | DP_FACT_TIME |
             DP_FACT_HITS | DP_FACT_IMPORTANCE | DP_FACT_INLINKS | DP_FACT_HOPS | DP_FACT_LINK | DP_FACT_SLOTS,
     .url = DP_STR("http://www.a.com/2"), .digest = {1, 2}, .text = {3, 4}, .mime = 9,
     .sketch = {1, 2, 3, 4}, .simhash = 77, .time = -5, .hits = 3, .importance = .25, .inlinks = 8, .hops = 2,
     .link = DP_STR("http://b.com/x"), .slots = {(const char *)slots, sizeof slots}},
    {.kind = DP_FACT_REDIRECT, .has = DP_FACT_LINK, .url = DP_STR("http://c.com/"),
     .link = DP_STR("http://c.com/y")},
    {.kind = DP_FACT_NAMED, .url = DP_STR("http://a.com/"), .by = DP_BY_REDIRECT, .from = 11,
     .from_domain = DP_STR("b.com")},
};

/* The i-th of them, with its host, which is a part of the URL. */
static dp_fact fact(size_t i)
{
    dp_fact f = facts[i];
    f.host = dp_fact_host(f.url);
    return f;
}

static void assert_same(const dp_fact *a, const dp_fact *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->has, b->has);
    assert_true(dp_str_eq(a->url, b->url) && dp_str_eq(a->host, b->host) && dp_str_eq(a->link, b->link) &&
                dp_str_eq(a->slots, b->slots));
    assert_true(a->cluster == b->cluster && a->fold == b->fold && a->by == b->by && a->from == b->from &&
                dp_str_eq(a->from_domain, b->from_domain) && a->mime == b->mime && a->simhash == b->simhash &&
                a->size == b->size && a->time == b->time && a->hits == b->hits && a->inlinks == b->inlinks &&
                a->hops == b->hops && dp_str_eq(a->clients, b->clients) && dp_str_eq(a->sizes, b->sizes) &&
                a->importance == b->importance);
    assert_memory_equal(&a->digest, &b->digest, sizeof a->digest);
    assert_memory_equal(&a->text, &b->text, sizeof a->text);
    assert_memory_equal(a->sketch, b->sketch, sizeof a->sketch);
}

static void facts_come_back_from_their_bytes(void **state)
{
    (void)state;
    dp_buf b = {0};
    for (size_t i = 0; i < DP_COUNT(facts); i++) {
        dp_fact f = fact(i);
        dp_pack_fact(&b, &f, (uint32_t)i * 1000);
    }
    dp_str rest = dp_buf_view(&b);
    for (size_t i = 0; i < DP_COUNT(facts); i++) {
        dp_fact  f, want = fact(i);
        uint32_t domain;
        assert_true(dp_unpack_fact(&rest, &f, &domain));
        assert_int_equal(i * 1000, domain);
        assert_same(&want, &f);
    }
    assert_int_equal(0, rest.n);
    dp_buf_done(&b);
}

/* Bytes that are cut or changed anywhere are refused or read as something, but nothing is read beyond them. */
static void broken_bytes_do_no_harm(void **state)
{
    (void)state;
    dp_buf  b = {0};
    dp_fact whole = fact(2);
    dp_pack_fact(&b, &whole, 1);
    for (size_t n = 0; n < b.n; n++) {
        char    *copy = malloc(n + 1);
        dp_str   rest = {copy, n};
        dp_fact  f;
        uint32_t domain;
        assert_non_null(copy);
        memcpy(copy, b.p, n);
        assert_false(dp_unpack_fact(&rest, &f, &domain));
        free(copy);
    }
    for (size_t i = 0; i < b.n; i++) {
        dp_str   rest = dp_buf_view(&b);
        dp_fact  f;
        uint32_t domain;
        b.p[i] = (char)(b.p[i] ^ 0x55);
        (void)dp_unpack_fact(&rest, &f, &domain);
        b.p[i] = (char)(b.p[i] ^ 0x55);
    }
    dp_buf_done(&b);
}

/* Values that no fact has: folds and kinds of evidence are places in arrays. */
static void facts_that_cannot_be_are_refused(void **state)
{
    (void)state;
    const dp_fact bad[] = {
        {.kind = DP_FACT_PAGE, .has = DP_FACT_CLUSTER, .fold = 10},
        {.kind = DP_FACT_PAGE, .has = DP_FACT_CLUSTER, .fold = 200},
        {.kind = DP_FACT_NAMED, .by = DP_BY_LIST},
        {.kind = DP_FACT_NAMED, .by = DP_BYS},
        {.kind = DP_FACT_NAMED, .by = 255},
        {.kind = DP_FACT_GONE, .has = DP_FACT_SIZE, .size = 1},
        {.kind = DP_FACT_PAGE, .has = DP_FACT_PARTS + 1},
        {.kind = DP_FACT_PAGE, .has = DP_FACT_CLIENT, .clients = DP_STR("three")},
        {.kind = DP_FACT_PAGE, .has = DP_FACT_SIZES, .sizes = DP_STR("four")},
        {.kind = DP_FACT_PAGE, .has = DP_FACT_SIZES, .sizes = DP_STR("\377\377\377\377....")},
        {.kind = DP_FACT_PAGE, .has = DP_FACT_SLOTS, .slots = DP_STR("fifteen bytes..")},
        {.kind = DP_FACT_PAGE, .has = DP_FACT_SLOTS, .slots = DP_STR("hash: above 2^61")},
        {.kind = DP_FACT_PAGE, .has = DP_FACT_SIZE, .size = -1},
        {.kind = DP_FACT_PAGE, .has = DP_FACT_IMPORTANCE, .importance = NAN},
        {.kind = DP_FACT_PAGE, .has = DP_FACT_IMPORTANCE, .importance = INFINITY},
    };
    dp_buf b = {0};
    for (size_t i = 0; i < DP_COUNT(bad); i++) {
        dp_fact  f = bad[i];
        uint32_t domain;
        f.url = DP_STR("http://a.com/");
        f.host = dp_fact_host(f.url);
        dp_buf_reset(&b);
        dp_pack_fact(&b, &f, 1);
        dp_str rest = dp_buf_view(&b), bytes;
        assert_false(dp_unpack_fact(&rest, &f, &domain));
        rest = dp_buf_view(&b);
        assert_false(dp_unpack_head(&rest, &bytes, &domain, 1));
        assert_true(dp_unpack_head(&rest, &bytes, &domain, 2));
    }
    dp_buf_done(&b);
}

/* Texts of a fact are URLs in stage-0 form. */
static void texts_that_are_no_urls_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *url, *host, *link;
        dp_err      want;
    } cases[] = {
        {"http://a.com/", "a.com", NULL, DP_OK},
        {"http://a.com/", "a.com", "http://b.com/x", DP_OK},
        {"http://a.com/", "b.com", NULL, DP_ESYNTAX},
        {"http://a.com/", "", NULL, DP_ESYNTAX},
        {"http://A.com/", "A.com", NULL, DP_ESYNTAX},
        {"", "", NULL, DP_ESYNTAX},
        {"http://a.com/\x1b[2J", "a.com", NULL, DP_ESYNTAX},
        {"http://a.com/", "a.com", "nowhere", DP_ESYNTAX},
    };
    dp_frame frame = {0};
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_fact f = {.url = dp_str_c(cases[i].url), .host = dp_str_c(cases[i].host)};
        if (cases[i].link) {
            f.has = DP_FACT_LINK;
            f.link = dp_str_c(cases[i].link);
        }
        assert_int_equal(cases[i].want, dp_fact_check(&frame, &f));
    }
    dp_frame_done(&frame);
}

/* ---- buckets ------------------------------------------------------------------------------------------------ */

enum { DRAWERS = 3, ITEMS = 5000 };

static dp_err fill(dp_buckets *d)
{
    char item[64];
    for (int i = 0; i < ITEMS; i++) {
        int n = snprintf(item, sizeof item, "item %d of %d;", i, i % DRAWERS);
        DP_TRY(dp_buckets_put(d, (size_t)(i % DRAWERS), (dp_str){item, (size_t)n}, NULL));
    }
    return dp_buckets_close(d, NULL);
}

/* What lies in a bucket is what was put there, in order. */
static dp_err check(dp_buckets *d, size_t bucket, bool drain)
{
    dp_bucket_reader r = {0};
    dp_buf           want = {0}, got = {0};
    dp_str           bytes;
    dp_err           code;
    for (int i = (int)bucket; i < ITEMS; i += DRAWERS)
        dp_buf_printf(&want, "item %d of %d;", i, i % DRAWERS);
    dp_bucket_reader_open(&r, d, bucket, drain);
    while ((code = dp_bucket_reader_next(&r, &bytes, NULL)) == DP_OK && bytes.n) {
        assert_true(bytes.p[bytes.n - 1] == ';'); /* nothing is cut in two */
        dp_buf_str(&got, bytes);
    }
    dp_bucket_reader_done(&r);
    if (code == DP_OK && !want.failed && !got.failed) {
        assert_int_equal(want.n, got.n);
        assert_memory_equal(want.p, got.p, want.n);
    }
    code = want.failed || got.failed ? DP_ENOMEM : code;
    dp_buf_done(&want);
    dp_buf_done(&got);
    return code;
}

static dp_folder *new_folder(void)
{
    dp_folder *f;
    assert_int_equal(DP_OK, dp_folder_new(&f, &(dp_folder_how){.parent = "/tmp"}, NULL));
    return f;
}

static const size_t limits[] = {SIZE_MAX, 40000, 10, 0};

static void drawers_give_back_what_was_put(void **state)
{
    (void)state;
    for (size_t k = 0; k < DP_COUNT(limits); k++) {
        dp_folder  *folder;
        dp_buckets *d, *again;
        folder = new_folder();
        assert_int_equal(DP_OK, dp_buckets_new(&d, DRAWERS, limits[k], folder, 5));
        assert_int_equal(DP_OK, fill(d));
        assert_int_equal(k > 0, dp_buckets_spilled(d));
        for (size_t i = 0; i < DRAWERS; i++)
            assert_int_equal(DP_OK, check(d, i, false));
        if (k > 0) {
            assert_int_equal(DP_OK, dp_buckets_load(&again, DRAWERS, folder, 5, NULL));
            assert_int_equal(DP_OK, check(again, 1, false));
            dp_buckets_free(again);
        }
        for (size_t i = 0; i < DRAWERS; i++)
            assert_int_equal(DP_OK, check(d, i, true));
        dp_buckets_free(d);
        char path[4200];
        dp_folder_name_file(folder, 0, path, sizeof path);
        *strrchr(path, '/') = 0;
        dp_folder_remove(folder);
        assert_int_equal(-1, access(path, F_OK));
    }
}

static void a_changed_file_is_found_out(void **state)
{
    (void)state;
    dp_folder  *folder;
    dp_buckets *d;
    dp_error    err = {0};
    int         fd;
    char        name[4200], byte;
    folder = new_folder();
    assert_int_equal(DP_OK, dp_buckets_new(&d, DRAWERS, 0, folder, 0));
    assert_int_equal(DP_OK, fill(d));
    dp_folder_name_file(folder, 1, name, sizeof name);
    FILE *f = fopen(name, "r+b");
    assert_non_null(f);
    fseek(f, 500, SEEK_SET);
    byte = (char)fgetc(f);
    fseek(f, 500, SEEK_SET);
    fputc(byte ^ 1, f);
    fclose(f);
    dp_bucket_reader r = {0};
    dp_str           bytes;
    dp_bucket_reader_open(&r, d, 1, false);
    assert_int_equal(DP_EIO, dp_bucket_reader_next(&r, &bytes, &err));
    assert_string_equal(name, err.file);
    dp_bucket_reader_done(&r);
    assert_int_equal(DP_OK, dp_folder_open(folder, 1, &fd, NULL));
    close(fd);
    dp_buckets_free(d);
    dp_folder_remove(folder);
}

/* ---- facts and shelves ------------------------------------------------------------------------------------------ */

static dp_err count(void *ctx, const dp_fact *f)
{
    (void)f;
    ++*(int *)ctx;
    return DP_OK;
}

/* Facts of a few domains: a.com leads to b.com, so b.com has one more. */
static dp_err keep_facts(dp_facts *s)
{
    for (size_t i = 0; i < 4; i++) {
        dp_fact f = fact(i);
        DP_TRY(dp_facts_add(s, &f, NULL));
    }
    return dp_buckets_close(s->buckets, NULL);
}

static dp_err count_all(dp_facts *s, int counts[3])
{
    dp_err code = DP_OK;
    for (size_t bucket = 0; bucket < DP_BUCKETS && code == DP_OK; bucket++) {
        dp_by_site     shelf;
        const uint32_t   v[3] = {0, 1, 2};
        const dp_site_of sites = {v, 3};
        code = dp_by_site_load(&shelf, s->buckets, bucket, sites, NULL);
        for (size_t i = 0; code == DP_OK && i < shelf.n; i++) {
            int streamed = 0;
            code = dp_by_site_each(&shelf, &shelf.v[i], count, &counts[shelf.v[i].site]);
            if (code == DP_OK)
                code = dp_by_site_stream(s->buckets, bucket, sites, shelf.v[i].site, false, count, &streamed, NULL);
            if (code == DP_OK)
                assert_int_equal(shelf.v[i].n, streamed);
        }
        dp_by_site_done(&shelf);
    }
    return code;
}

static void facts_lie_by_domain(void **state)
{
    (void)state;
    for (int spilled = 0; spilled < 2; spilled++) {
        dp_folder *folder;
        dp_facts   s = {0}, again = {0};
        dp_buf     b = {0};
        bool       nomem;
        int        counts[3] = {0};
        folder = new_folder();
        assert_int_equal(DP_OK, dp_buckets_new(&s.buckets, DP_BUCKETS, spilled ? 0 : SIZE_MAX, folder, 0));
        assert_int_equal(DP_OK, keep_facts(&s));
        assert_int_equal(3, s.name.n);
        assert_true(dp_str_eq(DP_STR("a.com"), dp_facts_name(&s, 0)));
        assert_int_equal(DP_OK, count_all(&s, counts));
        assert_int_equal(2, counts[0]);
        assert_int_equal(2, counts[1]);
        assert_int_equal(1, counts[2]);
        dp_facts_pack(&b, &s);
        dp_str rest = dp_buf_view(&b);
        assert_true(dp_facts_unpack(&again, &rest, &nomem));
        assert_int_equal(3, again.name.n);
        assert_int_equal(s.facts[1], again.facts[1]);
        assert_int_equal(s.bytes[2], again.bytes[2]);
        dp_buf_done(&b);
        dp_facts_done(&again);
        dp_buckets_free(s.buckets);
        dp_facts_done(&s);
        dp_folder_remove(folder);
    }
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    for (int spilled = 0; spilled < 2; spilled++) {
        DP_EVERY_ALLOC_FAILURE {
            dp_folder *folder = NULL;
            dp_facts   s = {0};
            int        counts[3] = {0};
            dp_err     code = dp_folder_new(&folder, &(dp_folder_how){.parent = "/tmp"}, NULL);
            if (code == DP_OK)
                code = dp_buckets_new(&s.buckets, DP_BUCKETS, spilled ? 0 : SIZE_MAX, folder, 0);
            if (code == DP_OK)
                code = keep_facts(&s);
            if (code == DP_OK)
                code = count_all(&s, counts);
            assert_int_equal(code, dp_alloc_failed() ? DP_ENOMEM : DP_OK);
            dp_buckets_free(s.buckets);
            dp_facts_done(&s);
            dp_folder_remove(folder);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_come_back_from_their_bytes), cmocka_unit_test(broken_bytes_do_no_harm),
        cmocka_unit_test(facts_that_cannot_be_are_refused), cmocka_unit_test(texts_that_are_no_urls_are_refused),
        cmocka_unit_test(drawers_give_back_what_was_put),   cmocka_unit_test(a_changed_file_is_found_out),
        cmocka_unit_test(facts_lie_by_domain),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
