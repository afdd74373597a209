/* SPDX-License-Identifier: Apache-2.0 */
#include "support/memoryfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

dp_memory_file dp_memory_file_of(const void *data, size_t n)
{
    dp_memory_file f = {.fd = memfd_create("fuzz", 0)};
    if (f.fd < 0 || write(f.fd, data, n) != (ssize_t)n)
        abort();
    snprintf(f.path, sizeof f.path, "/proc/self/fd/%d", f.fd);
    return f;
}

void dp_memory_file_close(dp_memory_file *f)
{
    close(f->fd);
}
