/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/common.h"

#include "dustpan.h"

/* The assembler reads the file, so that there is one copy of it; the Makefile knows that this
 * object depends on it. */
__asm__(".section .rodata\n"
        ".local dp_common_begin\n"
        ".local dp_common_end\n"
        "dp_common_begin:\n"
        ".incbin \"rules/common.rules\"\n"
        "dp_common_end:\n"
        ".byte 0\n"
        ".previous\n");

extern const char dp_common_begin[] __attribute__((visibility("hidden")));
extern const char dp_common_end[] __attribute__((visibility("hidden")));

dp_str dp_common_text(void)
{
    return (dp_str){dp_common_begin, (size_t)(dp_common_end - dp_common_begin)};
}

const char *dp_common_rules(size_t *n)
{
    *n = dp_common_text().n;
    return dp_common_begin;
}
