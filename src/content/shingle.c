/* SPDX-License-Identifier: Apache-2.0 */
#include "content/shingle.h"

#include <openssl/evp.h>

#include "base/hash.h"

/* Where the four orders begin: digits of pi, in hex. */
static const uint64_t starts[DP_SKETCH_SIZE] = {0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0,
                                                0x082EFA98EC4E6C89};

void dp_shingle_sketch(uint64_t sketch[DP_SKETCH_SIZE], const uint64_t *words, size_t n)
{
    size_t width = n < DP_SHINGLE_WORDS ? n : DP_SHINGLE_WORDS;
    for (int k = 0; k < DP_SKETCH_SIZE; k++)
        sketch[k] = UINT64_MAX;
    for (size_t i = 0; i + width <= n; i++) {
        uint64_t shingle = dp_hash_bytes(words + i, width * sizeof *words);
        for (int k = 0; k < DP_SKETCH_SIZE; k++) {
            uint64_t h = dp_hash_mix(shingle ^ starts[k]);
            sketch[k] = h < sketch[k] ? h : sketch[k];
        }
    }
}

dp_err dp_shingle_binary(uint64_t sketch[DP_SKETCH_SIZE], dp_str bytes)
{
    unsigned char md[EVP_MAX_MD_SIZE];
    uint64_t      half[2];
    if (EVP_Digest(bytes.p, bytes.n, md, NULL, EVP_md5(), NULL) != 1)
        return DP_ENOMEM;
    memcpy(half, md, sizeof half);
    for (int k = 0; k < DP_SKETCH_SIZE; k++)
        sketch[k] = dp_hash_mix(half[0] ^ starts[k]) ^ half[1];
    return DP_OK;
}
