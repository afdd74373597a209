/* SPDX-License-Identifier: Apache-2.0 */
#include "output/answer.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"
#include "base/secret.h"
#include "base/words/json.h"
#include "store/foreign.h"
#include "url/host.h"
#include "url/split.h"

uint64_t dp_ask_set_id(const dp_ask *ask)
{
    return dp_engine_set_id(ask->engine) ^ (ask->model ? dp_translation_id(ask->model) : 0);
}

/* Of the last key of `s`: the domain of the URL itself, where it is foreign. */
static dp_str foreign(const dp_scratch *s)
{
    dp_str own = {0};
    own.p = dp_scratch_foreign(s, &own.n);
    return own.p ? own : DP_STR("");
}

static bool is_on(dp_str url, dp_str domain)
{
    dp_split u;
    return dp_split_url(&u, url) && dp_str_eq(dp_host_domain(u.host), domain);
}

dp_err dp_answers_new(dp_answers **out, const dp_ask *ask)
{
    dp_answers *a = calloc(1, sizeof *a);
    *out = a;
    if (!a || dp_scratch_new(&a->scratch) != DP_OK || dp_scratch_new(&a->second) != DP_OK)
        return DP_ENOMEM;
    a->unmarked = "";
    if (ask->model)
        DP_TRY(dp_translation_desk(&a->desk));
    size_t rules = dp_engine_count(ask->engine);
    if (ask->counts && !(a->fired = calloc(rules ? rules : 1, sizeof *a->fired)))
        return DP_ENOMEM;
    return DP_OK;
}

void dp_answers_free(dp_answers *a)
{
    if (!a)
        return;
    dp_scratch_free(a->scratch);
    dp_scratch_free(a->second);
    dp_buf_done(&a->out);
    dp_translation_desk_free(a->desk);
    dp_buf_done(&a->keys);
    dp_buf_done(&a->moved);
    dp_buf_done(&a->texts);
    dp_buf_done(&a->others);
    dp_buf_done(&a->tagged);
    dp_buf_done(&a->urls);
    free(a->told);
    free(a->rules);
    free(a->other);
    free(a->other_at);
    free(a->tag);
    free(a->mark);
    free(a->text_at);
    free(a->end);
    free(a->hash);
    free(a->fired);
    free(a);
}

/* Make room for what `unique` has to know of `more` lines. */
static dp_err reserve(dp_answers *a, size_t more)
{
    size_t need = a->lines + more + 1, c = a->cap, cap[] = {c, c, c, c, c}; /* other_at has one more, text_at more */
    if (!DP_ROOM_FOR(a->end, need, cap[0]) || !DP_ROOM_FOR(a->hash, need, cap[1]) ||
        !DP_ROOM_FOR(a->other, need, cap[2]) || !DP_ROOM_FOR(a->tag, need, cap[3]) ||
        !DP_ROOM_FOR(a->mark, need, cap[4]) || !DP_ROOM_FOR(a->text_at, 2 * need, a->text_cap) ||
        !DP_ROOM_FOR(a->other_at, need, a->cap))
        return DP_ENOMEM;
    a->text_at[0] = a->other_at[0] = 0;
    return DP_OK;
}

/* Keep the key of a line, and of a foreign one its domain; there is room. */
static void keep_key(dp_answers *a, const dp_ask *ask, size_t line, dp_str key, dp_str own)
{
    a->other[line] = a->tag[line] = (dp_hash128){0, 0};
    a->mark[line] = (dp_mark){0, 0};
    if (own.n) {
        a->other[line] = dp_secret_hash128(dp_secret_of_process(), key);
        dp_buf_str(&a->others, key);
        a->other_at[++a->nforeign] = a->others.n;
        dp_buf_reset(&a->tagged);
        dp_foreign_key(&a->tagged, own, key);
        key = dp_buf_view(&a->tagged);
    }
    a->hash[line] = dp_secret_hash128(dp_secret_of_process(), key);
    if (!ask->seen)
        return;
    dp_buf_str(&a->texts, key);
    a->text_at[++a->keys_told] = a->texts.n;
}

/* Keep the tag of the line at hand, whose key was kept. */
static void keep_tag(dp_answers *a, const dp_ask *ask, dp_str form, dp_mark mark)
{
    dp_buf_reset(&a->tagged);
    dp_explore_tag(&a->tagged, form);
    dp_str tag = dp_buf_view(&a->tagged);
    a->tag[a->lines] = dp_secret_hash128(dp_secret_of_process(), tag);
    a->mark[a->lines] = mark;
    if (!ask->seen)
        return;
    dp_buf_str(&a->texts, tag);
    a->text_at[++a->keys_told] = a->texts.n;
}

static void note_bad(dp_answers *a, size_t line, dp_str text)
{
    a->not_urls++;
    if (a->nbad < DP_BAD_KEPT)
        a->bad[a->nbad++] = (dp_bad_line){line, text};
}

/* Keep the ids of the rules that fired on the URL at hand, whose key was the last of `s`. */
static dp_err keep_rules(dp_answers *a, const dp_ask *ask, const dp_scratch *s)
{
    size_t          n;
    const uint32_t *fired = dp_scratch_fired(s, &n);
    n = dp_scratch_hit_limit(s) ? 0 : n;
    if (!DP_ROOM_FOR(a->rules, a->nrules + n, a->rules_cap))
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++)
        a->rules[a->nrules + i] = dp_engine_id(ask->engine, fired[i]);
    a->now = n;
    return DP_OK;
}

/* Keep the URL at hand beside the key that was told last, with these rules; without URL what is told is no key. */
static dp_err keep_url(dp_answers *a, dp_str url, size_t nrules)
{
    if (!DP_ROOM_FOR(a->told, a->keys_told, a->told_cap))
        return DP_ENOMEM;
    dp_buf_str(&a->urls, url);
    a->nrules += nrules;
    a->told[a->keys_told - 1] = (dp_told_url){a->urls.n, a->nrules};
    return a->urls.failed ? DP_ENOMEM : DP_OK;
}

/* ---- many lines at once: nothing but the answer is asked -------------------------------- */

/* Find the lines from `from` on: line i goes from at[i] to at[i + 1], LF included. */
static size_t find_lines(dp_answers *a, const dp_chunk *c, size_t from)
{
    size_t n = 0;
    for (; n < DP_BATCH && from < c->n; n++) {
        a->at[n] = from;
        from = (size_t)((char *)memchr(c->p + from, '\n', c->n - from) - c->p) + 1;
    }
    a->at[n] = from;
    return n;
}

/* Count what the flags of lines [from, to) say; returns `to`, or the first line that
 * stops everything. */
static size_t count_flags(dp_answers *a, const dp_ask *ask, const dp_chunk *c, size_t from, size_t to)
{
    size_t changed = 0, fired = 0, limit = 0, urls = 0;
    for (size_t i = from; i < to; i++) {
        urls += (a->flags[i] & DP_IS_URL) != 0;
        fired += (a->flags[i] & DP_FIRED) != 0;
        limit += (a->flags[i] & DP_HIT_LIMIT) != 0;
        changed += (a->flags[i] & DP_CHANGED) != 0;
    }
    a->changed += changed;
    a->any_fired += fired;
    a->limit += limit;
    for (size_t i = from; urls < to - from && i < to; i++) {
        if (!(a->flags[i] & DP_IS_URL)) {
            note_bad(a, a->lines + i - from, (dp_str){c->p + a->at[i], a->at[i + 1] - a->at[i] - 1});
            urls++;
            if (ask->strict) {
                a->stopped = true;
                return i;
            }
        }
    }
    return to;
}

/* Keep ends and hashes of lines [from, to), whose answers stand after a->out. The hash
 * is that of the key, whatever form was asked for. */
static dp_err keep_hashes(dp_answers *a, const dp_ask *ask, const dp_chunk *c, size_t from, size_t to)
{
    DP_TRY(reserve(a, to - from));
    size_t begin = a->out.n;
    for (size_t i = from; i < to; i++) {
        dp_str key = {a->out.p + begin, a->out.n + a->ends[i] - begin}, text = key, own = DP_STR("");
        begin += key.n + 1;
        if (ask->form != DP_KEY) {
            key.p = dp_apply_view(ask->engine, a->second, DP_KEY, c->p + a->at[i], a->at[i + 1] - a->at[i] - 1, &key.n);
            if (!key.p)
                return DP_ENOMEM;
            own = foreign(a->second);
        }
        a->end[a->lines + i - from] = begin;
        keep_key(a, ask, a->lines + i - from, key, own.n && is_on(text, own) ? own : DP_STR(""));
    }
    return DP_OK;
}

/* The same of lines that are written as they were found, whose keys are in a->keys. */
static dp_err keep_found(dp_answers *a, const dp_ask *ask, const dp_chunk *c, size_t from, size_t to)
{
    DP_TRY(reserve(a, to - from));
    for (size_t i = from, begin = 0; i < to; begin = a->ends[i++] + 1) {
        dp_str key = {a->keys.p + begin, a->ends[i] - begin}, own = DP_STR("");
        if (a->flags[i] & DP_FOREIGN) {
            key.p = dp_apply_view(ask->engine, a->second, DP_KEY, c->p + a->at[i], a->at[i + 1] - a->at[i] - 1, &key.n);
            if (!key.p)
                return DP_ENOMEM;
            own = foreign(a->second);
        }
        a->end[a->lines + i - from] = a->out.n + a->at[i + 1] - a->at[from];
        keep_key(a, ask, a->lines + i - from, key, own);
    }
    return DP_OK;
}

static dp_err answer_found(dp_answers *a, const dp_ask *ask, const dp_chunk *c, size_t count)
{
    for (size_t i = 0; i < count && !a->stopped;) {
        size_t need = a->at[count] - a->at[i];
        dp_buf_reset(&a->keys);
        if (!dp_buf_room(&a->keys, need + need / 8 + 64))
            return DP_ENOMEM;
        size_t done = dp_apply_batch(ask->engine, a->scratch, DP_KEY, c->p, a->at + i, count - i, 1, a->keys.p,
                                     a->keys.cap, a->ends + i, a->flags + i);
        if (done == (size_t)-1)
            return DP_ENOMEM;
        if (!done && !dp_buf_grow(&a->keys, a->keys.cap * 2))
            return DP_ENOMEM;
        size_t to = count_flags(a, ask, c, i, i + done);
        if (ask->unique)
            DP_TRY(keep_found(a, ask, c, i, to));
        dp_buf_add(&a->out, c->p + a->at[i], a->at[to] - a->at[i]);
        a->lines += to - i;
        i += done;
    }
    return DP_OK;
}

static dp_err answer_batch(dp_answers *a, const dp_ask *ask, const dp_chunk *c, size_t count)
{
    for (size_t i = 0; i < count && !a->stopped;) {
        size_t need = a->at[count] - a->at[i];
        if (!dp_buf_room(&a->out, need + need / 8 + 64))
            return DP_ENOMEM;
        size_t done = dp_apply_batch(ask->engine, a->scratch, ask->form, c->p, a->at + i, count - i, 1,
                                     a->out.p + a->out.n, a->out.cap - a->out.n, a->ends + i, a->flags + i);
        if (done == (size_t)-1)
            return DP_ENOMEM;
        if (!done && !dp_buf_grow(&a->out, (a->out.cap - a->out.n) * 2))
            return DP_ENOMEM;
        size_t to = count_flags(a, ask, c, i, i + done);
        if (ask->unique)
            DP_TRY(keep_hashes(a, ask, c, i, to));
        if (to > i)
            a->out.n += a->ends[to - 1] + 1;
        a->lines += to - i;
        i += done;
    }
    return DP_OK;
}

/* ---- many lines at once, through rules and a model --------------------------------------- */

/* The keys of the lines by rules alone, in a->key, and what is to be counted; returns how many lines were answered. */
static dp_err find_keys(dp_answers *a, const dp_ask *ask, const dp_chunk *c, size_t *count)
{
    dp_buf_reset(&a->keys);
    for (size_t i = 0; i < *count; i++) {
        dp_str url = {c->p + a->at[i], a->at[i + 1] - a->at[i] - 1}, key;
        key.p = dp_apply_view(ask->engine, a->scratch, DP_KEY, url.p, url.n, &key.n);
        if (!key.p)
            return DP_ENOMEM;
        dp_buf_str(&a->keys, key);
        a->ends[i] = a->keys.n;
        size_t fired;
        a->flags[i] = foreign(a->scratch).n ? DP_FOREIGN : 0;
        dp_scratch_fired(a->scratch, &fired);
        a->any_fired += fired && !dp_scratch_hit_limit(a->scratch);
        a->limit += (size_t)dp_scratch_hit_limit(a->scratch);
        if (dp_scratch_is_url(a->scratch))
            continue;
        note_bad(a, a->lines + i, url);
        if (ask->strict) {
            a->stopped = true;
            *count = i;
        }
    }
    for (size_t i = 0, from = 0; i < *count; from = a->ends[i++])
        a->key[i] = (dp_str){a->keys.p + from, a->ends[i] - from};
    return a->keys.failed ? DP_ENOMEM : DP_OK;
}

static dp_err answer_translated(dp_answers *a, const dp_ask *ask, const dp_chunk *c, size_t count)
{
    DP_TRY(find_keys(a, ask, c, &count));
    dp_buf_reset(&a->moved);
    DP_TRY(dp_translation_run(ask->model, a->desk, a->key, count, &a->moved, a->moved_end));
    if (ask->unique)
        DP_TRY(reserve(a, count));
    for (size_t i = 0, from = 0; i < count; from = a->moved_end[i++]) {
        dp_str url = {c->p + a->at[i], a->at[i + 1] - a->at[i] - 1}, key = {a->moved.p + from, a->moved_end[i] - from};
        a->changed += !dp_str_eq(key, url);
        dp_buf_str(&a->out, ask->form == DP_FOUND ? url : key);
        dp_buf_byte(&a->out, '\n');
        if (!ask->unique)
            continue;
        a->end[a->lines + i] = a->out.n;
        bool  is_foreign = ask->form == DP_FOUND && a->flags[i] & DP_FOREIGN;
        size_t n;
        if (is_foreign && !dp_apply_view(ask->engine, a->second, DP_KEY, url.p, url.n, &n))
            return DP_ENOMEM;
        keep_key(a, ask, a->lines + i, key, is_foreign ? foreign(a->second) : DP_STR(""));
    }
    a->lines += count;
    return DP_OK;
}

/* ---- line by line: ids, JSON or a redirect's source are asked ------------------------------ */

static void count_rules(dp_answers *a, const uint32_t *fired, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool again = false;
        for (size_t j = 0; j < i && !again; j++)
            again = fired[j] == fired[i];
        if (!again)
            a->fired[fired[i]]++;
    }
}

/* Ids of the rules that fired, joined by commas, each between two `quote`s. */
static void add_ids(dp_buf *out, const dp_ask *ask, const uint32_t *fired, size_t n, const char *quote)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t id = dp_engine_id(ask->engine, fired[i]);
        dp_buf_printf(out, "%s%s%08x%s", i ? "," : "", quote, (unsigned)(id >> 32), quote);
    }
}

/* Ids of the rules that fired on a probe; where none has, one did on the URL that had the key first. */
void dp_answer_add_mark(dp_buf *out, const dp_ask *ask, const dp_scratch *s)
{
    size_t n;
    dp_scratch_fired(s, &n);
    if (n)
        dp_answer_add_ids(out, ask, s);
    else
        dp_buf_c(out, "other");
}

void dp_answer_add_array(dp_buf *out, const dp_ask *ask, const dp_scratch *s)
{
    size_t          n;
    const uint32_t *fired = dp_scratch_fired(s, &n);
    dp_buf_byte(out, '[');
    if (!dp_scratch_hit_limit(s))
        add_ids(out, ask, fired, n, "\"");
    dp_buf_byte(out, ']');
}

void dp_answer_add_ids(dp_buf *out, const dp_ask *ask, const dp_scratch *s)
{
    size_t          n;
    const uint32_t *fired = dp_scratch_fired(s, &n);
    if (dp_scratch_hit_limit(s))
        dp_buf_c(out, "limit");
    else if (n)
        add_ids(out, ask, fired, n, "");
    else
        dp_buf_byte(out, '-');
}

dp_mark dp_answer_add_object(dp_answers *a, const dp_ask *ask, dp_str url, const dp_answer *answer)
{
    dp_buf *out = &a->out;
    dp_buf_byte(out, '{');
    dp_json_text(out, "url", url);
    dp_json_text(out, "dustpan_key", answer->text);
    dp_json_key(out, "rules");
    dp_answer_add_array(out, ask, a->scratch);
    if (dp_scratch_hit_limit(a->scratch))
        dp_json_flag(out, "limit", true);
    dp_json_id(out, "set", dp_ask_set_id(ask));
    dp_mark mark = {out->n, out->n};
    if (answer->form.n) {
        dp_json_flag(out, "probe", true);
        mark.to = out->n;
    }
    dp_buf_c(out, "}\n");
    return mark;
}

static dp_mark add_plain(dp_answers *a, const dp_ask *ask, const dp_answer *answer)
{
    dp_buf *out = &a->out;
    dp_buf_str(out, answer->text);
    if (ask->explain) {
        dp_buf_byte(out, '\t');
        dp_answer_add_ids(out, ask, a->scratch);
    }
    dp_mark mark = {out->n, out->n};
    if (answer->form.n) {
        dp_buf_byte(out, '\t');
        dp_answer_add_mark(out, ask, a->scratch);
        mark.to = out->n;
    }
    dp_buf_byte(out, '\n');
    return mark;
}

/* Whether a redirect target has the source's key but is not the source itself. Then `*answer`
 * becomes its stage-0 form, in a->second, so that it is followed once. */
static dp_err answer_target(dp_answers *a, const dp_ask *ask, dp_str url, dp_str *answer, bool *follow)
{
    dp_str form;
    form.p = dp_apply_view(ask->engine, a->second, DP_STAGE0, url.p, url.n, &form.n);
    if (!form.p)
        return DP_ENOMEM;
    *follow = !dp_str_eq(form, ask->source_form);
    if (*follow)
        *answer = form;
    return DP_OK;
}

dp_err dp_answer_make(dp_answers *a, const dp_ask *ask, dp_str url, dp_answer *out)
{
    dp_str answer, key;
    bool   follow = false, found = ask->form == DP_FOUND;
    answer.p = dp_apply_view(ask->engine, a->scratch, found ? DP_KEY : ask->form, url.p, url.n, &answer.n);
    if (!answer.p)
        return DP_ENOMEM;
    out->is_url = dp_scratch_is_url(a->scratch);
    out->form = dp_explore_form(&ask->explore, a->scratch);
    if (ask->model) {
        dp_buf_reset(&a->moved);
        DP_TRY(dp_translation_run(ask->model, a->desk, &answer, 1, &a->moved, a->moved_end));
        answer = dp_buf_view(&a->moved);
    }
    key = answer;
    out->url = url;
    out->own = foreign(a->scratch);
    if (ask->form != DP_KEY && !found && (ask->has_source || ask->unique)) {
        key.p = dp_apply_view(ask->engine, a->second, DP_KEY, url.p, url.n, &key.n);
        if (!key.p)
            return DP_ENOMEM;
        out->own = foreign(a->second);
    }
    if (ask->remembers)
        DP_TRY(keep_rules(a, ask, ask->form == DP_KEY || found ? a->scratch : a->second));
    /* A foreign source has not marked its key: a target that has it by itself is like any other. */
    bool is_new = ask->source_own.n && !out->own.n;
    if (out->is_url && ask->has_source && !is_new && dp_str_eq(key, ask->source_key)) {
        key = ask->source_key; /* the same bytes, which outlive the next use of a->second */
        DP_TRY(answer_target(a, ask, url, &answer, &follow));
        out->own = follow ? DP_STR("") : ask->source_own; /* it is the source */
        out->form = DP_STR("");
    }
    out->text = found && ask->format != DP_JSON ? url : answer;
    out->key = follow ? answer : key;
    out->follow = follow;
    return DP_OK;
}

/* A target that is followed in spite of its key is unique by its form among those that are, even where its form is
 * that key: as text it begins with LF, as no URL does. */
dp_err dp_answer_note(dp_answers *a, const dp_ask *ask, const dp_answer *answer, dp_mark mark)
{
    DP_TRY(reserve(a, 1));
    if (ask->seen && answer->follow)
        dp_buf_byte(&a->texts, '\n');
    keep_key(a, ask, a->lines, answer->key, answer->follow ? DP_STR("") : answer->own);
    if (!ask->seen && answer->follow)
        a->hash[a->lines].hi ^= ~UINT64_C(0);
    if (ask->remembers)
        DP_TRY(keep_url(a, answer->follow ? DP_STR("") : answer->url, answer->follow ? 0 : a->now));
    if (answer->form.n) {
        keep_tag(a, ask, answer->form, mark);
        if (ask->remembers)
            DP_TRY(keep_url(a, DP_STR(""), 0));
    }
    a->end[a->lines++] = a->out.n;
    return a->texts.failed || a->others.failed || a->tagged.failed ? DP_ENOMEM : DP_OK;
}

dp_err dp_answers_stay(dp_answers *a)
{
    DP_TRY(reserve(a, 1));
    a->hash[a->lines] = a->other[a->lines] = a->tag[a->lines] = (dp_hash128){0, 0};
    a->mark[a->lines] = (dp_mark){0, 0};
    a->end[a->lines++] = a->out.n;
    return DP_OK;
}

void dp_answers_empty(dp_answers *a)
{
    dp_buf_reset(&a->out);
    dp_buf_reset(&a->texts);
    dp_buf_reset(&a->others);
    dp_buf_reset(&a->urls);
    a->lines = a->keys_told = a->nforeign = a->nrules = 0;
}

void dp_answer_count(dp_answers *a, const dp_ask *ask, dp_str url, const dp_answer *answer)
{
    size_t          n;
    const uint32_t *fired = dp_scratch_fired(a->scratch, &n);
    bool            limit = dp_scratch_hit_limit(a->scratch);
    a->changed += !dp_str_eq(ask->form == DP_FOUND ? answer->key : answer->text, url);
    a->limit += limit;
    if (n && !limit) {
        a->any_fired++;
        if (ask->counts)
            count_rules(a, fired, n);
    }
}

static dp_err answer_line(dp_answers *a, const dp_ask *ask, dp_str url)
{
    dp_answer answer;
    DP_TRY(dp_answer_make(a, ask, url, &answer));
    if (!answer.is_url) {
        note_bad(a, a->lines, url);
        if (ask->strict) {
            a->stopped = true;
            return DP_OK;
        }
    }
    dp_answer_count(a, ask, url, &answer);
    dp_mark mark = ask->format == DP_JSON ? dp_answer_add_object(a, ask, url, &answer) : add_plain(a, ask, &answer);
    bool is_source = ask->has_source && answer.key.p == ask->source_key.p;
    bool shows_url = ask->format == DP_JSON || ask->form == DP_FOUND;
    if (!shows_url && !is_source && !is_on(answer.text, answer.own))
        answer.own = DP_STR(""); /* the URL itself is not shown */
    if (ask->unique)
        return dp_answer_note(a, ask, &answer, mark);
    a->lines++;
    return DP_OK;
}

/* ---- all ------------------------------------------------------------------------------------ */

dp_err dp_answers_make(dp_answers *a, const dp_ask *ask, const dp_chunk *c)
{
    bool one_by_one = ask->explain || ask->format == DP_JSON || ask->has_source || ask->counts || ask->explore.most ||
                      (ask->unique && ask->remembers);
    dp_answers_empty(a);
    a->unmarked = "";
    a->changed = a->any_fired = a->not_urls = a->limit = a->nbad = 0;
    a->stopped = false;
    for (size_t at = 0, count; at < c->n && !a->stopped; at = a->at[count]) {
        count = find_lines(a, c, at);
        if (!one_by_one) {
            DP_TRY(ask->model              ? answer_translated(a, ask, c, count)
                   : ask->form == DP_FOUND ? answer_found(a, ask, c, count)
                                           : answer_batch(a, ask, c, count));
            continue;
        }
        for (size_t i = 0; i < count && !a->stopped; i++)
            DP_TRY(answer_line(a, ask, (dp_str){c->p + a->at[i], a->at[i + 1] - a->at[i] - 1}));
    }
    return a->out.failed || a->texts.failed || a->others.failed || a->tagged.failed ? DP_ENOMEM : DP_OK;
}
