/* cmd_apply.c - dustpan apply: the key of each line.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/machine.h"
#include "base/number.h"
#include "base/plural.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/progress.h"
#include "cli/records.h"
#include "cli/say.h"
#include "cli/target.h"

static const char about[] =
    "Write the key of each URL, one per line, in the order of the input; with --unique the first URL\n"
    "of each key, as it was found. A line that is not a URL is passed through unchanged and counted.\n"
    "In formats other than a list of URLs, the key is appended to each line.\n"
    "Input may be compressed (gzip, zstd, bzip2); - is standard input.";

enum { NO_FORM = -1, WORD_URL = 3 /* of --form */ };

typedef struct options {
    dp_list         rules;
    dp_record_files in;
    const char     *output, *model, *memory, *tmp, *seen, *counts, *source, *salt;
    double          explore;
    bool            unique, rekey, remember, explain, json, line_buffered, strict, quiet, progress;
    int             form; /* a dp_form, or NO_FORM */
    int64_t         threads;
    dp_choice       choice;
} options;

static int parse(options *o, int argc, char **argv, dp_arena *a)
{
    const dp_option table[] = {
        DP_RULES_OPTION(&o->rules),
        {'o', "output", "FILE", "write to FILE instead of standard output, once it is complete", .text = &o->output},
        {0, "model", "FILE",
         "also translate keys with the networks that learn --method seq2seq\nwrote, after the rules if there are any",
         .text = &o->model},
        {0, "form", "key|fetch|surt|url",
         "what to write; key: for comparing, not for fetching; url: the line as\n"
         "it was found, the default with --unique; fetch: a URL that the server\n"
         "is known to accept; surt: the key in the shape of CDX index keys", .choice = &o->form},
        DP_RECORDS_OPTIONS(&o->in),
        {'u', "unique", NULL, "write only the first line of each key, as it was found;\n31 bytes of memory per key",
         .flag = &o->unique},
        {0, "memory", "SIZE", "with --unique: memory for the keys, such as 400M; default half of\nthe machine's",
         .text = &o->memory},
        {0, "tmp", "FOLDER", "with --unique: folder for keys that do not fit; default /tmp", .text = &o->tmp},
        {0, "seen", "FILE",
         "with --unique: also leave out keys that earlier runs with FILE wrote;\n"
         "several processes may share it",
         .text = &o->seen},
        {0, "rekey", NULL,
         "convert the --seen file to the keys of these rules if it was made\n"
         "with other rules",
         .flag = &o->rekey},
        {0, "remember", NULL,
         "with --seen: when FILE is new, let it remember the URLs that are left\n"
         "out and the rules that did it, for 'dustpan seen --rollback'",
         .flag = &o->remember},
        {0, "explore", "SHARE",
         "with --unique: also write this share (.01) of the URLs that the rules\n"
         "would leave out, marked with the rules' ids: fetch them to test the\n"
         "rules with 'dustpan audit --explore'",
         .share = &o->explore},
        {0, "salt", "TEXT", "with --explore: choose other URLs; keep it, audit needs it", .text = &o->salt},
        {0, "explain", NULL, "append TAB and the ids of the rules that fired; - for none", .flag = &o->explain},
        {0, "json", NULL, "write one JSON object per line: url, dustpan_key, rules, set", .flag = &o->json},
        DP_CHOICE_OPTIONS(&o->choice),
        DP_EXPIRE_OPTION(&o->choice.expire),
        {0, "counts", "FILE", "write to FILE for each rule: id, lines it fired on, hosts, text", .text = &o->counts},
        {0, "source", "URL",
         "the lines are redirect targets of URL: a target with the same key\n"
         "is written as it is, so that a crawler follows it once", .text = &o->source},
        {0, "line-buffered", NULL, "write the answer to each line immediately", .flag = &o->line_buffered},
        {0, "strict", NULL, "stop at the first line that is not a URL or cannot be read", .flag = &o->strict},
        {'t', "threads", "N", "number of threads; 0, the default: one per core", .number = &o->threads, .max = 1024},
        DP_METER_OPTIONS(o),
    };
    const dp_usage usage = {"apply", "[-r RULES] [--model FILE] [FILE...]", about, table, DP_COUNT(table), 0, SIZE_MAX};
    int            status = dp_options_parse(&usage, argc, argv, &o->in.files, a);
    if (status != DP_GO_ON)
        return status;
    if (!o->rules.n && !o->model)
        return dp_say_usage("apply", "-r RULES is missing");
    if (o->form == NO_FORM)
        o->form = o->unique ? DP_FOUND : DP_KEY;
    else if (o->form == WORD_URL)
        o->form = DP_FOUND;
    if (o->model && ((o->form != DP_KEY && o->form != DP_FOUND) || o->source))
        return dp_say_usage("apply", "--model has no --form fetch, --form surt or --source");
    if (o->seen && !o->unique)
        return dp_say_usage("apply", "--seen needs --unique");
    if (o->seen && o->output)
        return dp_say_usage("apply",
                            "--seen cannot be combined with -o, whose FILE appears only at the end: use > FILE");
    if (o->rekey && !o->seen)
        return dp_say_usage("apply", "--rekey needs --seen");
    if (o->remember && !o->seen)
        return dp_say_usage("apply", "--remember needs --seen");
    if (o->remember && o->model)
        return dp_say_usage("apply", "--remember cannot be combined with --model");
    if (o->rekey && o->model)
        return dp_say_usage("apply", "--rekey cannot be combined with --model");
    if (o->explore > 0 && !o->unique)
        return dp_say_usage("apply", "--explore needs --unique");
    if (o->explore > 0 && (o->form != DP_FOUND || o->model))
        return dp_say_usage("apply", "--explore writes URLs to fetch: it cannot be combined with --form or --model");
    if (o->salt && !(o->explore > 0))
        return dp_say_usage("apply", "--salt needs --explore");
    return DP_GO_ON;
}

/* A line each: id, lines it fired on, hosts, rule. */
static dp_err write_counts(int fd, const char *name, const dp_filter *f, const dp_engine *e, dp_error *err)
{
    dp_buf b = {0};
    for (size_t i = 0; i < dp_engine_count(e); i++) {
        dp_str hosts, text;
        hosts.p = dp_engine_hosts(e, i, &hosts.n);
        text.p = dp_engine_text(e, i, &text.n);
        dp_buf_printf(&b, "%08" PRIx64 "\t%" PRIu64 "\t", dp_engine_id(e, i) >> 32, dp_filter_fired(f, i));
        dp_buf_str(&b, hosts);
        dp_buf_byte(&b, '\t');
        dp_buf_str(&b, text);
        dp_buf_byte(&b, '\n');
    }
    dp_err code = b.failed ? dp_fail_as(err, DP_ENOMEM) : dp_write_all(fd, b.p, b.n, name, err);
    dp_buf_done(&b);
    return code;
}

static void say_bad(const dp_filter *f)
{
    dp_error bad;
    uint64_t unread = dp_filter_total(f, DP_COUNT_BAD), all = dp_filter_total(f, DP_COUNT_NOT_URLS) + unread, shown = 0;
    for (; dp_filter_bad(f, shown, &bad) == DP_OK; shown++)
        dp_say_error(&bad);
    if (shown < all)
        dp_say("... and %" PRIu64 " more %s%s", all - shown,
               dp_plural(all - shown, "line that is not a URL", "lines that are not URLs"),
               unread ? " or cannot be read" : "");
}

/* "4 URLs, 3 rewritten, 2 distinct keys" */
static void count_all(dp_buf *b, const dp_filter *f, const options *o)
{
    uint64_t not_urls = dp_filter_total(f, DP_COUNT_NOT_URLS), unread = dp_filter_total(f, DP_COUNT_BAD);
    uint64_t urls = dp_filter_total(f, DP_COUNT_LINES) - not_urls - unread,
             probes = dp_filter_total(f, DP_COUNT_PROBES), written = dp_filter_total(f, DP_COUNT_WRITTEN) - probes;
    dp_buf_printf(b, "%" PRIu64 " URL%s", urls, dp_s(urls));
    dp_count_add(b, dp_filter_total(f, DP_COUNT_FIRED), "rewritten", "rewritten");
    if (urls && !o->model && !dp_filter_total(f, DP_COUNT_FIRED))
        dp_buf_c(b, ", none rewritten");
    if (o->unique && o->seen && !written)
        dp_buf_c(b, ", no new key");
    else if (o->unique)
        dp_count_add(b, written, o->seen ? "new key" : "distinct key", o->seen ? "new keys" : "distinct keys");
    dp_count_add(b, probes, "probe", "probes");
    dp_count_add(b, not_urls, "line that is not a URL", "lines that are not URLs");
    dp_count_add(b, unread, "line that cannot be read", "lines that cannot be read");
    dp_count_add(b, dp_filter_total(f, DP_COUNT_LIMIT), "URL stopped after 64 rewrites",
                 "URLs stopped after 64 rewrites");
}

static void say_summary(const dp_filter *f, const options *o)
{
    dp_buf b = {.max = 1024};
    say_bad(f);
    count_all(&b, f, o);
    if (!b.failed)
        dp_say("%.*s", DP_FMT(dp_buf_view(&b)));
    dp_buf_done(&b);
    if (o->rules.n && dp_filter_total(f, DP_COUNT_LINES))
        dp_say_next("dustpan explain -r %s URL (shows why a URL has its key)", dp_list_name(o->rules, "RULES"));
}

static dp_err limit_memory(dp_filter *f, const options *o, dp_error *err)
{
    uint64_t bytes = dp_machine_usual_memory();
    if (o->memory && !dp_size_read(&bytes, dp_str_c(o->memory)))
        return dp_fail(err, DP_EINVALID, "--memory: expected a size such as 400M or 4G, found '%s'", o->memory);
    dp_err code = dp_filter_memory(f, bytes, o->tmp ? o->tmp : "/tmp");
    return code == DP_OK ? code : dp_fail(err, code, "out of memory");
}

static dp_err configure(dp_filter *f, const options *o, dp_error *err)
{
    DP_TRY(limit_memory(f, o, err));
    const struct {
        dp_filter_option option;
        int64_t          value;
    } set[] = {
        {DP_FILTER_FORM, o->form},
        {DP_FILTER_UNIQUE, o->unique},
        {DP_FILTER_EXPLAIN, o->explain},
        {DP_FILTER_FORMAT, o->json ? DP_JSON : DP_PLAIN},
        {DP_FILTER_THREADS, o->threads},
        {DP_FILTER_LINE_BUFFERED, o->line_buffered},
        {DP_FILTER_STRICT, o->strict},
        {DP_FILTER_COUNTS, o->counts != NULL},
    };
    for (size_t i = 0; i < DP_COUNT(set); i++)
        DP_TRY(dp_filter_set(f, set[i].option, set[i].value));
    DP_TRY(dp_filter_explore(f, o->explore, o->salt ? o->salt : ""));
    for (int i = 0; i < DP_RECORDS_HOW; i++) {
        if (dp_filter_input(f, (dp_input_option)i, o->in.how[i]) != DP_OK)
            return dp_fail_as(err, DP_ENOMEM);
    }
    dp_err code = o->source ? dp_filter_source(f, o->source, strlen(o->source)) : DP_OK;
    if (code == DP_EINVALID)
        return dp_fail(err, code, "--source: '%s' is not a URL", o->source);
    return dp_fail_as(err, code);
}

/* Open the seen-set of these rules, or one that becomes theirs. */
static dp_err open_seen(dp_seen **out, const dp_filter *f, const dp_engine *e, const options *o, dp_error *err)
{
    dp_seen *s;
    uint64_t set = dp_filter_set_id(f);
    unsigned flags = (o->rekey ? DP_SEEN_ANY_SET : 0u) | (o->remember ? DP_SEEN_REMEMBER : 0u);
    dp_err   code = dp_seen_open(&s, o->seen, set, flags, err);
    if (code == DP_EINVALID && !strstr(err->message, "--remember"))
        snprintf(err->message + strlen(err->message), sizeof err->message - strlen(err->message),
                 "; add --rekey to convert them");
    if (code != DP_OK)
        return code;
    if (o->model && dp_seen_remembers(s)) {
        dp_seen_close(s);
        return dp_fail(err, DP_EINVALID, "--model: %s remembers the rules that hid URLs, and a model is none", o->seen);
    }
    if (dp_seen_set(s) != set && (code = dp_seen_rekey(s, e, err)) != DP_OK) {
        dp_seen_close(s);
        return code;
    }
    *out = s;
    return DP_OK;
}

/* Run and commit both files, or neither. */
static dp_err run(dp_filter *f, const dp_engine *e, const options *o, dp_error *err)
{
    dp_list   in = dp_list_or_stdin(o->in.files);
    dp_target out, counts = {.is_file = false};
    dp_meter  meter;
    dp_meter_init(&meter, o->progress, o->quiet);
    dp_filter_progress(f, meter.on ? dp_meter_show : NULL, &meter);
    DP_TRY(dp_target_open(&out, o->output, err));
    dp_err code = o->counts ? dp_target_open(&counts, o->counts, err) : DP_OK;
    if (code == DP_OK) {
        code = dp_filter_run(f, in.v, in.n, out.fd, err);
        dp_meter_done(&meter);
        if (code == DP_EIO && !err->file[0])
            snprintf(err->file, sizeof err->file, "%s", out.name);
    }
    if (code == DP_OK && o->counts)
        code = write_counts(counts.fd, counts.name, f, e, err);
    if (code == DP_OK)
        code = dp_target_commit(&out, err);
    if (code == DP_OK && o->counts)
        code = dp_target_commit(&counts, err);
    dp_target_abort(&out);
    dp_target_abort(&counts);
    return code;
}

int dp_cmd_apply(int argc, char **argv, dp_arena *a)
{
    options    o = {.form = NO_FORM};
    dp_engine *e = NULL;
    dp_filter *f = NULL;
    dp_model  *m = NULL;
    dp_seen   *seen = NULL;
    dp_error   err = {0};
    int        status = parse(&o, argc, argv, a);
    if (status != DP_GO_ON)
        return status;
    if (dp_records_clash(&o.in, o.rules))
        return dp_say_usage("apply", "rules and URLs cannot both come from standard input");
    dp_err code = dp_load_engine(&e, o.rules.v, o.rules.n, o.choice, &err);
    if (code == DP_OK && (code = dp_filter_new(&f, e)) != DP_OK)
        dp_fail_as(&err, code);
    if (code == DP_OK && o.model && (code = dp_model_open(&m, o.model, &err)) == DP_OK)
        dp_filter_model(f, m);
    if (code == DP_OK)
        code = configure(f, &o, &err);
    if (code == DP_OK && o.seen && (code = open_seen(&seen, f, e, &o, &err)) == DP_OK)
        dp_filter_seen(f, seen);
    if (code == DP_OK)
        code = run(f, e, &o, &err);
    if (code != DP_OK)
        status = dp_say_error(&err);
    else
        status = DP_EXIT_OK;
    if (code == DP_OK && !o.quiet)
        say_summary(f, &o);
    dp_filter_free(f);
    dp_seen_close(seen);
    dp_model_free(m);
    dp_engine_free(e);
    return status;
}
