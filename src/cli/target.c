/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/target.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "base/words/visible.h"

/* The files aside that a signal handler removes: copies, so that none is ever half freed.
 * `is_set` is set last. */
static struct {
    char                  path[4096];
    volatile sig_atomic_t is_set;
} aside[DP_TARGETS];

/* The same for a folder of work files. They are named relative to it: whatever stands at its path meanwhile, what is
 * not ours is not removed. */
static struct {
    char                  path[4096];
    int                   fd;
    volatile sig_atomic_t is_set;
} folder;

/* Only calls that are safe in a handler. */
static void remove_folder(void)
{
    for (unsigned i = 0; i < DP_WORK_FILES; i++) {
        const char name[] = {(char)('0' + i / 1000), (char)('0' + i / 100 % 10), (char)('0' + i / 10 % 10),
                             (char)('0' + i % 10), 0};
        unlinkat(folder.fd, name, 0);
    }
    unlinkat(folder.fd, "lock", 0);
    rmdir(folder.path);
}

static void remove_asides(int number)
{
    for (size_t i = 0; i < DP_TARGETS; i++) {
        if (aside[i].is_set)
            unlink(aside[i].path);
    }
    if (folder.is_set)
        remove_folder();
    signal(number, SIG_DFL);
    raise(number);
}

static void handle_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < DP_COUNT(numbers); i++) {
        struct sigaction now, act = {.sa_handler = remove_asides};
        /* What is ignored (nohup) stays ignored. */
        if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(numbers[i], &act, NULL);
    }
}

static void remember_aside(dp_target *t)
{
    const char *path = t->file.temp;
    for (t->slot = 0; t->slot < DP_TARGETS && aside[t->slot].is_set; t->slot++) {}
    if (!path || t->slot == DP_TARGETS || strlen(path) >= sizeof aside[0].path)
        return;
    memcpy(aside[t->slot].path, path, strlen(path) + 1);
    aside[t->slot].is_set = 1;
    handle_signals();
}

void dp_target_folder(void *ctx, const char *path)
{
    (void)ctx;
    if (folder.is_set) {
        folder.is_set = 0;
        close(folder.fd);
    }
    if (!path || strlen(path) >= sizeof folder.path)
        return;
    folder.fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder.fd < 0)
        return;
    memcpy(folder.path, path, strlen(path) + 1);
    folder.is_set = 1;
    handle_signals();
}

static void forget_aside(dp_target *t)
{
    if (t->slot < DP_TARGETS)
        aside[t->slot].is_set = 0;
}

dp_err dp_target_open(dp_target *t, const char *path, dp_error *err)
{
    bool is_file = path && strcmp(path, "-") != 0;
    *t = (dp_target){DP_OUTFILE_CLOSED, is_file, STDOUT_FILENO, is_file ? path : "standard output", DP_TARGETS};
    if (is_file) {
        DP_TRY(dp_outfile_open(&t->file, path, err));
        t->fd = t->file.fd;
        remember_aside(t);
    }
    return DP_OK;
}

dp_err dp_target_commit(dp_target *t, dp_error *err)
{
    if (!t->is_file)
        return DP_OK;
    dp_err code = dp_outfile_commit(&t->file, err);
    forget_aside(t);
    return code;
}

void dp_target_abort(dp_target *t)
{
    if (t->is_file) {
        dp_outfile_abort(&t->file);
        forget_aside(t);
    }
}

static dp_err put(const char *path, dp_str text, dp_error *err)
{
    dp_target t;
    DP_TRY(dp_target_open(&t, path, err));
    dp_err code = dp_write_all(t.fd, text.p, text.n, t.name, err);
    if (code == DP_OK)
        return dp_target_commit(&t, err);
    dp_target_abort(&t);
    return code;
}

dp_err dp_target_put(const char *path, dp_text *text, dp_error *err)
{
    dp_err code = put(path, (dp_str){dp_text_data(text), dp_text_size(text)}, err);
    dp_text_free(text);
    return code;
}

dp_err dp_target_show(const char *path, dp_text *text, dp_error *err)
{
    dp_buf b = {0};
    dp_visible(&b, (dp_str){dp_text_data(text), dp_text_size(text)}, "\n\t");
    dp_text_free(text);
    dp_err code = b.failed ? dp_fail_as(err, DP_ENOMEM) : put(path, dp_buf_view(&b), err);
    dp_buf_done(&b);
    return code;
}
