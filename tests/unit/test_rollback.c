/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "apply/engine.h"
#include "base/buf.h"
#include "base/rng.h"
#include "store/foreign.h"
#include "store/rollback.h"
#include "support/failing_alloc.h"
#include "support/rules.h"
#include "support/tempfile.h"

/* ---- random crawls --------------------------------------------------------------------------------------- */

static const char OLD[] = "dustpan-rules 1\nhost a.com, b.net\ndrop ?s\ndrop ?v\n/{**}/index.html => /{**}/\n"
                          "//b.net/{**} => //a.com/{**} [p=.9 across=copies]\n",
                  NEW[] = "dustpan-rules 1\nhost a.com, b.net\ndrop ?s\n/{**}/index.html => /{**}/\n"
                          "//b.net/{**} => //a.com/{**} [p=.9 across=copies]\n";

enum { URLS = 400, BATCH = 20, ROUNDS = 60, WIDE = 700 };

typedef struct crawl {
    char       url[URLS][WIDE];
    bool       found[URLS], fetched[URLS], back[URLS];
    dp_engine *old, *new;
    dp_scratch *scratch;
    dp_seen   *seen;
} crawl;

/* URL number i: all that is different about them can be seen in the number. */
static void make_url(char out[WIDE], uint32_t i)
{
    int n = snprintf(out, WIDE, "http://%s/p%u/", i % 7 == 0 ? "b.net" : "a.com", i / 40);
    if (i % 5 == 0) { /* too long for a page of the tree */
        memset(out + n, 'x', 600);
        n += 600;
    }
    n += snprintf(out + n, 60, "%s", i % 3 ? "" : "/index.html");
    const char *mark = "?";
    if (i % 2) {
        n += snprintf(out + n, 20, "%ss=%u", mark, i % 4);
        mark = "&";
    }
    if (i % 11 > 5)
        snprintf(out + n, 20, "%sv=%u", mark, i % 11);
}

/* The key of a URL as a crawler that minds foreign ones has it, in `out`; its rules. */
static dp_str key_of(crawl *c, const dp_engine *e, const char *url, dp_buf *out, uint64_t ids[DP_MAX_FIRINGS],
                     size_t *nids)
{
    size_t n, own_n;
    dp_buf_reset(out);
    const char     *key = dp_apply_view(e, c->scratch, DP_KEY, url, strlen(url), &n);
    const char     *own = dp_scratch_foreign(c->scratch, &own_n);
    const uint32_t *fired = dp_scratch_fired(c->scratch, nids);
    for (size_t i = 0; i < *nids; i++)
        ids[i] = dp_engine_id(e, fired[i]);
    if (own)
        dp_foreign_key(out, (dp_str){own, own_n}, (dp_str){key, n});
    else
        dp_buf_add(out, key, n);
    return dp_buf_view(out);
}

static bool has(crawl *c, dp_str key)
{
    uint8_t  there;
    uint64_t at[] = {0, key.n};
    assert_int_equal(DP_OK, dp_seen_has(c->seen, key.p, at, 1, 0, &there, NULL));
    return there;
}

/* Find some URLs at once, and fetch those that are new; what is foreign and whose key was seen is left out. */
static void find(crawl *c, dp_rng *r)
{
    uint32_t number[BATCH];
    uint64_t at[BATCH + 1] = {0}, ids[DP_MAX_FIRINGS];
    uint8_t  fresh[BATCH];
    dp_buf   keys = {0}, one = {0};
    size_t   n;
    for (size_t i = 0; i < BATCH; i++) {
        number[i] = (uint32_t)dp_rng_below(r, URLS);
        dp_str key = key_of(c, c->old, c->url[number[i]], &one, ids, &n);
        dp_str inner = dp_foreign_inner(key);
        bool   out = inner.n != key.n && has(c, inner);
        dp_str url = dp_str_c(c->url[number[i]]);
        assert_int_equal(DP_OK, dp_seen_about(c->seen, url.p, url.n, ids, n, out, NULL));
        dp_buf_str(&keys, key);
        at[i + 1] = keys.n;
    }
    assert_int_equal(DP_OK, dp_seen_add(c->seen, keys.p, at, BATCH, 0, fresh, NULL));
    assert_int_equal(DP_OK, dp_seen_commit(c->seen, NULL));
    for (size_t i = 0; i < BATCH; i++) {
        c->found[number[i]] = true;
        c->fetched[number[i]] |= fresh[i];
    }
    dp_buf_done(&keys);
    dp_buf_done(&one);
}

/* Take back what `drop ?v` has done; c->back are the URLs that come back. */
static void take_back(crawl *c)
{
    const char *url;
    size_t      n, nids;
    uint64_t    ids[DP_MAX_FIRINGS];
    dp_buf      one = {0};
    key_of(c, c->old, "http://a.com/?v=1", &one, ids, &nids);
    dp_buf_done(&one);
    assert_int_equal(1, nids);
    assert_int_equal(DP_OK, dp_seen_rollback(c->seen, ids, 1, NULL));
    for (;;) {
        assert_int_equal(DP_OK, dp_seen_next(c->seen, &url, &n, NULL));
        if (!url)
            break;
        bool found = false;
        for (size_t i = 0; i < URLS; i++) { /* several numbers may have one URL */
            if (!dp_str_eq(dp_str_c(c->url[i]), (dp_str){url, n}))
                continue;
            assert_false(c->back[i]); /* each once */
            c->back[i] = true;
            found |= c->found[i];
        }
        assert_true(found);
    }
    assert_int_equal(DP_OK, dp_seen_commit(c->seen, NULL));
}

/* Under the new rules exactly what was fetched is seen, and what was found and is not seen has come back. */
static void check(crawl *c, uint64_t seed)
{
    dp_buf   one = {0};
    uint64_t ids[DP_MAX_FIRINGS];
    size_t   n;
    for (size_t i = 0; i < URLS; i++) {
        dp_str key = key_of(c, c->new, c->url[i], &one, ids, &n);
        bool   seen = has(c, key);
        if (c->fetched[i] && !seen)
            fail_msg("seed %lu: %s was fetched, and is not seen", (unsigned long)seed, c->url[i]);
        if (c->found[i] && !seen && !has(c, dp_foreign_inner(key)) && !c->back[i])
            fail_msg("seed %lu: %s is lost", (unsigned long)seed, c->url[i]);
        for (size_t k = 0; k < URLS && seen; k++) {
            dp_buf other = {0};
            bool   same = c->fetched[k] && dp_str_eq(key, key_of(c, c->new, c->url[k], &other, ids, &n));
            dp_buf_done(&other);
            if (same)
                break;
            if (k == URLS - 1)
                fail_msg("seed %lu: %s is seen, and nothing with its key was fetched", (unsigned long)seed, c->url[i]);
        }
    }
    dp_buf_done(&one);
}

/* Keys are converted before the rollback, or behind it; long ones have one hash, or their own. */
static void nothing_is_lost(void **state)
{
    (void)state;
    static crawl c;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        dp_rng r = dp_rng_seed(seed);
        char   name[20];
        c = (crawl){.old = engine_of(OLD), .new = engine_of(NEW)};
        snprintf(name, sizeof name, "seen%u", (unsigned)seed);
        const dp_seen_how how = {dp_temp_path(name), dp_engine_set_id(c.old), DP_SEEN_REMEMBER, 1 << 16, 0,
                                 seed % 3 == 0};
        assert_int_equal(DP_OK, dp_scratch_new(&c.scratch));
        assert_int_equal(DP_OK, dp_seen_open_as(&c.seen, &how, NULL));
        for (uint32_t i = 0; i < URLS; i++)
            make_url(c.url[i], i);
        for (int i = 0; i < ROUNDS; i++)
            find(&c, &r);
        if (seed % 2)
            assert_int_equal(DP_OK, dp_seen_rekey(c.seen, c.new, NULL));
        take_back(&c);
        if (seed % 2 == 0)
            assert_int_equal(DP_OK, dp_seen_rekey(c.seen, c.new, NULL));
        check(&c, seed);
        dp_seen_close(c.seen);
        dp_scratch_free(c.scratch);
        dp_engine_free(c.old);
        dp_engine_free(c.new);
    }
}

/* ---- single things ---------------------------------------------------------------------------------------- */

enum { SET = 7 };

#define A UINT64_C(0xaaaaaaaa00000000)
#define B UINT64_C(0xbbbbbbbb00000000)

/* Add one URL: its key, and the rule that fired on it (0: none). */
static int add(dp_seen *s, const char *key, const char *url, uint64_t rule)
{
    uint64_t at[] = {0, strlen(key)};
    uint8_t  fresh;
    assert_int_equal(DP_OK, dp_seen_about(s, url, strlen(url), &rule, rule != 0, 0, NULL));
    assert_int_equal(DP_OK, dp_seen_add(s, key, at, 1, 0, &fresh, NULL));
    assert_int_equal(DP_OK, dp_seen_commit(s, NULL));
    return fresh;
}

static dp_seen *open_with(unsigned flags)
{
    dp_seen *s;
    dp_error err;
    if (dp_seen_open(&s, dp_temp_path("seen"), SET, flags, &err) != DP_OK)
        fail_msg("%s", err.message);
    return s;
}

/* What comes back for a rule, with one space between. */
static void comes_back(dp_seen *s, uint64_t rule, const char *want)
{
    dp_buf      b = {0};
    const char *url;
    size_t      n;
    assert_int_equal(DP_OK, dp_seen_rollback(s, &rule, 1, NULL));
    for (;;) {
        assert_int_equal(DP_OK, dp_seen_next(s, &url, &n, NULL));
        if (!url)
            break;
        dp_buf_c(&b, b.n ? " " : "");
        dp_buf_add(&b, url, n);
    }
    dp_buf_byte(&b, 0);
    assert_string_equal(want, b.p);
    dp_buf_done(&b);
}

static void rules_of_all_times_gather(void **state)
{
    (void)state;
    dp_seen *s = open_with(DP_SEEN_REMEMBER);
    assert_int_equal(1, add(s, "/x", "/x?v", A));
    assert_int_equal(0, add(s, "/x", "/x#top", 0)); /* because of A, which made the key */
    assert_int_equal(0, add(s, "/x", "/x?v", A));   /* the first itself */
    assert_int_equal(1, add(s, "/y", "/y", 0));
    assert_int_equal(0, add(s, "/y", "/y", 0));
    assert_int_equal(0, add(s, "/y", "/y?s", B));
    assert_int_equal(0, add(s, "/y", "/y?s", A)); /* another set of rules, by now */
    comes_back(s, B, "/y?s");
    dp_seen_forget(s); /* not yet */
    comes_back(s, A, "/x /y?s");
    assert_int_equal(DP_OK, dp_seen_commit(s, NULL));
    comes_back(s, B, "");
    assert_int_equal(DP_OK, dp_seen_commit(s, NULL));
    assert_int_equal(1, add(s, "/x", "/x", 0)); /* its key is seen no longer */
    assert_int_equal(0, add(s, "/x?v", "/x?v", 0)); /* what was fetched is */
    dp_seen_close(s);
}

static void a_file_that_remembers_goes_on_to(void **state)
{
    (void)state;
    dp_error err;
    dp_seen *s = open_with(DP_SEEN_REMEMBER);
    assert_int_equal(1, add(s, "/x", "/x?v", A));
    dp_seen_close(s);
    s = open_with(0);
    assert_true(dp_seen_remembers(s));
    assert_int_equal(0, add(s, "/x", "/x?v=2", A));
    comes_back(s, A, "/x?v=2");
    dp_seen_close(s);
    assert_int_equal(DP_OK, dp_seen_open(&s, dp_temp_path("plain"), SET, 0, &err));
    assert_false(dp_seen_remembers(s));
    const uint64_t rule = A;
    assert_int_equal(DP_EINVALID, dp_seen_rollback(s, &rule, 1, &err));
    assert_non_null(strstr(err.message, "does not remember"));
    assert_int_equal(DP_OK, dp_seen_about(s, "/x", 2, &rule, 1, 0, &err)); /* nothing happens */
    dp_seen_close(s);
    assert_int_equal(DP_EINVALID, dp_seen_open(&s, dp_temp_path("plain"), SET, DP_SEEN_REMEMBER, &err));
    assert_non_null(strstr(err.message, "without --remember"));
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    DP_EVERY_ALLOC_FAILURE
    {
        const uint64_t at[] = {0, 2, 4}, rule = A;
        uint8_t        fresh[2];
        dp_seen       *s = NULL;
        const char    *url = "";
        size_t         n;
        dp_err         code = dp_seen_open(&s, dp_temp_path("seen"), SET, DP_SEEN_REMEMBER, NULL);
        for (int i = 0; i < 2 && code == DP_OK; i++)
            code = dp_seen_about(s, i ? "/x?v=1" : "/x?v=2", 6, &rule, 1, 0, NULL);
        if (code == DP_OK)
            code = dp_seen_add(s, "/x/x", at, 2, 0, fresh, NULL);
        if (code == DP_OK)
            code = dp_seen_commit(s, NULL);
        if (code == DP_OK)
            code = dp_seen_rollback(s, &rule, 1, NULL);
        while (code == DP_OK && url)
            code = dp_seen_next(s, &url, &n, NULL);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_seen_close(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(nothing_is_lost, dp_temp_remove),
        cmocka_unit_test_teardown(rules_of_all_times_gather, dp_temp_remove),
        cmocka_unit_test_teardown(a_file_that_remembers_goes_on_to, dp_temp_remove),
        cmocka_unit_test_teardown(survives_every_allocation_failure, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
