/* Any rules in the words of other tools: what should be JSON is JSON, and no control character of a rule reaches a file
 * that another program obeys.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "dustpan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void must(bool holds, const char *what, const char *target, const char *text)
{
    if (holds)
        return;
    fprintf(stderr, "%s: not so: %s\n%s\n", target, what, text);
    abort();
}

static void check(const char *target, const dp_text *t)
{
    static const char *const json[] = {"json", "duplicate-url-discarder", "stormcrawler"};
    const char              *p = dp_text_data(t);
    size_t                   n = dp_text_size(t);
    for (size_t i = 0; i < DP_COUNT(json); i++) {
        if (strcmp(target, json[i]) != 0)
            continue;
        json_t *root = json_loadb(p, n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
        must(root != NULL, "it is JSON", target, p);
        json_decref(root);
    }
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)p[i];
        must((c >= ' ' || c == '\n' || c == '\t') && c != 127, "no control characters", target, p);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    dp_rules *r;
    dp_buf    b = {0};
    dp_buf_c(&b, "dustpan-rules 1\n");
    dp_buf_add(&b, (const char *)data, n);
    if (dp_rules_new(&r) != DP_OK)
        abort();
    bool        loads = dp_rules_parse(r, "fuzz", b.p, b.n, NULL) == DP_OK;
    const char *name, *summary, *assumes;
    for (size_t i = 0; loads && (name = dp_export_target_name(i, &summary, &assumes)); i++) {
        dp_text *t, *refusals;
        size_t   count[DP_EXCHANGE_COUNTS];
        if (dp_rules_export(&t, &refusals, r, name, DP_WITH_LIKELY, count, NULL) != DP_OK)
            continue;
        check(name, t);
        dp_text_free(t);
        dp_text_free(refusals);
    }
    dp_rules_free(r);
    dp_buf_done(&b);
    return 0;
}
