/* SPDX-License-Identifier: Apache-2.0 */
#include "support/collide.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { STRIPE = 64, WORD = 8, LANES = 8, STRIPES = 15, FIRST = 1 /* the one before has the host */, WAYS = 14 };

typedef struct way {
    size_t low, high; /* bytes that take the one bit, or the other */
} way;

/* Two letters or digits that differ by `by`; false when there are none. */
static bool find_pair(unsigned char by, char pair[2])
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    for (const char *p = letters; *p; p++) {
        pair[0] = *p;
        pair[1] = (char)(*p ^ by);
        if (pair[1] && strchr(letters, pair[1]))
            return true;
    }
    return false;
}

static const unsigned char *key_of(size_t stripe, size_t lane)
{
    return XXH3_kSecret + WORD * (stripe + lane);
}

/* Make the upper halves of two words the same under their keys; list the bytes of the lower ones that can change. */
static size_t match(char *text, way *out, size_t room, size_t lane, size_t a, size_t b)
{
    const unsigned char *x = key_of(a, lane), *y = key_of(b, lane);
    char                *p = text + STRIPE * a + WORD * lane, *q = text + STRIPE * b + WORD * lane, pair[4][2];
    size_t               n = 0;
    for (size_t i = 4; i < WORD; i++) {
        if (!find_pair(x[i] ^ y[i], pair[i - 4]))
            return 0;
    }
    for (size_t i = 0; i < 4 && n < room; i++) {
        if (!((x[i] ^ y[i]) & 1))
            out[n++] = (way){(size_t)(p - text) + i, (size_t)(q - text) + i};
    }
    for (size_t i = 0; n && i < 4; i++) {
        p[4 + i] = pair[i][0];
        q[4 + i] = pair[i][1];
    }
    return n;
}

dp_str dp_collide(char out[DP_COLLIDE_BYTES], unsigned number)
{
    static const char host[] = "https://h.example/";
    bool              used[STRIPES][LANES] = {{false}};
    way               w[WAYS];
    size_t            n = 0;
    memset(out, 'x', DP_COLLIDE_BYTES);
    memcpy(out, host, sizeof host - 1);
    for (size_t lane = 0; lane < LANES; lane++) {
        for (size_t a = FIRST; a < STRIPES; a++) {
            for (size_t b = a + 1; b < STRIPES; b++) {
                size_t found = used[a][lane] || used[b][lane] ? 0 : match(out, w + n, WAYS - n, lane, a, b);
                n += found;
                used[a][lane] |= found != 0;
                used[b][lane] |= found != 0;
            }
        }
    }
    if (n != WAYS)
        abort();
    for (size_t i = 0; i < n; i++) {
        out[w[i].low] = number >> i & 1 ? 'c' : 'b';
        out[w[i].high] = number >> i & 1 ? 'b' : 'c';
    }
    return (dp_str){out, DP_COLLIDE_BYTES};
}
