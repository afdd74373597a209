/* SPDX-License-Identifier: Apache-2.0 */
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_TRIES = 1000 };

static dp_err cannot(dp_error *err, const char *path, const char *what, int number)
{
    return dp_fail_at(err, DP_EIO, path, 0, 0, "cannot %s: %s", what, strerror(number));
}

dp_err dp_write_all(int fd, const void *p, size_t n, const char *name, dp_error *err)
{
    const char *at = p;
    while (n) {
        ssize_t done = write(fd, at, n);
        if (done >= 0) {
            at += done;
            n -= (size_t)done;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        } else if (errno != EINTR) {
            return cannot(err, name, "write", errno);
        }
    }
    return DP_OK;
}

/* Length of the folder part of `path`, slash included; 0 when it has none. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Make ".NAME.PID.TRY.tmp" in the folder of o->path. */
static dp_err open_aside(dp_outfile *o, mode_t mode, dp_error *err)
{
    size_t folder = folder_length(o->path), room = strlen(o->path) + 64;
    o->temp = malloc(room);
    if (!o->temp)
        return dp_fail_at(err, DP_ENOMEM, o->path, 0, 0, "out of memory");
    for (int i = 0; i < MAX_TRIES; i++) {
        /* Only the first 180 bytes of the name, so that a long one still fits in 255. */
        snprintf(o->temp, room, "%.*s.%.180s.%ld.%d.tmp", (int)folder, o->path, o->path + folder, (long)getpid(), i);
        o->fd = open(o->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (o->fd >= 0)
            return DP_OK;
        if (errno != EEXIST)
            break;
    }
    int number = errno;
    free(o->temp);
    o->temp = NULL;
    return cannot(err, o->path, "create", number);
}

static dp_err open_direct(dp_outfile *o, dp_error *err)
{
    o->fd = open(o->path, O_WRONLY | O_CLOEXEC);
    return o->fd >= 0 ? DP_OK : cannot(err, o->path, "open for writing", errno);
}

static dp_err open_any(dp_outfile *o, const char *path, dp_error *err)
{
    struct stat st;
    bool        is_there = stat(path, &st) == 0;
    if (!is_there && errno != ENOENT)
        return cannot(err, path, "create", errno);
    o->path = is_there && S_ISREG(st.st_mode) ? realpath(path, NULL) : strdup(path);
    if (!o->path && errno == ENOMEM)
        return dp_fail_at(err, DP_ENOMEM, path, 0, 0, "out of memory");
    if (!o->path)
        return cannot(err, path, "create", errno);
    if (!is_there)
        return open_aside(o, 0666, err);
    if (S_ISDIR(st.st_mode))
        return dp_fail_at(err, DP_EIO, path, 0, 0, "is a directory");
    if (!S_ISREG(st.st_mode))
        return open_direct(o, err);
    if (access(o->path, W_OK) != 0)
        return cannot(err, path, "write", errno);
    DP_TRY(open_aside(o, 0600, err));
    return fchmod(o->fd, st.st_mode & 07777) == 0 ? DP_OK : cannot(err, path, "set the permissions", errno);
}

dp_err dp_outfile_open(dp_outfile *o, const char *path, dp_error *err)
{
    *o = DP_OUTFILE_CLOSED;
    dp_err code = open_any(o, path, err);
    if (code != DP_OK)
        dp_outfile_abort(o);
    return code;
}

dp_err dp_outfile_write(dp_outfile *o, const void *p, size_t n, dp_error *err)
{
    return dp_write_all(o->fd, p, n, o->path, err);
}

/* Make the rename itself last. File systems that cannot are not our problem. */
static void sync_folder(const char *path)
{
    size_t n = folder_length(path);
    char  *folder = n ? strndup(path, n) : strdup(".");
    if (!folder)
        return;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(folder);
}

static dp_err commit(dp_outfile *o, dp_error *err)
{
    if (o->temp && fsync(o->fd) != 0)
        return cannot(err, o->path, "write", errno);
    int fd = o->fd;
    o->fd = -1;
    if (close(fd) != 0)
        return cannot(err, o->path, "write", errno);
    if (!o->temp)
        return DP_OK;
    if (rename(o->temp, o->path) != 0)
        return cannot(err, o->path, "rename the finished file", errno);
    free(o->temp);
    o->temp = NULL;
    sync_folder(o->path);
    return DP_OK;
}

dp_err dp_outfile_commit(dp_outfile *o, dp_error *err)
{
    dp_err code = commit(o, err);
    dp_outfile_abort(o);
    return code;
}

void dp_outfile_abort(dp_outfile *o)
{
    if (o->fd >= 0)
        close(o->fd);
    if (o->temp)
        unlink(o->temp);
    free(o->temp);
    free(o->path);
    *o = DP_OUTFILE_CLOSED;
}

dp_err dp_outfile_put(const char *path, const void *p, size_t n, dp_error *err)
{
    dp_outfile o;
    DP_TRY(dp_outfile_open(&o, path, err));
    dp_err code = dp_outfile_write(&o, p, n, err);
    if (code == DP_OK)
        return dp_outfile_commit(&o, err);
    dp_outfile_abort(&o);
    return code;
}

dp_err dp_workfile_open(int *fd, const char *folder, dp_error *err)
{
    char path[4096];
    *fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (*fd < 0 && (size_t)snprintf(path, sizeof path, "%s/dustpan-XXXXXX", folder) < sizeof path) {
        *fd = mkostemp(path, O_CLOEXEC);
        if (*fd >= 0)
            unlink(path);
    }
    return *fd >= 0 ? DP_OK : dp_fail_at(err, DP_EIO, folder, 0, 0, "cannot make a work file: %s", strerror(errno));
}
