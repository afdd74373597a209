/* The dp_learner of dustpan.h: settings in, a rule file and a summary out. learn/run/run.h does the work.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "base/text.h"
#include "learn/learner.h"
#include "learn/update.h"
#include "store/state.h"

dp_err dp_learner_new(dp_learner **out)
{
    dp_learner *l = calloc(1, sizeof *l);
    if (!l)
        return DP_ENOMEM;
    dp_settings_init(&l->settings);
    *out = l;
    return DP_OK;
}

void dp_learner_free(dp_learner *l)
{
    if (!l)
        return;
    dp_settings_done(&l->settings);
    dp_results_done(&l->results);
    dp_how_done(l->how);
    dp_statefile_close(l->state);
    free(l);
}

dp_err dp_learner_set(dp_learner *l, const char *option, const char *value, dp_error *err)
{
    dp_err code = dp_settings_set(&l->settings, option, value, err);
    return code == DP_ENOMEM ? dp_fail(err, code, "out of memory") : code;
}

dp_err dp_learner_input(dp_learner *l, dp_input_option option, const char *text)
{
    return dp_how_set(l->how, option, text);
}

void dp_learner_progress(dp_learner *l, dp_progress call, void *ctx)
{
    l->progress = call;
    l->progress_ctx = ctx;
}

void dp_learner_folder(dp_learner *l, void (*call)(void *ctx, const char *path), void *ctx)
{
    l->folder = call;
    l->folder_ctx = ctx;
}

void dp_learner_waiting(dp_learner *l, void (*call)(void *ctx, const char *path), void *ctx)
{
    l->waiting = call;
    l->waiting_ctx = ctx;
}

const char *dp_learner_method(size_t i, const char **summary)
{
    if (i >= dp_methods_count())
        return NULL;
    *summary = dp_methods[i]->summary;
    return dp_methods[i]->name;
}

int dp_learner_option(const char *method, size_t i, dp_learner_option_info *out)
{
    const dp_method     *m = method ? dp_method_find(dp_str_c(method)) : NULL;
    const char          *heading = NULL;
    const dp_option_row *row = NULL;
    if (!method)
        row = dp_settings_row(i, &heading);
    else if (m && i < m->noption)
        row = &m->option[i];
    if (!row)
        return 0;
    *out = (dp_learner_option_info){
        .name = row->name, .value = row->type == DP_OPTION_BOOL ? NULL : row->arg, .help = row->help,
        .heading = heading, .paper = row->paper};
    return 1;
}

dp_err dp_learner_run(dp_learner *l, const char *const *paths, size_t count, dp_error *err)
{
    dp_run run = {.settings = &l->settings, .how = l->how, .progress = l->progress, .progress_ctx = l->progress_ctx,
                  .folder = l->folder, .folder_ctx = l->folder_ctx, .waiting = l->waiting,
                  .waiting_ctx = l->waiting_ctx, .results = &l->results, .bad = l->bad};
    dp_error own;
    err = err ? err : &own;
    *err = (dp_error){0};
    dp_results_done(&l->results);
    dp_statefile_close(l->state);
    dp_err code = dp_run_all(&run, paths, count, err);
    l->nbad = run.nbad;
    l->state = run.state;
    if (code != DP_OK && !err->message[0])
        dp_fail_as(err, code);
    return code;
}

dp_err dp_learner_rules(dp_text **out, const dp_learner *l)
{
    dp_buf copy = {0};
    dp_buf_str(&copy, dp_buf_view(&l->results.file));
    return dp_text_take(out, &copy);
}

dp_err dp_learner_carry(dp_learner *l, const dp_rules *old, dp_text **changes, dp_error *err)
{
    dp_buf said = {0};
    dp_err code = dp_update_carry(&l->results.file, &said, old, err);
    if (code == DP_OK)
        return dp_text_take(changes, &said);
    dp_buf_done(&said);
    return code;
}

dp_err dp_learner_summary(dp_text **out, const dp_learner *l, dp_format format)
{
    dp_buf b = {0};
    dp_results_print(&b, &l->results, format);
    return dp_text_take(out, &b);
}

const char *dp_learner_warning(const dp_learner *l, size_t i)
{
    return i < l->results.nwarning ? l->results.warning[i] : NULL;
}

uint64_t dp_learner_bad_lines(const dp_learner *l)
{
    return l->results.bad_lines;
}

dp_err dp_learner_bad(const dp_learner *l, size_t i, dp_error *bad)
{
    if (i >= l->nbad)
        return DP_EINVALID;
    *bad = l->bad[i];
    return DP_OK;
}
