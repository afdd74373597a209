/* SPDX-License-Identifier: Apache-2.0 */
#include "store/lmdbfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/libraries.h"
#include "store/lmdbformat.h"

enum {
    PRIVATE = 0600,
    LOCK_SIZE = 8192,    /* bytes that LMDB gives FILE-lock */
    HARDLY_ANY = 1 << 20 /* bytes left on a disk */
};

static const uint32_t MAGIC = 0xBEEFC0DE;

/* ---- heads ------------------------------------------------------------------------------------------------------- */

bool dp_lmdb_is_known(void)
{
    int major, minor;
    mdb_version(&major, &minor, NULL);
    return major == 0 && minor == 9 && sizeof(size_t) == sizeof(uint64_t);
}

bool dp_lmdb_is_page_size(uint64_t n)
{
    return n >= 512 && n <= 32768 && (n & (n - 1)) == 0;
}

bool dp_lmdb_is_tree(const dp_lmdb_tree *t)
{
    bool empty = t->depth == 0;
    return t->depth <= DP_LMDB_DEPTH && (t->root == DP_LMDB_NOTHING) == empty && (t->entries == 0) == empty;
}

bool dp_lmdb_is_head(const dp_lmdb_head *h, uint64_t size)
{
    uint64_t page = h->free.page_size;
    return h->magic == MAGIC && h->version == 1 && dp_lmdb_is_page_size(page) && h->map_size < (uint64_t)1 << 46 &&
           h->last >= DP_LMDB_HEADS - 1 && h->last < h->map_size / page && size / page >= DP_LMDB_HEADS &&
           dp_lmdb_is_tree(&h->free) && dp_lmdb_is_tree(&h->names) && (h->free.flags & 0x7F) == DP_LMDB_NUMBERS &&
           h->names.flags == 0;
}

/* Both heads, of which one is of the last transaction and the other of the one before it. */
static int check_heads(int fd, uint64_t size)
{
    struct {
        dp_lmdb_page page;
        dp_lmdb_head h;
    } both[DP_LMDB_HEADS];
    if (pread(fd, &both[0], sizeof both[0], 0) != sizeof both[0] || both[0].h.magic != MAGIC)
        return MDB_INVALID;
    if (both[0].h.version != 1)
        return MDB_VERSION_MISMATCH;
    uint64_t page = both[0].h.free.page_size;
    if (!dp_lmdb_is_page_size(page) || pread(fd, &both[1], sizeof both[1], (off_t)page) != sizeof both[1])
        return MDB_CORRUPTED;
    for (uint64_t i = 0; i < DP_LMDB_HEADS; i++) {
        if (both[i].page.number != i || both[i].page.flags != DP_LMDB_HEAD || !dp_lmdb_is_head(&both[i].h, size) ||
            both[i].h.free.page_size != page || (both[i].h.txn && both[i].h.txn % DP_LMDB_HEADS != i))
            return MDB_CORRUPTED;
    }
    uint64_t a = both[0].h.txn, b = both[1].h.txn;
    return (a > b ? a - b : b - a) <= 1 ? 0 : MDB_CORRUPTED;
}

/* Whether there is a file that LMDB may see, or none. */
static int check_file(const char *path)
{
    struct stat st;
    int         fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return errno == ENOENT ? 0 : errno;
    int code = fstat(fd, &st) != 0 ? errno : S_ISREG(st.st_mode) ? 0 : MDB_INVALID;
    if (code == 0 && st.st_size && dp_lmdb_is_known()) {
        code = check_heads(fd, (uint64_t)st.st_size);
        /* Somebody may be writing one: once more, then. */
        if (code == MDB_CORRUPTED && fstat(fd, &st) == 0)
            code = check_heads(fd, (uint64_t)st.st_size);
    }
    close(fd);
    return code;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static mode_t mode_of(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? st.st_mode & 0666 : PRIVATE;
}

/* Make FILE-lock, all of it: LMDB writes to it through a map, which on a full disk would be the end. */
static int make_lock(const char *path, mode_t mode)
{
    struct stat st;
    char       *name;
    int         code = 0;
    if (asprintf(&name, "%s-lock", path) < 0)
        return ENOMEM;
    if (stat(name, &st) != 0 || st.st_blocks == 0) {
        int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, mode);
        code = fd < 0 ? errno : posix_fallocate(fd, 0, LOCK_SIZE);
        if (fd >= 0)
            close(fd);
        /* A file system that cannot do it. */
        code = code == EINVAL || code == EOPNOTSUPP ? 0 : code;
    }
    free(name);
    return code;
}

int dp_lmdb_open(MDB_env **env, const dp_lmdb_how *how)
{
    mode_t mode = mode_of(how->path);
    int    code = check_file(how->path);
    *env = NULL;
    if (code == 0)
        code = make_lock(how->path, mode);
    if (code == 0)
        code = mdb_env_create(env);
    if (code == 0)
        code = mdb_env_set_maxdbs(*env, how->tables);
    if (code == 0)
        code = mdb_env_set_mapsize(*env, how->map);
    return code ? code : mdb_env_open(*env, how->path, MDB_NOSUBDIR | MDB_NOTLS, mode);
}

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

const char *dp_lmdb_version(void)
{
    return TEXT(MDB_VERSION_MAJOR) "." TEXT(MDB_VERSION_MINOR) "." TEXT(MDB_VERSION_PATCH);
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/* Whether the disk is full: of a write that was cut short LMDB says that input or output has failed. */
static bool is_full(const char *path)
{
    struct statvfs st;
    return statvfs(path, &st) == 0 && (uint64_t)st.f_bavail * st.f_frsize < HARDLY_ANY;
}

dp_err dp_lmdb_fail(int code, const char *path, const char *kind, dp_error *err)
{
    if (code == EIO && is_full(path))
        code = ENOSPC;
    switch (code) {
    case ENOMEM: return dp_fail_at(err, DP_ENOMEM, path, 0, 0, "out of memory");
    case ENOSPC: return dp_fail_at(err, DP_EIO, path, 0, 0, "no space left on device; make room and run again");
    case MDB_INVALID:
    case MDB_VERSION_MISMATCH:
        return dp_fail_at(err, DP_ESYNTAX, path, 0, 0, "not %s, or one of another version", kind);
    case MDB_CORRUPTED:
    case MDB_PAGE_NOTFOUND:
    case MDB_NOTFOUND:
    case MDB_CURSOR_FULL:
    case MDB_BAD_VALSIZE:
    case MDB_PANIC:
        return dp_fail_at(err, DP_ESYNTAX, path, 0, 0, "damaged; restore it from a backup, or delete it");
    default: return dp_fail_at(err, DP_EIO, path, 0, 0, "%s", mdb_strerror(code));
    }
}
