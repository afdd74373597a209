/* dp_audit of dustpan.h: read, count votes, judge each rule by its promise.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "eval/audit.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "apply/engine.h"
#include "base/room.h"
#include "eval/auditodds.h"
#include "eval/doubts.h"
#include "judge/replay.h"
#include "url/resource.h"
#include "url/split.h"

enum { MILLION = 1000000 };

#define DEFAULT_PROMISE    .99
#define DEFAULT_CONFIDENCE .95
#define HAS_A_SAY          .01 /* share of all votes */

dp_err dp_audit_new(dp_audit **out, const dp_rules *rules, dp_error *err)
{
    dp_audit *a = calloc(1, sizeof *a);
    if (!a)
        return dp_fail_as(err, DP_ENOMEM);
    a->rules = rules;
    a->examples = 1;
    a->promise = DEFAULT_PROMISE;
    a->confidence = DEFAULT_CONFIDENCE;
    dp_err code = dp_engine_new(&a->engine, rules, DP_WITH_LIKELY, 0, err);
    if (code != DP_OK) {
        dp_audit_free(a);
        return code;
    }
    *out = a;
    return DP_OK;
}

void dp_audit_done_again(dp_audit *a)
{
    dp_engine_free(a->engine);
    dp_trail_done(&a->trail);
    dp_probes_done(&a->probes);
    free(a->rule);
    free(a->samples);
}

void dp_audit_free(dp_audit *a)
{
    if (!a)
        return;
    dp_audit_done_again(a);
    dp_records_done(&a->in);
    dp_truth_done(&a->truth);
    free(a->kind);
    free(a->time);
    free(a->blank);
    free(a->applied_expire);
    dp_arena_done(&a->arena);
    free(a);
}

dp_err dp_audit_set(dp_audit *a, dp_audit_option option, int64_t value)
{
    bool is_flag = value == 0 || value == 1, is_share = value >= 0 && value <= MILLION;
    switch (option) {
    case DP_AUDIT_RAW: a->raw = value; return is_flag ? DP_OK : DP_EINVALID;
    case DP_AUDIT_STRICT: a->in.strict = value; return is_flag ? DP_OK : DP_EINVALID;
    case DP_AUDIT_EXAMPLES:
        a->examples = (size_t)value;
        return value >= 0 && value <= DP_SAMPLES ? DP_OK : DP_EINVALID;
    case DP_AUDIT_PROMISE: a->promise = (double)value / MILLION; return is_share ? DP_OK : DP_EINVALID;
    case DP_AUDIT_NOISE:
        a->noise = (double)value / MILLION;
        a->knows_noise = true;
        return is_share ? DP_OK : DP_EINVALID;
    case DP_AUDIT_CONFIDENCE:
        a->confidence = (double)value / MILLION;
        return value > 0 && value < MILLION ? DP_OK : DP_EINVALID;
    }
    return DP_EINVALID;
}

dp_err dp_audit_input(dp_audit *a, dp_input_option option, const char *text)
{
    return dp_records_set(&a->in, option, text);
}

void dp_audit_progress(dp_audit *a, dp_progress call, void *ctx)
{
    a->in.progress = call;
    a->in.progress_ctx = ctx;
}

dp_err dp_audit_explore(dp_audit *a, double share, const char *salt)
{
    if (!(share >= 0 && share <= 1))
        return DP_EINVALID;
    a->explore = dp_explore_of(share, dp_str_c(salt));
    return DP_OK;
}

dp_err dp_audit_applied(dp_audit *a, unsigned flags, double min_precision, const char *expire)
{
    char *own = expire ? strdup(expire) : NULL;
    if (expire && !own)
        return DP_ENOMEM;
    free(a->applied_expire);
    a->applied = flags;
    a->applied_precision = min_precision;
    a->applied_expire = own;
    return DP_OK;
}

bool dp_audit_is_of(const dp_audit *a, const dp_rules *rules)
{
    bool same = a->samples && rules->nrule == a->rules->nrule;
    for (size_t i = 0; same && i < rules->nrule; i++)
        same = rules->rule[i]->id == a->rules->rule[i]->id;
    return same;
}

const char *dp_verdict_name(dp_verdict v)
{
    static const char *const names[] = {"broken", "doubtful", "holds", "silent", "off"};
    return names[v];
}

/* ---- reading ---------------------------------------------------------------------------------------- */

/* What the URL that was added last shows. */
static dp_err note_kind(dp_audit *a, const dp_labelled *rec)
{
    dp_split parts;
    dp_str   file = {NULL, 0};
    uint32_t at = a->truth.n - 1;
    if (dp_split_url(&parts, rec->form)) {
        size_t from = parts.path.n;
        while (from > 0 && parts.path.p[from - 1] != '/')
            from--;
        file = dp_str_cut(parts.path, from, parts.path.n);
    }
    if (!DP_ROOM(a->kind, at, a->kind_cap))
        return DP_ENOMEM;
    a->kind[at] = (uint8_t)dp_resource_of(rec->mime, file);
    return DP_OK;
}

/* When a URL was fetched first. */
static dp_err note_time(dp_audit *a, const dp_labelled *rec, bool fresh)
{
    uint32_t at = a->truth.n - 1;
    if (!fresh && !dp_truth_find(&a->truth, rec->url, &at))
        return DP_OK;
    if (!DP_ROOM(a->time, at, a->time_cap))
        return DP_ENOMEM;
    if (fresh || rec->time < a->time[at])
        a->time[at] = rec->time;
    return DP_OK;
}

static dp_err note_blank(dp_audit *a, const dp_labelled *rec)
{
    if (!DP_ROOM(a->blank, a->nblank, a->blank_cap))
        return DP_ENOMEM;
    dp_str url = dp_arena_str(&a->arena, rec->url);
    if (!url.p)
        return DP_ENOMEM;
    a->blank[a->nblank++] = (dp_blank){url, rec->time, a->truth.n, rec->is_error};
    return DP_OK;
}

static dp_err read_records(dp_audit *a, const char *const *paths, size_t count, dp_error *err)
{
    bool        more, fresh;
    dp_labelled rec;
    a->truth.text_limit = SIZE_MAX;
    a->in.blanks = a->explore.most > 0;
    DP_TRY(dp_records_open(&a->in, paths, count, err));
    for (;;) {
        DP_TRY(dp_records_next(&a->in, &a->truth, &rec, &more, err));
        if (!more)
            break;
        if (!rec.form.n) {
            DP_TRY(note_blank(a, &rec));
            continue;
        }
        DP_TRY(dp_truth_add(&a->truth, rec.url, rec.host, &rec.says, &fresh));
        DP_TRY(note_time(a, &rec, fresh));
        if (fresh)
            DP_TRY(note_kind(a, &rec));
        a->latest = rec.time > a->latest ? rec.time : a->latest;
        DP_TRY(dp_records_tell(&a->in, err));
    }
    if (a->truth.n == 0)
        return dp_records_none(&a->in, &a->truth, err);
    return dp_truth_settle(&a->truth);
}

/* ---- judging ---------------------------------------------------------------------------------------- */

/* Whether pages are told apart by nothing but digests, so that no label is wrong. */
static bool has_digests_only(const dp_truth *t)
{
    for (uint32_t i = 0; i < t->n; i++) {
        if (i >= t->content.n || t->content.has[i] != DP_EVIDENCE_DIGEST)
            return false;
    }
    return true;
}

/* The share of wrong labels, from the votes on all rules that are judged but number `but`, and some that say what is
 * usual. Where fewer than two others were voted on, it is what is assumed of such labels. */
static dp_err estimate_noise(const dp_audit *a, size_t but, double *noise)
{
    static const dp_votes usual = {196, 4};
    size_t                n = 0;
    dp_votes             *v = malloc((a->rules->nrule + 1) * sizeof *v);
    if (!v)
        return DP_ENOMEM;
    v[n++] = usual;
    for (size_t i = 0; i < a->rules->nrule; i++) {
        dp_votes votes = a->samples[i].votes;
        if (i != but && dp_rule_state(a->rules->rule[i]) != DP_OFF && votes.pos + votes.neg > 0)
            v[n++] = votes;
    }
    *noise = n > 2 ? dp_noise_estimate(v, n) : has_digests_only(&a->truth) ? 0 : DP_USUAL_NOISE;
    free(v);
    return DP_OK;
}

/* What each rule is judged by: no rule excuses itself by its own votes. Of many rules none has a say that matters. */
static dp_err set_noise(dp_audit *a)
{
    double all = 0;
    for (size_t i = 0; i < a->rules->nrule; i++)
        all += a->samples[i].votes.pos + a->samples[i].votes.neg;
    if (!a->knows_noise)
        DP_TRY(estimate_noise(a, SIZE_MAX, &a->noise));
    for (size_t i = 0; i < a->rules->nrule; i++) {
        double own = a->samples[i].votes.pos + a->samples[i].votes.neg;
        a->rule[i].noise = a->noise;
        if (!a->knows_noise && own >= HAS_A_SAY * all)
            DP_TRY(estimate_noise(a, i, &a->rule[i].noise));
    }
    return DP_OK;
}

static dp_verdict verdict_of(const dp_rule *r, const dp_audited *of)
{
    if (dp_rule_state(r) == DP_OFF)
        return DP_VERDICT_OFF;
    if (of->pos + of->neg + of->probed.draws.right + of->probed.draws.wrong == 0)
        return DP_VERDICT_SILENT;
    double odds = fmax(of->odds, of->probed.odds);
    if (of->probed.is_broken || odds >= DP_ODDS_BROKEN)
        return DP_VERDICT_BROKEN;
    return odds >= DP_ODDS_DOUBT ? DP_VERDICT_DOUBT : DP_VERDICT_HOLDS;
}

/* Whole votes, by the stage-0 forms of URLs. */
static dp_err vote(const dp_audit *a, const dp_trail *trail, dp_replay *replay)
{
    uint32_t *cluster = malloc((trail->n + 1u) * sizeof *cluster), *number = malloc((trail->n + 1u) * sizeof *number);
    dp_err    code = cluster && number ? DP_OK : DP_ENOMEM;
    for (uint32_t i = 0, n = 0; i < trail->n && code == DP_OK; i++) {
        if (trail->item[i] == DP_NO_URL)
            continue;
        cluster[n] = a->truth.cluster[trail->item[i]];
        number[i] = n++;
        code = dp_replay_add_hash(replay, trail->hash[i]);
    }
    for (size_t i = 0; i < trail->nstep + trail->nmeet && code == DP_OK; i++) {
        const dp_trail_step *s = &trail->step[i];
        code = dp_replay_tell(replay, (dp_member){trail->hash[s->to], s->rule, number[trail->start[s->item]]});
    }
    if (code == DP_OK)
        code = dp_replay_judge(replay, &(dp_labels){cluster, a->truth.clusters.n, a->truth.fold, NULL});
    free(cluster);
    free(number);
    return code;
}

/* The rules as `apply` used them; numbered as they are here. */
static dp_err make_applied(dp_engine **out, const dp_audit *a, dp_error *err)
{
    dp_rules *own = NULL;
    dp_text  *text = NULL;
    size_t    expired;
    if (!a->applied_expire)
        return dp_engine_new(out, a->rules, a->applied, a->applied_precision, err);
    dp_err code = dp_fail_as(err, dp_rules_print(&text, a->rules));
    if (code == DP_OK)
        code = dp_fail_as(err, dp_rules_new(&own));
    if (code == DP_OK)
        code = dp_rules_parse(own, "rules", dp_text_data(text), dp_text_size(text), err);
    if (code == DP_OK)
        code = dp_rules_expire(own, a->applied_expire, 0, &expired, err);
    if (code == DP_OK)
        code = dp_engine_new(out, own, a->applied, a->applied_precision, err);
    dp_text_free(text);
    dp_rules_free(own);
    return code;
}

/* Find the probes, and what they tell of each rule, into `out`, which is zeroed. */
static dp_err judge_probes(dp_audit *a, dp_probed *out, dp_error *err)
{
    const dp_explored_urls urls = {&a->truth, a->time, a->blank, a->nblank};
    size_t                 n = a->rules->nrule;
    dp_engine             *applied = NULL;
    double                *rate = malloc((n + 1) * sizeof *rate);
    dp_err                 code = rate ? make_applied(&applied, a, err) : DP_ENOMEM;
    if (code == DP_OK)
        code = dp_probes_find(&a->probes, applied, &urls, &a->explore);
    for (size_t i = 0; i < n && code == DP_OK; i++)
        rate[i] = dp_audit_rate(dp_rule_number(a->rules->rule[i], "p", a->promise), a->rule[i].noise);
    if (code == DP_OK)
        code = dp_probes_judge(&a->probes, rate, (dp_probe_bar){DP_ODDS_BROKEN, a->confidence}, out, n);
    dp_engine_free(applied);
    free(rate);
    return code;
}

static void judge_rule(dp_audit *a, size_t i, dp_vote_sum sum, dp_probed probed)
{
    const dp_rule *r = a->rules->rule[i];
    dp_votes       votes = a->samples[i].votes;
    dp_audited     of = {.pos = sum.s, .neg = sum.n - sum.s, .promise = dp_rule_number(r, "p", a->promise)};
    of.noise = a->rule[i].noise;
    of.agree = votes.pos > 0 ? votes.pos / (votes.pos + votes.neg) : 0;
    of.odds = dp_audit_odds(votes, of.promise, of.noise);
    of.probed = probed;
    of.verdict = verdict_of(r, &of);
    a->rule[i] = of;
    a->total[of.verdict]++;
    a->broken_active += of.verdict == DP_VERDICT_BROKEN && r->state == DP_ACTIVE;
}

static dp_err judge(dp_audit *a, dp_replay *replay, dp_error *err)
{
    size_t n = a->rules->nrule;
    DP_TRY(vote(a, &a->trail, replay));
    a->rule = calloc(n ? n : 1, sizeof *a->rule);
    a->samples = calloc(n ? n : 1, sizeof *a->samples);
    if (!a->rule || !a->samples)
        return DP_ENOMEM;
    DP_TRY(dp_samples_along(a->samples, n, &a->trail, &a->truth));
    DP_TRY(set_noise(a));
    dp_probed *probed = calloc(n + 1, sizeof *probed);
    dp_err     code = !probed ? DP_ENOMEM : a->explore.most ? judge_probes(a, probed, err) : DP_OK;
    for (size_t i = 0; i < n && code == DP_OK; i++)
        judge_rule(a, i, dp_trial_sum(dp_replay_rule(replay, i), DP_ALL_FOLDS), probed[i]);
    free(probed);
    return code;
}

/* All rules, by records that have been read. */
static dp_err follow_rules(dp_audit *a, dp_error *err)
{
    dp_replay *replay = NULL;
    dp_err     code = dp_replay_new(&replay, a->engine);
    if (code == DP_OK) {
        dp_replay_alone(replay);
        code = dp_trail_make(&a->trail, a->engine, a->rules, &a->truth);
    }
    if (code == DP_OK)
        code = judge(a, replay, err);
    dp_replay_free(replay);
    return code;
}

dp_err dp_audit_again(dp_audit *out, const dp_audit *a, const dp_rules *rules)
{
    *out = (dp_audit){.rules = rules,
                      .promise = a->promise,
                      .noise = a->noise,
                      .knows_noise = a->knows_noise,
                      .explore = a->explore,
                      .applied = a->applied,
                      .applied_precision = a->applied_precision,
                      .applied_expire = a->applied_expire,
                      .confidence = a->confidence,
                      .truth = a->truth,
                      .time = a->time,
                      .blank = a->blank,
                      .nblank = a->nblank,
                      .latest = a->latest};
    DP_TRY(dp_engine_new(&out->engine, rules, DP_WITH_LIKELY, 0, NULL));
    return follow_rules(out, NULL);
}

dp_err dp_audit_run(dp_audit *a, const char *const *paths, size_t count, dp_error *err)
{
    if (err)
        *err = (dp_error){0};
    if (a->done)
        return dp_fail(err, DP_EINVALID, "an audit can run only once");
    a->done = true;
    dp_err code = read_records(a, paths, count, err);
    if (code == DP_OK)
        code = follow_rules(a, err);
    dp_records_close(&a->in);
    if (code != DP_OK && err && !err->message[0])
        dp_fail_as(err, code);
    return code;
}

/* ---- asking ----------------------------------------------------------------------------------------- */

uint64_t dp_audit_total(const dp_audit *a, dp_audit_count which)
{
    switch (which) {
    case DP_AUDIT_BROKEN: return a->total[DP_VERDICT_BROKEN];
    case DP_AUDIT_BROKEN_ACTIVE: return a->broken_active;
    case DP_AUDIT_DOUBTFUL: return a->total[DP_VERDICT_DOUBT];
    case DP_AUDIT_HOLD: return a->total[DP_VERDICT_HOLDS];
    case DP_AUDIT_SILENT: return a->total[DP_VERDICT_SILENT];
    case DP_AUDIT_OFF: return a->total[DP_VERDICT_OFF];
    case DP_AUDIT_BAD_LINES: return a->in.bad;
    case DP_AUDIT_PROBES: return a->probes.n;
    case DP_AUDIT_WRONG_PROBES: return dp_probes_sum(&a->probes).wrong;
    }
    return 0;
}

const char *dp_audit_identity(const dp_audit *a)
{
    return dp_truth_identity(&a->truth);
}

dp_err dp_audit_warning(const dp_audit *a, size_t i, char *out, size_t cap)
{
    char line[DP_DOUBT_SIZE];
    if (!cap || !dp_doubt(line, &a->truth, i))
        return DP_EINVALID;
    size_t n = strlen(line);
    n = n < cap ? n : cap - 1;
    memcpy(out, line, n);
    out[n] = 0;
    return DP_OK;
}

dp_err dp_audit_bad(const dp_audit *a, size_t i, dp_error *bad)
{
    return dp_records_bad(&a->in, i, bad);
}
