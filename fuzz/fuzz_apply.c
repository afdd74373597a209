/* Does every file that loads keep the laws (docs/rule-format.md 8.11)? The bytes are a rule file, an empty
 * line, then URLs, one a line.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <assert.h>
#include <stdlib.h>

#include "base/str.h"
#include "dustpan.h"

/* What `form` makes of `url`, malloc'd. */
static dp_str ask(const dp_engine *e, dp_scratch *s, dp_form form, dp_str url)
{
    size_t      n;
    const char *p = dp_apply_view(e, s, form, url.p, url.n, &n);
    char       *copy = malloc(n + 1);
    assert(p && copy);
    memcpy(copy, p, n);
    return (dp_str){copy, n};
}

static void drop(dp_str s)
{
    free((char *)(uintptr_t)s.p);
}

static void keeps_the_laws(const dp_engine *e, dp_scratch *s, dp_str url)
{
    dp_str key = ask(e, s, DP_KEY, url), fetch = ask(e, s, DP_FETCH, url), stage0 = ask(e, s, DP_STAGE0, url);
    dp_str key_key = ask(e, s, DP_KEY, key), fetch_fetch = ask(e, s, DP_FETCH, fetch),
           key_fetch = ask(e, s, DP_KEY, fetch);
    dp_str stage0_stage0 = ask(e, s, DP_STAGE0, stage0), key_stage0 = ask(e, s, DP_KEY, stage0);
    assert(dp_str_eq(key_key, key));
    assert(dp_str_eq(fetch_fetch, fetch));
    assert(dp_str_eq(key_fetch, key));
    assert(dp_str_eq(stage0_stage0, stage0));
    assert(dp_str_eq(key_stage0, key));

    /* One by one, and as a batch. */
    uint64_t at[2] = {0, url.n}, end;
    char    *out = malloc(key.n + 1);
    assert(out && dp_apply_batch(e, s, DP_KEY, url.p, at, 1, 0, out, key.n, &end, NULL) == 1);
    assert(dp_str_eq((dp_str){out, end}, key));
    free(out);

    dp_str all[] = {key, fetch, stage0, key_key, fetch_fetch, key_fetch, stage0_stage0, key_stage0};
    for (size_t i = 0; i < DP_COUNT(all); i++)
        drop(all[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char header[] = "dustpan-rules 1\n";
    const char       *text = (const char *)data, *split = size ? memmem(text, size, "\n\n", 2) : NULL;
    if (!split)
        return 0;
    size_t      n = (size_t)(split - text) + 1;
    char       *file = malloc(sizeof header - 1 + n);
    dp_rules   *r = NULL;
    dp_engine  *e = NULL;
    dp_scratch *s = NULL;
    assert(file && dp_rules_new(&r) == DP_OK && dp_scratch_new(&s) == DP_OK);
    memcpy(file, header, sizeof header - 1);
    memcpy(file + sizeof header - 1, text, n);
    if (dp_rules_parse(r, "fuzz", file, sizeof header - 1 + n, NULL) == DP_OK &&
        dp_engine_new(&e, r, DP_WITH_LIKELY, 0, NULL) == DP_OK) {
        const char *url = split + 2, *end = text + size;
        while (url < end) {
            const char *lf = memchr(url, '\n', (size_t)(end - url));
            const char *stop = lf ? lf : end;
            keeps_the_laws(e, s, (dp_str){url, (size_t)(stop - url)});
            url = stop + 1;
        }
    }
    dp_engine_free(e);
    dp_scratch_free(s);
    dp_rules_free(r);
    free(file);
    return 0;
}
