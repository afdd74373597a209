/* Any bytes as a WAT file: the laws of support/recordfuzz.h hold.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "support/recordfuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    record_fuzz(data, n, &(dp_reader_options){.format = "wat"}, 0);
    return 0;
}
