/* SPDX-License-Identifier: Apache-2.0 */
#include "live/actions.h"

#include "url/chars.h"
#include "url/split.h"

/* docs/validate.md lists them, too. */
static const char *const words[] = {
    "activate", "addtocart", "approve", "basket", "buy", "cancel", "cart", "checkout", "confirm", "deactivate",
    "delete", "destroy", "downvote", "erase", "logoff", "logout", "optin", "optout", "pay", "purchase", "purge",
    "reject", "remove", "reset", "revert", "revoke", "signoff", "signout", "submit", "subscribe", "unfollow",
    "unsubscribe", "upvote", "vote", "wishlist",
};

static bool is_action(dp_str word)
{
    for (size_t i = 0; i < DP_COUNT(words); i++)
        if (dp_is_word(word, words[i]))
            return true;
    return false;
}

/* Two words as one: "log" and "out". */
static bool is_joined_action(dp_str a, dp_str b)
{
    char both[32];
    if (a.n + b.n > sizeof both)
        return false;
    memcpy(both, a.p, a.n);
    memcpy(both + a.n, b.p, b.n);
    return is_action((dp_str){both, a.n + b.n});
}

static bool holds_action(dp_str text)
{
    dp_str last = {0}; /* the word that ended just before the one at hand, or one byte before */
    for (size_t i = 0, end; i < text.n; i = end) {
        end = i + 1;
        if (!dp_is(text.p[i], DP_CH_ALPHA))
            continue;
        /* A word: letters of one case, or a capital before small ones. */
        while (end < text.n && dp_is(text.p[end], DP_CH_ALPHA) &&
               !(dp_is(text.p[end], DP_CH_UPPER) && !dp_is(text.p[end - 1], DP_CH_UPPER)))
            end++;
        dp_str word = dp_str_cut(text, i, end);
        bool   near = last.n && i - (size_t)(last.p + last.n - text.p) <= 1;
        if (is_action(word) || (near && is_joined_action(last, word)))
            return true;
        last = word;
    }
    return false;
}

bool dp_url_acts(dp_str url)
{
    dp_split s;
    return dp_split_url(&s, url) && (holds_action(s.path) || holds_action(s.query));
}

bool dp_url_is_masked(dp_str url)
{
    static const dp_str mask = {"xxx", 3};
    dp_split            s;
    if (!dp_split_url(&s, url))
        return false;
    if (s.has_user && dp_str_eq(s.user, mask))
        return true;
    const char *end = url.p + url.n;
    for (const char *p = s.path.n ? s.path.p : s.query.p; p && p + 4 <= end; p++) {
        if (p[0] == '=' && memcmp(p + 1, mask.p, mask.n) == 0 && (p + 4 == end || memchr("&;/?#", p[4], 5)))
            return true;
    }
    return false;
}
