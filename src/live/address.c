/* SPDX-License-Identifier: Apache-2.0 */
#include "live/address.h"

#include <netinet/in.h>

#include "base/str.h"

typedef struct net4 {
    uint32_t net;
    unsigned bits;
} net4;

/* 10.0.0.0 as 0x0A000000 */
static const net4 closed4[] = {
    {0x00000000, 8},  /* this network */
    {0x0A000000, 8},  /* private */
    {0x64400000, 10}, /* carrier-grade NAT */
    {0x7F000000, 8},  /* loopback */
    {0xA9FE0000, 16}, /* link-local; cloud metadata */
    {0xAC100000, 12}, /* private */
    {0xC0000000, 24}, /* protocol assignments */
    {0xC0000200, 24}, /* documentation */
    {0xC0586300, 24}, /* 6to4 relays, no longer in use */
    {0xC0A80000, 16}, /* private */
    {0xC6120000, 15}, /* benchmarks */
    {0xC6336400, 24}, /* documentation */
    {0xCB007100, 24}, /* documentation */
    {0xE0000000, 4},  /* multicast */
    {0xF0000000, 4},  /* reserved, broadcast */
};

typedef struct net6 {
    uint8_t  net[16];
    unsigned bits;
} net6;

/* All that lies in 2000::/3, where public addresses are, and is not public. */
static const net6 closed6[] = {
    {{0x20, 0x01, 0x00}, 23},             /* protocol assignments, Teredo among them */
    {{0x20, 0x01, 0x0d, 0xb8}, 32},       /* documentation */
    {{0x3f, 0xff}, 20},                   /* documentation */
};

static bool is_public4(uint32_t a)
{
    for (size_t i = 0; i < DP_COUNT(closed4); i++)
        if ((a ^ closed4[i].net) >> (32 - closed4[i].bits) == 0)
            return false;
    return true;
}

static bool begins(const uint8_t *a, const net6 *n)
{
    unsigned whole = n->bits / 8, rest = n->bits % 8;
    return memcmp(a, n->net, whole) == 0 && (rest == 0 || (a[whole] ^ n->net[whole]) >> (8 - rest) == 0);
}

static uint32_t read4(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static bool is_public6(const uint8_t *a)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};              /* ::ffff:a.b.c.d */
    static const uint8_t nat64[12] = {0x00, 0x64, 0xff, 0x9b};                 /* 64:ff9b::a.b.c.d */
    if (memcmp(a, mapped, sizeof mapped) == 0 || memcmp(a, nat64, sizeof nat64) == 0)
        return is_public4(read4(a + 12));
    if (a[0] >> 5 != 1)
        return false; /* loopback, link-local, unique local, site-local, multicast, unspecified */
    if (a[0] == 0x20 && a[1] == 0x02)
        return is_public4(read4(a + 2)); /* 6to4: 2002:AABB:CCDD:: */
    for (size_t i = 0; i < DP_COUNT(closed6); i++)
        if (begins(a, &closed6[i]))
            return false;
    return true;
}

bool dp_address_is_public(const struct sockaddr *a)
{
    if (a->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, a, sizeof in);
        return is_public4(ntohl(in.sin_addr.s_addr));
    }
    if (a->sa_family == AF_INET6) {
        struct sockaddr_in6 in;
        memcpy(&in, a, sizeof in);
        return is_public6(in.sin6_addr.s6_addr);
    }
    return false;
}
