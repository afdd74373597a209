/* cmd_seen.c - dustpan seen: what a seen-set holds, and what rules have hidden.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/plural.h"
#include "base/words/json.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/say.h"
#include "cli/target.h"

static const char about[] =
    "Show how many keys the seen-set FILE holds ('dustpan apply --unique --seen FILE') and, if it\n"
    "remembers URLs (--remember), how many URLs each rule has hidden. With --rollback, write the URLs\n"
    "that a rule has hidden, for a crawler to queue again.";

typedef struct options {
    dp_list     rollback;
    const char *output;
    bool        json, quiet;
} options;

enum { WRITE_AT = 1 << 20, MOST_RULES = 1000 };

static int parse(options *o, dp_list *files, int argc, char **argv, dp_arena *a)
{
    const dp_option table[] = {
        {0, "rollback", "RULE-ID",
         "write the URLs that were left out because of this rule, and forget\n"
         "the keys that it has made; may be repeated",
         .list = &o->rollback},
        {'o', "output", "FILE", "write to FILE instead of standard output, once it is complete", .text = &o->output},
        {0, "json", NULL, "print one JSON object; with --rollback one per line: url", .flag = &o->json},
        {'q', "quiet", NULL, "print errors only", .flag = &o->quiet},
    };
    const dp_usage usage = {"seen", "[--rollback RULE-ID] FILE", about, table, DP_COUNT(table), 1, 1};
    return dp_options_parse(&usage, argc, argv, files, a);
}

/* The ids, of which only the first 8 digits count. */
static dp_err read_ids(uint64_t *out, dp_list ids, dp_error *err)
{
    for (size_t i = 0; i < ids.n; i++) {
        const char *id = ids.v[i];
        char        first[9] = "";
        size_t      n = strspn(id, "0123456789abcdefABCDEF");
        if (id[n] || (n != 8 && n != 16))
            return dp_fail(err, DP_EINVALID, "--rollback: expected the id of a rule, 8 hex digits, found '%s'", id);
        memcpy(first, id, 8);
        out[i] = (uint64_t)strtoul(first, NULL, 16) << 32;
    }
    return DP_OK;
}

static dp_err write_urls(dp_seen *s, const dp_target *out, bool json, uint64_t *written, dp_error *err)
{
    dp_buf      b = {0};
    const char *url;
    size_t      n;
    dp_err      code = DP_OK;
    do {
        code = dp_seen_next(s, &url, &n, err);
        if (code == DP_OK && url && json) {
            dp_buf_byte(&b, '{');
            dp_json_text(&b, "url", (dp_str){url, n});
            dp_buf_c(&b, "}\n");
        } else if (code == DP_OK && url) {
            dp_buf_add(&b, url, n);
            dp_buf_byte(&b, '\n');
        }
        *written += url != NULL;
        if (b.failed)
            code = dp_fail_as(err, DP_ENOMEM);
        if (code == DP_OK && (b.n >= WRITE_AT || !url)) {
            code = dp_write_all(out->fd, b.p, b.n, out->name, err);
            dp_buf_reset(&b);
        }
    } while (code == DP_OK && url);
    dp_buf_done(&b);
    return code;
}

/* URLs in a file reach the disk before they are forgotten; a pipe or a terminal cannot be synced. */
static dp_err sync_target(const dp_target *out, dp_error *err)
{
    if (fdatasync(out->fd) == 0 || errno == EINVAL || errno == EROFS)
        return DP_OK;
    return dp_fail_at(err, DP_EIO, out->name, 0, 0, "%s", strerror(errno));
}

static void say_done(const options *o, uint64_t written, const char *file)
{
    if (!written)
        dp_say("no URL was left out because of %s", o->rollback.n == 1 ? o->rollback.v[0] : "these rules");
    else
        dp_say("%" PRIu64 " URL%s given back", written, dp_s(written));
    if (written)
        dp_say_next("dustpan apply -r NEW.rules --unique --seen %s --rekey %s (with the rule turned off)", file,
                    o->output ? o->output : "URLS");
}

static dp_err roll_back(dp_seen *s, const options *o, const char *file, dp_error *err)
{
    uint64_t  ids[MOST_RULES], written = 0;
    dp_target out;
    if (o->rollback.n > MOST_RULES)
        return dp_fail(err, DP_EINVALID, "--rollback: at most %d rules at once", MOST_RULES);
    DP_TRY(read_ids(ids, o->rollback, err));
    DP_TRY(dp_target_open(&out, o->output, err));
    dp_err code = dp_seen_rollback(s, ids, o->rollback.n, err);
    if (code == DP_OK)
        code = write_urls(s, &out, o->json, &written, err);
    if (code == DP_OK)
        code = o->output ? dp_target_commit(&out, err) : sync_target(&out, err);
    if (code == DP_OK)
        code = dp_seen_commit(s, err);
    dp_target_abort(&out);
    if (code == DP_OK && !o->quiet)
        say_done(o, written, file);
    return code;
}

static dp_err show(dp_seen *s, const options *o, dp_error *err)
{
    dp_text *text = NULL;
    DP_TRY(dp_seen_print(&text, s, o->json ? DP_JSON : DP_PLAIN, err));
    return dp_target_put(o->output, text, err);
}

int dp_cmd_seen(int argc, char **argv, dp_arena *a)
{
    options  o = {.json = false};
    dp_list  files = {0};
    dp_seen *s = NULL;
    dp_error err = {0};
    int      status = parse(&o, &files, argc, argv, a);
    if (status != DP_GO_ON)
        return status;
    dp_err code = DP_OK;
    if (access(files.v[0], F_OK) != 0)
        code = dp_fail_at(&err, DP_EIO, files.v[0], 0, 0, "%s", strerror(errno));
    if (code == DP_OK)
        code = dp_seen_open(&s, files.v[0], 0, DP_SEEN_ANY_SET, &err);
    if (code == DP_OK)
        code = o.rollback.n ? roll_back(s, &o, files.v[0], &err) : show(s, &o, &err);
    dp_seen_close(s);
    return code == DP_OK ? DP_EXIT_OK : dp_say_error(&err);
}
