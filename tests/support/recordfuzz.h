/* support/recordfuzz.h - what must hold for any bytes that a reader is given.
 *
 *     record_fuzz(data, n, &(dp_reader_options){.format = "tsv"}, RECORD_VIEWS);
 *
 * Laws: nothing crashes; a record has a URL, and what it does not know is zero; what it says lies in the input (with
 * RECORD_VIEWS: in its own line); reading in pieces is reading at once; two readings are the same. Aborts where one
 * is broken.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_RECORDFUZZ_H
#define DP_SUPPORT_RECORDFUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "input/reader.h"

enum {
    RECORD_VIEWS = 1, /* every text of a record is a view of its line */
    RECORD_AGAIN = 2  /* apply, on what apply wrote, changes nothing */
};

void record_fuzz(const uint8_t *data, size_t n, const dp_reader_options *o, unsigned laws);

#endif
