/* Watch the engine: which rules fired on a URL, in which order, on what evidence.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "apply/explain.h"

#include <stdlib.h>

#include "base/room.h"
#include "base/text.h"
#include "base/words/json.h"
#include "url/normalize.h"

static const char *const form_names[] = {
    [DP_KEY] = "key", [DP_FETCH] = "fetch", [DP_SURT] = "surt", [DP_STAGE0] = "stage0",
    [DP_FOUND] = "url"};

void dp_story_done(dp_story *s)
{
    dp_buf_done(&s->text);
    free(s->rule);
}

static void note_rule(dp_story *s, uint32_t rule)
{
    size_t i = 0;
    while (i < s->nrule && s->rule[i].rule != rule)
        i++;
    if (i == s->nrule) {
        if (!DP_ROOM(s->rule, s->nrule, s->cap)) {
            s->text.failed = true;
            return;
        }
        s->rule[s->nrule++] = (dp_told){.rule = rule};
    }
    s->rule[i].on[s->url] = true;
}

static bool tell_step(void *ctx, uint32_t rule, dp_str text)
{
    dp_story         *s = ctx;
    const dp_im_about *r = &s->e->im.about[rule];
    dp_str line = dp_im_str(&s->e->im, r->text), hosts = dp_im_str(&s->e->im, s->e->im.block[r->block].hosts);
    s->steps++;
    note_rule(s, rule);
    if (!s->json) {
        dp_buf_printf(&s->text, "  %08x  %.*s\n            host %.*s, line %u\n         -> %.*s\n",
                      (unsigned)(r->id >> 32), DP_FMT(line), DP_FMT(hosts), r->line, DP_FMT(text));
        return true;
    }
    dp_json_open(&s->text, NULL, '{');
    dp_json_id(&s->text, "id", r->id);
    dp_json_text(&s->text, "rule", line);
    dp_json_text(&s->text, "hosts", hosts);
    dp_json_count(&s->text, "line", r->line);
    dp_json_text(&s->text, "after", text);
    dp_buf_byte(&s->text, '}');
    return true;
}

/* What happens before rules: the cleanup, and the order that a block may ask for. */
static dp_err tell_stage0(dp_buf *out, dp_str url, dp_str stage0)
{
    dp_buf clean = {0};
    dp_str text = dp_normalize(&clean, url) ? dp_buf_view(&clean) : url;
    dp_err code = clean.failed ? DP_ENOMEM : DP_OK;
    if (code == DP_OK && !dp_str_eq(text, url))
        dp_buf_printf(out, "  basic URL cleanup (RFC 3986)\n         -> %.*s\n", DP_FMT(text));
    if (code == DP_OK && !dp_str_eq(text, stage0))
        dp_buf_printf(out, "  order any\n         -> %.*s\n", DP_FMT(stage0));
    dp_buf_done(&clean);
    return code;
}

/* Append the story of `url`, without the end of its object. What it became is `*answer`, which lives in `s`. */
static dp_err tell(dp_story *st, dp_scratch *s, dp_form form, dp_str url, dp_str *answer)
{
    dp_buf *out = &st->text;
    dp_str  stage0 = dp_engine_run(st->e, s, DP_STAGE0, url, NULL, NULL);
    if (s->failed)
        return DP_ENOMEM;
    if (st->json) {
        dp_json_open(out, NULL, '{');
        dp_json_text(out, "url", url);
        dp_json_flag(out, "is_url", s->is_url);
        dp_json_text(out, "stage0", stage0);
        dp_json_open(out, "steps", '[');
    } else {
        dp_buf_printf(out, "%.*s\n", DP_FMT(url));
        if (!s->is_url)
            dp_buf_c(out, "  is not a URL and stays as it is\n");
        else
            DP_TRY(tell_stage0(out, url, stage0));
    }
    st->steps = 0;
    *answer = dp_engine_run(st->e, s, form, url, tell_step, st);
    if (s->failed)
        return DP_ENOMEM;
    if (st->json) {
        dp_buf_byte(out, ']');
        dp_json_flag(out, "limit", s->hit_limit);
        dp_json_text(out, form_names[form], *answer);
        dp_json_id(out, "set", st->e->set_id);
        return DP_OK;
    }
    if (s->hit_limit)
        dp_buf_printf(out,
                      "  stopped: still changing after %d rewrites, or grown too long; only the basic cleanup counts\n",
                      DP_MAX_FIRINGS);
    else if (s->is_url && st->steps == 0)
        dp_buf_c(out, "  no rule fires\n");
    else if (form == DP_FETCH && s->nfired == 0)
        dp_buf_c(out, "  the result would have another key, so only the basic cleanup counts\n");
    dp_buf_printf(out, "%s  %.*s\n", form_names[form], DP_FMT(*answer));
    return DP_OK;
}

dp_err dp_story_url(dp_story *st, dp_form form, dp_str url)
{
    dp_scratch *s;
    dp_str      answer;
    DP_TRY(dp_scratch_new(&s));
    dp_err code = tell(st, s, form, url, &answer);
    dp_scratch_free(s);
    return code;
}

dp_err dp_story_end(dp_text **out, dp_story *st, dp_err code)
{
    if (st->json)
        dp_buf_c(&st->text, "}\n");
    if (code == DP_OK)
        code = dp_text_take(out, &st->text);
    dp_story_done(st);
    return code;
}

dp_err dp_explain(dp_text **out, const dp_engine *e, dp_form form, const char *url, size_t len, dp_format format)
{
    dp_story st = {.e = e, .json = format == DP_JSON};
    return dp_story_end(out, &st, dp_story_url(&st, form, (dp_str){url, len}));
}

/* ---- two URLs ------------------------------------------------------------------------------- */

/* Where two keys differ: parts by name, one line each. */
typedef struct contrast {
    dp_buf *out;
    bool    json;
    size_t  n;
} contrast;

static void differ(contrast *c, const char *part, dp_str name, dp_str a, dp_str b)
{
    if (dp_str_eq(a, b))
        return;
    c->n++;
    if (!c->json) {
        dp_buf_printf(c->out, "  %s%.*s: %.*s | %.*s\n", part, DP_FMT(name), DP_FMT(a), DP_FMT(b));
        return;
    }
    dp_json_open(c->out, NULL, '{');
    dp_json_text(c->out, "part", dp_str_c(part));
    dp_json_text(c->out, "name", name);
    dp_json_text(c->out, "a", a);
    dp_json_text(c->out, "b", b);
    dp_buf_byte(c->out, '}');
}

/* The values of all pairs called `name`, joined by '&'; "(absent)" when there is none. */
static dp_str values_of(const dp_frame *f, dp_str name, dp_buf *room)
{
    size_t n = 0;
    dp_buf_reset(room);
    for (uint32_t i = 0; i < f->npair; i++)
        if (dp_str_eq(dp_pair_name(f, &f->pair[i]), name)) {
            if (n++)
                dp_buf_byte(room, '&');
            dp_buf_str(room, dp_frame_cut(f, f->pair[i].eq, f->pair[i].end));
        }
    if (!n)
        dp_buf_c(room, "(absent)");
    return dp_buf_view(room);
}

static void differ_in_pairs(contrast *c, const dp_frame *a, const dp_frame *b, const dp_frame *names)
{
    dp_buf va = {0}, vb = {0};
    for (uint32_t i = 0; i < names->npair; i++) {
        dp_str name = dp_pair_name(names, &names->pair[i]);
        bool   done = false;
        for (uint32_t j = 0; j < i && !done; j++)
            done = dp_str_eq(dp_pair_name(names, &names->pair[j]), name);
        for (uint32_t j = 0; names == b && j < a->npair && !done; j++)
            done = dp_str_eq(dp_pair_name(a, &a->pair[j]), name);
        if (!done)
            differ(c, "?", name, values_of(a, name, &va), values_of(b, name, &vb));
    }
    c->out->failed |= va.failed || vb.failed;
    dp_buf_done(&va);
    dp_buf_done(&vb);
}

static dp_err differ_in_parts(contrast *c, dp_str x, dp_str y)
{
    dp_frame        a = {0}, b = {0};
    dp_frame_result ra = dp_frame_read(&a, x), rb = dp_frame_read(&b, y);
    if (ra == DP_FRAME_OK && rb == DP_FRAME_OK) {
        differ(c, "scheme", DP_STR(""), dp_frame_scheme(&a), dp_frame_scheme(&b));
        differ(c, "host", DP_STR(""), dp_frame_cut(&a, a.host, a.path), dp_frame_cut(&b, b.host, b.path));
        differ(c, "path", DP_STR(""), dp_frame_cut(&a, a.path, a.path_end), dp_frame_cut(&b, b.path, b.path_end));
        differ_in_pairs(c, &a, &b, &a);
        differ_in_pairs(c, &a, &b, &b);
    }
    if (c->n == 0)
        differ(c, "text", DP_STR(""), x, y);
    dp_frame_done(&a);
    dp_frame_done(&b);
    return ra == DP_FRAME_NOMEM || rb == DP_FRAME_NOMEM ? DP_ENOMEM : DP_OK;
}

/* What both keys have to do with each other. */
static dp_err compare(dp_story *st, dp_str ka, dp_str kb)
{
    contrast c = {.out = &st->text, .json = st->json};
    bool     same = dp_str_eq(ka, kb);
    dp_err   code = DP_OK;
    if (st->json) {
        dp_json_flag(&st->text, "same", same);
        dp_json_open(&st->text, "differences", '[');
    } else {
        dp_buf_c(&st->text, same ? "\nsame key\n" : "\ndifferent keys\n");
    }
    if (!same)
        code = differ_in_parts(&c, ka, kb);
    if (st->json) {
        dp_buf_byte(&st->text, ']');
        dp_json_id(&st->text, "set", st->e->set_id);
    }
    return code;
}

dp_err dp_story_pair(dp_story *st, dp_str a, dp_str b, int *same)
{
    dp_scratch *sa = NULL, *sb = NULL;
    dp_str      ka = {0}, kb = {0};
    dp_err      code = dp_scratch_new(&sa);
    if (code == DP_OK)
        code = dp_scratch_new(&sb);
    if (st->json) {
        dp_buf_byte(&st->text, '{');
        dp_json_key(&st->text, "a");
    }
    if (code == DP_OK)
        code = tell(st, sa, DP_KEY, a, &ka);
    if (st->json) {
        dp_buf_byte(&st->text, '}');
        dp_json_key(&st->text, "b");
    } else {
        dp_buf_byte(&st->text, '\n');
    }
    st->url = 1;
    if (code == DP_OK)
        code = tell(st, sb, DP_KEY, b, &kb);
    if (st->json)
        dp_buf_byte(&st->text, '}');
    if (code == DP_OK) {
        *same = dp_str_eq(ka, kb);
        code = compare(st, ka, kb);
    }
    dp_scratch_free(sa);
    dp_scratch_free(sb);
    return code;
}

dp_err dp_explain_pair(dp_text **out, const dp_engine *e, const char *a, size_t an, const char *b, size_t bn,
                       dp_format format, int *same)
{
    dp_story st = {.e = e, .json = format == DP_JSON};
    return dp_story_end(out, &st, dp_story_pair(&st, (dp_str){a, an}, (dp_str){b, bn}, same));
}
