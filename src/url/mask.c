/* SPDX-License-Identifier: Apache-2.0 */
#include "url/mask.h"

#include "base/words/case.h"
#include "url/chars.h"

/* Names whose values say who somebody is. */
static const char *const person_words[] = {"account", "client", "login", "member", "name", "person", "phone", "user"};
static const char *const secret_words[] = {"auth", "key", "mail", "pass", "pwd", "secret", "session", "sid", "token"};

static const char MASK[] = "xxx", FIELD_ENDS[] = " \t|\"";

enum { MAX_LINE = 4096 /* bytes of a line that are looked at for a message */ };

static bool has_any(dp_str name, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (dp_str_has_but_case(name, dp_str_c(words[i])))
            return true;
    }
    return false;
}

bool dp_mask_is_secret(dp_str name)
{
    return has_any(name, secret_words, DP_COUNT(secret_words));
}

/* Two to fourteen letters that can be spoken: of one case but for the first, no five consonants in a row. */
static bool is_word(dp_str s)
{
    size_t consonants = 0;
    bool   is_upper = s.n > 1 && s.p[1] >= 'A' && s.p[1] <= 'Z';
    for (size_t i = 0; i < s.n; i++) {
        char c = (char)(s.p[i] | 0x20);
        bool upper = s.p[i] >= 'A' && s.p[i] <= 'Z';
        if (c < 'a' || c > 'z' || (i > 0 && upper != is_upper))
            return false;
        consonants = memchr("aeiouy", c, 6) ? 0 : consonants + 1;
        if (consonants > 4)
            return false;
    }
    return s.n >= 2 && s.n <= 14;
}

/* Whether a value cannot be a secret, whatever its parameter means: a number below 1,000, or at most three words. */
static bool is_plain(dp_str value)
{
    size_t digits = 0, words = 0;
    while (digits < value.n && value.p[digits] >= '0' && value.p[digits] <= '9')
        digits++;
    if (digits == value.n)
        return digits <= 3;
    for (size_t at = 0, end; at <= value.n; at = end + 1, words++) {
        for (end = at; end < value.n && !memchr("-_.+", value.p[end], 4);)
            end++;
        if (!is_word(dp_str_cut(value, at, end)))
            return false;
    }
    return words <= 3;
}

static bool is_boundary(char c)
{
    return c == '?' || c == '&' || c == ';' || c == '/' || c == '#';
}

/* Whether `text` has a parameter of that name with a value that is not erased. */
static bool holds(dp_str text, dp_str name)
{
    for (size_t at = 1; at + name.n + 1 < text.n; at++) {
        const char *value = text.p + at + name.n + 1, *end = text.p + text.n;
        if (is_boundary(text.p[at - 1]) && memcmp(text.p + at, name.p, name.n) == 0 && value[-1] == '=' &&
            !is_boundary(*value) && !(*value == '*' && (value + 1 == end || is_boundary(value[1]))))
            return true;
    }
    return false;
}

static size_t find_any(dp_str s, size_t from, const char *bytes)
{
    while (from < s.n && !memchr(bytes, s.p[from], strlen(bytes)))
        from++;
    return from;
}

/* Copy up to the host, userinfo masked; returns where the host begins. */
static size_t mask_user(dp_buf *out, dp_str url)
{
    size_t at = dp_str_starts(url, DP_STR("//")) ? 2 : 0, sign = 0;
    for (size_t i = 0; i + 2 < url.n && !is_boundary(url.p[i]); i++) {
        if (memcmp(url.p + i, "://", 3) == 0)
            at = i + 3;
    }
    dp_buf_add(out, url.p, at);
    for (size_t i = at, end = find_any(url, at, "/?#"); i < end; i++) {
        if (url.p[i] == '@')
            sign = i;
    }
    if (sign <= at)
        return at;
    dp_buf_c(out, MASK);
    return sign;
}

/* Whether a value of an example may be shown although a rule has dropped it: it is plain, and not about a person, or a
 * text beside it shows it in its path, where the rule has moved it. */
static bool can_stay(dp_str name, dp_str value, const dp_str *kept, size_t nkept)
{
    if (has_any(name, person_words, DP_COUNT(person_words)))
        return false;
    for (size_t i = 0; i < nkept; i++) {
        size_t from = find_any(kept[i], DP_STR("https://").n, "/?"), to = find_any(kept[i], from, "?;");
        if (from < to && memmem(kept[i].p + from, to - from, value.p, value.n))
            return true;
    }
    return is_plain(value);
}

/* `plain`: values that may be shown in an example stay. */
static void mask(dp_buf *out, dp_str url, const dp_str *kept, size_t nkept, bool plain)
{
    bool in_query = false;
    for (size_t at = mask_user(out, url); at < url.n;) {
        size_t begin = find_any(url, at, in_query ? "&;" : "?&;"); /* the separator before a parameter */
        in_query |= begin < url.n && url.p[begin] == '?';
        begin += begin < url.n;
        dp_buf_add(out, url.p + at, begin - at);
        size_t end = find_any(url, begin, in_query ? "&;#" : "?&;/#");
        size_t eq = find_any(dp_str_cut(url, 0, end), begin, "=");
        dp_str name = dp_str_cut(url, begin, eq);
        bool   droppable = eq + 1 < end, hide = droppable && dp_mask_is_secret(name);
        if (plain && droppable)
            droppable = !can_stay(name, dp_str_cut(url, eq + 1, end), kept, nkept);
        for (size_t i = 0; i < nkept && droppable && !hide; i++)
            hide = !holds(kept[i], name);
        if (hide) {
            dp_buf_add(out, url.p + begin, eq + 1 - begin);
            dp_buf_c(out, MASK);
        } else {
            dp_buf_add(out, url.p + begin, end - begin);
        }
        at = end;
    }
}

void dp_mask_url(dp_buf *out, dp_str url, const dp_str *kept, size_t nkept)
{
    mask(out, url, kept, nkept, false);
}

void dp_mask_example(dp_buf *out, dp_str url, const dp_str *kept, size_t nkept)
{
    mask(out, url, kept, nkept, true);
}

/* Whether a word of a line is the address of a client, or the beginning of one that has so many points: 192.0.2.1:80,
 * 2001:db8::1. */
static bool is_address(dp_str s, size_t points)
{
    size_t dots = 0, colons = 0, digits = 0;
    bool   twice = false;
    for (size_t i = 0; i < s.n; i++) {
        if (!dp_is(s.p[i], DP_CH_HEX) && s.p[i] != '.' && s.p[i] != ':')
            return false;
        digits += s.p[i] != '.' && s.p[i] != ':';
        dots += s.p[i] == '.';
        twice |= i && s.p[i] == ':' && s.p[i - 1] == ':';
        colons += s.p[i] == ':';
    }
    return digits && (dots >= points || colons > 2 || twice);
}

/* Who has asked is nobody's business, also where a line cannot be read. */
static void hide_addresses(dp_buf *b)
{
    dp_str text = dp_buf_view(b);
    for (size_t at = 0, end; at < text.n; at = end + 1) {
        end = find_any(text, at, "\t \"'|,;()[]<>?=&/@");
        if (is_address(dp_str_cut(text, at, end), 2))
            memset(b->p + at, '*', end - at);
    }
}

/* Where "@" or "%40" stands, and in `*behind` what comes after it; NULL: nowhere. */
static const char *find_at(dp_str s, const char **behind)
{
    const char *at = memchr(s.p, '@', s.n), *escape = memmem(s.p, s.n, "%40", 3);
    *behind = at ? at + 1 : escape ? escape + 3 : NULL;
    return at ? at : escape;
}

bool dp_mask_is_personal(dp_str value)
{
    char        plain[48]; /* an address is shorter */
    size_t      n = 0;
    const char *behind, *at = value.n ? find_at(value, &behind) : NULL, *end = value.p + value.n;
    if (at)
        return at > value.p && memchr(behind, '.', (size_t)(end - behind));
    for (size_t i = 0; i < value.n && n < sizeof plain; i++, n++) {
        bool colon = value.n - i > 2 && dp_str_starts_but_case(dp_str_cut(value, i, value.n), DP_STR("%3a"));
        plain[n] = colon ? ':' : value.p[i];
        i += colon ? 2 : 0;
    }
    return n && n < sizeof plain && is_address((dp_str){plain, n}, 3);
}

static bool is_word_byte(char c)
{
    return dp_is(c, DP_CH_ALNUM) || (unsigned char)c >= 0x80;
}

void dp_mask_line(char *out, size_t cap, dp_str text)
{
    static const char DOTS[] = "...";
    dp_buf            b = {0};
    bool              cut = text.n > MAX_LINE;
    dp_mask_url(&b, cut ? dp_str_cut(text, 0, MAX_LINE) : text, NULL, 0);
    hide_addresses(&b);
    cut |= b.failed || b.n >= cap;
    size_t n = b.n;
    if (cut && n + sizeof DOTS > cap)
        n = cap - sizeof DOTS;
    for (size_t i = 0; i < n; i++)
        out[i] = b.p[i] >= ' ' && b.p[i] < 0x7f ? b.p[i] : '?';
    memcpy(out + n, cut ? DOTS : "", cut ? sizeof DOTS : 1);
    dp_buf_done(&b);
}

void dp_mask_shape(char *out, size_t cap, dp_str text)
{
    size_t n = 0;
    for (size_t i = 0, end; i < text.n && n + 1 < cap; i = end) {
        bool letters = false;
        for (end = i; end < text.n && is_word_byte(text.p[end]); end++)
            letters |= !dp_is(text.p[end], DP_CH_DIGIT);
        char c = text.p[i];
        if (end > i)
            out[n++] = letters ? 'a' : '9';
        else
            out[n++] = c >= ' ' && c < 0x7f ? c : '?';
        end += end == i;
    }
    out[n] = 0;
}

bool dp_mask_is_fields(dp_str text)
{
    size_t first = find_any(text, 0, FIELD_ENDS);
    return first < text.n && find_any(text, first + 1, FIELD_ENDS) < text.n;
}

void dp_mask_stray(char *out, size_t cap, dp_str text)
{
    if (dp_mask_is_fields(text))
        dp_mask_shape(out, cap, text);
    else
        dp_mask_line(out, cap, text);
}
