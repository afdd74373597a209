/* Learning in steps (learn/steps/packed_facts.c, learn/steps/site_step.c) against dp_learner_run.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/str.h"
#include "dustpan.h"
#include "support/failing_alloc.h"
#include "support/packed_files.h"
#include "support/tempfile.h"

enum { DOMAINS = 5, PIECES = 3, MOST = 4096 };

/* In the order of their names. */
static const char *const domains[DOMAINS] = {"a.github.io", "b.github.io", "mirror.test", "news.example",
                                             "shop.example"};

/* A shop with session ids, its mirror, news whose old addresses lead to it, one from each site, and two sites of one
 * voter. */
static void plant(dp_buf out[PIECES], int pages)
{
    for (int i = 0; i < pages; i++) {
        dp_buf *b = &out[i % PIECES];
        dp_buf_printf(b, "{\"url\":\"http://shop.example/item/%d\",\"cluster\":\"p%d\"}\n", i, i);
        dp_buf_printf(b, "{\"url\":\"http://shop.example/item/%d?sid=%d\",\"cluster\":\"p%d\"}\n", i,
                      i * 7919 % 1000, i);
        dp_buf_printf(b, "{\"url\":\"http://www.shop.example/item/%d\",\"cluster\":\"p%d\"}\n", i, i);
        dp_buf_printf(b, "{\"url\":\"http://mirror.test/item/%d\",\"cluster\":\"p%d\"}\n", i, i);
        for (int k = 0; k < 4 && i % 8 == 0; k++)
            dp_buf_printf(b, "{\"url\":\"http://%s.github.io/%d?sid=%d\",\"cluster\":\"%d-%d\"}\n",
                          k % 2 ? "a" : "b", i, k / 2, i, k % 2);
        dp_buf_printf(b, "{\"url\":\"http://news.example/%d?id=%d\",\"cluster\":\"q%d\"}\n", i % 7, i, i);
        dp_buf_printf(b, "{\"url\":\"http://%s.example/old/%d\",\"status\":301,", i % 2 ? "news" : "shop", i);
        dp_buf_printf(b, "\"target\":\"http://news.example/%d?id=%d\"}\n", i % 7, i);
    }
    dp_buf_c(&out[0], "{\"url\":\"http://news.example/gone\",\"status\":404}\n");
}

static dp_err make(dp_learner **out, const char *method)
{
    dp_err code = dp_learner_new(out);
    if (code == DP_OK)
        code = dp_learner_input(*out, DP_INPUT_FORMAT, "jsonl");
    if (code == DP_OK)
        code = dp_learner_set(*out, "method", method, NULL);
    if (code == DP_OK)
        code = dp_learner_set(*out, "min-precision", ".9", NULL);
    return code == DP_OK ? dp_learner_set(*out, "threads", "1", NULL) : code;
}

/* ---- the steps, as somebody with several machines would take them --------------------------------------------- */

typedef struct presences {
    uint64_t cluster[MOST];
    size_t   domain[MOST]; /* of domains[] */
    uint32_t urls[MOST];
    size_t   n;
} presences;

typedef struct machines {
    dp_learner      *l;
    dp_packed_facts *parcels[PIECES];
    uint64_t         totals[DP_READ_COUNTS];
    uint64_t         urls[DOMAINS];
    presences        on;
    dp_buf           surveys;
    dp_text         *shared;
    dp_text         *fragment[2 * DOMAINS]; /* of domains, then of those that are linked */
} machines;

/* A study of some domains, with all their parcels; the last machine's first. */
static dp_err study(dp_site_step **out, machines *m, const char *const *names, size_t count)
{
    dp_err code = dp_site_step_new(out, m->l, names, count, NULL);
    for (size_t i = PIECES; code == DP_OK && i--;) {
        for (size_t k = 0; code == DP_OK && k < dp_packed_facts_count(m->parcels[i]); k++) {
            size_t      n;
            const char *name = dp_packed_facts_domain(m->parcels[i], k, &n);
            bool        is_own = false;
            for (size_t d = 0; d < count; d++)
                is_own |= strlen(names[d]) == n && memcmp(name, names[d], n) == 0;
            if (is_own) {
                const char *data = dp_packed_facts_data(m->parcels[i], k, &n);
                code = dp_site_step_add(*out, data, n, NULL);
            }
        }
    }
    return code;
}

/* The place in domains[] of the domain that a step has given a number. */
static size_t number_of(const dp_site_step *s, uint32_t number)
{
    size_t      n, d = 0;
    const char *name = dp_site_step_domain(s, number, &n);
    while (d < DOMAINS && (strlen(domains[d]) != n || memcmp(domains[d], name, n) != 0))
        d++;
    return d;
}

static dp_err look(machines *m)
{
    for (size_t d = 0; d < DOMAINS; d++) {
        dp_site_step   *s = NULL;
        dp_text        *survey = NULL;
        size_t          n = 0;
        const uint64_t *cluster;
        const uint32_t *domain, *urls;
        dp_err          code = study(&s, m, &domains[d], 1);
        if (code == DP_OK)
            code = dp_site_step_presences(s, &n, &cluster, &domain, &urls);
        for (size_t i = 0; code == DP_OK && i < n; i++) {
            assert_true(m->on.n < MOST);
            m->on.cluster[m->on.n] = cluster[i];
            m->on.domain[m->on.n] = number_of(s, domain[i]);
            m->on.urls[m->on.n++] = urls[i];
        }
        if (code == DP_OK) {
            m->urls[d] = dp_site_step_urls(s);
            code = dp_learner_surveys(m->l) ? dp_site_step_survey(&survey, s, NULL) : DP_OK;
        }
        if (survey)
            dp_buf_add(&m->surveys, dp_text_data(survey), dp_text_size(survey));
        dp_text_free(survey);
        dp_site_step_free(s);
        if (code != DP_OK || m->surveys.failed)
            return code != DP_OK ? code : DP_ENOMEM;
    }
    return dp_learner_surveys(m->l) ? dp_learner_combine(&m->shared, m->l, m->surveys.p, m->surveys.n, NULL) : DP_OK;
}

/* URLs of a cluster on a domain. */
static uint32_t urls_on(const machines *m, uint64_t cluster, size_t domain)
{
    uint32_t most = 0;
    for (size_t i = 0; i < m->on.n; i++) {
        if (m->on.cluster[i] == cluster && m->on.domain[i] == domain && m->on.urls[i] > most)
            most = m->on.urls[i];
    }
    return most;
}

static bool is_few(const machines *m, uint32_t urls, size_t domain)
{
    return urls == 1 || (urls && urls * 100 <= m->urls[domain] * DP_LINK_PERCENT);
}

/* Whether two domains are one site. */
static bool is_linked(const machines *m, size_t a, size_t b)
{
    int shared = 0;
    for (size_t i = 0; i < m->on.n; i++) {
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again |= m->on.cluster[k] == m->on.cluster[i];
        shared += !again && is_few(m, urls_on(m, m->on.cluster[i], a), a) &&
                  is_few(m, urls_on(m, m->on.cluster[i], b), b);
    }
    return shared >= DP_LINKS;
}

/* The domains of the site of domain `d`, which are those that a chain of links reaches; false when one before `d` is
 * among them. */
static bool find_site(const machines *m, size_t d, const char *names[DOMAINS], size_t *n)
{
    bool in[DOMAINS] = {false};
    in[d] = true;
    for (size_t round = 0; round < DOMAINS; round++) {
        for (size_t a = 0; a < DOMAINS; a++) {
            for (size_t b = 0; b < DOMAINS; b++)
                in[b] |= in[a] && is_linked(m, a, b);
        }
    }
    *n = 0;
    for (size_t k = 0; k < DOMAINS; k++) {
        if (in[k] && k < d)
            return false;
        if (in[k])
            names[(*n)++] = domains[k];
    }
    return true;
}

/* Facts of some domains, on all machines. */
static uint64_t facts_of(const machines *m, const char *const *names, size_t count)
{
    uint64_t facts = 0;
    for (size_t i = 0; i < PIECES; i++) {
        for (size_t k = 0; k < dp_packed_facts_count(m->parcels[i]); k++) {
            size_t      n;
            const char *name = dp_packed_facts_domain(m->parcels[i], k, &n);
            for (size_t d = 0; d < count; d++)
                facts += strlen(names[d]) == n && memcmp(name, names[d], n) == 0
                             ? dp_packed_facts_number(m->parcels[i], k)
                             : 0;
        }
    }
    return facts;
}

static dp_err teach_site(machines *m, size_t site, const char *const *names, size_t n, uint64_t rehearse)
{
    dp_site_step *s = NULL;
    dp_err        code = study(&s, m, names, n);
    if (code == DP_OK) {
        dp_site_step_hold_out(s, rehearse);
        code = dp_site_step_learn(&m->fragment[site], s, m->shared ? dp_text_data(m->shared) : NULL,
                              m->shared ? dp_text_size(m->shared) : 0, NULL);
    }
    dp_site_step_free(s);
    return code;
}

/* Each domain alone, then linked ones together. */
static dp_err teach(machines *m, bool *linked)
{
    uint64_t facts[DOMAINS], urls[DOMAINS];
    for (size_t d = 0; d < DOMAINS; d++)
        facts[d] = facts_of(m, &domains[d], 1);
    dp_err code = dp_learner_held_out(urls, m->l, domains, facts, DOMAINS);
    for (size_t d = 0; d < DOMAINS && code == DP_OK; d++)
        code = teach_site(m, d, &domains[d], 1, urls[d]);
    for (size_t d = 0; d < DOMAINS && code == DP_OK; d++) {
        const char *names[DOMAINS];
        size_t      n;
        if (!find_site(m, d, names, &n) || n < 2)
            continue;
        *linked = true;
        code = teach_site(m, DOMAINS + d, names, n, 0);
    }
    return code;
}

static dp_err merge(machines *m)
{
    const char *data[2 * DOMAINS];
    size_t      size[2 * DOMAINS], n = 0;
    for (size_t i = 2 * DOMAINS; i--;) {
        if (m->fragment[i]) {
            data[n] = dp_text_data(m->fragment[i]);
            size[n++] = dp_text_size(m->fragment[i]);
        }
    }
    return dp_learner_merge(m->l, data, size, n, m->totals, NULL);
}

static void done(machines *m)
{
    for (size_t i = 0; i < PIECES; i++)
        dp_packed_facts_free(m->parcels[i]);
    for (size_t i = 0; i < 2 * DOMAINS; i++)
        dp_text_free(m->fragment[i]);
    dp_text_free(m->shared);
    dp_buf_done(&m->surveys);
    dp_learner_free(m->l);
    free(m);
}

static void write_pieces(const char *paths[PIECES], int pages, bool with_bad_line)
{
    static const char *const names[PIECES] = {"a", "b", "c"};
    dp_buf                   text[PIECES] = {{0}};
    plant(text, pages);
    if (with_bad_line)
        dp_buf_c(&text[0], "this is no record\n");
    for (size_t i = 0; i < PIECES; i++) {
        paths[i] = dp_temp_write(names[i], dp_buf_view(&text[i]));
        dp_buf_done(&text[i]);
    }
}

/* ---- tests ------------------------------------------------------------------------------------------------------ */

static void assert_same(dp_text *a, dp_text *b)
{
    assert_string_equal(dp_text_data(a), dp_text_data(b));
    dp_text_free(a);
    dp_text_free(b);
}

static void steps_equal_a_run(void **state)
{
    static const char *const methods[] = {"auto", "tree", "rewrite", "duster", "dust"};
    const char              *paths[PIECES];
    (void)state;
    write_pieces(paths, 160, true);
    for (size_t i = 0; i < DP_COUNT(methods); i++) {
        dp_learner *one;
        dp_text    *want, *found;
        bool        linked = false;
        machines   *m = calloc(1, sizeof *m);
        assert_non_null(m);
        assert_int_equal(DP_OK, make(&one, methods[i]));
        assert_int_equal(DP_OK, dp_learner_run(one, paths, PIECES, NULL));
        assert_int_equal(DP_OK, make(&m->l, methods[i]));
        assert_int_equal(DP_OK, parcels_pack(m->parcels, m->l, paths, PIECES, m->totals));
        assert_int_equal(1, m->totals[DP_READ_BAD_LINES]);
        assert_int_equal(1, m->totals[DP_READ_ERRORS]);
        assert_int_equal(DP_OK, look(m));
        assert_int_equal(DP_OK, teach(m, &linked));
        assert_true(linked);
        assert_int_equal(DP_OK, merge(m));
        assert_int_equal(DP_OK, dp_learner_rules(&want, one));
        assert_int_equal(DP_OK, dp_learner_rules(&found, m->l));
        assert_same(found, want);
        assert_int_equal(DP_OK, dp_learner_summary(&want, one, DP_JSON));
        assert_int_equal(DP_OK, dp_learner_summary(&found, m->l, DP_JSON));
        assert_same(found, want);
        dp_learner_free(one);
        done(m);
    }
    dp_temp_remove(NULL);
}

static void foreign_bytes_are_refused(void **state)
{
    dp_learner    *l;
    dp_site_step  *s = NULL;
    dp_text       *out = NULL;
    dp_error       err;
    const char    *bytes = "these are no facts of ours, however long they are";
    const size_t   size = strlen(bytes);
    const uint64_t totals[DP_READ_COUNTS] = {0};
    (void)state;
    assert_int_equal(DP_OK, make(&l, "auto"));
    assert_int_equal(DP_EINVALID, dp_site_step_new(&s, l, domains, 0, &err));
    assert_int_equal(DP_OK, dp_site_step_new(&s, l, domains, 1, &err));
    assert_int_equal(DP_ESYNTAX, dp_site_step_add(s, bytes, size, &err));
    assert_int_equal(DP_EINVALID, dp_site_step_learn(&out, s, bytes, size, &err));
    assert_int_equal(DP_EINVALID, dp_learner_combine(&out, l, bytes, size, &err));
    assert_int_equal(DP_ESYNTAX, dp_learner_merge(l, &bytes, &size, 1, totals, &err));
    assert_string_equal("this is not a site result of this version", err.message);
    dp_site_step_free(s);
    dp_learner_free(l);
}

static void a_model_is_for_one_machine(void **state)
{
    dp_learner   *l;
    dp_site_step *s;
    dp_error      err;
    (void)state;
    assert_int_equal(DP_OK, make(&l, "auto"));
    if (dp_learner_set(l, "method", "seq2seq", &err) == DP_OK) { /* it was built with OpenBLAS */
        assert_int_equal(DP_OK, dp_learner_set(l, "model", "/nowhere", &err));
        assert_int_equal(DP_EINVALID, dp_site_step_new(&s, l, domains, 1, &err));
        assert_string_equal("--model works on one machine only", err.message);
    }
    dp_learner_free(l);
}

static void survives_every_allocation_failure(void **state)
{
    const char *paths[PIECES];
    (void)state;
    write_pieces(paths, 4, false); /* a message that cannot be made is no failure */
    DP_EVERY_ALLOC_FAILURE {
        bool      linked = false;
        machines *m = calloc(1, sizeof *m);
        if (!m)
            continue;
        dp_err code = make(&m->l, "tree");
        if (code == DP_OK)
            code = parcels_pack(m->parcels, m->l, paths, PIECES, m->totals);
        if (code == DP_OK)
            code = look(m);
        if (code == DP_OK)
            code = teach(m, &linked);
        if (code == DP_OK)
            code = merge(m);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        done(m);
    }
    dp_temp_remove(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_equal_a_run),
        cmocka_unit_test(foreign_bytes_are_refused),
        cmocka_unit_test(a_model_is_for_one_machine),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
