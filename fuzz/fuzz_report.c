/* Any rules and any records: the report's JSON is JSON, and its page has no tag that is not the page's own.
 *
 * Rules, an empty line, records.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "dustpan.h"
#include "support/memoryfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { SCRIPTS = 2, STYLES = 1 };

static void must(bool holds, const char *what, const char *where)
{
    if (holds)
        return;
    fprintf(stderr, "not so: %s\n%.400s\n", what, where);
    abort();
}

/* Bytes that are no UTF-8 are written as lone surrogates, which a strict reader refuses: a blank in their place. */
static void check_json(dp_buf *b)
{
    for (size_t i = 0; i + 5 < b->n; i++) {
        if (b->p[i] != '\\')
            continue;
        if (memcmp(b->p + i, "\\udc", 4) == 0)
            memcpy(b->p + i + 2, "0020", 4);
        i++;
    }
    json_t *root = json_loadb(b->p, b->n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    must(root != NULL, "it is JSON", b->p);
    json_decref(root);
}

static bool is_ours(const char *p)
{
    static const char names[] = " !doctype a b body caption circle code dd desc details div dl dt figcaption figure "
                                "footer h1 h2 h3 h4 head header html input label li line link main meta nav ol output "
                                "p polyline pre rect script section small span strong style summary svg table tbody "
                                "td text th thead title tr ul ";
    char              name[16] = " ";
    size_t            n = 1;
    for (p += *p == '/'; n < sizeof name - 2 && (strchr("!", *p) ? *p : (*p | 32) >= 'a' || (*p >= '0' && *p <= '9'));)
        name[n++] = *p++;
    name[n++] = ' ';
    name[n] = 0;
    return strcasestr(names, name) != NULL;
}

/* Scripts and styles reach to their first end tag, whatever stands in them. */
static void check_page(const char *p)
{
    int scripts = 0, styles = 0;
    while ((p = strchr(p, '<'))) {
        bool script = strncasecmp(p, "<script", 7) == 0, style = strncasecmp(p, "<style", 6) == 0;
        must(is_ours(p + 1), "every tag is one of the page's", p);
        scripts += script;
        styles += style;
        p = script || style ? strcasestr(p, script ? "</script" : "</style") : p;
        must(p != NULL, "it has an end", "");
        p++;
    }
    must(scripts == SCRIPTS && styles == STYLES, "scripts and styles are the page's", "");
}

static void check(const dp_report *r)
{
    for (int form = DP_REPORT_HTML; form <= DP_REPORT_JSON; form++) {
        dp_text *t;
        dp_buf   b = {0};
        must(dp_report_print(&t, r, (dp_report_form)form) == DP_OK, "it is printed", "");
        dp_buf_add(&b, dp_text_data(t), dp_text_size(t));
        if (form == DP_REPORT_JSON)
            check_json(&b);
        dp_buf_byte(&b, 0);
        if (form == DP_REPORT_HTML)
            check_page(b.p);
        dp_buf_done(&b);
        dp_text_free(t);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const char *text = (const char *)data, *gap = n ? memmem(text, n, "\n\n", 2) : NULL;
    dp_rules   *r;
    dp_report  *report = NULL;
    dp_buf      b = {0};
    if (!gap)
        return 0;
    dp_memory_file in = dp_memory_file_of(gap + 2, n - (size_t)(gap + 2 - text));
    const char    *paths[] = {in.path};
    dp_buf_c(&b, "dustpan-rules 1\n");
    dp_buf_add(&b, text, (size_t)(gap + 1 - text));
    must(dp_rules_new(&r) == DP_OK, "there is memory", "");
    if (dp_rules_parse(r, "<b>", b.p, b.n, NULL) == DP_OK &&
        dp_report_new(&report, "<i>\"'", r, DP_WITH_LIKELY, 0, NULL) == DP_OK) {
        dp_report_set(report, DP_REPORT_RAW, 1);
        if (dp_report_run(report, paths, 1, NULL) == DP_OK)
            check(report);
    }
    dp_report_free(report);
    dp_rules_free(r);
    dp_memory_file_close(&in);
    dp_buf_done(&b);
    return 0;
}
