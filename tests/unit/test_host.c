/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "dustpan.h"
#include "support/failing_alloc.h"
#include "url/host.h"

static const struct {
    const char *host, *want; /* NULL: no host */
} cases[] = {
    {"a.com", "a.com"},
    {"A.Com", "a.com"},
    {"a.com.", "a.com."},
    {"a", "a"},
    {"a_b-c~d.e", "a_b-c~d.e"},
    {"-a-.b", "-a-.b"},
    {"a..b", "a..b"},
    {".", "."},
    {"xn--bcher-kva.ch", "xn--bcher-kva.ch"},
    {"XN--BCHER-KVA.ch", "xn--bcher-kva.ch"},
    {"xn--a", "xn--a"}, /* ASCII is not looked into */

    /* %XX decoded once */
    {"%61.com", "a.com"},
    {"%41.%63om", "a.com"},
    {"%2561.com", NULL},
    {"a%2Fb", NULL},
    {"a%00b", NULL},
    {"a%", NULL},
    {"a%4", NULL},
    {"%5B::1]", NULL},

    /* UTS #46, non-transitional */
    {"B%C3%BCcher.Example", "xn--bcher-kva.example"}, /* the header's */
    {"b\xC3\xBC" "cher.ch", "xn--bcher-kva.ch"},
    {"B\xC3\x9C" "CHER.CH", "xn--bcher-kva.ch"},
    {"bu\xCC\x88" "cher.ch", "xn--bcher-kva.ch"},        /* NFC */
    {"stra\xC3\x9F" "e.de", "xn--strae-oqa.de"},         /* sharp s stays */
    {"\xEF\xBC\xA1.com", "a.com"},                       /* full-width A */
    {"a\xE3\x80\x82" "com", "a.com"},                    /* ideographic full stop */
    {"\xE2\x98\x83.net", NULL},                          /* a symbol: libidn2 asks IDNA2008 too */
    {"xn--n3h.net", "xn--n3h.net"},
    {"\xEF\xBC\x85\xEF\xBC\x94\xEF\xBC\x91.com", NULL},  /* full-width %41: decoded once only */
    {"\xEF\xBC\x8F.com", NULL},                          /* full-width / */
    {"\xC2\xAD", NULL},                                  /* nothing is left of a soft hyphen */

    /* no host */
    {"", NULL},
    {"a b", NULL},
    {"a\tb", NULL},
    {"a\\b", NULL},
    {"a:b", NULL},
    {"a@b", NULL},
    {"a,b", NULL},
    {"a*b", NULL},
    {"a\xFF.com", NULL},
    {"a\xC3.com", NULL},
    {"%FF.com", NULL},
    {"a]b", NULL},

    /* IPv6: lower case, never compressed */
    {"[::1]", "[::1]"},
    {"[2001:DB8:0:0:0:0:0:1]", "[2001:db8:0:0:0:0:0:1]"},
    {"[::FFFF:1.2.3.4]", "[::ffff:1.2.3.4]"},
    {"[::]", "[::]"},
    {"[]", NULL},
    {"[", NULL},
    {"[1.2.3.4]", NULL},
    {"[::g]", NULL},
    {"[::1%25eth0]", NULL},
    {"[%3A:1]", NULL},
    {"[v1.x]", NULL},
    {"[0000000000000000000000000000000000000000000000000000000000000000000::1]", NULL},

    /* IPv4 number forms stay */
    {"127.0.0.1", "127.0.0.1"},
    {"0x7F.1", "0x7f.1"},
    {"2130706433", "2130706433"},
};

static void normal_hosts_are_those_of_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_buf got = {0};
        dp_buf_c(&got, "//");
        bool ok = dp_host_normalize(&got, dp_str_c(cases[i].host));
        if (ok != (cases[i].want != NULL))
            fail_msg("'%s' is %s host", cases[i].host, ok ? "a" : "no");
        dp_buf_byte(&got, 0);
        if (ok)
            assert_string_equal(cases[i].want, got.p + 2);
        dp_buf_done(&got);
    }
}

static void normal_hosts_stay(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_buf got = {0};
        if (!cases[i].want)
            continue;
        assert_true(dp_host_normalize(&got, dp_str_c(cases[i].want)));
        assert_true(dp_str_eq(dp_str_c(cases[i].want), dp_buf_view(&got)));
        dp_buf_done(&got);
    }
}

static void a_nul_makes_no_host(void **state)
{
    (void)state;
    static const dp_str hosts[] = {DP_STR("a\0b"), DP_STR("\xC3\xBC\0.de"), DP_STR("[::1\0]"), DP_STR("%C3%BC%00.de")};
    for (size_t i = 0; i < DP_COUNT(hosts); i++) {
        dp_buf got = {0};
        assert_false(dp_host_normalize(&got, hosts[i]));
        dp_buf_done(&got);
    }
}

static void long_names_pass_in_ascii_only(void **state)
{
    (void)state;
    enum { N = 1 << 20 };
    dp_buf host = {0}, got = {0};
    while (host.n < N)
        dp_buf_byte(&host, 'a');
    assert_true(dp_host_normalize(&got, dp_buf_view(&host)));
    assert_true(dp_str_eq(dp_buf_view(&host), dp_buf_view(&got)));
    dp_buf_c(&host, "\xC3\xBC");
    dp_buf_reset(&got);
    assert_false(dp_host_normalize(&got, dp_buf_view(&host)));
    dp_buf_done(&host);
    dp_buf_done(&got);
}

static const struct {
    const char *name;
    bool        dotted;
} dotted_cases[] = {
    {"a.b", true},   {"a.b.", true},  {"1.2", true},     {"a_~-.b", true}, {"\xC3\xBC.d", true}, {"\xFF.b", true},
    {"a", false},    {"a.", false},   {".", false},      {"", false},      {".a.b", false},      {"a..b", false},
    {"a.b..", false}, {"a b.c", false}, {"a.b:1", false}, {"[a.b]", false}, {"a%2E.b", false},   {"a.b/", false},
};

static void dotted_names_are_those_of_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(dotted_cases); i++)
        if (dp_host_is_dotted(dp_str_c(dotted_cases[i].name)) != dotted_cases[i].dotted)
            fail_msg("'%s'", dotted_cases[i].name);
}

static const struct {
    const char *host;
    bool        address;
    const char *domain;
} domain_cases[] = {
    {"a.com", false, "a.com"},
    {"x.a.com", false, "a.com"},
    {"a.b.co.uk", false, "b.co.uk"}, /* the header's */
    {"co.uk", false, "co.uk"},       /* a public suffix has none: the host itself */
    {"com", false, "com"},
    {"localhost", false, "localhost"},
    {"x.xn--bcher-kva.ch", false, "xn--bcher-kva.ch"},
    {"127.0.0.1", true, "127.0.0.1"},
    {"1.2.3", false, "2.3"},
    {"[::1]", true, "[::1]"},
    {"", false, ""},
};

static void domains_are_those_of_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(domain_cases); i++) {
        dp_str host = dp_str_c(domain_cases[i].host), domain = dp_host_domain(host);
        assert_int_equal(domain_cases[i].address, dp_host_is_address(host));
        if (!dp_str_eq(dp_str_c(domain_cases[i].domain), domain))
            fail_msg("domain of %s: %.*s", host.p, DP_FMT(domain));
        assert_ptr_equal(host.p + host.n, domain.p + domain.n); /* a suffix, not a copy */
        size_t n;
        assert_ptr_equal(domain.p, dp_domain(host.p, host.n, &n));
        assert_int_equal(domain.n, n);
    }
}

static void names_that_are_given_away_are_of_who_gives_them(void **state)
{
    (void)state;
    static const struct {
        const char *host, *domain;
    } cases_of[] = {{"u1.github.io", "github.io"},      {"a.u1.github.io", "github.io"}, {"github.io", "github.io"},
                    {"a.blogspot.co.uk", "blogspot.co.uk"}, {"www.a.co.uk", "a.co.uk"},  {"co.uk", "co.uk"},
                    {"a.b.example", "b.example"},       {"localhost", "localhost"},      {"127.0.0.1", "127.0.0.1"},
                    {"a.b.kawasaki.jp", "a.b.kawasaki.jp"}, {"x.city.kawasaki.jp", "city.kawasaki.jp"},
                    {"a.com.", "a.com."},               {"", ""}};
    for (size_t i = 0; i < DP_COUNT(cases_of); i++) {
        dp_str domain = dp_host_icann_domain(dp_str_c(cases_of[i].host));
        if (!dp_str_eq(dp_str_c(cases_of[i].domain), domain))
            fail_msg("domain of %s: %.*s", cases_of[i].host, DP_FMT(domain));
    }
}

static void names_beyond_dns_are_their_own_domain(void **state)
{
    (void)state;
    char name[300];
    memset(name, 'a', sizeof name);
    memcpy(name + sizeof name - 4, ".com", 4);
    dp_str host = {name, sizeof name};
    assert_true(dp_str_eq(host, dp_host_domain(host)));
    assert_true(dp_str_eq(host, dp_host_icann_domain(host)));
    assert_false(dp_host_is_address(host));
}

static void default_ports_are_known(void **state)
{
    (void)state;
    static const struct {
        const char *scheme;
        int         port;
    } ports[] = {{"http", 80}, {"https", 443}, {"ws", 80},      {"wss", 443},
                 {"ftp", 21},  {"HTTP", -1},   {"gopher", -1}, {"", -1}};
    for (size_t i = 0; i < DP_COUNT(ports); i++)
        assert_int_equal(ports[i].port, dp_scheme_port(dp_str_c(ports[i].scheme)));
}

static void survive_every_allocation_failure(void **state)
{
    (void)state;
    static const char *const hosts[] = {"A.com", "\xC3\xBC.ch", "[::1]"};
    for (size_t i = 0; i < DP_COUNT(hosts); i++)
        DP_EVERY_ALLOC_FAILURE {
            dp_buf out = {0};
            bool   ok = dp_host_normalize(&out, dp_str_c(hosts[i]));
            assert_int_equal(!dp_alloc_failed(), ok);
            assert_int_equal(dp_alloc_failed(), out.failed);
            dp_buf_done(&out);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_hosts_are_those_of_the_table),
        cmocka_unit_test(normal_hosts_stay),
        cmocka_unit_test(a_nul_makes_no_host),
        cmocka_unit_test(long_names_pass_in_ascii_only),
        cmocka_unit_test(dotted_names_are_those_of_the_table),
        cmocka_unit_test(domains_are_those_of_the_table),
        cmocka_unit_test(names_that_are_given_away_are_of_who_gives_them),
        cmocka_unit_test(names_beyond_dns_are_their_own_domain),
        cmocka_unit_test(default_ports_are_known),
        cmocka_unit_test(survive_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
