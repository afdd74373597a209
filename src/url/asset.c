/* SPDX-License-Identifier: Apache-2.0 */
#include "url/asset.h"

#include "url/chars.h"
#include "url/split.h"

enum { LONGEST = 5 };

static bool is_ending(dp_str text, const char *name)
{
    dp_str want = dp_str_c(name);
    bool   same = text.n == want.n;
    for (size_t i = 0; same && i < text.n; i++)
        same = dp_lower(text.p[i]) == want.p[i];
    return same;
}

bool dp_url_is_asset(dp_str url)
{
    static const char *const endings[] = {"png", "jpg", "jpeg", "gif", "svg", "ico", "webp", "avif", "bmp", "css", "js",
                                          "mjs", "map", "woff", "woff2", "ttf", "otf", "eot"};
    dp_split                 s;
    size_t                   dot;
    if (!dp_split_url(&s, url))
        return false;
    for (dot = s.path.n; dot && s.path.n - dot <= LONGEST && s.path.p[dot - 1] != '.'; dot--) {}
    if (!dot || s.path.p[dot - 1] != '.')
        return false;
    for (size_t i = 0; i < DP_COUNT(endings); i++) {
        if (is_ending(dp_str_cut(s.path, dot, s.path.n), endings[i]))
            return true;
    }
    return false;
}
