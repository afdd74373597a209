/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/run/resume.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/outfile.h"
#include "input/how.h"
#include "store/pack.h"

static const char MARK[8] = "dpmani1\n";

/* ---- the name ------------------------------------------------------------------------------------------------ */

/* All that the result depends on, but for the bytes of the files. False when some input cannot be read again. */
static bool describe(dp_buf *b, const dp_settings *s, char *const *how, const char *const *paths, size_t count)
{
    bool again = !s->state.n; /* what it holds is not in the name */
    dp_buf_printf(b, "%s %d %s %d %.17g %d %d %u %zu %" PRIu64 " %d %" PRIu64 " %.17g %d %.17g %d %d\n", DP_VERSION,
                  DP_PACK_VERSION, s->method->name, s->accept, s->min_precision, s->grouping, s->named, s->trust,
                  s->memory, s->seed, s->strict, s->site_sample, s->first, s->certify, s->confidence, s->relearn,
                  s->untested);
    dp_pack_text(b, dp_buf_view(&s->keep));
    for (size_t i = 0; i < s->owners.name.n; i++) {
        dp_pack_text(b, dp_strlist_get(&s->owners.name, i));
        dp_pack_number(b, s->owners.first[i]);
    }
    for (size_t i = 0; i < s->names.n; i++) {
        dp_pack_text(b, dp_strlist_get(&s->names, i));
        dp_pack_text(b, dp_strlist_get(&s->values, i));
    }
    for (size_t i = 0; i < DP_HOWS; i++)
        dp_pack_text(b, dp_str_c(how[i] ? how[i] : ""));
    for (size_t i = 0; i < count; i++) {
        struct stat st;
        bool        is_file = stat(paths[i], &st) == 0 && S_ISREG(st.st_mode);
        again = again && is_file;
        dp_pack_text(b, dp_str_c(paths[i]));
        if (is_file)
            dp_buf_printf(b, "%" PRIu64 " %" PRIu64 " %jd %jd.%09ld\n", (uint64_t)st.st_dev, (uint64_t)st.st_ino,
                          (intmax_t)st.st_size, (intmax_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
    }
    return again;
}

dp_err dp_resume_open(dp_folder **out, const dp_run *r, const char *const *paths, size_t count, dp_error *err)
{
    const dp_settings *s = r->settings;
    dp_buf             b = {0};
    dp_folder_how      how = {.parent = s->tmp.n ? s->tmp.p : "/tmp", .owned = r->folder, .ctx = r->folder_ctx};
    how.again = describe(&b, s, r->how, paths, count);
    how.name = b.failed ? 0 : dp_hash_bytes(b.p, b.n);
    dp_err code = b.failed ? DP_ENOMEM : DP_OK;
    dp_buf_done(&b);
    return code == DP_OK ? dp_folder_new(out, &how, err) : code;
}

/* ---- the manifest -------------------------------------------------------------------------------------------- */

static dp_err write_file(dp_folder *f, size_t number, dp_str bytes, dp_error *err)
{
    char name[4200];
    int  fd;
    DP_TRY(dp_folder_create(f, number, &fd, err));
    dp_folder_name_file(f, number, name, sizeof name);
    dp_err code = dp_write_all(fd, bytes.p, bytes.n, name, err);
    if (code == DP_OK && fsync(fd) != 0)
        code = dp_fail_at(err, DP_EIO, name, 0, 0, "cannot write");
    close(fd);
    return code;
}

static dp_err read_file(dp_folder *f, size_t number, dp_buf *out)
{
    int     fd;
    ssize_t n;
    DP_TRY(dp_folder_open(f, number, &fd, NULL));
    while (dp_buf_room(out, 1 << 16) && (n = read(fd, out->p + out->n, 1 << 16)) > 0)
        out->n += (size_t)n;
    close(fd);
    return out->failed ? DP_ENOMEM : DP_OK;
}

dp_err dp_resume_save(const dp_manifest *m, dp_folder *f, dp_error *err)
{
    dp_buf b = {0};
    dp_buf_add(&b, MARK, sizeof MARK);
    for (size_t i = 0; i < DP_FACT_COUNTS; i++)
        dp_pack_number(&b, m->maker->total[i]);
    dp_pack_number(&b, m->run->results->bad_lines);
    dp_pack_number(&b, m->run->nbad);
    for (size_t i = 0; i < m->run->nbad; i++)
        dp_buf_add(&b, (const char *)&m->run->bad[i], sizeof m->run->bad[i]);
    dp_facts_pack(&b, m->facts);
    dp_pack_sum(&b, 0);
    dp_err code = b.failed ? DP_ENOMEM : write_file(f, DP_FILE_MANIFEST, dp_buf_view(&b), err);
    dp_buf_done(&b);
    return code;
}

static bool read_bad(dp_manifest *m, dp_str *rest)
{
    uint64_t n;
    if (!dp_unpack_number(rest, &m->run->results->bad_lines) || !dp_unpack_number(rest, &n) || n > DP_RUN_BAD ||
        rest->n < n * sizeof *m->run->bad)
        return false;
    if (n)
        memcpy(m->run->bad, rest->p, n * sizeof *m->run->bad);
    m->run->nbad = n;
    *rest = dp_str_cut(*rest, n * sizeof *m->run->bad, rest->n);
    return true;
}

static bool read_manifest(dp_manifest *m, dp_str bytes, bool *nomem)
{
    dp_str rest;
    *nomem = false;
    if (!dp_unpack_sum(bytes, (dp_str){MARK, sizeof MARK}, &rest))
        return false;
    for (size_t i = 0; i < DP_FACT_COUNTS; i++) {
        if (!dp_unpack_number(&rest, &m->maker->total[i]))
            return false;
    }
    return read_bad(m, &rest) && dp_facts_unpack(m->facts, &rest, nomem) && rest.n == 0;
}

/* Fragments of partitions; one that is not whole was being written. */
static dp_err read_parts(dp_manifest *m, dp_folder *f)
{
    dp_err code = DP_OK;
    for (size_t i = DP_FILE_PARTS; i < DP_FOLDER_FILES && dp_folder_has(f, i) && code == DP_OK; i++) {
        dp_buf b = {0};
        code = read_file(f, i, &b);
        if (code == DP_OK)
            code = dp_site_results_unpack(m->done, dp_buf_view(&b));
        dp_buf_done(&b);
        if (code == DP_ESYNTAX) {
            dp_folder_unlink(f, i);
            return DP_OK;
        }
        *m->nparts += code == DP_OK;
    }
    return code;
}

dp_err dp_resume_find(dp_manifest *m, dp_folder *f, bool *found, dp_error *err)
{
    dp_buf b = {0};
    bool   nomem;
    *found = false;
    if (!dp_folder_is_there(f))
        return DP_OK;
    if (dp_folder_has(f, DP_FILE_MANIFEST)) {
        dp_err code = read_file(f, DP_FILE_MANIFEST, &b);
        *found = code == DP_OK && read_manifest(m, dp_buf_view(&b), &nomem);
        dp_buf_done(&b);
        if (code == DP_ENOMEM || (!*found && nomem))
            return DP_ENOMEM;
    }
    if (*found) {
        DP_TRY(dp_buckets_load(&m->facts->buckets, DP_BUCKETS, f, DP_FILE_FACTS, err));
        return read_parts(m, f);
    }
    for (size_t i = 0; i < DP_FOLDER_FILES; i++)
        dp_folder_unlink(f, i);
    bool by_host = m->facts->by_host;
    dp_facts_done(m->facts);
    m->facts->by_host = by_host;
    memset(m->maker->total, 0, sizeof m->maker->total);
    m->run->nbad = 0;
    m->run->results->bad_lines = 0;
    return DP_OK;
}
