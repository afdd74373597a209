/* Any bytes as a URL: the laws of support/url_laws.h hold.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>

#include "support/url_laws.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static url_laws l; /* kept between inputs: what one leaves behind must not matter to the next */
    const char     *broken = url_laws_check(&l, (dp_str){(const char *)data, n});
    if (broken) {
        fprintf(stderr, "not so: %s\n", broken);
        abort();
    }
    return 0;
}
