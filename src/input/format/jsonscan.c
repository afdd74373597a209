/* SPDX-License-Identifier: Apache-2.0 */
#include "input/format/jsonscan.h"

#include "url/chars.h"

enum { DEPTH = 256 };

/* Bytes inside a text that need no look: neither quote nor backslash nor control. */
static inline bool is_plain(unsigned char c)
{
    return c >= 0x20 && c != '"' && c != '\\';
}

/* Whether all of eight bytes are plain: none below 0x20, none that is zero when XORed with either of
 * the two others. (A borrow can only add to a byte that is not plain.) */
static inline bool are_plain(const char *p)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
    uint64_t       x;
    memcpy(&x, p, 8);
    uint64_t quote = x ^ ones * '"', slash = x ^ ones * '\\';
    return !((((x - ones * 0x20) & ~x) | ((quote - ones) & ~quote) | ((slash - ones) & ~slash)) & high);
}

static bool fail(dp_jsonscan *s, const char *why)
{
    s->why = why;
    return false;
}

static void skip_blanks(dp_jsonscan *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n' || *s->p == '\r'))
        s->p++;
}

/* Step over `c`, and over blanks before it. */
static bool take(dp_jsonscan *s, char c)
{
    skip_blanks(s);
    if (s->p == s->end || *s->p != c)
        return false;
    s->p++;
    return true;
}

/* ---- values -------------------------------------------------------------------------------------------- */

static int hex4(const char *p, const char *end)
{
    int v = 0;
    if (end - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        if (!dp_is(p[i], DP_CH_HEX))
            return -1;
        v = v * 16 + dp_hex(p[i]);
    }
    return v;
}

/* A text; s->p is at its first quote. */
static bool scan_text(dp_jsonscan *s, dp_json_value *v)
{
    const char *begin = ++s->p;
    v->kind = DP_JSON_TEXT;
    v->escaped = false;
    for (;;) {
        while (s->end - s->p >= 8 && are_plain(s->p))
            s->p += 8;
        while (s->p < s->end && is_plain((unsigned char)*s->p))
            s->p++;
        if (s->p == s->end)
            return fail(s, "unterminated string");
        if (*s->p == '"')
            break;
        if (*s->p != '\\')
            return fail(s, "control character in a string");
        v->escaped = true;
        char c = s->p + 1 < s->end ? s->p[1] : 0;
        if (!c || !strchr("\"\\/bfnrtu", c) || (c == 'u' && hex4(s->p + 2, s->end) < 0))
            return fail(s, "invalid escape");
        s->p += c == 'u' ? 6 : 2;
    }
    v->raw = (dp_str){begin, (size_t)(s->p - begin)};
    s->p++;
    return true;
}

static size_t skip_digits(dp_jsonscan *s)
{
    const char *begin = s->p;
    while (s->p < s->end && *s->p >= '0' && *s->p <= '9')
        s->p++;
    return (size_t)(s->p - begin);
}

static bool scan_number(dp_jsonscan *s, dp_json_value *v)
{
    const char *begin = s->p;
    s->p += *s->p == '-';
    bool   zero = s->p < s->end && *s->p == '0';
    size_t digits = skip_digits(s);
    if (!digits || (zero && digits > 1))
        return fail(s, "not a number");
    if (s->p < s->end && *s->p == '.') {
        s->p++;
        if (!skip_digits(s))
            return fail(s, "not a number");
    }
    if (s->p < s->end && (*s->p | 32) == 'e') {
        s->p++;
        s->p += s->p < s->end && (*s->p == '+' || *s->p == '-');
        if (!skip_digits(s))
            return fail(s, "not a number");
    }
    *v = (dp_json_value){.kind = DP_JSON_NUMBER, .raw = {begin, (size_t)(s->p - begin)}};
    return true;
}

static bool scan_word(dp_jsonscan *s, dp_json_value *v)
{
    static const struct {
        dp_str       word;
        dp_json_kind kind;
    } words[] = {{{"true", 4}, DP_JSON_TRUE}, {{"false", 5}, DP_JSON_FALSE}, {{"null", 4}, DP_JSON_NULL}};
    dp_str rest = {s->p, (size_t)(s->end - s->p)};
    for (size_t i = 0; i < DP_COUNT(words); i++) {
        if (dp_str_starts(rest, words[i].word)) {
            *v = (dp_json_value){.kind = words[i].kind, .raw = {s->p, words[i].word.n}};
            s->p += words[i].word.n;
            return true;
        }
    }
    return fail(s, "expected a value");
}

static bool scan_value(dp_jsonscan *s, dp_json_value *v, int depth);

/* An array or an object, all of it checked. */
static bool scan_nested(dp_jsonscan *s, dp_json_value *v, int depth)
{
    const char   *begin = s->p;
    bool          object = *s->p == '{';
    char          close = object ? '}' : ']';
    dp_json_value inner;
    if (depth == DEPTH)
        return fail(s, "nested too deeply");
    s->p++;
    for (bool first = true; !take(s, close); first = false) {
        if (!first && !take(s, ','))
            return fail(s, "expected a comma");
        skip_blanks(s);
        if (object) {
            if (s->p == s->end || *s->p != '"')
                return fail(s, "expected a name in quotes");
            if (!scan_text(s, &inner))
                return false;
            if (!take(s, ':'))
                return fail(s, "expected a colon");
        }
        if (!scan_value(s, &inner, depth + 1))
            return false;
    }
    *v = (dp_json_value){.kind = object ? DP_JSON_OBJECT : DP_JSON_ARRAY, .raw = {begin, (size_t)(s->p - begin)}};
    return true;
}

static bool scan_value(dp_jsonscan *s, dp_json_value *v, int depth)
{
    skip_blanks(s);
    if (s->p == s->end)
        return fail(s, "expected a value");
    char c = *s->p;
    if (c == '"')
        return scan_text(s, v);
    if (c == '{' || c == '[')
        return scan_nested(s, v, depth);
    return c == '-' || (c >= '0' && c <= '9') ? scan_number(s, v) : scan_word(s, v);
}

/* ---- members -------------------------------------------------------------------------------------------- */

bool dp_jsonscan_init(dp_jsonscan *s, dp_str text)
{
    *s = (dp_jsonscan){.begin = text.p, .p = text.p, .end = text.p + text.n, .first = true};
    return take(s, '{') || fail(s, "expected an object");
}

/* Whether another item follows before `close`. */
static bool follows(dp_jsonscan *s, char close)
{
    if (s->why)
        return false;
    if (take(s, close)) {
        skip_blanks(s);
        if (s->p < s->end && !s->inner)
            return fail(s, "unexpected text after the end");
        return false;
    }
    if (!s->first && !take(s, ','))
        return fail(s, "expected a comma");
    s->first = false;
    return true;
}

bool dp_jsonscan_key(dp_jsonscan *s, dp_json_value *key)
{
    if (!follows(s, '}'))
        return false;
    skip_blanks(s);
    if (s->p == s->end || *s->p != '"')
        return fail(s, "expected a name in quotes");
    return scan_text(s, key) && (take(s, ':') || fail(s, "expected a colon"));
}

bool dp_jsonscan_item(dp_jsonscan *s)
{
    return follows(s, ']');
}

bool dp_jsonscan_value(dp_jsonscan *s, dp_json_value *value)
{
    return !s->why && scan_value(s, value, 1);
}

bool dp_jsonscan_next(dp_jsonscan *s, dp_json_value *key, dp_json_value *value)
{
    return dp_jsonscan_key(s, key) && scan_value(s, value, 1);
}

bool dp_jsonscan_enter(dp_jsonscan *inner, dp_jsonscan *outer, char open)
{
    if (outer->why || !take(outer, open))
        return false;
    *inner = *outer;
    inner->first = inner->inner = true;
    return true;
}

void dp_jsonscan_leave(dp_jsonscan *outer, const dp_jsonscan *inner)
{
    outer->p = inner->p;
    outer->why = inner->why;
}

void dp_jsonscan_init_array(dp_jsonscan *s, const dp_json_value *value)
{
    const char *p = value->raw.p;
    *s = (dp_jsonscan){.begin = p, .p = p + 1, .end = p + value->raw.n, .first = true};
}

bool dp_jsonscan_next_item(dp_jsonscan *s, dp_json_value *value)
{
    return dp_jsonscan_item(s) && scan_value(s, value, 1);
}

/* ---- texts ----------------------------------------------------------------------------------------------- */

static char *put_utf8(char *to, unsigned c)
{
    if (c < 0x80) {
        *to++ = (char)c;
    } else if (c < 0x800) {
        *to++ = (char)(0xc0 | c >> 6);
        *to++ = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *to++ = (char)(0xe0 | c >> 12);
        *to++ = (char)(0x80 | (c >> 6 & 0x3f));
        *to++ = (char)(0x80 | (c & 0x3f));
    } else {
        *to++ = (char)(0xf0 | c >> 18);
        *to++ = (char)(0x80 | (c >> 12 & 0x3f));
        *to++ = (char)(0x80 | (c >> 6 & 0x3f));
        *to++ = (char)(0x80 | (c & 0x3f));
    }
    return to;
}

/* The character of a \u at `p`, and of the \u of its second half behind it; `*p` moves behind. */
static unsigned take_unicode(const char **p, const char *end)
{
    unsigned c = (unsigned)hex4(*p + 2, end), low;
    *p += 6;
    if (c < 0xd800 || c > 0xdbff || end - *p < 6 || (*p)[0] != '\\' || (*p)[1] != 'u')
        return c;
    low = (unsigned)hex4(*p + 2, end);
    if (low < 0xdc00 || low > 0xdfff)
        return c;
    *p += 6;
    return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
}

dp_str dp_jsonscan_text(const dp_json_value *v, dp_buf *buf)
{
    static const char from[] = "bfnrt", to_byte[] = "\b\f\n\r\t";
    if (!v->escaped)
        return v->raw;
    char *to = buf->p + buf->n;
    for (const char *p = v->raw.p, *end = p + v->raw.n; p < end;) {
        if (*p != '\\') {
            *to++ = *p++;
        } else if (p[1] == 'u') {
            unsigned c = take_unicode(&p, end);
            if (c >= 0xdc80 && c <= 0xdcff)
                *to++ = (char)(c & 0xff);
            else
                to = put_utf8(to, c);
        } else {
            const char *control = memchr(from, p[1], sizeof from - 1);
            *to++ = control ? to_byte[control - from] : p[1];
            p += 2;
        }
    }
    dp_str text = {buf->p + buf->n, (size_t)(to - (buf->p + buf->n))};
    buf->n += text.n;
    return text;
}
