/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/failing_alloc.h"
#include "url/frame.h"

/* scheme|userinfo|host|port, then segments after '/', pairs after their separators with name:value, '-' for a
 * value that has no '='. */
static const struct {
    const char *url, *want; /* NULL: not in stage-0 form */
} cases[] = {
    {"https://me@a.com:81/p/q;s=1/?x=1&y;z=", "https|me|a.com|81 /p /q;s=1 / &x:1 &y- ;z:"}, /* the header's */
    {"http://a/", "http||a| /"},
    {"http://a/b", "http||a| /b"},
    {"http://a//", "http||a| / /"},
    {"http://@a/", "http|@|a| /"}, /* empty userinfo is there */
    {"http://u:p@v@a/", "http|u:p@v|a| /"},
    {"http://a:0/", "http||a|0 /"},
    {"http://a:65535/", "http||a|65535 /"},
    {"http://[::1]/", "http||[::1]| /"},
    {"http://u@[::1]:8/b", "http|u|[::1]|8 /b"},
    {"x-1.y+z://a/", "x-1.y+z||a| /"},
    {"a.com/", "http||a.com| /"},
    {"a.com.:81/?b", "http||a.com.|81 / &b-"},
    {"http://a/?=", "http||a| / &:"},
    {"http://a/?a=b=c;=d", "http||a| / &a:b=c ;:d"},
    {"http://a/?a?/b=%26", "http||a| / &a?/b:%26"},
    {"http://a/=&;?b", "http||a| /=&; &b-"},
    {"http://a/%2F%C3?%3D", "http||a| /%2F%C3 &%3D-"},
    {"http://xn--bcher-kva.ch/!$'()*+,:@[]", "http||xn--bcher-kva.ch| /!$'()*+,:@[]"},

    {"", NULL},
    {"a", NULL},
    {"http://a", NULL},
    {"http://a?b", NULL},
    {"http://A/", NULL},
    {"HTTP://a/", NULL},
    {"http:///b", NULL},
    {"http://@/", NULL},
    {"http://%61/", NULL},
    {"http://b\xC3\xBC.ch/", NULL},
    {"http://a:80/", NULL},
    {"http://a:/", NULL},
    {"http://a:08/", NULL},
    {"http://a:65536/", NULL},
    {"http://a:1x/", NULL},
    {"http://%75@a/", NULL},
    {"http://u @a/", NULL},
    {"http://[::A]/", NULL},
    {"http://[::1/", NULL},
    {"http://[::1]8/", NULL},
    {"http://[zz]/", NULL},
    {"http://a/.", NULL},
    {"http://a/..", NULL},
    {"http://a/./b", NULL},
    {"http://a/../b", NULL},
    {"http://a/b/../", NULL},
    {"http://a/..?b", NULL},
    {"http://a/#", NULL},
    {"http://a/?b#", NULL},
    {"http://a/?", NULL},
    {"http://a/?&b", NULL},
    {"http://a/?b&", NULL},
    {"http://a/?b;;c", NULL},
    {"http://a/ ", NULL},
    {"http://a/%", NULL},
    {"http://a/%4", NULL},
    {"http://a/%c3", NULL},
    {"http://a/%41", NULL},
    {"http://a/?b=%7E", NULL},
    {"http://a/?%", NULL},
    {"http://a/\xC3", NULL},
    {"http://a/?b=\\", NULL},
    {"u@a.com/", NULL},
    {"loc/", NULL},
    {"//a.com/", NULL},
};

static void print(dp_buf *out, const dp_frame *f)
{
    dp_buf_str(out, dp_frame_scheme(f));
    dp_buf_byte(out, '|');
    if (f->user_end && f->user_end == f->user)
        dp_buf_byte(out, '@');
    dp_buf_str(out, dp_frame_cut(f, f->user, f->user_end));
    dp_buf_byte(out, '|');
    dp_buf_str(out, dp_frame_host(f));
    dp_buf_byte(out, '|');
    if (f->port >= 0)
        dp_buf_printf(out, "%d", f->port);
    for (uint32_t i = 0; i < f->nseg; i++) {
        dp_buf_c(out, " /");
        dp_buf_str(out, dp_frame_seg(f, i));
    }
    for (uint32_t i = 0; i < f->npair; i++) {
        const dp_pair *p = &f->pair[i];
        dp_buf_byte(out, ' ');
        dp_buf_byte(out, p->sep);
        dp_buf_str(out, dp_pair_name(f, p));
        dp_buf_byte(out, p->has_eq ? ':' : '-');
        dp_buf_str(out, dp_pair_value(f, p));
    }
}

static void frames_are_those_of_the_table(void **state)
{
    (void)state;
    dp_frame f = {0}; /* one for all: what the last URL left must not show */
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_frame_result r = dp_frame_read(&f, dp_str_c(cases[i].url));
        if ((r == DP_FRAME_OK) != (cases[i].want != NULL))
            fail_msg("'%s': %d", cases[i].url, r);
        if (r != DP_FRAME_OK)
            continue;
        dp_buf got = {0};
        print(&got, &f);
        dp_buf_byte(&got, 0);
        assert_string_equal(cases[i].want, got.p);
        dp_buf_done(&got);
    }
    assert_int_equal(DP_FRAME_NOT_NORMAL, dp_frame_read(&f, (dp_str){NULL, 0}));
    assert_int_equal(DP_FRAME_NOT_NORMAL, dp_frame_read(&f, (dp_str){"", (size_t)INT32_MAX + 1}));
    dp_frame_done(&f);
}

/* The reader takes 64 bytes at a time: move each part over the borders. */
static void frames_do_not_depend_on_where_parts_lie(void **state)
{
    (void)state;
    dp_frame f = {0};
    dp_buf   url = {0}, want = {0}, got = {0};
    for (size_t host = 1; host < 140; host++) {
        for (size_t seg = 0; seg < 70; seg += host % 3 + 1) {
            dp_buf_reset(&url);
            dp_buf_reset(&want);
            dp_buf_reset(&got);
            dp_buf_c(&url, "http://");
            dp_buf_c(&want, "http||");
            for (size_t i = 0; i < host; i++)
                dp_buf_byte(&url, 'h'), dp_buf_byte(&want, 'h');
            dp_buf_c(&url, "/");
            dp_buf_c(&want, "| /");
            for (size_t i = 0; i < seg; i++)
                dp_buf_byte(&url, 's'), dp_buf_byte(&want, 's');
            dp_buf_c(&url, "%2F/..x?a=%20&b;c");
            dp_buf_c(&want, "%2F /..x &a:%20 &b- ;c-");
            assert_int_equal(DP_FRAME_OK, dp_frame_read(&f, dp_buf_view(&url)));
            print(&got, &f);
            assert_true(dp_str_eq(dp_buf_view(&want), dp_buf_view(&got)));
            dp_buf_byte(&url, '&');
            assert_int_equal(DP_FRAME_NOT_NORMAL, dp_frame_read(&f, dp_buf_view(&url)));
        }
    }
    dp_buf_done(&url);
    dp_buf_done(&want);
    dp_buf_done(&got);
    dp_frame_done(&f);
}

static void a_nul_is_not_normal_anywhere(void **state)
{
    (void)state;
    dp_frame f = {0};
    char     url[] = "http://u@a.com:81/b?c=d";
    assert_int_equal(DP_FRAME_OK, dp_frame_read(&f, DP_STR("http://u@a.com:81/b?c=d")));
    for (size_t i = 0; i < sizeof url - 1; i++) {
        char was = url[i];
        url[i] = 0;
        assert_int_equal(DP_FRAME_NOT_NORMAL, dp_frame_read(&f, (dp_str){url, sizeof url - 1}));
        url[i] = was;
    }
    dp_frame_done(&f);
}

static const struct {
    const char *url, *sorted; /* NULL: it is sorted */
} sort_cases[] = {
    {"http://a/", NULL},
    {"http://a/?b", NULL},
    {"http://a/?a=2&a=1", NULL}, /* values do not count, equal names keep their order */
    {"http://a/?a&ab&b", NULL},
    {"http://a/?b&a", "http://a/?a&b"},
    {"http://a/?b;a&c", "http://a/?a;b&c"}, /* separators keep their places */
    {"http://a/?c=1;b=1&b=2;a=3&a", "http://a/?a=3;a&b=1;b=2&c=1"},
    {"http://a/?ab&a=b", "http://a/?a=b&ab"},
    {"http://a/?a&B", "http://a/?B&a"},
    {"http://a/?a&=1", "http://a/?=1&a"},
    {"http://a/x;b;a?d&%20", "http://a/x;b;a?%20&d"},
};

static void pairs_are_sorted_by_name(void **state)
{
    (void)state;
    dp_frame f = {0};
    for (size_t i = 0; i < DP_COUNT(sort_cases); i++) {
        dp_buf got = {0};
        assert_int_equal(DP_FRAME_OK, dp_frame_read(&f, dp_str_c(sort_cases[i].url)));
        assert_int_equal(sort_cases[i].sorted == NULL, dp_frame_is_sorted(&f));
        assert_true(dp_frame_sort(&f, &got));
        dp_buf_byte(&got, 0);
        assert_string_equal(sort_cases[i].sorted ? sort_cases[i].sorted : sort_cases[i].url, got.p);
        dp_buf_done(&got);
    }
    dp_frame_done(&f);
}

static void paths_count_empty_segments_before_the_last(void **state)
{
    (void)state;
    static const struct {
        const char *url;
        uint32_t    empties;
    } counts[] = {{"http://a/", 0}, {"http://a/b/", 0}, {"http://a//", 1}, {"http://a//b", 1}, {"http://a/b//c//", 2}};
    dp_frame f = {0};
    for (size_t i = 0; i < DP_COUNT(counts); i++) {
        assert_int_equal(DP_FRAME_OK, dp_frame_read(&f, dp_str_c(counts[i].url)));
        assert_int_equal(counts[i].empties, dp_frame_empties(&f));
    }
    dp_frame_done(&f);
}

static void the_port_is_the_written_or_the_default_one(void **state)
{
    (void)state;
    static const struct {
        const char *url;
        int         port;
    } ports[] = {{"http://a/", 80}, {"https://a/", 443}, {"a.com/", 80},
                 {"x://a/", -1},    {"x://a:0/", 0},     {"http://a:443/", 443}};
    dp_frame f = {0};
    for (size_t i = 0; i < DP_COUNT(ports); i++) {
        assert_int_equal(DP_FRAME_OK, dp_frame_read(&f, dp_str_c(ports[i].url)));
        assert_int_equal(ports[i].port, dp_frame_port(&f));
    }
    dp_frame_done(&f);
}

static const struct {
    const char *url, *want; /* name:value or name-, each followed by a blank */
} param_cases[] = {
    {"http://a/b", ""},
    {"http://a/b?c;d", ""},
    {"http://a/b;c", "c- "},
    {"http://a/b;c=1;d=/e;f=2=3", "c:1 d: f:2=3 "},
    {"http://a/;c/;d", "c- d- "},
    {"http://a/b;;c;/;", "c- "}, /* an empty piece is none */
    {"http://a/b;=1", ":1 "},
    {"http://a/b=1;c", "c- "},
};

static void path_parameters_are_those_of_the_table(void **state)
{
    (void)state;
    dp_frame f = {0};
    for (size_t i = 0; i < DP_COUNT(param_cases); i++) {
        dp_buf   got = {0};
        dp_param p;
        assert_int_equal(DP_FRAME_OK, dp_frame_read(&f, dp_str_c(param_cases[i].url)));
        for (uint32_t at = f.path; dp_frame_param(&f, at, &p); at = p.end) {
            assert_int_equal(';', f.s[p.at]);
            dp_buf_str(&got, dp_frame_cut(&f, p.at + 1, p.eq));
            dp_buf_byte(&got, p.has_eq ? ':' : '-');
            dp_buf_str(&got, dp_frame_cut(&f, p.eq + (p.has_eq ? 1 : 0), p.end));
            dp_buf_byte(&got, ' ');
        }
        dp_buf_byte(&got, 0);
        assert_string_equal(param_cases[i].want, got.p);
        dp_buf_done(&got);
    }
    dp_frame_done(&f);
}

static void a_megabyte_of_segments_and_pairs_is_read(void **state)
{
    (void)state;
    enum { N = 1 << 20 };
    dp_frame f = {0};
    dp_buf   url = {0}, sorted = {0};
    dp_buf_c(&url, "http://a");
    for (int i = 0; i < N / 2; i++)
        dp_buf_c(&url, "/");
    dp_buf_c(&url, "?z");
    for (int i = 0; i < N / 4; i++)
        dp_buf_c(&url, i % 2 ? "&a" : ";b");
    assert_int_equal(DP_FRAME_OK, dp_frame_read(&f, dp_buf_view(&url)));
    assert_int_equal(N / 2, f.nseg);
    assert_int_equal(N / 4 + 1, f.npair);
    assert_int_equal(N / 2 - 1, dp_frame_empties(&f));
    assert_true(dp_frame_sort(&f, &sorted));
    assert_int_equal(DP_FRAME_OK, dp_frame_read(&f, dp_buf_view(&sorted)));
    assert_true(dp_frame_is_sorted(&f));
    dp_buf_done(&url);
    dp_buf_done(&sorted);
    dp_frame_done(&f);
}

static void survive_every_allocation_failure(void **state)
{
    (void)state;
    dp_buf url = {0};
    dp_buf_c(&url, "http://a");
    for (int i = 0; i < 100; i++)
        dp_buf_c(&url, "/b");
    for (int i = 0; i < 100; i++)
        dp_buf_c(&url, i ? ";c" : "?d");
    DP_EVERY_ALLOC_FAILURE {
        dp_frame        f = {0};
        dp_buf          sorted = {0};
        dp_frame_result r = dp_frame_read(&f, dp_buf_view(&url));
        assert_true(r == (dp_alloc_failed() ? DP_FRAME_NOMEM : DP_FRAME_OK));
        if (r == DP_FRAME_OK) {
            bool ok = dp_frame_sort(&f, &sorted);
            assert_int_equal(!dp_alloc_failed(), ok);
        }
        dp_buf_done(&sorted);
        dp_frame_done(&f);
    }
    dp_buf_done(&url);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_those_of_the_table),
        cmocka_unit_test(frames_do_not_depend_on_where_parts_lie),
        cmocka_unit_test(a_nul_is_not_normal_anywhere),
        cmocka_unit_test(pairs_are_sorted_by_name),
        cmocka_unit_test(paths_count_empty_segments_before_the_last),
        cmocka_unit_test(the_port_is_the_written_or_the_default_one),
        cmocka_unit_test(path_parameters_are_those_of_the_table),
        cmocka_unit_test(a_megabyte_of_segments_and_pairs_is_read),
        cmocka_unit_test(survive_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
