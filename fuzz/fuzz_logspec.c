/* Any bytes as a log format, on the first line, and as lines of such a log: what is cut out lies in the line, and only
 * fields that the format has are there.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>

#include "input/format/logspec.h"
#include "support/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static dp_logspec spec;
    dp_str            rest = {(const char *)data, n}, line = {"", 0};
    dp_error          err = {0};
    dp_next_line(&rest, &line);
    dp_err code = dp_logspec_compile(&spec, line, &err);
    MUST(code == DP_OK || ((code == DP_EINVALID || code == DP_ELIMIT) && err.message[0]));
    while (code == DP_OK && dp_next_line(&rest, &line)) {
        dp_str  value[DP_LOG_FIELDS];
        dp_why  why = {""};
        dp_line kind = dp_logspec_cut(&spec, line, value, &why);
        MUST(kind == DP_LINE_RECORD || (kind == DP_LINE_BAD && why.text[0]));
        MUST(kind == dp_logspec_cut(&spec, line, value, NULL));
        for (size_t i = 0; kind == DP_LINE_RECORD && i < DP_LOG_FIELDS; i++) {
            MUST(!value[i].n || (value[i].p >= line.p && value[i].p + value[i].n <= line.p + line.n));
            MUST(!value[i].n || dp_logspec_has(&spec, (dp_log_field)i));
        }
    }
    return 0;
}
