/* support/urlset.h - every distinct URL in the files of a folder.
 *
 *     urlset s = {0};
 *     urlset_add_folder(&s, "../shared/data");    s.v[0 .. s.n), in the order found
 *     urlset_done(&s);
 *
 * Files may be gzipped. A URL is what begins with http:// or https:// where no letter or digit
 * stands before it, up to the next blank, quote, angle bracket or control byte, at most 2,000 bytes.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_URLSET_H
#define DP_SUPPORT_URLSET_H

#include "base/arena.h"

typedef struct urlset {
    dp_str  *v; /* [n] distinct */
    size_t   n, cap;
    size_t  *slot; /* [nslot] index + 1 into v, 0: free */
    size_t   nslot;
    size_t   files;
    dp_arena a;
} urlset;

/* Read every file under `folder`, in the order of their paths. False when one cannot be read. */
bool urlset_add_folder(urlset *s, const char *folder);
void urlset_done(urlset *s);

#endif
