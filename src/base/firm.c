/* SPDX-License-Identifier: Apache-2.0 */
#include "base/firm.h"

#include <string.h>

#include <openssl/evp.h>

dp_err dp_hash_firm(uint64_t *out, dp_str text)
{
    unsigned char md[EVP_MAX_MD_SIZE];
    if (EVP_Digest(text.p ? text.p : "", text.n, md, NULL, EVP_sha256(), NULL) != 1)
        return DP_ENOMEM;
    *out = 0;
    for (size_t i = 0; i < sizeof *out; i++)
        *out = *out << 8 | md[i];
    return DP_OK;
}
