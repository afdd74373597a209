/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>

#include "base/str.h"
#include "live/address.h"

static const struct {
    const char *address;
    bool        public;
} cases[] = {
    {"8.8.8.8", true},           {"93.184.216.34", true},     {"9.255.255.255", true},   {"11.0.0.0", true},
    {"100.63.255.255", true},    {"100.128.0.0", true},       {"172.15.255.255", true},  {"172.32.0.0", true},
    {"192.167.255.255", true},   {"192.169.0.0", true},       {"126.255.255.255", true}, {"128.0.0.0", true},
    {"169.253.255.255", true},   {"169.255.0.0", true},       {"223.255.255.255", true}, {"198.17.255.255", true},
    {"0.0.0.0", false},          {"0.1.2.3", false},          {"10.0.0.0", false},       {"10.255.255.255", false},
    {"100.64.0.0", false},       {"100.127.255.255", false},  {"127.0.0.1", false},      {"127.255.255.255", false},
    {"169.254.169.254", false},  {"172.16.0.0", false},       {"172.31.255.255", false}, {"192.0.0.1", false},
    {"192.0.2.1", false},        {"192.168.0.1", false},      {"198.18.0.1", false},     {"198.19.255.255", false},
    {"198.51.100.7", false},     {"203.0.113.9", false},      {"224.0.0.1", false},      {"239.255.255.255", false},
    {"240.0.0.1", false},        {"255.255.255.255", false},  {"2606:4700::1111", true}, {"2a00:1450:4001::1", true},
    {"2001:4860:4860::8888", true}, {"::", false},            {"::1", false},            {"fe80::1", false},
    {"fec0::1", false},          {"fc00::1", false},          {"fd12:3456::1", false},   {"ff02::1", false},
    {"::ffff:8.8.8.8", true},    {"::ffff:127.0.0.1", false}, {"::ffff:10.1.2.3", false}, {"::127.0.0.1", false},
    {"64:ff9b::8.8.8.8", true},  {"64:ff9b::10.0.0.1", false}, {"64:ff9b:1::1", false},  {"2001:db8::1", false},
    {"2001::1", false},          {"2002:7f00:1::1", false},   {"2002:808:808::1", true}, {"3fff::1", false},
    {"100::1", false},
};

static void decides_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        struct sockaddr_in  four = {.sin_family = AF_INET};
        struct sockaddr_in6 six = {.sin6_family = AF_INET6};
        bool                is_four = inet_pton(AF_INET, cases[i].address, &four.sin_addr) == 1;
        assert_true(is_four || inet_pton(AF_INET6, cases[i].address, &six.sin6_addr) == 1);
        if (dp_address_is_public(is_four ? (struct sockaddr *)&four : (struct sockaddr *)&six) != cases[i].public)
            fail_msg("%s", cases[i].address);
    }
}

static void other_families_are_not_public(void **state)
{
    (void)state;
    struct sockaddr a = {.sa_family = AF_UNIX};
    assert_false(dp_address_is_public(&a));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decides_the_table),
        cmocka_unit_test(other_families_are_not_public),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
