/* The compiled engine does what trying every rule in order does, and keeps the laws of
 * docs/rule-format.md 8.11: on random worlds, on the URLs of shared/data and their mutations.
 *
 *     DP_TWIN_SETS=10000   rule sets, 100 URLs each
 *     DP_TWIN_SEED=1       number of the first; a mismatch prints the number of its set
 *     DP_TWIN_JOBS=2       processes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/data.h"
#include "support/naive.h"
#include "support/urlset.h"
#include "support/world.h"

enum { URLS = 100, EVERY = 50, MANY = 1000000 };

/* Written by all processes of a test, each to its own. */
typedef struct tally {
    uint64_t fired[6]; /* pairs with 0, 1, 2, 3, 4 or more firings; limit */
    uint64_t pairs, redrawn, not_urls, fetch_moved;
} tally;

static unsigned long long setting(const char *name, unsigned long long fallback)
{
    const char *z = getenv(name);
    return z && *z ? strtoull(z, NULL, 10) : fallback;
}

/* Generators of neighbouring seeds are the same sequence, a step apart; these are not. */
static dp_rng stream(uint64_t seed, uint64_t use)
{
    dp_rng g = dp_rng_seed(seed * 16 + use);
    return dp_rng_seed(dp_rng_next(&g));
}

/* ---- processes: cmocka's asserts belong to the parent, so a child says what is wrong and exits --------- */

_Noreturn __attribute__((format(printf, 1, 2))) static void wrong(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fputc('\n', stderr);
    fflush(stderr);
    _exit(1);
}

typedef void (*share)(void *ctx, unsigned job, unsigned jobs, tally *t);

/* Run `work` in every process, each with its share; the sum of what they counted. */
static tally in_parallel(share work, void *ctx)
{
    unsigned jobs = (unsigned)setting("DP_TWIN_JOBS", 2);
    tally   *t = mmap(NULL, jobs * sizeof *t, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t    pid[64];
    assert_true(t != MAP_FAILED && jobs >= 1 && jobs <= DP_COUNT(pid));
    fflush(NULL);
    for (unsigned j = 0; j < jobs; j++) {
        pid[j] = fork();
        assert_true(pid[j] >= 0);
        if (pid[j] == 0) {
            static char lines[1 << 18];
            setvbuf(stderr, lines, _IOFBF, sizeof lines); /* one message at a time */
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            work(ctx, j, jobs, &t[j]);
            fflush(NULL);
            exit(0); /* not _exit: the leak checker looks on */
        }
    }
    tally sum = {0};
    bool  ok = true;
    for (unsigned j = 0; j < jobs; j++) {
        int status;
        assert_int_equal(pid[j], waitpid(pid[j], &status, 0));
        ok = ok && status == 0;
        for (size_t i = 0; i < DP_COUNT(sum.fired); i++)
            sum.fired[i] += t[j].fired[i];
        sum.pairs += t[j].pairs;
        sum.redrawn += t[j].redrawn;
        sum.not_urls += t[j].not_urls;
        sum.fetch_moved += t[j].fetch_moved;
    }
    munmap(t, jobs * sizeof *t);
    assert_true(ok);
    return sum;
}

/* ---- one rule set --------------------------------------------------------------------- */

typedef struct set {
    uint64_t    seed;
    dp_str      text;
    dp_rules   *rules;
    dp_engine  *engine;
    dp_scratch *scratch;
    unsigned    flags;
    double      min_precision;
} set;

static const double precisions[] = {0, 0, .93, .97};

static void set_done(set *s)
{
    dp_scratch_free(s->scratch);
    dp_engine_free(s->engine);
    dp_rules_free(s->rules);
}

/* Draw until the loader takes it. */
static set draw_set(uint64_t seed, world_kind kind, dp_arena *a, tally *t)
{
    set      s = {.seed = seed};
    dp_rng   g = stream(seed, 1);
    dp_error err = {0};
    s.flags = seed % 2 ? DP_WITH_LIKELY : 0;
    s.min_precision = precisions[seed / 2 % DP_COUNT(precisions)];
    for (;; t->redrawn++) {
        s.text = world_rules(&g, kind, a);
        if (dp_rules_new(&s.rules) != DP_OK || dp_scratch_new(&s.scratch) != DP_OK)
            wrong("memory is out");
        if (dp_rules_parse(s.rules, "world", s.text.p, s.text.n, &err) != DP_OK)
            wrong("seed %" PRIu64 ": the generator wrote bad grammar: world:%zu:%zu: %s\n%.*s", seed, err.line,
                  err.column, err.message, DP_FMT(s.text));
        dp_err code = dp_engine_new(&s.engine, s.rules, s.flags, s.min_precision, &err);
        if (code == DP_OK)
            return s;
        if (code != DP_ESYNTAX)
            wrong("seed %" PRIu64 ": dp_engine_new: %s: %s\n%.*s", seed, dp_err_name(code), err.message,
                  DP_FMT(s.text));
        s.engine = NULL;
        set_done(&s);
    }
}

/* The engine's answer, copied. */
static dp_str ask(const dp_engine *e, dp_scratch *s, dp_form form, dp_str url, dp_arena *a)
{
    size_t      n;
    const char *p = dp_apply_view(e, s, form, url.p, url.n, &n);
    if (!p)
        wrong("dp_apply_view: memory is out");
    return dp_arena_str(a, (dp_str){p, n});
}

static void show_fired(const char *who, const uint32_t *fired, size_t n)
{
    fprintf(stderr, "%s fired", who);
    for (size_t i = 0; i < n; i++)
        fprintf(stderr, " %u", fired[i] + 1);
    fputc('\n', stderr);
}

_Noreturn static void differs(const set *s, const char *what, dp_str url, dp_str got, dp_str want)
{
    wrong("seed %" PRIu64 ", flags %u, min-precision %g: %s differs\nurl    %.*s\nengine %.*s\nwanted %.*s\n%.*s",
          s->seed, s->flags, s->min_precision, what, DP_FMT(url), DP_FMT(got), DP_FMT(want), DP_FMT(s->text));
}

static void must_equal(const set *s, const char *what, dp_str url, dp_str got, dp_str want)
{
    if (!dp_str_eq(got, want))
        differs(s, what, url, got, want);
}

/* Engine against twin, for the key and the fetch form; the key. */
static dp_str compare_with_naive(const set *s, dp_str url, dp_arena *a, tally *t)
{
    naive_options o = {s->rules, s->flags, s->min_precision};
    naive_answer  want = naive_apply(&o, DP_KEY, url, a);
    dp_str        key = ask(s->engine, s->scratch, DP_KEY, url, a);

    size_t          n;
    const uint32_t *fired = dp_scratch_fired(s->scratch, &n);
    bool            is_url = dp_scratch_is_url(s->scratch), limit = dp_scratch_hit_limit(s->scratch);
    /* past the limit nothing has fired, says the engine; the twin has the 64 */
    bool same_fired = n == want.nfired && (n == 0 || memcmp(fired, want.fired, n * sizeof *fired) == 0);
    same_fired = same_fired || limit;
    if (!dp_str_eq(key, want.text) || is_url != want.is_url || limit != want.limit || !same_fired) {
        show_fired("engine", fired, n);
        show_fired("naive ", want.fired, want.nfired);
        fprintf(stderr, "engine: URL %d, limit %d; naive: URL %d, limit %d\n", is_url, limit, want.is_url, want.limit);
        differs(s, "key", url, key, want.text);
    }
    t->pairs++;
    t->not_urls += !is_url;
    t->fired[limit ? 5 : n < 4 ? n : 4]++;

    want = naive_apply(&o, DP_FETCH, url, a);
    dp_str fetch = ask(s->engine, s->scratch, DP_FETCH, url, a);
    is_url = dp_scratch_is_url(s->scratch);
    limit = dp_scratch_hit_limit(s->scratch);
    if (!dp_str_eq(fetch, want.text) || is_url != want.is_url || limit != want.limit) {
        fprintf(stderr, "engine: URL %d, limit %d; naive: URL %d, limit %d\n", is_url, limit, want.is_url, want.limit);
        differs(s, "fetch form", url, fetch, want.text);
    }
    t->fetch_moved += is_url && want.nfired > 0;
    return key;
}

/* docs/rule-format.md 8.11, on strings. */
static void check_laws(const set *s, dp_str url, dp_arena *a)
{
    dp_str key = ask(s->engine, s->scratch, DP_KEY, url, a);
    dp_str fetch = ask(s->engine, s->scratch, DP_FETCH, url, a);
    dp_str plain = ask(s->engine, s->scratch, DP_STAGE0, url, a);
    must_equal(s, "key(key)", url, ask(s->engine, s->scratch, DP_KEY, key, a), key);
    must_equal(s, "key(fetch)", url, ask(s->engine, s->scratch, DP_KEY, fetch, a), key);
    must_equal(s, "key(stage 0)", url, ask(s->engine, s->scratch, DP_KEY, plain, a), key);
    must_equal(s, "fetch(fetch)", url, ask(s->engine, s->scratch, DP_FETCH, fetch, a), fetch);
    must_equal(s, "stage 0(stage 0)", url, ask(s->engine, s->scratch, DP_STAGE0, plain, a), plain);
}

static void check_fresh_scratch(const set *s, dp_str url, dp_str key, dp_arena *a)
{
    dp_scratch *fresh;
    if (dp_scratch_new(&fresh) != DP_OK)
        wrong("memory is out");
    must_equal(s, "key with a fresh scratch", url, ask(s->engine, fresh, DP_KEY, url, a), key);
    dp_scratch_free(fresh);
}

/* Saved and opened again, under the same options and under others. */
static void check_saved(const set *s, const dp_str *url, const dp_str *key, dp_arena *a)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/prop_engine.%ld", (long)getpid());
    dp_error err = {0};
    if (dp_engine_save(s->engine, path, &err) != DP_OK)
        wrong("seed %" PRIu64 ": dp_engine_save: %s", s->seed, err.message);
    set other = *s;
    for (int turn = 0; turn < 2; turn++) {
        if (turn == 1) {
            other.flags ^= DP_WITH_LIKELY;
            other.min_precision = s->min_precision > 0 ? 0 : .95;
        }
        if (dp_engine_open(&other.engine, path, other.flags, other.min_precision, &err) != DP_OK)
            wrong("seed %" PRIu64 ": dp_engine_open: %s", s->seed, err.message);
        naive_options o = {s->rules, other.flags, other.min_precision};
        for (size_t i = 0; i < URLS; i++) {
            dp_str want = turn == 0 ? key[i] : naive_apply(&o, DP_KEY, url[i], a).text;
            dp_str got = ask(other.engine, s->scratch, DP_KEY, url[i], a);
            must_equal(&other, "key of the saved engine", url[i], got, want);
        }
        if (turn == 0 && dp_engine_set_id(other.engine) != dp_engine_set_id(s->engine))
            wrong("seed %" PRIu64 ": the saved engine has another set id", s->seed);
        dp_engine_free(other.engine);
    }
    unlink(path);
}

/* All URLs at once, in a buffer that grows only when not even one answer fits. */
static void check_batch(const set *s, const dp_str *url, const dp_str *key, dp_arena *a)
{
    size_t size = 0, cap = 64;
    for (size_t i = 0; i < URLS; i++)
        size += url[i].n + 1;
    char    *urls = dp_arena_alloc(a, size), *out = dp_arena_alloc(a, cap);
    uint64_t at[URLS + 1] = {0}, ends[URLS];
    uint8_t  flags[URLS];
    for (size_t i = 0; i < URLS; i++) {
        if (url[i].n)
            memcpy(urls + at[i], url[i].p, url[i].n);
        urls[at[i] + url[i].n] = '\n';
        at[i + 1] = at[i] + url[i].n + 1;
    }
    for (size_t first = 0; first < URLS;) {
        size_t n = dp_apply_batch(s->engine, s->scratch, DP_KEY, urls, at + first, URLS - first, 1, out, cap, ends,
                                  flags);
        if (n > URLS - first)
            wrong("seed %" PRIu64 ": batch did %zu of %zu", s->seed, n, URLS - first);
        if (n == 0) {
            cap *= 2;
            out = dp_arena_alloc(a, cap);
        }
        for (size_t i = 0, begin = 0; i < n; i++) {
            dp_str u = url[first + i], got = {out + begin, (size_t)ends[i] - begin};
            must_equal(s, "key of the batch", u, got, key[first + i]);
            ask(s->engine, s->scratch, DP_KEY, u, a);
            size_t fired;
            dp_scratch_fired(s->scratch, &fired);
            int want = (dp_scratch_is_url(s->scratch) ? DP_IS_URL : 0) | (fired ? DP_FIRED : 0) |
                       (dp_scratch_hit_limit(s->scratch) ? DP_HIT_LIMIT : 0) | (dp_str_eq(u, got) ? 0 : DP_CHANGED);
            if (flags[i] != want || out[ends[i]] != '\n')
                wrong("seed %" PRIu64 ": batch: flags %d, wanted %d, for %.*s\n%.*s", s->seed, flags[i], want,
                      DP_FMT(u), DP_FMT(s->text));
            begin = (size_t)ends[i] + 1;
        }
        first += n;
    }
}

/* ---- (a), (b): random worlds ------------------------------------------------------------ */

static void run_set(uint64_t seed, tally *t)
{
    dp_arena a = {0}, unit = {0};
    set      s = draw_set(seed, WORLD_HOSTS, &a, t);
    dp_rng   g = stream(seed, 2);
    dp_str   url[URLS], key[URLS];
    for (size_t i = 0; i < URLS; i++) {
        url[i] = world_url(&g, s.rules, &a);
        key[i] = dp_arena_str(&a, compare_with_naive(&s, url[i], &unit, t));
        check_laws(&s, url[i], &unit);
        if (i % 10 == seed % 10)
            check_fresh_scratch(&s, url[i], key[i], &unit);
        dp_arena_reset(&unit);
    }
    /* the other way round, after all the others */
    for (size_t i = URLS; i-- > 0;) {
        must_equal(&s, "key in another order", url[i], ask(s.engine, s.scratch, DP_KEY, url[i], &unit), key[i]);
        dp_arena_reset(&unit);
    }
    if (seed % EVERY == 0)
        check_saved(&s, url, key, &unit);
    if (seed % EVERY == 1)
        check_batch(&s, url, key, &unit);
    set_done(&s);
    dp_arena_done(&unit);
    dp_arena_done(&a);
}

static void run_sets(void *ctx, unsigned job, unsigned jobs, tally *t)
{
    (void)ctx;
    uint64_t first = setting("DP_TWIN_SEED", 1), n = setting("DP_TWIN_SETS", 10000);
    for (uint64_t i = job; i < n; i += jobs)
        run_set(first + i, t);
}

static void engine_equals_naive_and_keeps_the_laws(void **state)
{
    (void)state;
    static const char *const names[] = {"0", "1", "2", "3", "4+", "limit"};
    tally                    t = in_parallel(run_sets, NULL);
    double                   all = (double)t.pairs;
    print_message("%" PRIu64 " pairs; %" PRIu64 " files redrawn; no URL %.1f %%; fetch form fires on %.1f %%\n",
                  t.pairs, t.redrawn, 100 * (double)t.not_urls / all, 100 * (double)t.fetch_moved / all);
    for (size_t i = 0; i < DP_COUNT(names); i++)
        print_message("firings %-5s %8" PRIu64 "  %5.1f %%\n", names[i], t.fired[i], 100 * (double)t.fired[i] / all);
    uint64_t several = t.fired[2] + t.fired[3] + t.fired[4] + t.fired[5];
    if (t.pairs >= 10000)
        assert_true((double)several >= .30 * all);
}

/* ---- (c): real URLs --------------------------------------------------------------------- */

typedef struct real {
    urlset urls;
    set    v[5];
    size_t n;
} real;

static void run_real(void *ctx, unsigned job, unsigned jobs, tally *t)
{
    real    *r = ctx;
    dp_arena a = {0};
    for (uint64_t i = job; i < MANY || i < r->urls.n; i += jobs) {
        dp_rng g = stream(i, 3);
        dp_str url = r->urls.v[i % r->urls.n];
        bool   is_real = i < r->urls.n;
        if (!is_real)
            url = world_mutate(&g, url, &a);
        for (size_t k = is_real ? 0 : i % r->n; k < r->n; k += is_real ? 1 : r->n) {
            check_laws(&r->v[k], url, &a);
            if (i % 16 == 0)
                compare_with_naive(&r->v[k], url, &a, t);
        }
        dp_arena_reset(&a);
    }
    dp_arena_done(&a);
}

/* examples/site.rules, when it is there. */
static bool load_example(set *s, dp_arena *a)
{
    dp_error err = {0};
    FILE    *f = fopen("examples/site.rules", "rb");
    if (!f)
        return false;
    char  *text = dp_arena_alloc(a, 1 << 20);
    size_t n = fread(text, 1, 1 << 20, f);
    fclose(f);
    *s = (set){.text = {text, n}};
    assert_int_equal(DP_OK, dp_rules_new(&s->rules));
    assert_int_equal(DP_OK, dp_scratch_new(&s->scratch));
    assert_int_equal(DP_OK, dp_rules_parse(s->rules, "examples/site.rules", text, n, &err));
    assert_int_equal(DP_OK, dp_engine_new(&s->engine, s->rules, 0, 0, &err));
    return true;
}

static void laws_hold_on_real_urls(void **state)
{
    (void)state;
    dp_test_data(".");
    real     r = {0};
    dp_arena a = {0};
    tally    drawn = {0};
    assert_true(urlset_add_folder(&r.urls, "../shared/data"));
    assert_true(r.urls.n > 100000);
    r.n = load_example(&r.v[0], &a);
    for (uint64_t seed = 1; r.n < DP_COUNT(r.v); seed++)
        r.v[r.n++] = draw_set(seed, WORLD_ANY, &a, &drawn);
    tally t = in_parallel(run_real, &r);
    print_message("%zu distinct URLs of %zu files, %d with mutations, %zu rule sets; %" PRIu64 " compared with naive\n",
                  r.urls.n, r.urls.files, MANY, r.n, t.pairs);
    for (size_t i = 0; i < r.n; i++)
        set_done(&r.v[i]);
    urlset_done(&r.urls);
    dp_arena_done(&a);
}

/* ---- (d): stage 0 ------------------------------------------------------------------------ */

static void run_stage0(void *ctx, unsigned job, unsigned jobs, tally *t)
{
    dp_arena a = {0};
    set     *s = ctx;
    for (uint64_t i = job; i < MANY; i += jobs) {
        dp_rng g = stream(i, 4);
        dp_str url = i % 2 ? world_url(&g, s->rules, &a) : world_bytes(&g, &a);
        if (i % 4 == 1)
            url = world_mutate(&g, url, &a);
        bool   is_url;
        dp_str want = naive_stage0(url, NULL, &a, &is_url), got = ask(s->engine, s->scratch, DP_STAGE0, url, &a);
        must_equal(s, "stage 0", url, got, want);
        if (is_url != (dp_scratch_is_url(s->scratch) != 0))
            differs(s, "is_url", url, got, want);
        must_equal(s, "stage 0 of stage 0", url, ask(s->engine, s->scratch, DP_STAGE0, got, &a), got);
        t->pairs++;
        t->not_urls += !is_url;
        dp_arena_reset(&a);
    }
    dp_arena_done(&a);
}

static void stage0_equals_naive(void **state)
{
    (void)state;
    static const char text[] = "dustpan-rules 1\nhost a.com, *.b.org\ndrop ?p\n/{**}/a => /{**}/b\n";
    set               s = {.text = DP_STR("")};
    dp_error          err = {0};
    assert_int_equal(DP_OK, dp_rules_new(&s.rules));
    assert_int_equal(DP_OK, dp_scratch_new(&s.scratch));
    assert_int_equal(DP_OK, dp_rules_parse(s.rules, "text", text, sizeof text - 1, &err));
    assert_int_equal(DP_OK, dp_engine_new(&s.engine, s.rules, 0, 0, &err));
    tally t = in_parallel(run_stage0, &s);
    print_message("%" PRIu64 " lines, %" PRIu64 " no URLs\n", t.pairs, t.not_urls);
    set_done(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stage0_equals_naive),
        cmocka_unit_test(engine_equals_naive_and_keeps_the_laws),
        cmocka_unit_test(laws_hold_on_real_urls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
