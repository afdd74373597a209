/* SPDX-License-Identifier: Apache-2.0 */
#include "apply/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apply/verify.h"
#include "base/hash.h"
#include "base/outfile.h"
#include "url/normalize.h"

const size_t dp_section_unit[DP_SECTIONS] = {
    [DP_SEC_TEXT] = 1,
    [DP_SEC_HOST] = sizeof(dp_im_host),
    [DP_SEC_PROGRAM] = 8,
    [DP_SEC_BODY] = 8,
    [DP_SEC_ABOUT] = sizeof(dp_im_about),
    [DP_SEC_BLOCK] = sizeof(dp_im_block),
    [DP_SEC_KEEP] = sizeof(uint32_t),
};

uint64_t dp_image_checksum(const void *memory, size_t size)
{
    size_t from = offsetof(dp_im_header, checksum) + sizeof(uint64_t);
    return dp_hash_bytes((const char *)memory + from, size - from);
}

/* Images up to 64 MiB are copied into large pages, larger ones are mapped as they are. */
#define LARGE_PAGE ((size_t)2 << 20)
#define MAX_COPY   ((size_t)64 << 20)

void *dp_image_alloc(size_t size)
{
    size_t align = size >= LARGE_PAGE ? LARGE_PAGE : DP_IMAGE_ALIGN;
    if (size > SIZE_MAX - align)
        return NULL;
    size_t room = (size + align - 1) / align * align;
    void  *p = aligned_alloc(align, room);
    if (p && align == LARGE_PAGE)
        madvise(p, room, MADV_HUGEPAGE); /* a wish: without it everything works, too */
    return p;
}

/* Read `size` bytes of `fd` into `to`; false when there are fewer. */
static bool read_whole(int fd, char *to, size_t size)
{
    while (size) {
        ssize_t n = read(fd, to, size);
        if (n <= 0)
            return false;
        to += n;
        size -= (size_t)n;
    }
    return true;
}

static dp_err copy_file(dp_image *out, int fd, size_t size, const char *path, dp_error *err)
{
    void *p = dp_image_alloc(size);
    if (!p)
        return dp_fail_at(err, DP_ENOMEM, path, 0, 0, "out of memory");
    dp_err e = read_whole(fd, p, size) ? dp_image_open(out, p, size, false, path, err)
                                       : dp_fail_at(err, DP_EIO, path, 0, 0, "cannot read to the end of the file");
    if (e != DP_OK)
        free(p);
    return e;
}

static dp_err check_header(const dp_im_header *h, size_t size, const char *name, dp_error *err)
{
    const char *again = "compile it again with 'dustpan rules compile'";
    if (size < sizeof h->magic || memcmp(h->magic, DP_IMAGE_MAGIC, sizeof h->magic) != 0)
        return dp_fail_at(err, DP_ESYNTAX, name, 0, 0, "not a compiled rule file");
    if (size < sizeof *h)
        return dp_fail_at(err, DP_ESYNTAX, name, 0, 0, "truncated: too short for a compiled rule file; %s", again);
    if (h->endian != DP_IMAGE_ENDIAN)
        return dp_fail_at(err, DP_ESYNTAX, name, 0, 0, "compiled on a machine with another byte order; %s", again);
    if (h->version != DP_IMAGE_VERSION)
        return dp_fail_at(err, DP_ESYNTAX, name, 0, 0,
                          "compiled by another version of dustpan (format %u, expected %d); %s", h->version,
                          DP_IMAGE_VERSION, again);
    if (h->size != size)
        return dp_fail_at(err, DP_ESYNTAX, name, 0, 0, "damaged: %zu bytes, expected %llu; %s", size,
                          (unsigned long long)h->size, again);
    if (h->checksum != dp_image_checksum(h, size))
        return dp_fail_at(err, DP_ESYNTAX, name, 0, 0, "damaged: wrong checksum; %s", again);
    if (h->stage0 != DP_STAGE0_VERSION)
        return dp_fail_at(err, DP_ESYNTAX, name, 0, 0,
                          "compiled for another version of the basic URL cleanup (%u, expected %d); %s", h->stage0,
                          DP_STAGE0_VERSION, again);
    for (int s = 0; s < DP_SECTIONS; s++) {
        uint64_t at = h->section[s].at, count = h->section[s].count;
        if (at % DP_IMAGE_ALIGN || at > size || count >= DP_NONE || count > (size - at) / dp_section_unit[s])
            return dp_fail_at(err, DP_ESYNTAX, name, 0, 0, "damaged: section %d is outside the file; %s", s, again);
    }
    return DP_OK;
}

dp_err dp_image_open(dp_image *out, void *memory, size_t size, bool is_mapped, const char *name, dp_error *err)
{
    const dp_im_header *h = memory;
    DP_TRY(check_header(h, size, name, err));
    const char *base = memory;
#define SECTION(s) ((const void *)(base + h->section[s].at))
    dp_image im = {
        .head = h,
        .text = SECTION(DP_SEC_TEXT),
        .host = SECTION(DP_SEC_HOST),
        .host_mask = h->section[DP_SEC_HOST].count - 1,
        .program = SECTION(DP_SEC_PROGRAM),
        .body = SECTION(DP_SEC_BODY),
        .about = SECTION(DP_SEC_ABOUT),
        .block = SECTION(DP_SEC_BLOCK),
        .keep = SECTION(DP_SEC_KEEP),
        .memory = memory,
        .mapped = is_mapped ? size : 0,
    };
#undef SECTION
    DP_TRY(dp_image_verify(&im, name, err));
    *out = im;
    return DP_OK;
}

dp_err dp_image_map(dp_image *out, const char *path, dp_error *err)
{
    struct stat st;
    int         fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return dp_fail_at(err, DP_EIO, path, 0, 0, "%s", strerror(errno));
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        close(fd);
        return dp_fail_at(err, DP_EIO, path, 0, 0, "not a regular file, so it cannot be mapped");
    }
    size_t size = (size_t)st.st_size;
    if (size == 0) {
        close(fd);
        return dp_fail_at(err, DP_ESYNTAX, path, 0, 0, "empty: not a compiled rule file");
    }
    if (size <= MAX_COPY) {
        dp_err e = copy_file(out, fd, size, path, err);
        close(fd);
        return e;
    }
    /* Populated at once: all of it is read for the checksum anyway. */
    void *p = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
    int   why = errno;
    close(fd);
    if (p == MAP_FAILED)
        return dp_fail_at(err, DP_EIO, path, 0, 0, "cannot map the file: %s", strerror(why));
    dp_err e = dp_image_open(out, p, size, true, path, err);
    if (e != DP_OK)
        munmap(p, size);
    return e;
}

dp_err dp_image_save(const dp_image *im, const char *path, dp_error *err)
{
    return dp_outfile_put(path, im->head, im->head->size, err);
}

void dp_image_done(dp_image *im)
{
    if (im->mapped)
        munmap(im->memory, im->mapped);
    else
        free(im->memory);
    *im = (dp_image){0};
}
