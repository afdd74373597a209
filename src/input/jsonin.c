/* SPDX-License-Identifier: Apache-2.0 */
#include "input/jsonin.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "input/columns.h"

struct dp_jsonin {
    json_t *root;
    char    number[32]; /* as text */
};

dp_err dp_jsonin_new(dp_jsonin **out, dp_error *err)
{
    *out = calloc(1, sizeof **out);
    return *out ? DP_OK : dp_fail(err, DP_ENOMEM, "out of memory");
}

void dp_jsonin_free(dp_jsonin *j)
{
    if (j)
        json_decref(j->root);
    free(j);
}

dp_line dp_jsonin_parse(dp_jsonin *j, dp_str text, dp_why *why)
{
    json_error_t e;
    json_decref(j->root);
    j->root = json_loadb(text.p, text.n, JSON_ALLOW_NUL, &e);
    if (!j->root && json_error_code(&e) == json_error_out_of_memory)
        return DP_LINE_NOMEM;
    if (!j->root)
        return dp_bad(why, "broken JSON at byte %d: %s", e.position, e.text);
    if (!json_is_object(j->root))
        return dp_bad(why, "expected a JSON object, found %s", dp_quote(text).text);
    return DP_LINE_RECORD;
}

static dp_str string_of(const json_t *v)
{
    return (dp_str){json_string_value(v), json_string_length(v)};
}

dp_str dp_jsonin_get(dp_jsonin *j, const char *way)
{
    const json_t *v = j->root;
    while (v && *way) {
        size_t  n = strcspn(way, "/");
        char    key[64];
        int64_t place;
        if (n >= sizeof key)
            return DP_STR("");
        memcpy(key, way, n);
        key[n] = 0;
        if (json_is_array(v))
            v = dp_number((dp_str){key, n}, &place) ? json_array_get(v, (size_t)place) : NULL;
        else
            v = json_object_get(v, key);
        way += n + (way[n] == '/');
    }
    if (v && json_is_string(v))
        return string_of(v);
    if (!v || !json_is_integer(v))
        return DP_STR("");
    int n = snprintf(j->number, sizeof j->number, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
    return (dp_str){j->number, (size_t)n};
}
