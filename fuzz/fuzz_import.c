/* Any bytes as another tool's file: what is imported loads, is in its one spelling, and comes back from an export.
 *
 * The first byte chooses the format.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dustpan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void must(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "not so: %s\n", what);
    abort();
}

/* What was imported, written for a tool and imported from there, loads again. */
static void go_round(const dp_rules *r, const char *by)
{
    dp_text *file, *refusals, *again, *more;
    size_t   count[DP_EXCHANGE_COUNTS];
    must(dp_rules_export(&file, &refusals, r, by, DP_WITH_LIKELY, count, NULL) == DP_OK, "it is exported");
    must(dp_rules_import(&again, &more, by, "fuzz", dp_text_data(file), dp_text_size(file), count, NULL) == DP_OK,
         "what was exported is imported");
    must(count[DP_EXCHANGE_REFUSED] == 0, "as a whole");
    dp_text_free(file);
    dp_text_free(refusals);
    dp_text_free(again);
    dp_text_free(more);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    enum { FORMATS = 4 };
    const char *summary, *format = n ? dp_import_format_name(data[0] % FORMATS, &summary) : NULL;
    dp_text    *text, *refusals, *printed;
    dp_rules   *r;
    size_t      count[DP_EXCHANGE_COUNTS];
    if (!format ||
        dp_rules_import(&text, &refusals, format, "fuzz", (const char *)data + 1, n - 1, count, NULL) != DP_OK)
        return 0;
    must(dp_rules_new(&r) == DP_OK && dp_rules_parse(r, "fuzz", dp_text_data(text), dp_text_size(text), NULL) == DP_OK,
         "what was imported loads");
    must(dp_rules_print(&printed, r) == DP_OK, "it is printed");
    must(dp_text_size(printed) == dp_text_size(text) &&
         memcmp(dp_text_data(printed), dp_text_data(text), dp_text_size(text)) == 0, "it is in its one spelling");
    for (size_t i = 0; i < dp_rules_count(r); i++)
        must(dp_rules_state(r, i) == DP_LIKELY, "every rule is likely");
    go_round(r, "clean-param");
    go_round(r, "duplicate-url-discarder");
    dp_text_free(printed);
    dp_text_free(text);
    dp_text_free(refusals);
    dp_rules_free(r);
    return 0;
}
