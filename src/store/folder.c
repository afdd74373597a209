/* SPDX-License-Identifier: Apache-2.0 */
#include "store/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100 /* random names */ };

struct dp_folder {
    dp_folder_how how;
    dev_t         device;   /* of the parent */
    size_t        parent;   /* bytes of its name in `path` */
    char         *path;
    int           fd, lock; /* of the folder and of `lock` in it; -1: the folder is not ours */
    bool          is_there; /* made by an earlier run */
};

static dp_err cannot(dp_error *err, const char *path, const char *what)
{
    return dp_fail_at(err, DP_EIO, path, 0, 0, "cannot %s: %s", what, strerror(errno));
}

/* ---- owning --------------------------------------------------------------------------------------------------- */

/* Whether nobody but us (and root) can have made it, or put something into it. A file system that somebody has mounted
 * there can say anything of its files, so it must be the parent's. */
static bool is_private(const dp_folder *f, const struct stat *st)
{
    return S_ISDIR(st->st_mode) && st->st_uid == geteuid() && (st->st_mode & 077) == 0 && st->st_dev == f->device;
}

/* Lock it: false when another process has it, or has removed it meanwhile. */
static bool lock(dp_folder *f)
{
    struct stat file, now;
    f->lock = openat(f->fd, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    return f->lock >= 0 && flock(f->lock, LOCK_EX | LOCK_NB) == 0 && fstat(f->lock, &file) == 0 &&
           fstatat(f->fd, "lock", &now, AT_SYMLINK_NOFOLLOW) == 0 && file.st_ino == now.st_ino;
}

static void disown(dp_folder *f)
{
    if (f->lock >= 0)
        close(f->lock);
    if (f->fd >= 0)
        close(f->fd);
    f->fd = f->lock = -1;
}

/* Own the folder at the path: false when it is another's, or there is none. */
static bool own(dp_folder *f)
{
    struct stat st;
    f->fd = open(f->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (f->fd >= 0 && fstat(f->fd, &st) == 0 && is_private(f, &st) && lock(f)) {
        if (f->how.owned)
            f->how.owned(f->how.ctx, f->path);
        return true;
    }
    disown(f);
    return false;
}

static void set_name(dp_folder *f, uint64_t name)
{
    snprintf(f->path + f->parent, DP_FOLDER_NAME + 2, "/dustpan-%016" PRIx64, name);
}

static bool set_random_name(dp_folder *f)
{
    uint64_t name;
    bool     ok = getrandom(&name, sizeof name, 0) == sizeof name;
    set_name(f, ok ? name : 0);
    return ok;
}

dp_err dp_folder_new(dp_folder **out, const dp_folder_how *how, dp_error *err)
{
    struct stat st;
    size_t      n = strlen(how->parent);
    if (stat(how->parent, &st) != 0)
        return cannot(err, how->parent, "use this folder for work files");
    if (!S_ISDIR(st.st_mode))
        return dp_fail_at(err, DP_EIO, how->parent, 0, 0, "not a folder");
    if (n + DP_FOLDER_NAME + 2 > 4096)
        return dp_fail(err, DP_EINVALID, "the name of the folder for work files is too long");
    dp_folder *f = calloc(1, sizeof *f);
    if (!f || !(f->path = malloc(n + DP_FOLDER_NAME + 2))) {
        free(f);
        return DP_ENOMEM;
    }
    *f = (dp_folder){.how = *how, .device = st.st_dev, .parent = n, .path = f->path, .fd = -1, .lock = -1};
    memcpy(f->path, how->parent, n);
    set_name(f, how->name);
    f->is_there = how->again && own(f);
    if (!how->again && !set_random_name(f)) {
        dp_err code = cannot(err, f->path, "find a name for the folder for work files");
        dp_folder_remove(f);
        return code;
    }
    *out = f;
    return DP_OK;
}

bool dp_folder_is_there(const dp_folder *f)
{
    return f->is_there;
}

/* A folder that was just made can be lost to another run that does the same, which has found it and was faster; one
 * with a random name cannot. */
dp_err dp_folder_make(dp_folder *f, dp_error *err)
{
    bool made = false;
    for (int i = 0; f->fd < 0 && i < TRIES && !(made && i > 1); i++) {
        made = mkdir(f->path, 0700) == 0;
        if (made && own(f))
            break;
        if (!made && errno != EEXIST)
            return cannot(err, f->path, "make the folder for work files");
        if (made)
            rmdir(f->path);
        if (!set_random_name(f))
            return cannot(err, f->path, "find a name for the folder for work files");
    }
    if (f->fd >= 0)
        return DP_OK;
    f->path[f->parent] = 0;
    return dp_fail_at(err, DP_EIO, f->path, 0, 0,
                      "other users could change work files here; choose a folder with --tmp whose file system knows "
                      "owners, permissions and locks");
}

/* ---- files ---------------------------------------------------------------------------------------------------- */

/* The name of a file in the folder. */
static void name_file(char out[16], size_t number)
{
    snprintf(out, 16, "%04zu", number);
}

void dp_folder_name_file(const dp_folder *f, size_t number, char *out, size_t cap)
{
    snprintf(out, cap, "%s/%04zu", f->path, number);
}

static dp_err cannot_file(const dp_folder *f, size_t number, const char *what, dp_error *err)
{
    char name[4200];
    int  why = errno;
    dp_folder_name_file(f, number, name, sizeof name);
    errno = why;
    return cannot(err, name, what);
}

dp_err dp_folder_create(dp_folder *f, size_t number, int *fd, dp_error *err)
{
    char name[16];
    DP_TRY(dp_folder_make(f, err));
    name_file(name, number);
    unlinkat(f->fd, name, 0);
    *fd = openat(f->fd, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    return *fd >= 0 ? DP_OK : cannot_file(f, number, "create", err);
}

dp_err dp_folder_open(dp_folder *f, size_t number, int *fd, dp_error *err)
{
    struct stat st;
    char        name[16];
    name_file(name, number);
    *fd = f->fd >= 0 ? openat(f->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    if (*fd < 0)
        return cannot_file(f, number, "open", err);
    if (fstat(*fd, &st) == 0 && S_ISREG(st.st_mode))
        return DP_OK;
    close(*fd);
    *fd = -1;
    errno = EINVAL;
    return cannot_file(f, number, "open", err);
}

bool dp_folder_has(const dp_folder *f, size_t number)
{
    struct stat st;
    char        name[16];
    name_file(name, number);
    return f->fd >= 0 && fstatat(f->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
}

void dp_folder_unlink(dp_folder *f, size_t number)
{
    char name[16];
    name_file(name, number);
    if (f->fd >= 0)
        unlinkat(f->fd, name, 0);
}

void dp_folder_remove(dp_folder *f)
{
    if (!f)
        return;
    if (f->fd >= 0) {
        for (size_t i = 0; i < DP_FOLDER_FILES; i++)
            dp_folder_unlink(f, i);
        unlinkat(f->fd, "lock", 0);
        rmdir(f->path);
    }
    disown(f);
    free(f->path);
    free(f);
}
