/* SPDX-License-Identifier: Apache-2.0 */
#include "support/draw.h"

static const char *const shards[] = {
    "http://", "HTTPS://", "a.com", "A.Com:80", "b.org:080", "x.b.org:99999", "[::1]", "[::G]", "u@", "u:p@v@", "/",
    "//", "?", "#", "&", ";", "=", "%", "%2", "%2f", "%41", "%7e", "%2E", "%2e%2E", "%%34%31", "..", ".", "/../", "/./",
    "/..", "/.", " ", "\t", "\"", "<", "\\", "^", "`", "{", "|", "}", "*", "\xC3\xA4", "\xFF", "\xE2\x98\x83.net",
    "xn--bcher-kva.ch", "b\xC3\xBC\x63her.ch", "%C3%BC.de", ":", ":0", ":443", "@", "a", "B", "0", "~", "!", "$", "'",
    "(", "+", ",", "mailto:", "//h/", "http:/x", "ws://", "1.2.3.4", "a..b", "a.b.", "localhost", "\x01", "\x7F",
    "?a=b&c", ";p=1", "&&", "?;", "%5B", "%5D", "%00", "-", "_", "%ef%bc%85", "\xEF\xBC\x8E\x61", "\xC2\xAD",
};

static void add_shard(dp_rng *g, text *t)
{
    if (chance(g, 80))
        add(t, PICK(g, shards));
    else
        add_char(t, (char)(unsigned char)below(g, 256));
}

dp_str world_bytes(dp_rng *g, dp_arena *a)
{
    static const char *const schemes[] = {"http://", "http://", "https://", "HtTp://", "ftp://", "ws://", "x-1.y+z://",
                                          "1x://"};
    static const char *const hosts[] = {"a.com", "b.org:8080", "u:p@a.com", "A.B", "[2001:DB8::1]:80", "%61.com",
                                        "b\xC3\xBC\x63her.ch:0443"};
    text                     t = {.a = a};
    if (chance(g, 70))
        add(&t, PICK(g, schemes));
    if (chance(g, 15))
        add_shard(g, &t);
    if (chance(g, 85))
        add(&t, PICK(g, hosts));
    if (chance(g, 90))
        add_char(&t, "///?#;"[below(g, 6)]);
    for (size_t n = below(g, 9); n > 0; n--)
        add_shard(g, &t);
    return view(&t);
}

dp_str world_mutate(dp_rng *g, dp_str url, dp_arena *a)
{
    text t = {.a = a};
    add_str(&t, url);
    for (size_t n = 1 + below(g, 4); n > 0; n--) {
        dp_str s = view(&t);
        size_t i = below(g, s.n + 1), j = below(g, s.n + 1);
        if (i > j) {
            size_t k = i;
            i = j;
            j = k;
        }
        text u = {.a = a};
        add_str(&u, (dp_str){s.p, i});
        switch (below(g, 8)) {
        case 0: /* cut a little */
            j = j - i > 4 ? i + 1 + below(g, 4) : j;
            break;
        case 1: /* the other case */
            for (; i < j; i++)
                add_char(&u, (char)(((unsigned char)s.p[i] | 32) >= 'a' && ((unsigned char)s.p[i] | 32) <= 'z'
                                        ? s.p[i] ^ 32
                                        : s.p[i]));
            break;
        case 2: /* escape one byte */
            if (i < s.n)
                addf(&u, chance(g, 50) ? "%%%02X" : "%%%02x", (unsigned)(unsigned char)s.p[i++]);
            j = i;
            break;
        case 3: /* twice */
            if (j - i < 200) {
                add_str(&u, (dp_str){s.p + i, j - i});
                j = i;
            } else {
                j = i;
            }
            break;
        case 4:
            add_char(&u, "/?&;=%*#.:@+-,"[below(g, 14)]);
            j = i;
            break;
        case 5:
            add_char(&u, "*/&;A"[below(g, 5)]);
            j = i < s.n ? i + 1 : i;
            break;
        case 6:
            addf(&u, "%c%s=%s", chance(g, 50) ? '?' : '&', draw_name(g), draw_plain_value(g));
            j = i;
            break;
        default:
            add_shard(g, &u);
            j = i;
            break;
        }
        add_str(&u, (dp_str){s.p + j, s.n - j});
        t = u;
    }
    return view(&t);
}
