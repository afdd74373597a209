/* SPDX-License-Identifier: Apache-2.0 */
#include "store/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct dp_folder {
    char *path;
    int   lock;     /* descriptor; -1: the folder is not ours */
    bool  is_there; /* made by an earlier run */
};

static dp_err cannot(dp_error *err, const char *path, const char *what)
{
    return dp_fail_at(err, DP_EIO, path, 0, 0, "cannot %s: %s", what, strerror(errno));
}

/* Own the folder: false when another process does, or there is none. */
static bool own(dp_folder *f)
{
    char name[4200];
    snprintf(name, sizeof name, "%s/lock", f->path);
    f->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (f->lock >= 0 && flock(f->lock, LOCK_EX | LOCK_NB) == 0)
        return true;
    if (f->lock >= 0)
        close(f->lock);
    f->lock = -1;
    return false;
}

dp_err dp_folder_new(dp_folder **out, const char *parent, uint64_t name, dp_error *err)
{
    struct stat st;
    size_t      room = strlen(parent) + DP_FOLDER_NAME + 2;
    if (stat(parent, &st) != 0)
        return cannot(err, parent, "use this folder for work files");
    if (!S_ISDIR(st.st_mode))
        return dp_fail_at(err, DP_EIO, parent, 0, 0, "not a folder");
    if (room > 4096)
        return dp_fail(err, DP_EINVALID, "the name of the folder for work files is too long");
    dp_folder *f = calloc(1, sizeof *f);
    if (!f || !(f->path = malloc(room))) {
        free(f);
        return DP_ENOMEM;
    }
    f->lock = -1;
    snprintf(f->path, room, "%s/dustpan-%016" PRIx64, parent, name);
    f->is_there = stat(f->path, &st) == 0;
    if (f->is_there && !own(f)) {
        dp_fail_at(err, DP_EIO, f->path, 0, 0, "in use by another run");
        free(f->path);
        free(f);
        return DP_EIO;
    }
    *out = f;
    return DP_OK;
}

bool dp_folder_is_there(const dp_folder *f)
{
    return f->is_there;
}

dp_err dp_folder_make(dp_folder *f, dp_error *err)
{
    if (f->lock >= 0)
        return DP_OK;
    if (mkdir(f->path, 0700) != 0 && errno != EEXIST)
        return cannot(err, f->path, "make the folder for work files");
    if (own(f))
        return DP_OK;
    dp_err code = cannot(err, f->path, "lock the folder for work files");
    rmdir(f->path);
    return code;
}

const char *dp_folder_path(const dp_folder *f)
{
    return f->path;
}

void dp_folder_name_file(const dp_folder *f, size_t number, char *out, size_t cap)
{
    snprintf(out, cap, "%s/%04zu", f->path, number);
}

dp_err dp_folder_create(dp_folder *f, size_t number, int *fd, dp_error *err)
{
    char name[4200];
    DP_TRY(dp_folder_make(f, err));
    dp_folder_name_file(f, number, name, sizeof name);
    *fd = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    return *fd >= 0 ? DP_OK : cannot(err, name, "create");
}

dp_err dp_folder_open(dp_folder *f, size_t number, int *fd, dp_error *err)
{
    char name[4200];
    dp_folder_name_file(f, number, name, sizeof name);
    *fd = open(name, O_RDONLY | O_CLOEXEC);
    return *fd >= 0 ? DP_OK : cannot(err, name, "open");
}

bool dp_folder_has(const dp_folder *f, size_t number)
{
    char name[4200];
    dp_folder_name_file(f, number, name, sizeof name);
    return access(name, R_OK) == 0;
}

void dp_folder_unlink(dp_folder *f, size_t number)
{
    char name[4200];
    dp_folder_name_file(f, number, name, sizeof name);
    unlink(name);
}

void dp_folder_remove(dp_folder *f)
{
    char name[4200];
    if (!f)
        return;
    if (f->lock >= 0) {
        for (size_t i = 0; i < DP_FOLDER_FILES; i++)
            dp_folder_unlink(f, i);
        snprintf(name, sizeof name, "%s/lock", f->path);
        unlink(name);
        rmdir(f->path);
        close(f->lock);
    }
    free(f->path);
    free(f);
}
