/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/rng.h"
#include "dustpan.h"
#include "exchange/finite.h"
#include "exchange/regex.h"
#include "support/failing_alloc.h"
#include "support/rules.h"

#define FILE_OF(rules) "dustpan-rules 1\nhost a.com, www.a.com\n" rules "\n"

/* ---- what is refused -------------------------------------------------------------------------------- */

static const struct {
    const char *rules, *why; /* NULL: exported by json */
} refusals[] = {
    {FILE_OF("drop ?a,b_*"), NULL},
    {FILE_OF("drop ?a if =1 on /x/{**} unless /{**}/y/{n:int}"), NULL},
    {FILE_OF("drop ?a on /x/{**}?b=1"), "the export to JSON does not support a condition on parameters"},
    {FILE_OF("drop ?a unless /{x}-{y}"), "two captures in one path segment"},
    {FILE_OF("/p => /q\ndrop ?a on /q"), NULL},
    {FILE_OF("drop ?a on /q\n/p => /q"), "match again, and JSON goes"}, /* the drop would fire on /q afterwards */
    {FILE_OF("drop ?a unless /p\n/p => /q"), "match again, and JSON goes"},
    {FILE_OF("drop ?a unless /r\n/p => /q"), NULL},
    {FILE_OF("drop ?a on /{**}/p\n/x/{**} => /y/{**}"), "match again, and JSON goes"},
    {FILE_OF("drop ?a on /{**}/p\n/x/{**}/p => /y/{**}/p"), NULL}, /* the last segment stays */
    {FILE_OF("drop ?a on /q\n//www.a.com/{**} => //a.com/{**}"), "match again, and JSON goes"},
    {FILE_OF("/{**}/i => /{**}/j unless /k/{**}"), NULL},
    {FILE_OF("drop ;a"), "a path parameter (;name)"},
    {FILE_OF("keep ?a\ndrop ?a*"), "the keep line test:3 may protect URLs from it"},
    {FILE_OF("keep ?b\ndrop ?a"), NULL},
    {FILE_OF("keep ?a\npin drop ?a"), NULL},
    {FILE_OF("keep /x/{**}\ndrop ?a"), "the keep line test:3 may protect URLs from it"},
    {FILE_OF("order any\ndrop ?a"), "cannot sort parameters"},
    {FILE_OF("erase ?a"), "erase"},
    {FILE_OF("set ?a=1"), "set"},
    {FILE_OF("fold case path"), "fold case"},
    {FILE_OF("sub \"/a/\" -> \"/b/\""), "sub"},
    {FILE_OF("/{x}/{y}/p => /{x}/{y}"), NULL},
    {FILE_OF("/{x}-{y}/p => /{x}/{y}"), "two captures in one path segment"},
    {FILE_OF("/{x:int*4}/p => /{x}"), NULL},
    {FILE_OF("/{x:slug*4}/p => /{x}"), "a slug of a fixed length"},
    {"dustpan-rules 1\nhost *.a.com\n//{u}.a.com/p => /q", "a captured host label"},
    {FILE_OF("/p/{x} => //{x}.a.com/p"), "a captured host label"},
    {FILE_OF("/p?... => /q"), "a query in a template"},
    {FILE_OF("only ?a"), "a list of the parameters that stay (only)"},
    {FILE_OF("fold case names"), "a change of case (fold case)"},
    {FILE_OF("/{x}/{x}/p => /{x}"), "the same capture twice"},
    {FILE_OF("/{x}a/p => /{x}"), "a hexadecimal digit right after a capture"},
    {FILE_OF("/p/{x}.html => /q/{x}"), NULL},
    {FILE_OF("/p/{x}.html => /q/.{x}"), "a path segment that may become dots"},
    {FILE_OF("/p/{x} => /q/*"), "an erased value"},
    {FILE_OF("/p/{x} => /q/{x|lower}"), "a conversion"},
    {FILE_OF("/p?x={x} => /q/{x}"), "a query in a template"},
    {FILE_OF("/p/{**} => /{**}"), "a path that may become empty"},
    {FILE_OF("/p/{**} => /q/{**}"), NULL},
    /* One pass is not enough. */
    {FILE_OF("/b/{x} => /c/{x}\n/a/{x} => /b/{x}"), "match again, and JSON goes"},
    {FILE_OF("/a/{x} => /b/{x}\n/b/{x} => /c/{x}"), NULL},
    {FILE_OF("/{**}/x/{y} => /{**}/{y}"), "match again, and JSON goes"},
    {FILE_OF("http://www.a.com/{**} => https://a.com/{**}\n/{**}/index.html => /{**}/"), NULL},
    {FILE_OF("/{**}/index.html => /{**}/\n/{s}/dp/{x} => /dp/{x}"), NULL}, /* the last segment stays */
    {FILE_OF("/{**}/index.html => /{**}/\n/{s}/dp/{x} => /dp/{x}/index.html"), "match again, and JSON goes"},
    {"dustpan-rules 1\nhost b.com\ndrop ?s\nhost a.com\n//a.com/{**} => //b.com/{**}",
     "match again, and JSON goes"},
    {"dustpan-rules 1\nhost a.com\n//a.com/{**} => //b.com/{**}\nhost b.com\ndrop ?s", NULL},
    {"dustpan-rules 1\nhost a.com:8080\ndrop ?s", "a port in the host line"},
    {"dustpan-rules 1\nhost a.com off\nerase ?s", NULL},
    {FILE_OF("off erase ?s\nlikely erase ?t"), NULL},
    {FILE_OF("/old/{q=a|b}/{**} => /{q}/{**}"), NULL}, /* no "old" in the list */
    {FILE_OF("/old/{q=a|old}/{**} => /{q}/{**}"), "match again, and JSON goes"},
    {FILE_OF("/{**}/index.html => /{**}/\n/x/{q=a|b} => /{q}/index.html"), "match again, and JSON goes"},
    /* What one visitor has is not for everybody. */
    {FILE_OF("drop ?token if =abcdef"), "the value in it may be secret"},
    {FILE_OF("drop ?token if ="), NULL},
    {FILE_OF("drop ?q if =alice%40example.org"), "looks like an e-mail address"},
    {FILE_OF("drop ?q if =203.0.113.77"), "looks like an e-mail address or an IP address"},
    {FILE_OF("drop ?q if =2.4"), NULL},
    {FILE_OF("/s;jsessionid=AB/{a} => /{a}"), "a path parameter in it may be secret"},
    {FILE_OF("/s;v=1/{a} => /{a}"), NULL},
    {FILE_OF("drop ?a unless /u/a@b.org/{**}"), "looks like an e-mail address"},
};

/* Of redirects, which come back, more are exact: what is left out of these. */
static const struct {
    const char *rules;
    size_t      refused;
} redirects[] = {
    {FILE_OF("/{a}/current/{**} => /{a}/2.4/{**}\n/docs/2.4/{**} => /manual/{**}"), 0},
    {FILE_OF("/b/{x} => /c/{x}\n/a/{x} => /b/{x}"), 0},
    {FILE_OF("drop ?s\n/q => /r\n//www.a.com/{**} => //a.com/{**}"), 0},
    {FILE_OF("/{**}/x/{y} => /{**}/{y}"), 0},
    {FILE_OF("/x/{a} => /y/{a}\n/y/{a} => /x/{a}"), 1},
    {FILE_OF("/x/{a} => /y/{a}\n/y/{a} => /z/{a}\n/z/{a} => /x/{a}"), 1},
    {FILE_OF("//www.a.com/{**} => //a.com/{**}\n//a.com/{**} => //www.a.com/{**}"), 1},
    {FILE_OF("/g/{**} => /g/a/{**}"), 1},
    {FILE_OF("/{**}/x/{y} => /{**}/{y}\n/{b}/{q=x|y} => /{b}/x/{q}"), 1}, /* makes what the first uses up */
};

static void redirects_may_follow_one_another(void **state)
{
    (void)state;
    static const char *const servers[] = {"nginx-redirect", "apache-redirect"};
    for (size_t i = 0; i < DP_COUNT(redirects) * DP_COUNT(servers); i++) {
        const char *text = redirects[i / DP_COUNT(servers)].rules;
        dp_rules   *r = rules_of(text);
        dp_text    *out, *why;
        size_t      count[DP_EXCHANGE_COUNTS];
        assert_int_equal(DP_OK, dp_rules_export(&out, &why, r, servers[i % DP_COUNT(servers)], 0, count, NULL));
        if (count[DP_EXCHANGE_REFUSED] != redirects[i / DP_COUNT(servers)].refused)
            fail_msg("%s\nrefused: %s", text, dp_text_data(why));
        dp_text_free(out);
        dp_text_free(why);
        dp_rules_free(r);
    }
}

static void refuses_what_it_cannot_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(refusals); i++) {
        dp_rules *r = rules_of(refusals[i].rules);
        dp_text  *out, *why;
        size_t    count[DP_EXCHANGE_COUNTS];
        assert_int_equal(DP_OK, dp_rules_export(&out, &why, r, "json", 0, count, NULL));
        size_t refused = count[DP_EXCHANGE_REFUSED] + count[DP_EXCHANGE_LINES];
        if (!refusals[i].why != !refused || (refused && !strstr(dp_text_data(why), refusals[i].why)))
            fail_msg("%s\nrefused: %s", refusals[i].rules, dp_text_data(why));
        dp_text_free(out);
        dp_text_free(why);
        dp_rules_free(r);
    }
}

/* ---- the dialect of sed against the engine, by the C library's regular expressions --------------------- */

/* What the units make of `url`, one after another, as sed would: rewrites alone. */
static void run_units(const dp_units *units, char *url, size_t cap)
{
    static const dp_replacement how = {"\\", "", "\\&#"};
    for (size_t i = 0; i < units->n; i++) {
        dp_buf     pattern = {0}, result = {0};
        regex_t    re;
        regmatch_t m[24];
        char       next[512];
        size_t     n = 0;
        dp_regex_rewrite(&pattern, &result, &units->v[i], DP_DIALECT_POSIX, &how);
        dp_buf_byte(&pattern, 0);
        dp_buf_byte(&result, 0);
        assert_int_equal(0, regcomp(&re, pattern.p, REG_EXTENDED));
        if (regexec(&re, url, DP_COUNT(m), m, 0) == 0) {
            for (const char *p = result.p; *p; p++) {
                if (*p == '\\' && p[1] >= '0' && p[1] <= '9') {
                    const regmatch_t *g = &m[*++p - '0'];
                    if (g->rm_so >= 0)
                        n += (size_t)snprintf(next + n, sizeof next - n, "%.*s", (int)(g->rm_eo - g->rm_so),
                                              url + g->rm_so);
                } else {
                    next[n++] = *p == '\\' ? *++p : *p;
                }
            }
            next[n] = 0;
            snprintf(url, cap, "%s", next);
        }
        regfree(&re);
        dp_buf_done(&pattern);
        dp_buf_done(&result);
    }
}

static const char *const segments[] = {"a",       "b",          "x", "x.html", "..html", ".html",
                                       "...html", "index.html", "7", "p-7",    ""};
static const char *const left[] = {"/{**}/index.html", "/a/{x}",  "/{x}/b/{y}", "/{**}/{x}.html",        "/b/p-{n:int}",
                                   "/x/{**}",          "/{x=a|b}/x", "/{x}/{y}/", "http://www.a.com/{**}",
                                   "/b/p-{n:int*1}"};
static const char *const right[] = {"/{**}/",  "/{x}",     "/b/{x}",   "/{**}/{x}",         "/p/{n}",
                                    "/y/{**}", "/x/{x}/z", "/{y}/{x}", "https://a.com/{**}"};

static const char *pick(dp_rng *r, const char *const *v, size_t n)
{
    return v[dp_rng_below(r, n)];
}

/* Property: one pass over the units of random rules is the key by the rules that were not refused. */
static void one_pass_equals_the_engine(void **state)
{
    (void)state;
    size_t compared = 0, changed = 0;
    for (uint64_t seed = 1; seed <= 8000; seed++) {
        dp_rng    r = dp_rng_seed(seed);
        dp_rules *rules;
        dp_buf    text = {0}, subset = {0};
        dp_units  u = {.tool = "one pass", .cannot = "one pass cannot"};
        dp_buf_c(&text, "dustpan-rules 1\nhost a.com, www.a.com\n");
        for (size_t i = 0, n = 1 + dp_rng_below(&r, 4); i < n; i++)
            dp_buf_printf(&text, "%s => %s\n", pick(&r, left, DP_COUNT(left)), pick(&r, right, DP_COUNT(right)));
        assert_int_equal(DP_OK, dp_rules_new(&rules));
        if (dp_rules_parse(rules, "test", text.p, text.n, NULL) == DP_OK) {
            dp_units_take(&u, rules, false);
            dp_units_settle(&u);
            dp_buf_c(&subset, "dustpan-rules 1\nhost a.com, www.a.com\n");
            for (size_t i = 0; i < u.n; i++)
                dp_buf_printf(&subset, "%.*s\n", DP_FMT(u.v[i].rule->text));
            dp_rules   *same;
            dp_engine  *e;
            dp_scratch *s;
            assert_int_equal(DP_OK, dp_rules_new(&same));
            assert_int_equal(DP_OK, dp_rules_parse(same, "subset", subset.p, subset.n, NULL));
            assert_int_equal(DP_OK, dp_scratch_new(&s));
            if (u.n && dp_engine_new(&e, same, 0, 0, NULL) == DP_OK) {
                for (int k = 0; k < 12; k++) {
                    char   url[512], key[512];
                    size_t n = (size_t)snprintf(url, sizeof url, "http://%s",
                                                dp_rng_below(&r, 2) ? "www.a.com" : "a.com");
                    for (size_t i = 0, depth = 1 + dp_rng_below(&r, 4); i < depth; i++)
                        n += (size_t)snprintf(url + n, sizeof url - n, "/%s", pick(&r, segments, DP_COUNT(segments)));
                    if (dp_rng_below(&r, 2))
                        snprintf(url + n, sizeof url - n, "?q=/a/x.html");
                    size_t m = dp_apply(e, s, url, strlen(url), key, sizeof key - 1);
                    key[m] = 0;
                    changed += strcmp(url, key) != 0;
                    char theirs[512];
                    snprintf(theirs, sizeof theirs, "%s", url);
                    run_units(&u, theirs, sizeof theirs);
                    if (strcmp(theirs, key) != 0)
                        fail_msg("seed %llu: %s\nis %s by\n%.*sand %s in one pass", (unsigned long long)seed, url, key,
                                 DP_FMT(subset), theirs);
                    compared++;
                }
                dp_engine_free(e);
            }
            dp_scratch_free(s);
            dp_rules_free(same);
        }
        dp_units_done(&u);
        dp_rules_free(rules);
        dp_buf_done(&text);
        dp_buf_done(&subset);
    }
    assert_true(compared > 5000);
    assert_true(changed > 500);
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    static const char adguard[] = "$removeparam=fbclid\n||a.com^$removeparam=/^(a|b)=/\n@@||a.com^$removeparam=c\n";
    const char       *name, *summary, *assumes;
    for (size_t i = 0; (name = dp_export_target_name(i, &summary, &assumes)) != NULL; i++) {
        dp_rules *r = rules_of(FILE_OF("drop ?a\n/p/{x}.html => /q/{x}\ndrop ?c if =1 on /x/{**} unless /y\n"
                                       "host any\ndrop ?s\nerase ?t"));
        DP_EVERY_ALLOC_FAILURE
        {
            dp_text *out = NULL, *why = NULL;
            size_t   count[DP_EXCHANGE_COUNTS];
            dp_err   code = dp_rules_export(&out, &why, r, name, 0, count, NULL);
            if (code != (dp_alloc_failed() ? DP_ENOMEM : DP_OK))
                fail_msg("%s: allocation %zu: %s", name, dp_alloc_run_, dp_err_name(code));
            if (code == DP_OK) {
                dp_text_free(out);
                dp_text_free(why);
            }
        }
        dp_rules_free(r);
    }
    DP_EVERY_ALLOC_FAILURE
    {
        dp_text *out = NULL, *why = NULL;
        size_t   count[DP_EXCHANGE_COUNTS];
        dp_err   code = dp_rules_import(&out, &why, "adguard", "test", adguard, sizeof adguard - 1, count, NULL);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        if (code == DP_OK) {
            dp_text_free(out);
            dp_text_free(why);
        }
    }
}

/* What a regular expression means, joined by spaces; "-": no few texts. */
static const char *const finite[][2] = {
    {"sid", "sid"}, {"a\\.b", "a.b"}, {"a.b", "a.b"}, {"(?:%3F)?m(?:e|c)", "%3Fme %3Fmc me mc"},
    {"[cl]id?", "cid ci lid li"}, {"x(a|b|)", "xa xb x"}, {"[a-c_-]", "a b c _ -"}, {"(a(b|c)?)?d", "abd acd ad d"},
    {"a*", "-"},              {"a+", "-"},             {"a{2}", "-"},           {"[^a]", "-"},
    {"\\d", "-"},             {"(a", "-"},             {"a)", "-"},             {"[a", "-"},
    {"a??", "-"},             {"(?=a)", "-"},          {"", "-"},               {"a|", "-"},
    {"[a-z][a-z]", "-"},      {"^a", "-"},             {"\\", "-"},             {"((((((((((a))))))))))", "-"},
};

static void few_texts_are_all_that_is_meant(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(finite); i++) {
        dp_arena  a = {0};
        dp_finite f;
        dp_buf    got = {0};
        bool      good = dp_finite_read(&f, dp_str_c(finite[i][0]), &a);
        for (size_t k = 0; good && k < f.n; k++)
            dp_buf_printf(&got, "%s%.*s", k ? " " : "", DP_FMT(f.v[k]));
        dp_buf_byte(&got, 0);
        assert_string_equal(finite[i][1], good ? got.p : "-");
        dp_buf_done(&got);
        dp_arena_done(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_it_cannot_say),
        cmocka_unit_test(redirects_may_follow_one_another),
        cmocka_unit_test(one_pass_equals_the_engine),
        cmocka_unit_test(few_texts_are_all_that_is_meant),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
