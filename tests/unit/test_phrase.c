/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "learn/phrase/phrase.h"
#include "support/failing_alloc.h"

/* Both sides as a rule file would have them; they are read, and said anew. */
static const struct {
    const char *hosts, *rule, *want; /* want: the text; or "!" and why there is none */
    bool        falls;
} cases[] = {
    /* verbs */
    {"a.com", "//a.com/s?+sid&... => //a.com/s?...", "drop ?sid on /s", true},
    {"a.com", "/{**}?+sid&... => /{**}?...", "drop ?sid", true},
    {"a.com", "/{**}?+a&+b&... => /{**}?...", "drop ?a,b on /{**}?+a&+b", true},
    {"a.com", "/{**}?p=1&... => /{**}?...", "drop ?p if =1", true},
    {"a.com", "/{**}?p=&... => /{**}?...", "drop ?p if =", true},
    {"a.com", "/{**}?lang={x}&... => /{**}?lang=*&...", "erase ?lang", true},
    {"a.com", "/a/{y}?lang=*&id={i}&... => /a/{y}?id={i}&lang=*&...", "erase ?lang on /a/*?id=*", true},
    {"a.com", "/{**}?v={x}&... => /{**}?v=1&...", "set ?v=1", false},
    {"a.com", "/{x}/{x}?v=*&!w&... => /{x}/{x}?v=1&...", "set ?v=1 on /{a}/{a}?!w", false},
    {"a.com", "/{x:int}?+s&... => /{x}?...", "drop ?s on /{a:int}", true},
    {"a.com, b.com", "//a.com/{**}?+s&... => //a.com/{**}?...", "drop ?s on //a.com/{**}", true},
    /* a map of keys says no more than that: a template */
    {"a.com", "/s?x={x}&... => /s?...", "/s?x=*&... => /s?...", true},
    {"a.com", "/s?+x&a={y}&... => /s?a=1&...", "/s?+x&a=*&... => /s?a=1&...", true},
    {"a.com", "/s?sid={x} => /s?sid=*", "/s?sid=* => /s?sid=*", true},
    {"a.com", "/s?sid={x} => /s?", "/s?sid=* => /s", true},
    {"a.com", "/s? => /t?", "/s? => /t", false},
    {"a.com", "/t? => /s", "/t? => /s", true},
    {"a.com", "/t => /s?x=1", "/t => /s?x=1", false},
    {"a.com", "/t? => /s?x=1", "/t => /s?x=1", false},
    {"a.com", "/t?... => /s?...", "/t => /s", true},
    /* the papers' */
    {"www.amazon.com", "/{slug}/dp/{asin}? => /*/dp/{asin}?", "/*/dp/{a}? => /*/dp/{a}", true},
    {"www.amazon.com", "/{slug}/dp/{asin} => /dp/{asin}", "/*/dp/{a} => /dp/{a}", true},
    {"en.wikipedia.org", "/?title={x} => /wiki/{x}?", "/?title={title} => /wiki/{title}", true},
    {"en.wikipedia.org", "/wiki/{x}? => /?title={x}", "/wiki/{a} => /?title={a}", false},
    {"360.yahoo.com", "/friends-{x} => /friends-*", "/friends-* => /friends-*", true},
    {"allrecipes.com", "/{q}/{r}/default.aspx => /{q|lower}/{r}/default.aspx",
     "/{a}/{b}/default.aspx => /{a|lower}/{b}/default.aspx", true},
    {"cnn.com, www.cnn.com", "http://www.cnn.com/{**} => http://cnn.com/{**}",
     "http://www.cnn.com/{**} => //cnn.com/{**}", true},
    {"cnn.com, www.cnn.com", "/{**} => //cnn.com/{**}", "/{**} => //cnn.com/{**}", true},
    {"cnn.com, www.cnn.com", "/{**} => //www.cnn.com/{**}", "/{**} => //www.cnn.com/{**}", false},
    /* names */
    {"a.com", "/{z}/{y}?a={q}&b-c={r}&d={s} => /{s}/{r}/{q}/{y}/{z}",
     "/{b}/{c}?a={a}&b-c={e}&d={d} => /{d}/{e}/{a}/{c}/{b}", true},
    {"a.com", "/{x}?a={q}&a#2={r} => /{q}-{r}", "/*?a={a}&a#2={b} => /{a}-{b}", true},
    /* swapped: neither side is below the other */
    {"a.com", "/{x}/{y} => /{y}/{x}", "/{a}/{b} => /{b}/{a}", false},
    {"a.com", "/{x}/a => /{x|upper}", "/{a}/a => /{a|upper}", false},
    {"a.com", "/b/{x}/c => /{x}/{x}", "/b/{a}/c => /{a}/{a}", false},
    {"a.com", "http://a.com/x => https://a.com/x", "http:/x => https:/x", false},
    /* what a path that begins with an empty segment needs */
    {"a.com", "//a.com//x => //a.com/x", "//a.com//x => /x", true},
    {"a.com", "/x => //a.com//y", "/x => //a.com//y", false},
    {"a.com:8080", "//a.com:8080/x => //a.com:8080/", "/x => /", true},
    /* nothing to say */
    {"a.com", "/{x}/a => /{x}/a", "!same", false},
    {"a.com", "//a.com/{x} => /{x}", "!same", false},
};

typedef struct sides {
    dp_rules *r;
    dp_arena  arena;
} sides;

static const dp_rule *read_rule(sides *s, const char *hosts, const char *rule)
{
    char     text[1024];
    dp_error err;
    int      n = snprintf(text, sizeof text, "dustpan-rules 1\nhost %s\n%s\n", hosts, rule);
    assert_int_equal(DP_OK, dp_rules_new(&s->r));
    if (dp_rules_parse(s->r, "case", text, (size_t)n, &err) != DP_OK)
        fail_msg("%s: %s", rule, err.message);
    return s->r->rule[0];
}

static void done(sides *s)
{
    dp_rules_free(s->r);
    dp_arena_done(&s->arena);
}

static void says_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        sides     s = {0}, again = {0};
        dp_phrase p;
        char      got[512];
        const dp_rule *r = read_rule(&s, cases[i].hosts, cases[i].rule);
        assert_int_equal(DP_OK, dp_phrase_say(&p, r->left, r->right, dp_str_c(cases[i].hosts), &s.arena));
        if (p.why == DP_SAID)
            snprintf(got, sizeof got, "%.*s", DP_FMT(p.text));
        else
            snprintf(got, sizeof got, "!%s", dp_unsaid_name(p.why));
        assert_string_equal(cases[i].want, got);
        if (p.why == DP_SAID) {
            assert_int_equal(cases[i].falls, p.falls);
            read_rule(&again, cases[i].hosts, got);
            done(&again);
        }
        done(&s);
    }
}

/* ---- what a file cannot have: built by hand -------------------------------------------------- */

static dp_pat literal(dp_item *it, const char *text)
{
    *it = (dp_item){.kind = DP_ITEM_LITERAL, .text = dp_str_c(text)};
    return (dp_pat){it, 1};
}

static dp_unsaid why_not(dp_pat segment, const char *name, size_t k, dp_pat value)
{
    dp_arena      a = {0};
    dp_phrase     p;
    dp_item       it;
    dp_pat        other = literal(&it, "b");
    dp_query_item q = {.kind = DP_QUERY_VALUE, .name = dp_str_c(name), .k = k, .pat = value};
    dp_template   left = {.port = -1, .seg = &segment, .nseg = 1, .glob = DP_NO_GLOB, .has_query = true, .query = &q,
                          .nquery = 1};
    dp_template   right = left;
    right.seg = &other;
    assert_int_equal(DP_OK, dp_phrase_say(&p, &left, &right, DP_STR("a.com"), &a));
    assert_true(p.why == DP_SAID || p.text.n == 0);
    dp_arena_done(&a);
    return p.why;
}

static void refuses_what_has_no_form(void **state)
{
    (void)state;
    dp_item x, y;
    assert_int_equal(DP_SAID, why_not(literal(&x, "a"), "n", 1, literal(&y, "v")));
    assert_int_equal(DP_UNSAID_LITERAL, why_not(literal(&x, "a*"), "n", 1, literal(&y, "v")));
    assert_int_equal(DP_UNSAID_LITERAL, why_not(literal(&x, "a/b"), "n", 1, literal(&y, "v")));
    assert_int_equal(DP_UNSAID_LITERAL, why_not(literal(&x, ".."), "n", 1, literal(&y, "v")));
    assert_int_equal(DP_UNSAID_LITERAL, why_not(literal(&x, "a"), "n", 1, literal(&y, "*")));
    assert_int_equal(DP_UNSAID_LITERAL, why_not(literal(&x, "a"), "n", 1, literal(&y, "a&b")));
    assert_int_equal(DP_SAID, why_not(literal(&x, "a"), "n", 1, literal(&y, "a/b?c=d")));
    assert_int_equal(DP_UNSAID_NAME, why_not(literal(&x, "a"), "", 1, literal(&y, "v")));
    assert_int_equal(DP_UNSAID_NAME, why_not(literal(&x, "a"), "...", 1, literal(&y, "v")));
    assert_int_equal(DP_UNSAID_NAME, why_not(literal(&x, "a"), "+n", 1, literal(&y, "v")));
    assert_int_equal(DP_UNSAID_NAME, why_not(literal(&x, "a"), "n,m", 1, literal(&y, "v")));
    assert_int_equal(DP_UNSAID_REPEATED, why_not(literal(&x, "a"), "n", 2, literal(&y, "v")));
    dp_item two[2] = {{.kind = DP_ITEM_STAR}, {.kind = DP_ITEM_CAPTURE, .text = DP_STR("q")}};
    assert_int_equal(DP_UNSAID_CAPTURE, why_not((dp_pat){two, 2}, "n", 1, literal(&y, "v")));
}

static void reference_to_nothing_is_refused(void **state)
{
    (void)state;
    sides          s = {0};
    dp_phrase      p;
    const dp_rule *r = read_rule(&s, "a.com", "/{x}/dp/{y} => /*/dp/{y}");
    r->right->seg[0].v[0] = (dp_item){.kind = DP_ITEM_CAPTURE, .text = DP_STR("other")};
    assert_int_equal(DP_OK, dp_phrase_say(&p, r->left, r->right, DP_STR("a.com"), &s.arena));
    assert_int_equal(DP_UNSAID_CAPTURE, p.why);
    done(&s);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    sides          s = {0};
    const dp_rule *r = read_rule(&s, "a.com", "/{x}/{y}?a={q}&b={r}&+c&... => /{x}/{y}?a=*&b={r}&...");
    DP_EVERY_ALLOC_FAILURE {
        dp_arena  a = {0};
        dp_phrase p;
        dp_err    e = dp_phrase_say(&p, r->left, r->right, DP_STR("a.com"), &a);
        if (!dp_alloc_failed()) {
            assert_int_equal(DP_OK, e);
        } else if (e != DP_OK) {
            assert_int_equal(DP_ENOMEM, e);
        }
        dp_arena_done(&a);
    }
    done(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_the_table),
        cmocka_unit_test(refuses_what_has_no_form),
        cmocka_unit_test(reference_to_nothing_is_refused),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
