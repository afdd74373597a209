/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/buf.h"
#include "support/failing_alloc.h"
#include "url/deep.h"

/* Runs are printed as "left text right|"; an edge is ^ or $, 'c for a byte, %c for an escape of c, or
 * a, A, 0 for the unit of the neighbour. */
static const struct {
    dp_str      value;
    const char *want;
} cases[] = {
    {DP_STR(""), ""},
    {DP_STR("-_."), ""},
    {DP_STR("abc"), "^ abc $|"},
    {DP_STR("friends-lttU7d"), "^ friends '-|'- ltt A|a U 0|A 7 a|0 d $|"},
    {DP_STR("tt0112641"), "^ tt 0|a 0112641 $|"},
    {DP_STR("Austria_Vienna"), "^ A a|A ustria '_|'_ V a|A ienna $|"},
    {DP_STR("W0QQ_fclsZ1QQ"), "^ W 0|A 0 A|0 QQ '_|'_ fcls A|a Z 0|A 1 A|0 QQ $|"},
    {DP_STR("accelerate.php[id]100019"), "^ accelerate '.|'. php '[|'[ id ']|'] 100019 $|"},
    {DP_STR("-a-"), "'- a '-|"},
    {DP_STR("--a"), "'- a $|"},
    {DP_STR("a%2Db-c"), "^ a %-|%- b '-|'- c $|"}, /* an escape is a delimiter of its own */
    {DP_STR("%41bc"), "%A bc $|"},
    {DP_STR("a%"), "^ a '%|"},
    {DP_STR("a%4"), "^ a '%|'% 4 $|"},
    {DP_STR("a%zz"), "^ a '%|'% zz $|"},
    {DP_STR("b\xC3" "c"), "^ b '\xC3|'\xC3 c $|"},
};

static void print_edge(dp_buf *out, dp_edge e, char end)
{
    static const char units[] = "aA0";
    switch ((dp_edge_kind)e.kind) {
    case DP_EDGE_END:
        dp_buf_byte(out, end);
        break;
    case DP_EDGE_BYTE:
        dp_buf_byte(out, '\'');
        dp_buf_byte(out, (char)e.what);
        break;
    case DP_EDGE_ESCAPE:
        dp_buf_byte(out, '%');
        dp_buf_byte(out, (char)e.what);
        break;
    case DP_EDGE_UNIT:
        dp_buf_byte(out, units[e.what]);
        break;
    }
}

static void runs_and_their_edges_are_those_of_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_arena     a = {0};
        dp_deep_runs r;
        dp_buf       got = {0};
        assert_int_equal(DP_OK, dp_deep_cut(&r, cases[i].value, &a));
        for (uint32_t j = 0; j < r.n; j++) {
            print_edge(&got, r.v[j].left, '^');
            dp_buf_byte(&got, ' ');
            dp_buf_str(&got, dp_str_cut(cases[i].value, r.v[j].at, r.v[j].end));
            dp_buf_byte(&got, ' ');
            print_edge(&got, r.v[j].right, '$');
            dp_buf_byte(&got, '|');
        }
        dp_buf_byte(&got, 0);
        assert_string_equal(cases[i].want, got.p);
        dp_buf_done(&got);
        dp_arena_done(&a);
    }
}

static void a_nul_is_a_delimiter(void **state)
{
    (void)state;
    dp_arena     a = {0};
    dp_deep_runs r;
    assert_int_equal(DP_OK, dp_deep_cut(&r, DP_STR("a\0b"), &a));
    assert_int_equal(2, r.n);
    assert_int_equal(DP_EDGE_BYTE, r.v[0].right.kind);
    assert_int_equal(0, r.v[1].left.what);
    dp_arena_done(&a);
}

static void a_run_has_the_unit_of_its_bytes(void **state)
{
    (void)state;
    dp_arena     a = {0};
    dp_deep_runs r;
    assert_int_equal(DP_OK, dp_deep_cut(&r, DP_STR("azAZ09"), &a));
    assert_int_equal(3, r.n);
    assert_int_equal(DP_UNIT_LOWER, r.v[0].unit);
    assert_int_equal(DP_UNIT_UPPER, r.v[1].unit);
    assert_int_equal(DP_UNIT_DIGIT, r.v[2].unit);
    dp_arena_done(&a);
}

static void a_megabyte_is_cut(void **state)
{
    (void)state;
    enum { N = 1 << 20 };
    dp_arena     a = {0};
    dp_deep_runs r;
    char        *p = dp_arena_alloc(&a, N);
    assert_non_null(p);
    for (size_t i = 0; i < N; i++)
        p[i] = i % 2 ? 'a' : '0';
    assert_int_equal(DP_OK, dp_deep_cut(&r, (dp_str){p, N}, &a));
    assert_int_equal(N, r.n);
    assert_int_equal(DP_ELIMIT, dp_deep_cut(&r, (dp_str){p, (size_t)INT32_MAX + 1}, &a));
    dp_arena_done(&a);
}

static void survive_every_allocation_failure(void **state)
{
    (void)state;
    DP_EVERY_ALLOC_FAILURE {
        dp_arena     a = {0};
        dp_deep_runs r = {0};
        dp_err       e = dp_deep_cut(&r, DP_STR("ab12-C"), &a);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, e);
        assert_int_equal(e == DP_OK ? 3 : 0, r.n);
        dp_arena_done(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_and_their_edges_are_those_of_the_table),
        cmocka_unit_test(a_nul_is_a_delimiter),
        cmocka_unit_test(a_run_has_the_unit_of_its_bytes),
        cmocka_unit_test(a_megabyte_is_cut),
        cmocka_unit_test(survive_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
