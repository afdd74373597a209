/* support/memoryfile.h - bytes as a file with a name, without a disk: for what reads only files.
 *
 *     dp_memory_file f = dp_memory_file_of(data, n);
 *     dp_input_open(..., f.path ...);
 *     dp_memory_file_close(&f);
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_MEMORYFILE_H
#define DP_SUPPORT_MEMORYFILE_H

#include <stddef.h>

typedef struct dp_memory_file {
    int  fd;
    char path[40];
} dp_memory_file;

/* Aborts when the system has no memory for it. */
dp_memory_file dp_memory_file_of(const void *data, size_t n);
void           dp_memory_file_close(dp_memory_file *f);

#endif
