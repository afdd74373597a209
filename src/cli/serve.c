/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/serve.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/outfile.h"
#include "base/plural.h"
#include "cli/say.h"

/* ---- the rule file -------------------------------------------------------------------------------------- */

static dp_err look(struct stat *out, const char *path, dp_error *err)
{
    if (stat(path, out) != 0)
        return dp_fail_at(err, DP_EIO, path, 0, 0, "cannot open: %s", strerror(errno));
    return S_ISREG(out->st_mode) ? DP_OK : dp_fail_at(err, DP_EIO, path, 0, 0, "is no file that can be saved");
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

dp_err dp_serving_begin(dp_serving *s, dp_page *page, const dp_page_options *o, dp_page_setting sample, dp_error *err)
{
    *s = (dp_serving){.page = page, .o = o, .sample = sample, .path = o->rules.v[0], .version = 1};
    return look(&s->known, s->path, err);
}

/* ---- what the server asks for --------------------------------------------------------------------------- */

/* Whether somebody else has written the file since. */
static dp_err notice(dp_serving *s, dp_error *err)
{
    struct stat now;
    DP_TRY(look(&now, s->path, err));
    if (!is_same(&now, &s->known)) {
        s->known = now;
        s->version++;
        s->stale = true;
    }
    return DP_OK;
}

static dp_err page(void *ctx, dp_text **out, dp_error *err)
{
    dp_serving *s = ctx;
    DP_TRY(notice(s, err));
    if (s->stale) {
        dp_page fresh = {0};
        dp_err  code = dp_page_count(&fresh, s->o, &s->sample, 1, err);
        if (code != DP_OK) {
            dp_page_done(&fresh);
            return code;
        }
        dp_page_done(s->page);
        *s->page = fresh;
        s->stale = false;
    }
    dp_err code = dp_report_set(s->page->report, DP_REPORT_VERSION, (int64_t)s->version);
    if (code == DP_OK)
        code = dp_report_print(out, s->page->report, DP_REPORT_HTML);
    return code == DP_OK ? DP_OK : dp_fail_as(err, code);
}

/* Rules that cannot be read are not saved. */
static dp_err count_rules(size_t *out, const char *text, size_t n, dp_error *err)
{
    dp_rules *r = NULL;
    if (dp_rules_new(&r) != DP_OK)
        return dp_fail_as(err, DP_ENOMEM);
    dp_err code = dp_rules_parse(r, "the edited file", text, n, err);
    *out = dp_rules_count(r);
    dp_rules_free(r);
    return code;
}

static dp_err save(void *ctx, uint64_t *version, const char *text, size_t n, dp_error *err)
{
    dp_serving *s = ctx;
    size_t      rules = 0;
    DP_TRY(notice(s, err));
    if (*version != s->version)
        return dp_fail(err, DP_EINVALID, "the rule file has changed since this page was opened; reload the page to go "
                       "on with the file as it is now, or download yours");
    DP_TRY(count_rules(&rules, text, n, err));
    DP_TRY(dp_outfile_put(s->path, text, n, err));
    DP_TRY(look(&s->known, s->path, err));
    s->stale = true;
    *version = ++s->version;
    if (!s->o->quiet)
        dp_say("saved %s: %zu rule%s", s->path, rules, dp_s(rules));
    return DP_OK;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

dp_err dp_serving_run(dp_serving *s, dp_error *err)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    dp_server       *server = NULL;
    sigset_t         waited, before;
    int              number;
    sigemptyset(&waited);
    for (size_t i = 0; i < DP_COUNT(ends); i++)
        sigaddset(&waited, ends[i]);
    /* The server's thread inherits this: signals are waited for here, so that none cuts a save in two. */
    pthread_sigmask(SIG_BLOCK, &waited, &before);
    dp_err code = dp_server_new(&server, page, save, s, err);
    if (code == DP_OK) {
        printf("%s\n", dp_server_url(server));
        fflush(stdout);
        if (!s->o->quiet)
            dp_say_next("open this address in a browser of this machine; Ctrl-C ends it");
        sigwait(&waited, &number);
    }
    dp_server_free(server);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}
