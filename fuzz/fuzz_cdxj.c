/* Any bytes as a CDXJ index: the laws of support/recordfuzz.h hold, and a key put into an object is found there again.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "support/recordfuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    record_fuzz(data, n, &(dp_reader_options){.format = "cdxj"}, RECORD_AGAIN);
    return 0;
}
