/* plant_score.c - draw fresh URLs from the sites of a truth and ask a rule file about them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plant_score.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "plant_truth.h"

enum { QUESTIONS = 64, MOST_PAIRS = 200, LEAST_PAIRS = 20, MOST_HOSTS = 5000 };

/* ---- options ---------------------------------------------------------------------------------------------- */

void plant_score_help(dp_buf *out)
{
    dp_buf_c(out, "  --truth FILE        what plant wrote as --truth: its header names the sites\n"
                  "  --decoys FILE       only the decoys of this list (all)\n"
                  "  --rules FILE        the rule file to score; repeats\n"
                  "  --seed N            of the fresh URLs (1)\n"
                  "  --urls N            fresh URLs, up to 1000000 (100000)\n"
                  "  --with-likely       let likely rules fire\n"
                  "  --min-precision P   silence rules below P\n"
                  "  --fail-under M=V    exit 1 when recall, precision or f1 is less than V\n"
                  "  --list              name every rule missed and every decoy, not only the first\n"
                  "  --json              for machines\n");
}

bool *plant_score_flag(plant_score *s, dp_str name)
{
    return dp_str_eq(name, DP_STR("with-likely")) ? &s->with_likely
           : dp_str_eq(name, DP_STR("json"))      ? &s->json
           : dp_str_eq(name, DP_STR("list"))      ? &s->list
                                                  : NULL;
}

static dp_err set_real(double *out, const char *name, const char *value, dp_error *err)
{
    char *end;
    *out = strtod(value, &end);
    return end != value && !*end && *out >= 0 && *out <= 1
               ? DP_OK
               : dp_fail(err, DP_EINVALID, "--%s: '%s' is not a number from 0 to 1", name, value);
}

static dp_err set_fail_under(plant_score *s, const char *value, dp_error *err)
{
    struct {
        const char *name;
        double     *at;
    } const metric[] = {{"recall=", &s->recall}, {"precision=", &s->precision}, {"f1=", &s->f1}};
    for (size_t i = 0; i < DP_COUNT(metric); i++) {
        if (dp_str_starts(dp_str_c(value), dp_str_c(metric[i].name)))
            return set_real(metric[i].at, "fail-under", value + strlen(metric[i].name), err);
    }
    return dp_fail(err, DP_EINVALID, "--fail-under: '%s' is not recall=V, precision=V or f1=V", value);
}

dp_err plant_score_set(plant_score *s, dp_str name, const char *value, dp_error *err)
{
    if (dp_str_eq(name, DP_STR("truth"))) {
        s->truth = value;
    } else if (dp_str_eq(name, DP_STR("decoys"))) {
        s->decoys = value;
    } else if (dp_str_eq(name, DP_STR("rules"))) {
        if (s->nrules == PLANT_RULE_FILES)
            return dp_fail(err, DP_EINVALID, "more than %d rule files", PLANT_RULE_FILES);
        s->rules[s->nrules++] = value;
    } else if (dp_str_eq(name, DP_STR("seed")) || dp_str_eq(name, DP_STR("urls"))) {
        plant_options o = {0};
        DP_TRY(plant_option_set(&o, name, dp_str_c(value), err));
        if (o.urls > 1000000)
            return dp_fail(err, DP_EINVALID, "--urls: at most 1000000");
        *(name.p[0] == 's' ? &s->seed : &s->urls) = name.p[0] == 's' ? o.seed : o.urls;
    } else if (dp_str_eq(name, DP_STR("min-precision"))) {
        return set_real(&s->min_precision, "min-precision", value, err);
    } else if (dp_str_eq(name, DP_STR("fail-under"))) {
        return set_fail_under(s, value, err);
    } else {
        return dp_fail(err, DP_EINVALID, "no option --%.*s of score (see plant --help)", DP_FMT(name));
    }
    return DP_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------ */

static FILE *open_file(const char *path, dp_error *err)
{
    struct stat st;
    FILE       *f = fopen(path, "r");
    if (f && fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode)) {
        fclose(f);
        f = NULL;
    }
    if (!f)
        dp_fail_at(err, DP_EIO, path, 0, 0, "cannot be read");
    return f;
}

/* The options of the sites, out of the first lines of the truth. */
static dp_err read_truth(plant_options *o, const char *path, dp_error *err)
{
    char  *line = NULL;
    size_t cap = 0;
    FILE  *f = open_file(path, err);
    if (!f)
        return DP_EIO;
    dp_err code = dp_fail_at(err, DP_ESYNTAX, path, 0, 0, "no header '# plant %d ...': not a truth that plant wrote",
                             PLANT_VERSION);
    for (int i = 0; i < 4; i++) {
        ssize_t n = getline(&line, &cap, f);
        if (n > 2 && dp_str_starts((dp_str){line, (size_t)n}, DP_STR("# plant "))) {
            *err = (dp_error){0};
            code = plant_options_read(o, (dp_str){line + 2, (size_t)n - 2 - (line[n - 1] == '\n')}, err);
            if (code != DP_OK)
                snprintf(err->file, sizeof err->file, "%s", path);
            break;
        }
    }
    free(line);
    fclose(f);
    return code;
}

static dp_err read_decoys(dp_intern *out, const char *path, dp_error *err)
{
    char  *line = NULL;
    size_t cap = 0;
    FILE  *f = open_file(path, err);
    if (!f)
        return DP_EIO;
    dp_err   code = DP_OK;
    uint32_t v;
    for (ssize_t n; code == DP_OK && (n = getline(&line, &cap, f)) > 0;) {
        const char *tab = memchr(line, '\t', (size_t)n);
        dp_str      name = {line, tab ? (size_t)(tab - line) : 0};
        if (line[0] != '#' && name.n && !dp_intern_find(out, name, &v) && !dp_intern_add(out, name, 1))
            code = dp_fail(err, DP_ENOMEM, "out of memory");
    }
    free(line);
    fclose(f);
    return code;
}

/* ---- asking ------------------------------------------------------------------------------------------------- */

typedef struct scorer {
    const plant_score *s;
    plant_result      *out;
    dp_rules          *rules;
    dp_engine         *engine;
    dp_scratch        *scratch;
    plant_pool         pool;
    dp_intern          decoys; /* names of those that count, when there is a list */
    dp_intern          hosts;  /* registrable name -> host */
    dp_arena           memory;
    unsigned           pairs; /* a question */
    uint64_t           step;  /* every so many hosts are asked about */
    size_t             cap;
    dp_rng             r;
} scorer;

static dp_err add_fresh(void *ctx, const plant_item *it)
{
    return plant_pool_add(ctx, it, true);
}

static dp_err ask(scorer *s, const plant_question *q)
{
    dp_buf name = {0};
    if (!q->rule) {
        uint32_t v;
        plant_decoy_name(&name, q);
        if (s->s->decoys && !dp_intern_find(&s->decoys, dp_buf_view(&name), &v)) {
            dp_buf_done(&name);
            return DP_OK;
        }
    }
    plant_verdict v = {.kind = q->m->kind, .decoy = !q->rule, .asked = s->pairs};
    uint64_t      from = q->host->urls + 8;
    dp_err        code = DP_OK;
    for (unsigned i = 0; i < s->pairs && code == DP_OK; i++) {
        plant_item pair[2];
        uint64_t   key[2];
        plant_ask(pair, q, from, &s->r);
        for (int k = 0; k < 2 && code == DP_OK; k++) {
            key[k] = plant_key(s->engine, s->scratch, pair[k].url, pair[k].n);
            code = key[k] ? plant_pool_add(&s->pool, &pair[k], false) : DP_ENOMEM;
        }
        v.same += code == DP_OK && key[0] == key[1];
    }
    v.yes = v.decoy ? v.same * 20 >= v.asked : v.same * 20 >= v.asked * 19;
    v.host = dp_arena_str(&s->memory, q->host->name);
    v.what = dp_arena_str(&s->memory, q->rule ? q->m->rule[q->rule - 1] : dp_buf_view(&name));
    dp_buf_done(&name);
    if (s->out->nverdict == s->cap) {
        s->cap = s->cap ? 2 * s->cap : 256;
        plant_verdict *more = realloc(s->out->verdict, s->cap * sizeof *more);
        if (!more)
            return DP_ENOMEM;
        s->out->verdict = more;
    }
    s->out->verdict[s->out->nverdict++] = v;
    return code;
}

static dp_err name_host(scorer *s, const plant_host *h)
{
    if (h->number > UINT32_MAX || !dp_intern_add(&s->hosts, h->name, (uint32_t)h->number) ||
        !dp_intern_add(&s->hosts, h->mirror, (uint32_t)h->number))
        return DP_ENOMEM;
    return DP_OK;
}

static dp_err ask_hosts(scorer *s, plant_host *h)
{
    plant_question q[QUESTIONS];
    plant_hosts    hosts;
    uint64_t       fresh;
    dp_err         code;
    plant_hosts_open(&hosts, &s->out->o, 0);
    while (plant_hosts_next(&hosts, h, &fresh, &code)) {
        size_t n = h->number % s->step ? 0 : plant_questions(q, QUESTIONS, h);
        code = name_host(s, h);
        for (size_t i = 0; i < n && code == DP_OK; i++)
            code = ask(s, &q[i]);
        plant_host_done(h);
        DP_TRY(code);
    }
    return code;
}

/* ---- the whole ------------------------------------------------------------------------------------------------ */

static dp_err load(scorer *s, dp_error *err)
{
    const plant_score *o = s->s;
    if (!o->truth || !o->nrules)
        return dp_fail(err, DP_EINVALID, "score needs --truth FILE and --rules FILE");
    DP_TRY(read_truth(&s->out->o, o->truth, err));
    if (o->decoys)
        DP_TRY(read_decoys(&s->decoys, o->decoys, err));
    DP_TRY(dp_rules_new(&s->rules));
    for (unsigned i = 0; i < o->nrules; i++)
        DP_TRY(dp_rules_read(s->rules, o->rules[i], err));
    DP_TRY(dp_engine_new(&s->engine, s->rules, o->with_likely ? DP_WITH_LIKELY : 0, o->min_precision, err));
    return dp_scratch_new(&s->scratch);
}

static dp_err measure(scorer *s, plant_host *h, dp_error *err)
{
    plant_result *out = s->out;
    plant_options o = out->o;
    o.crawl = 0; /* the same URLs, host by host */
    s->step = 1 + (o.hosts - 1) / MOST_HOSTS;
    uint64_t pairs = s->s->urls / (12 * o.hosts); /* a host has about ten questions */
    s->pairs = pairs < LEAST_PAIRS ? LEAST_PAIRS : pairs > MOST_PAIRS ? MOST_PAIRS : (unsigned)pairs;
    DP_TRY(plant_stream(&o, (plant_draw){s->s->urls, plant_mix2(s->s->seed, 3)}, add_fresh, &s->pool));
    DP_TRY(ask_hosts(s, h));
    plant_pool_sort(&s->pool);
    DP_TRY(plant_pool_judge(&out->all, &s->pool, 0, s->pool.n, true, s->engine, s->scratch));
    DP_TRY(plant_alone_all(out, s->rules, s->s, &s->pool, &s->hosts, &s->memory, err));
    out->set = dp_engine_set_id(s->engine);
    return DP_OK;
}

dp_err plant_score_run(const plant_score *o, bool *no, dp_error *err)
{
    plant_result result = {0};
    scorer       s = {.s = o, .out = &result, .r = dp_rng_seed(plant_mix2(o->seed, 4))};
    plant_host  *h = malloc(sizeof *h);
    dp_buf       text = {0};
    dp_err       code = h ? load(&s, err) : DP_ENOMEM;
    if (code == DP_OK)
        code = measure(&s, h, err);
    if (code == DP_OK) {
        plant_report(&text, &result, o);
        code = text.failed ? DP_ENOMEM : DP_OK;
    }
    if (code == DP_OK) {
        fwrite(text.p, 1, text.n, stdout);
        *no = plant_recall(&result) < o->recall || plant_precision(&result) < o->precision ||
              plant_f1(&result.all) < o->f1;
        if (fflush(stdout) != 0)
            code = dp_fail(err, DP_EIO, "standard output: cannot be written");
    }
    dp_buf_done(&text);
    free(h);
    free(result.verdict);
    free(result.alone);
    plant_pool_done(&s.pool);
    dp_intern_done(&s.decoys);
    dp_intern_done(&s.hosts);
    dp_scratch_free(s.scratch);
    dp_engine_free(s.engine);
    dp_rules_free(s.rules);
    dp_arena_done(&s.memory);
    return code;
}
