/* base/secret.h - hashes that nobody can foresee who does not know the secret.
 *
 *     dp_secret_of_process()                 drawn once, never shown: the key of tables and of --unique
 *     dp_secret_draw(&s)                     one of your own, to be kept with what it names (store/seen.h)
 *     dp_secret_hash(&s, text)               64 bits of a text
 *     dp_secret_hash128(&s, text)            128 bits: equal ones stand for equal bytes
 *     dp_secret_text(text)                   64 bits, by the secret of the process
 *
 * base/hash.h is the same for everybody, so that whoever writes URLs can look for texts of one hash. Here two have the
 * same only by chance, also for an adversary who chooses both, as long as he sees no hash and cannot measure which ones
 * fall together: about 1 in 2^60 for each pair.
 *
 * Up to 240 bytes it is XXH3 with these 192 bytes as its secret: there each 16 bytes of a text are multiplied under 16
 * bytes of the secret of their own. Beyond that XXH3 multiplies 32 by 32 bits, and changes of two words undo each other
 * once in 2^32 whatever the secret; so longer texts go through in pieces of 224 bytes, each behind the 128 bits of all
 * before it.
 *
 * Values depend on the secret: they may decide where something lies and what is equal, never what comes first.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_SECRET_H
#define DP_BASE_SECRET_H

#include "base/hash.h"

enum { DP_SECRET_BYTES = 192, DP_SECRET_WHOLE = 240 /* bytes of a text that is not cut */ };

typedef struct dp_secret {
    unsigned char byte[DP_SECRET_BYTES];
} dp_secret;

/* Random bytes of the system; false when it has none to give. */
bool dp_secret_draw(dp_secret *s);

/* That of this process. Where the system has no random bytes it is made of addresses and the clock. */
const dp_secret *dp_secret_of_process(void);

/* What stands for a text above DP_SECRET_WHOLE bytes: its last piece behind the hash of those before, in `room`. */
dp_str dp_secret_shorten(const dp_secret *s, dp_str text, char room[DP_SECRET_WHOLE]);

static inline uint64_t dp_secret_hash(const dp_secret *s, dp_str text)
{
    char room[DP_SECRET_WHOLE];
    if (text.n > DP_SECRET_WHOLE)
        text = dp_secret_shorten(s, text, room);
    return XXH3_64bits_withSecret(text.p, text.n, s->byte, sizeof s->byte);
}

/* Of this process: for what is numbered in the order in which it comes. */
static inline uint64_t dp_secret_text(dp_str text)
{
    return dp_secret_hash(dp_secret_of_process(), text);
}

/* Never zero, as dp_hash128_of. */
static inline dp_hash128 dp_secret_hash128(const dp_secret *s, dp_str text)
{
    char room[DP_SECRET_WHOLE];
    if (text.n > DP_SECRET_WHOLE)
        text = dp_secret_shorten(s, text, room);
    XXH128_hash_t h = XXH3_128bits_withSecret(text.p, text.n, s->byte, sizeof s->byte);
    return (dp_hash128){h.low64 | (uint64_t)(h.low64 == 0 && h.high64 == 0), h.high64};
}

#endif
