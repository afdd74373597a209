/* SPDX-License-Identifier: Apache-2.0 */
#include "output/report/review.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/room.h"
#include "base/words/json.h"
#include "output/html.h"
#include "output/page.h"
#include "output/report/ways.h"
#include "rule/print.h"
#include "rule/setid.h"
#include "rule/words.h"

struct dp_review {
    dp_ways          ways;
    dp_review_reach *reach; /* [nreach] by rule, most URLs first */
    size_t           nreach;
    bool             without_off; /* rules that are off take no part */
};

/* ---- counting ------------------------------------------------------------------------------------------ */

static dp_err make_engine(dp_report *r, const dp_text *file, bool with_off, dp_error *err)
{
    dp_rules  *all = NULL;
    dp_engine *engine = NULL;
    dp_err     code = dp_rules_new(&all);
    if (code == DP_OK)
        code = dp_rules_parse(all, r->name, dp_text_data(file), dp_text_size(file), err);
    for (size_t i = 0; code == DP_OK && i < all->nrule; i++) {
        if (with_off || dp_rule_state(all->rule[i]) != DP_OFF)
            all->rule[i]->state = all->rule[i]->state == DP_PIN ? DP_PIN : DP_ACTIVE;
    }
    for (size_t i = 0; code == DP_OK && with_off && i < all->nblock; i++)
        all->block[i]->off = false;
    if (code == DP_OK)
        code = dp_engine_new(&engine, all, 0, 0, err);
    if (code == DP_OK) {
        dp_engine_free(r->engine);
        r->engine = engine;
    }
    dp_rules_free(all);
    return code;
}

dp_err dp_review_turn_on(dp_report *r, dp_error *err)
{
    dp_text *file = NULL;
    r->review = calloc(1, sizeof *r->review);
    if (!r->review)
        return dp_fail_as(err, DP_ENOMEM);
    dp_err code = dp_rules_print(&file, r->rules);
    if (code == DP_OK)
        code = make_engine(r, file, true, NULL);
    if (code == DP_ESYNTAX) {
        r->review->without_off = true;
        code = make_engine(r, file, false, err);
    }
    dp_text_free(file);
    return code;
}

void dp_review_done(dp_report *r)
{
    if (!r->review)
        return;
    dp_ways_done(&r->review->ways);
    free(r->review->reach);
    free(r->review);
}

/* One firing on one URL. */
typedef struct firing {
    uint32_t rule, section;
} firing;

typedef struct firings {
    firing *v;
    size_t  n, cap;
} firings;

/* Append what fires on a URL. */
static dp_err add_firings(firings *all, const dp_report *r, dp_scratch *s, dp_str url)
{
    dp_firings f;
    DP_TRY(dp_firings_begin(&f, &r->review->ways, dp_engine_run(r->engine, s, DP_STAGE0, url, NULL, NULL)));
    if (!dp_engine_run(r->engine, s, DP_KEY, url, dp_firings_note, &f).p)
        return DP_ENOMEM;
    for (uint32_t i = 0; i < f.n; i++) {
        if (!DP_ROOM(all->v, all->n, all->cap))
            return DP_ENOMEM;
        all->v[all->n++] = (firing){f.v[i].rule, f.v[i].section};
    }
    return f.code;
}

static int by_rule_and_section(const void *a, const void *b)
{
    const firing *x = a, *y = b;
    return x->rule != y->rule ? (x->rule > y->rule) - (x->rule < y->rule)
                              : (x->section > y->section) - (x->section < y->section);
}

static int by_rule_most_first(const void *a, const void *b)
{
    const dp_review_reach *x = a, *y = b;
    if (x->rule != y->rule)
        return (x->rule > y->rule) - (x->rule < y->rule);
    if (x->urls != y->urls)
        return (x->urls < y->urls) - (x->urls > y->urls);
    return (x->section > y->section) - (x->section < y->section);
}

/* Firings of single URLs into reach[]. */
static dp_err sum_up(struct dp_review *v, firing *fired, size_t n)
{
    if (n)
        qsort(fired, n, sizeof *fired, by_rule_and_section);
    v->reach = calloc(n + 1, sizeof *v->reach);
    if (!v->reach)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || by_rule_and_section(&fired[i], &fired[i - 1]) != 0)
            v->reach[v->nreach++] = (dp_review_reach){fired[i].rule, fired[i].section, 0};
        v->reach[v->nreach - 1].urls++;
    }
    if (v->nreach)
        qsort(v->reach, v->nreach, sizeof *v->reach, by_rule_most_first);
    return DP_OK;
}

dp_err dp_review_count(dp_report *r)
{
    struct dp_review *v = r->review;
    dp_scratch       *s = NULL;
    firings           fired = {0};
    DP_TRY(dp_ways_find(&v->ways, r, (uint32_t)r->sample));
    dp_err code = dp_scratch_new(&s);
    for (uint32_t i = 0; i < r->nitem && code == DP_OK; i++)
        code = add_firings(&fired, r, s, dp_truth_text(&r->truth, r->item[i]));
    if (code == DP_OK)
        code = sum_up(v, fired.v, fired.n);
    dp_scratch_free(s);
    free(fired.v);
    return code;
}

/* ---- JSON ---------------------------------------------------------------------------------------------- */

static void put_url(dp_buf *out, const dp_report *r, dp_str url, dp_str kept)
{
    dp_buf text = {0};
    dp_report_url(&text, r, url, kept);
    dp_json_take(out, NULL, &text);
}

static void put_examples(dp_buf *out, const dp_report *r, const dp_rule_samples *s)
{
    dp_json_open(out, "examples", '[');
    for (uint32_t i = 0; i < s->ngood; i++) {
        dp_json_open(out, NULL, '[');
        put_url(out, r, dp_truth_text(&r->truth, s->good[i].item), s->good[i].after);
        put_url(out, r, s->good[i].after, (dp_str){NULL, 0});
        dp_buf_byte(out, ']');
    }
    dp_buf_byte(out, ']');
    if (!r->labelled)
        return;
    dp_json_open(out, "wrong", '[');
    for (uint32_t i = 0; i < s->nwrong; i++) {
        dp_str a = dp_truth_text(&r->truth, s->wrong[i].a), b = dp_truth_text(&r->truth, s->wrong[i].b);
        dp_json_open(out, NULL, '[');
        put_url(out, r, a, b);
        put_url(out, r, b, a);
        dp_buf_byte(out, ']');
    }
    dp_buf_byte(out, ']');
}

/* The folders in which rule `i` acts: [number of the folder, URLs]; and how many there are. */
static void put_reach(dp_buf *out, const struct dp_review *v, size_t rule, size_t *at)
{
    size_t first = *at;
    while (*at < v->nreach && v->reach[*at].rule == rule)
        (*at)++;
    dp_json_count(out, "sections_in_all", *at - first);
    dp_json_open(out, "sections", '[');
    for (size_t i = first; i < *at && i < first + DP_REVIEW_MOST_SECTIONS; i++) {
        dp_json_open(out, NULL, '[');
        dp_json_count(out, NULL, v->reach[i].section);
        dp_json_count(out, NULL, v->reach[i].urls);
        dp_buf_byte(out, ']');
    }
    dp_buf_byte(out, ']');
}

/* The attributes as they are written: {"p":".99","n":"30"} */
static void put_attributes(dp_buf *out, const char *name, const dp_attr *v, size_t n)
{
    dp_json_open(out, name, '{');
    for (size_t i = 0; i < n; i++) {
        dp_buf key = {0};
        dp_buf_str(&key, v[i].key);
        dp_buf_byte(&key, 0);
        if (!key.failed)
            dp_json_text(out, key.p, v[i].value);
        out->failed |= key.failed;
        dp_buf_done(&key);
    }
    dp_buf_byte(out, '}');
}

static void put_rule(dp_buf *out, const dp_report *r, size_t i, size_t line, size_t *reach)
{
    const dp_rule  *rule = r->rules->rule[i];
    const dp_trial *t = dp_replay_rule(r->replay, i);
    dp_vote_sum     votes = dp_trial_sum(t, DP_ALL_FOLDS);
    uint64_t        fired = dp_replay_fired(r->replay, i);
    double          p = dp_rule_number(rule, "p", 1);
    dp_buf          words = {0};
    dp_json_line(out);
    dp_json_open(out, NULL, '{');
    dp_json_short_id(out, "id", rule->id);
    dp_json_text(out, "hosts", rule->block->hosts);
    dp_json_text(out, "rule", rule->text);
    dp_rule_words(&words, rule);
    dp_json_take(out, "words", &words);
    dp_json_text(out, "state", dp_str_c(dp_state_name(dp_rule_state(rule))));
    dp_json_count(out, "line", line);
    dp_json_flag(out, "template", rule->kind == DP_RULE_REWRITE);
    dp_json_flag(out, "confined", rule->on != NULL);
    put_attributes(out, "evidence", rule->attr, rule->nattr);
    put_attributes(out, "certificate", rule->block->attr, rule->block->nattr);
    dp_json_share(out, "expected_loss", (double)fired * (1 - p));
    dp_json_count(out, "fired", fired);
    dp_json_count(out, "merges", t->good + t->bad);
    if (r->labelled) {
        dp_json_count(out, "bad_merges", t->bad);
        dp_json_count(out, "for", votes.s);
        dp_json_count(out, "against", votes.n - votes.s);
    }
    put_reach(out, r->review, i, reach);
    put_examples(out, r, &r->samples[i]);
    dp_buf_byte(out, '}');
}

/* The rule file line by line; where each rule stands into line[], from 0. */
static void put_file(dp_buf *out, const dp_report *r, size_t *line)
{
    dp_buf file = {0};
    dp_print_lines(&file, r->rules, line);
    dp_json_line(out);
    dp_json_take(out, "file", &file);
}

static void put_numbers(dp_buf *out, const char *name, const uint32_t *v, size_t n)
{
    dp_json_line(out);
    dp_json_open(out, name, '[');
    for (size_t i = 0; i < n; i++)
        dp_json_count(out, NULL, v[i]);
    dp_buf_byte(out, ']');
}

/* The sample: what page each URL shows and which way it goes; ways as key, steps. */
static void put_sample(dp_buf *out, const dp_report *r)
{
    const dp_ways *w = &r->review->ways;
    dp_json_line(out);
    dp_json_open(out, "sample", '{');
    dp_json_count(out, "urls", w->nitem);
    dp_json_count(out, "of", r->nitem);
    dp_json_count(out, "unknown", w->unknown);
    dp_json_count(out, "left_out", w->left_out);
    put_numbers(out, "way", w->root, w->nitem);
    if (r->labelled) {
        dp_json_line(out);
        dp_json_open(out, "page", '[');
        for (uint32_t i = 0; i < w->nitem; i++)
            dp_json_count(out, NULL, r->truth.cluster[w->item[i]]);
        dp_buf_byte(out, ']');
    }
    dp_json_line(out);
    dp_json_open(out, "ways", '[');
    for (uint32_t i = 0; i < w->nway; i++) {
        dp_json_open(out, NULL, '[');
        dp_json_count(out, NULL, w->way[i].key);
        for (uint32_t k = w->way[i].first; k < w->way[i].first + w->way[i].n; k++) {
            dp_json_count(out, NULL, w->step[k].rule);
            dp_json_count(out, NULL, w->step[k].section);
            if (w->step[k].without == DP_NO_WAY)
                dp_json_null(out, NULL);
            else
                dp_json_count(out, NULL, w->step[k].without);
        }
        dp_buf_byte(out, ']');
    }
    dp_buf_c(out, "]}");
}

void dp_review_put_json(dp_buf *out, const dp_report *r)
{
    const struct dp_review *v = r->review;
    size_t                 *line = calloc(r->rules->nrule + 1, sizeof *line), reach = 0;
    if (!line) {
        out->failed = true;
        return;
    }
    dp_buf_byte(out, '{');
    dp_json_text(out, "name", dp_str_c(r->name));
    dp_json_text(out, "version", dp_str_c(dp_version()));
    dp_json_flag(out, "labelled", r->labelled);
    dp_set_print(out, "set", r->rules);
    dp_json_text(out, "identity", dp_str_c(dp_truth_identity(&r->truth)));
    dp_json_count(out, "urls", r->nitem);
    dp_json_flag(out, "off_rules_tried", !v->without_off);
    put_file(out, r, line);
    dp_json_line(out);
    dp_json_open(out, "sections", '[');
    for (size_t i = 0; i < v->ways.sections.n; i++)
        dp_json_text(out, NULL, v->ways.sections.v[i].key);
    dp_buf_byte(out, ']');
    dp_json_line(out);
    dp_json_open(out, "rules", '[');
    for (size_t i = 0; i < r->rules->nrule; i++)
        put_rule(out, r, i, line[i], &reach);
    dp_buf_byte(out, ']');
    put_sample(out, r);
    dp_buf_c(out, "}\n");
    free(line);
}

/* ---- the page ------------------------------------------------------------------------------------------ */

static void put_value(dp_buf *out, const void *ctx, dp_str name)
{
    const dp_report *r = ctx;
    if (dp_str_eq(name, DP_STR("name"))) {
        dp_html_text(out, dp_str_c(r->name));
    } else if (dp_str_eq(name, DP_STR("version"))) {
        dp_html_text(out, dp_str_c(dp_version()));
    } else if (dp_str_eq(name, DP_STR("serving"))) {
        dp_buf_printf(out, "%" PRId64, r->version);
    } else if (dp_str_eq(name, DP_STR("data"))) {
        dp_buf json = {0};
        dp_review_put_json(&json, r);
        dp_html_json(out, dp_buf_view(&json));
        out->failed |= json.failed;
        dp_buf_done(&json);
    }
}

static bool has(const void *ctx, dp_str name)
{
    const dp_report *r = ctx;
    return dp_str_eq(name, DP_STR("labels"))   ? r->labelled
           : dp_str_eq(name, DP_STR("served")) ? r->version > 0
                                               : dp_str_eq(name, DP_STR("masked")) && !r->raw;
}

void dp_review_put_html(dp_buf *out, const dp_report *r)
{
    dp_page_put(out, (dp_str){dp_review_page, dp_review_page_size}, &(dp_page_values){r, put_value, has});
}
