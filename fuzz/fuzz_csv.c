/* Any bytes as columns between commas, named by themselves or by an option: the laws of support/recordfuzz.h hold.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "support/recordfuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    record_fuzz(data, n, &(dp_reader_options){.format = "csv"}, 0);
    record_fuzz(data, n, &(dp_reader_options){.format = "csv", .columns = "url,status,-,digest"}, 0);
    return 0;
}
