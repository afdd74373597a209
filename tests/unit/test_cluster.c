/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/hash.h"
#include "content/cluster.h"
#include "support/failing_alloc.h"

/* Pages as short lines: d digest, m MIME type, t text, s sketch, h simhash, T title; a letter
 * stands for a value, four for a sketch, hex digits for a simhash. */
static dp_evidence page(const char *line)
{
    dp_evidence e = {0};
    for (const char *p = line; *p; p++) {
        if (*p == ' ')
            continue;
        char what = *p++;
        if (what == 'd') {
            e.has |= DP_EVIDENCE_DIGEST;
            e.digest = dp_hash128_of((dp_str){p, 1});
        } else if (what == 't') {
            e.has |= DP_EVIDENCE_TEXT;
            e.text = dp_hash128_of((dp_str){p, 1});
        } else if (what == 'm') {
            e.mime = (uint32_t)*p;
        } else if (what == 'T') {
            e.title = (uint64_t)*p;
        } else if (what == 's') {
            e.has |= DP_EVIDENCE_SKETCH;
            for (int k = 0; k < 4; k++)
                e.sketch[k] = (uint64_t)p[k];
            p += 3;
        } else if (what == 'h') {
            e.has |= DP_EVIDENCE_SIMHASH;
            e.simhash = (uint64_t)(*p - '0');
        }
    }
    return e;
}

static const struct {
    dp_sameness same;
    const char *pages[7]; /* up to a NULL */
    const char *sets;     /* a letter each: equal ones are one set, '-' is left out */
} cases[] = {
    {{0, -1, false}, {"da", "db", "da", "ta", "ta", "tb da"}, "abadda"},
    {{0, -1, false}, {"dama", "damb", "dama", "da"}, "abad"},     /* two types: the unknown one stays alone */
    {{0, -1, false}, {"dama", "da", "da", "dama"}, "aaaa"},       /* one type: it goes along */
    {{0, -1, false}, {"damata", "dambta"}, "aa"},                 /* but text has no type */
    {{0, -1, false}, {"swxyz", "swxyz", "h0"}, "---"},            /* nobody looks at these */
    {{4, -1, false}, {"swxyz", "swxyz", "swxya", "da", "h0"}, "aacd-"},
    {{3, -1, false}, {"swxyz", "swxya", "swxba", "szyxw"}, "aaad"}, /* a chain; places count */
    {{2, -1, false}, {"swxyz", "swxab", "scdab", "sefgh"}, "aaad"},
    {{1, -1, false}, {"swxyz", "sabcz", "sadef", "sghij"}, "aaad"},
    {{0, 0, false}, {"h1", "h1", "h3"}, "aac"},
    {{0, 1, false}, {"h0", "h1", "h3", "h7"}, "aaaa"},
    {{0, 1, false}, {"h0", "h3"}, "ab"},
    {{0, 2, true}, {"h0Ta", "h3Ta", "h0Tb", "h0", "h1"}, "aacdd"},
    {{4, -1, true}, {"swxyzTa", "swxyzTa", "swxyzTb"}, "aac"},
    {{0, -1, true}, {"taTa", "taTb", "daTa", "daTb", "taTa"}, "abcda"},
    {{2, 3, false}, {"swxyz h0 ta", "swxab", "h1", "tb h9", "sq___ tb"}, "aaaaa"},
};

static dp_err build(dp_clusters *c, size_t i, const size_t *order, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        dp_evidence e = page(cases[i].pages[order[k]]);
        if (!(e.has & dp_sameness_kinds(&cases[i].same)))
            e.has = 0;
        DP_TRY(dp_clusters_add(c, &e));
    }
    return dp_clusters_join(c, &cases[i].same);
}

static size_t count(size_t i)
{
    return strlen(cases[i].sets);
}

static void joins_the_table(void **state)
{
    (void)state;
    const size_t order[] = {0, 1, 2, 3, 4, 5, 6};
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_clusters c = {0};
        char        have[8] = {0};
        assert_int_equal(DP_OK, build(&c, i, order, count(i)));
        for (uint32_t k = 0; k < count(i); k++)
            have[k] = c.has[k] ? (char)('a' + dp_sets_root(&c.sets, k)) : '-';
        assert_string_equal(cases[i].sets, have);
        dp_clusters_done(&c);
    }
}

/* Whatever the order: the same pages together, under the same id; sizes add up. */
static void ids_do_not_depend_on_the_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        size_t   n = count(i), order[7] = {0, 1, 2, 3, 4, 5, 6};
        uint64_t id[7] = {0};
        for (size_t turn = 0; turn < 2 * n; turn++) {
            dp_clusters c = {0};
            assert_int_equal(DP_OK, build(&c, i, order, n));
            for (uint32_t k = 0; k < n; k++) {
                uint32_t root = dp_sets_root(&c.sets, k);
                uint64_t now = c.has[k] ? c.id[root] : 0;
                if (turn == 0)
                    id[order[k]] = now;
                assert_true(id[order[k]] == now);
                for (uint32_t l = 0; l < k && now; l++) {
                    uint32_t other = dp_sets_root(&c.sets, l);
                    assert_int_equal(root == other, c.has[l] && now == c.id[other]);
                }
            }
            dp_clusters_done(&c);
            size_t first = order[0]; /* rotate, and once turn around */
            for (size_t k = 0; k + 1 < n; k++)
                order[k] = order[k + 1];
            order[n - 1] = first;
            for (size_t k = 0; turn == n && k < n / 2; k++) {
                size_t swap = order[k];
                order[k] = order[n - 1 - k];
                order[n - 1 - k] = swap;
            }
        }
    }
}

static void dropped_pages_join_nothing(void **state)
{
    (void)state;
    static const char *const lines[] = {"ta", "ta tb", "tb db", "da"};
    const dp_sameness        same = {0, -1, false};
    dp_clusters              c = {0};
    for (size_t i = 0; i < DP_COUNT(lines); i++) {
        dp_evidence e = page(lines[i]);
        assert_int_equal(DP_OK, dp_clusters_add(&c, &e));
    }
    dp_clusters_drop(&c, 1);
    assert_int_equal(DP_OK, dp_clusters_join(&c, &same));
    assert_true(dp_sets_root(&c.sets, 0) != dp_sets_root(&c.sets, 2));
    assert_int_equal(1, c.size[0]);
    assert_int_equal(0, c.size[1]);
    dp_clusters_done(&c);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    DP_EVERY_ALLOC_FAILURE
    {
        const dp_sameness same = {3, 2, true};
        dp_clusters       c = {0};
        dp_err            code = DP_OK;
        for (size_t i = 0; i < 3000 && code == DP_OK; i++) {
            dp_evidence e = page(i < 5 ? "da" : i < 10 ? "ta Tb" : "h3 swxyz");
            code = dp_clusters_add(&c, &e);
        }
        if (code == DP_OK)
            code = dp_clusters_join(&c, &same);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_clusters_done(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_the_table),
        cmocka_unit_test(ids_do_not_depend_on_the_order),
        cmocka_unit_test(dropped_pages_join_nothing),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
