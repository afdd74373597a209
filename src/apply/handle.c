/* The public face of engines: make, open, save, ask.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "apply/compile.h"
#include "apply/engine.h"
#include "apply/feedback.h"
#include "rule/rulefile.h"

/* Finish an engine whose image is there. */
static void finish(dp_engine **out, dp_engine *e, unsigned flags, double min_precision)
{
    e->choice = (dp_rule_choice){.with_likely = (flags & DP_WITH_LIKELY) != 0, .min_precision = (float)min_precision};
    bool usual = !e->choice.with_likely && e->choice.min_precision <= 0;
    e->set_id = usual ? e->im.head->set_id : dp_image_set_id(&e->im, &e->choice);
    *out = e;
}

dp_err dp_engine_new(dp_engine **out, const dp_rules *r, unsigned flags, double min_precision, dp_error *err)
{
    dp_engine *e = calloc(1, sizeof *e);
    if (!e)
        return dp_fail_as(err, DP_ENOMEM);
    dp_err result = dp_compile(&e->im, r, err);
    if (result == DP_OK)
        result = dp_feedback_refuse(e, r, err);
    if (result != DP_OK) {
        dp_engine_free(e);
        return result;
    }
    finish(out, e, flags, min_precision);
    return DP_OK;
}

dp_err dp_engine_open(dp_engine **out, const char *path, unsigned flags, double min_precision, dp_error *err)
{
    dp_engine *e = calloc(1, sizeof *e);
    if (!e)
        return dp_fail_as(err, DP_ENOMEM);
    dp_err result = dp_image_map(&e->im, path, err);
    if (result != DP_OK) {
        dp_engine_free(e);
        return result;
    }
    finish(out, e, flags, min_precision);
    return DP_OK;
}

dp_err dp_engine_save(const dp_engine *e, const char *path, dp_error *err)
{
    return dp_image_save(&e->im, path, err);
}

void dp_engine_free(dp_engine *e)
{
    if (!e)
        return;
    dp_image_done(&e->im);
    free(e);
}

uint64_t dp_engine_set_id(const dp_engine *e)
{
    return e->set_id;
}

const char *dp_engine_rules(const dp_engine *e, size_t *n)
{
    dp_str text = dp_im_str(&e->im, e->im.head->rules_text);
    *n = text.n;
    return text.p;
}

size_t dp_engine_count(const dp_engine *e)
{
    return e->im.head->section[DP_SEC_ABOUT].count;
}

uint64_t dp_engine_id(const dp_engine *e, size_t i)
{
    return e->im.about[i].id;
}

const char *dp_engine_text(const dp_engine *e, size_t i, size_t *n)
{
    dp_str text = dp_im_str(&e->im, e->im.about[i].text);
    *n = text.n;
    return text.p;
}

const char *dp_engine_hosts(const dp_engine *e, size_t i, size_t *n)
{
    dp_str hosts = dp_im_str(&e->im, e->im.block[e->im.about[i].block].hosts);
    *n = hosts.n;
    return hosts.p;
}

int dp_is_compiled(const char *path, dp_error *err)
{
    char magic[8];
    int  fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return dp_fail_at(err, DP_EIO, path, 0, 0, "%s", strerror(errno));
    ssize_t n = read(fd, magic, sizeof magic);
    int     why = errno;
    close(fd);
    if (n < 0)
        return dp_fail_at(err, DP_EIO, path, 0, 0, "%s", strerror(why));
    return n == (ssize_t)sizeof magic && memcmp(magic, DP_IMAGE_MAGIC, sizeof magic) == 0;
}

/* Add the rules of a compiled file that was read into `file`. */
static dp_err read_compiled(dp_rules *r, const char *path, dp_str file, dp_error *err)
{
    dp_image im;
    void    *memory = dp_image_alloc(file.n);
    if (!memory)
        return dp_fail_at(err, DP_ENOMEM, path, 0, 0, "out of memory");
    memcpy(memory, file.p, file.n);
    dp_err e = dp_image_open(&im, memory, file.n, false, path, err);
    if (e != DP_OK) {
        free(memory);
        return e;
    }
    dp_str text = dp_im_str(&im, im.head->rules_text);
    e = dp_rules_parse(r, path, text.p, text.n, err);
    dp_image_done(&im);
    return e;
}

dp_err dp_rules_read(dp_rules *r, const char *path, dp_error *err)
{
    dp_buf file = {0};
    dp_err e = dp_rulefile_slurp(&file, path, err);
    dp_str text = dp_buf_view(&file);
    path = dp_path_name(path);
    if (e == DP_OK)
        e = dp_str_starts(text, DP_STR(DP_IMAGE_MAGIC)) ? read_compiled(r, path, text, err)
                                                       : dp_rules_parse(r, path, text.p, text.n, err);
    dp_buf_done(&file);
    return e;
}
