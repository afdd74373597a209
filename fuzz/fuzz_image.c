/* Can a compiled file hurt us? The bytes are an image whose header is made right, so that
 * the checksum lets everything through to dp_image_verify; what that accepts must run
 * inside its bounds, twice with the same answers, and be idempotent where it says so.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <assert.h>
#include <stdlib.h>

#include "apply/engine.h"

static const char *const urls[] = {
    "http://a.com/x/y/index.html?sid=1&b=2&a=*",
    "https://www.a.com:81/A;s=1/b?p&p=2",
    "http://x.b.org/c/*?q=a%2Fb",
    "http://a.com/item/red-oak-chair-12.html?ID=1&z",
    "http://anna.example.com/20240131/007%20b",
    "b.org/",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < sizeof(dp_im_header))
        return 0;
    size_t        room = (size + DP_IMAGE_ALIGN - 1) / DP_IMAGE_ALIGN * DP_IMAGE_ALIGN;
    char         *memory = aligned_alloc(DP_IMAGE_ALIGN, room);
    dp_engine     e = {.choice = {.with_likely = true}};
    dp_im_header *head = (dp_im_header *)(void *)memory;
    if (!memory)
        return 0;
    memcpy(memory, data, size);
    head->size = size;
    head->checksum = dp_image_checksum(memory, size);
    if (dp_image_open(&e.im, memory, size, false, "fuzz", NULL) != DP_OK) {
        free(memory);
        return 0;
    }
    dp_scratch *s;
    assert(dp_scratch_new(&s) == DP_OK);
    for (size_t i = 0; i < DP_COUNT(urls); i++) {
        char   first[4096], again[4096];
        size_t n = dp_apply(&e, s, urls[i], strlen(urls[i]), first, sizeof first);
        size_t m = dp_apply(&e, s, urls[i], strlen(urls[i]), again, sizeof again);
        assert(n == m && memcmp(first, again, n < sizeof first ? n : sizeof first) == 0);
    }
    dp_scratch_free(s);
    dp_image_done(&e.im);
    return 0;
}
