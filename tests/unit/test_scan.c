/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/str.h"
#include "url/scan.h"

static bool is_special(unsigned char c)
{
    return c <= ' ' || c >= 0x7F || memchr("/?#%=&;\"<>\\^{|}`", c, 16);
}

static bool is_foreign(unsigned char c)
{
    return !((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '~' || c == '-');
}

static void every_byte_has_its_bits_at_every_place(void **state)
{
    (void)state;
    for (unsigned c = 0; c < 256; c++) {
        for (size_t at = 0; at < 64; at++) {
            char text[64];
            memset(text, 'a', sizeof text);
            text[at] = (char)c;
            dp_scan m = dp_scan_bytes(text, sizeof text);
            assert_int_equal((uint64_t)is_special((unsigned char)c) << at, m.special);
            assert_int_equal((uint64_t)is_foreign((unsigned char)c) << at, m.foreign);
        }
    }
}

/* The bytes stand at the end of their own block, so that the sanitizer sees a read beyond. */
static void every_length_equals_the_plain_scan(void **state)
{
    (void)state;
    for (size_t n = 0; n <= 130; n++) {
        char *text = malloc(n ? n : 1);
        assert_non_null(text);
        for (size_t i = 0; i < n; i++)
            text[i] = "a/%.A\x80=~"[(i * 7 + n) % 8];
        dp_scan fast = dp_scan_bytes(text, n), plain = dp_scan_bytes_plain(text, n);
        assert_int_equal(plain.special, fast.special);
        assert_int_equal(plain.foreign, fast.foreign);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_has_its_bits_at_every_place),
        cmocka_unit_test(every_length_equals_the_plain_scan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
