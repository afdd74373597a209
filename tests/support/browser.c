/* SPDX-License-Identifier: Apache-2.0 */
#include "support/browser.h"

#include <arpa/inet.h>
#include <idn2.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "url/chars.h"
#include "url/normalize.h"
#include "url/split.h"

/* ---- editing texts --------------------------------------------------------------------- */

static dp_str taken(dp_buf *b, dp_arena *a)
{
    dp_str s = dp_arena_str(a, dp_buf_view(b));
    if (b->failed || !s.p)
        abort(); /* memory is out */
    dp_buf_done(b);
    return s;
}

/* `*text` with the bytes [from, to) replaced; whether that changed it. */
static bool put(browser_case *c, dp_str *text, size_t from, size_t to, dp_str by)
{
    if (dp_str_eq(dp_str_cut(*text, from, to), by))
        return false;
    dp_buf b = {0};
    dp_buf_add(&b, text->p, from);
    dp_buf_str(&b, by);
    dp_buf_add(&b, text->p + to, text->n - to);
    *text = taken(&b, c->a);
    return true;
}

typedef enum part { USER, HOST, PATH, QUERY } part;

/* Appends the edited part; sees whether it is there by its pointer. */
typedef void edit(dp_buf *out, dp_str s);

static bool edit_part(browser_case *c, dp_str *text, part which, edit *how)
{
    dp_split s;
    if (!text->p || !dp_split_url(&s, *text))
        return false;
    dp_str *parts[] = {&s.user, &s.host, &s.path, &s.query};
    dp_str  old = *parts[which];
    if (!old.p)
        return false;
    dp_buf b = {0};
    how(&b, old);
    dp_str edited = taken(&b, c->a);
    size_t at = (size_t)(old.p - text->p);
    return put(c, text, at, at + old.n, edited);
}

/* The same for userinfo, path and query of both texts. */
static bool edit_data(browser_case *c, edit *how)
{
    bool changed = false;
    for (int i = 0; i < 2; i++) {
        dp_str *text = i ? &c->ours : &c->href;
        changed |= edit_part(c, text, USER, how);
        changed |= edit_part(c, text, PATH, how);
        changed |= edit_part(c, text, QUERY, how);
    }
    return changed;
}

static size_t find_any(dp_str s, const char *bytes)
{
    size_t i = 0;
    while (i < s.n && !(s.p[i] && strchr(bytes, s.p[i])))
        i++;
    return i;
}

/* ---- reasons that act on the input ----------------------------------------------------- */

static bool trims_ends(browser_case *c)
{
    size_t from = 0, to = c->input.n;
    while (from < to && (unsigned char)c->input.p[from] <= ' ')
        from++;
    while (to > from && (unsigned char)c->input.p[to - 1] <= ' ')
        to--;
    bool changed = to - from < c->input.n;
    c->input = dp_str_cut(c->input, from, to);
    return changed;
}

static bool drops_tabs(browser_case *c)
{
    dp_buf b = {0};
    for (size_t i = 0; i < c->input.n; i++)
        if (c->input.p[i] != '\t' && c->input.p[i] != '\n' && c->input.p[i] != '\r')
            dp_buf_byte(&b, c->input.p[i]);
    bool changed = b.n < c->input.n;
    c->input = taken(&b, c->a);
    return changed;
}

static bool turns_backslashes(browser_case *c)
{
    size_t end = find_any(c->input, "?#");
    dp_buf b = {0};
    for (size_t i = 0; i < end; i++)
        dp_buf_byte(&b, c->input.p[i] == '\\' ? '/' : c->input.p[i]);
    return put(c, &c->input, 0, end, taken(&b, c->a));
}

static bool counts_no_slashes(browser_case *c)
{
    size_t colon = find_any(c->input, ":"), end = colon + 1;
    while (end < c->input.n && c->input.p[end] == '/')
        end++;
    return colon < c->input.n && put(c, &c->input, colon + 1, end, DP_STR("//"));
}

static void replace_host_bytes(dp_buf *out, dp_str host)
{
    for (size_t i = 0; i < host.n; i++)
        dp_buf_byte(out, host.p[i] && strchr("!\"$&'()*+,;=`{}", host.p[i]) ? 'x' : host.p[i]);
}

static bool allows_host_bytes(browser_case *c)
{
    return c->href.p && edit_part(c, &c->input, HOST, replace_host_bytes) &&
           edit_part(c, &c->href, HOST, replace_host_bytes);
}

static void decode_host(dp_buf *out, dp_str host)
{
    for (size_t i = 0; i < host.n; i++) {
        bool escape = dp_is_escape(host.p + i, host.n - i);
        dp_buf_byte(out, escape ? dp_unescape(host.p + i) : host.p[i]);
        i += escape ? 2 : 0;
    }
}

/* What libidn2 says of the input's host. */
static int idn_answer(browser_case *c)
{
    dp_split s;
    dp_buf   name = {0};
    char    *ascii = NULL;
    if (!dp_split_url(&s, c->input))
        return IDN2_OK;
    decode_host(&name, s.host);
    dp_buf_byte(&name, 0);
    int rc = idn2_to_ascii_8z(name.p, &ascii, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL);
    if (rc == IDN2_OK)
        idn2_free(ascii);
    dp_buf_done(&name);
    return rc;
}

static bool take_browsers_host(browser_case *c)
{
    dp_split ours, theirs;
    if (!c->href.p || !dp_split_url(&ours, c->input) || !dp_split_url(&theirs, c->href))
        return false;
    size_t at = (size_t)(ours.host.p - c->input.p);
    return put(c, &c->input, at, at + ours.host.n, theirs.host);
}

/* Characters whose entries in the table of UTS #46 have changed since that of libidn2 2.3. */
static bool is_newer(dp_str input)
{
    static const char *const changed[] = {"\xE1\xBA\x9E", "\xD3\x80",         "\xE2\x86\x83",
                                          "\xE1\xA0\x8E", "\xF0\xAF\xA1\xA8", "\xE2\x81\xAB"};
    for (size_t i = 0; i < DP_COUNT(changed); i++)
        if (memmem(input.p, input.n, changed[i], strlen(changed[i])))
            return true;
    return false;
}

static bool has_newer_idn(browser_case *c)
{
    return is_newer(c->input) && take_browsers_host(c);
}

static bool allows_symbols(browser_case *c)
{
    return !is_newer(c->input) && idn_answer(c) == IDN2_DISALLOWED && take_browsers_host(c);
}

static bool allows_hyphens(browser_case *c)
{
    int rc = idn_answer(c);
    return (rc == IDN2_2HYPHEN || rc == IDN2_HYPHEN_STARTEND) && take_browsers_host(c);
}

static bool allows_long_names(browser_case *c)
{
    int rc = idn_answer(c);
    return (rc == IDN2_TOO_BIG_LABEL || rc == IDN2_TOO_BIG_DOMAIN) && take_browsers_host(c);
}

/* ---- reasons that act on what was written ---------------------------------------------- */

static bool keeps_fragment(browser_case *c)
{
    size_t hash = c->href.p ? find_any(c->href, "#") : 0;
    return hash < c->href.n && put(c, &c->href, hash, c->href.n, DP_STR(""));
}

static bool drops_empty_userinfo(browser_case *c)
{
    dp_split s;
    if (!c->ours.p || !dp_split_url(&s, c->ours) || !s.has_user)
        return false;
    size_t at = (size_t)(s.user.p - c->ours.p), end = at + s.user.n;
    if (s.user.n == 0 || dp_str_eq(s.user, DP_STR(":")))
        return put(c, &c->ours, at, end + 1, DP_STR(""));
    return c->ours.p[end - 1] == ':' && put(c, &c->ours, end - 1, end, DP_STR(""));
}

static void decode_some(dp_buf *out, dp_str s, const char *bytes)
{
    for (size_t i = 0; i < s.n; i++) {
        bool escape = dp_is_escape(s.p + i, s.n - i) && strchr(bytes, dp_unescape(s.p + i)) && dp_unescape(s.p + i);
        dp_buf_byte(out, escape ? dp_unescape(s.p + i) : s.p[i]);
        i += escape ? 2 : 0;
    }
}

static void decode_user_bytes(dp_buf *out, dp_str s)
{
    decode_some(out, s, ":;=@[]");
}

static bool escapes_userinfo(browser_case *c)
{
    bool theirs = edit_part(c, &c->href, USER, decode_user_bytes);
    return edit_part(c, &c->ours, USER, decode_user_bytes) || theirs;
}

static void decode_apostrophe(dp_buf *out, dp_str s)
{
    decode_some(out, s, "'");
}

static bool escapes_apostrophe(browser_case *c)
{
    bool theirs = edit_part(c, &c->href, QUERY, decode_apostrophe);
    return edit_part(c, &c->ours, QUERY, decode_apostrophe) || theirs;
}

static void decode_unreserved(dp_buf *out, dp_str s)
{
    decode_some(out, s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~");
}

static bool keeps_unreserved(browser_case *c)
{
    return edit_data(c, decode_unreserved);
}

static void raise_hex(dp_buf *out, dp_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        bool digit = (i >= 1 && dp_is_escape(s.p + i - 1, s.n - i + 1)) ||
                     (i >= 2 && dp_is_escape(s.p + i - 2, s.n - i + 2));
        dp_buf_byte(out, digit ? dp_upper(s.p[i]) : s.p[i]);
    }
}

static bool keeps_hex_case(browser_case *c)
{
    return edit_data(c, raise_hex);
}

static void escape_percent(dp_buf *out, dp_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        dp_buf_byte(out, s.p[i]);
        if (s.p[i] == '%' && !dp_is_escape(s.p + i, s.n - i))
            dp_buf_c(out, "25");
    }
}

static bool keeps_stray_percent(browser_case *c)
{
    return edit_data(c, escape_percent);
}

static void escape_more(dp_buf *out, dp_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] && strchr("\\^`{|}", s.p[i]))
            dp_buf_printf(out, "%%%02X", (unsigned)(unsigned char)s.p[i]);
        else
            dp_buf_byte(out, s.p[i]);
}

static bool escapes_less(browser_case *c)
{
    return edit_data(c, escape_more);
}

static bool keeps_empty_pairs(browser_case *c)
{
    dp_split s;
    dp_buf   b = {0};
    if (!c->href.p || !dp_split_url(&s, c->href) || !s.has_query)
        return false;
    for (size_t i = 0; i < s.query.n;) {
        dp_str rest = dp_str_cut(s.query, i, s.query.n);
        size_t n = find_any(rest, "&;");
        if (n) {
            dp_buf_byte(&b, b.n ? s.query.p[i - 1] : '?');
            dp_buf_add(&b, rest.p, n);
        }
        i += n + 1;
    }
    size_t at = (size_t)(s.query.p - c->href.p);
    return put(c, &c->href, at - 1, at + s.query.n, taken(&b, c->a));
}

/* A number as browsers read it in an IPv4 address; -1 when it is none, -2 when it is one with bad digits. */
static int64_t ipv4_number(dp_str s)
{
    unsigned base = 10;
    bool     all_digits = s.n > 0;
    int64_t  value = 0;
    for (size_t i = 0; i < s.n; i++)
        all_digits &= dp_is(s.p[i], DP_CH_DIGIT);
    if (s.n >= 2 && s.p[0] == '0' && s.p[1] == 'x') {
        base = 16;
        s = dp_str_cut(s, 2, s.n);
    } else if (s.n >= 2 && s.p[0] == '0') {
        base = 8;
    }
    for (size_t i = 0; i < s.n; i++) {
        if (!dp_is(s.p[i], DP_CH_HEX) || (unsigned)dp_hex(s.p[i]) >= base)
            return all_digits ? -2 : -1;
        value = value * base + dp_hex(s.p[i]);
        value = value > UINT32_MAX ? (int64_t)UINT32_MAX + 1 : value;
    }
    return base == 10 && !all_digits ? -1 : value;
}

/* A host that ends in a number is an IPv4 address to a browser, in its usual form or, when it is a bad one, no URL. */
static bool reads_ipv4(browser_case *c)
{
    dp_split s;
    if (!c->ours.p || !dp_split_url(&s, c->ours) || s.host.p[0] == '[')
        return false;
    dp_str   host = s.host;
    int64_t  number[5], address = 0;
    size_t   n = 0;
    bool     bad = false;
    if (host.n > 1 && host.p[host.n - 1] == '.')
        host.n--;
    for (size_t i = 0; i <= host.n;) {
        size_t dot = i + find_any(dp_str_cut(host, i, host.n), ".");
        number[n < 4 ? n : 4] = ipv4_number(dp_str_cut(host, i, dot));
        bad |= number[n < 4 ? n : 4] < 0 || dot == i;
        n++;
        i = dot + 1;
    }
    if (number[n < 5 ? n - 1 : 4] == -1)
        return false;
    bad |= n > 4;
    for (size_t i = 0; i < n && !bad; i++) {
        bool last = i + 1 == n;
        bad |= number[i] > (last ? (int64_t)(UINT32_MAX >> 8 * i) : 255);
        address += last ? number[i] : number[i] << 8 * (3 - i);
    }
    if (bad) {
        c->ours = (dp_str){NULL, 0};
        return true;
    }
    struct in_addr in = {.s_addr = htonl((uint32_t)address)};
    char           text[INET_ADDRSTRLEN] = "";
    inet_ntop(AF_INET, &in, text, sizeof text);
    size_t at = (size_t)(s.host.p - c->ours.p);
    return put(c, &c->ours, at, at + s.host.n, dp_str_c(text));
}

static void expand_ipv6(dp_buf *out, dp_str host)
{
    char            text[64];
    struct in6_addr in;
    snprintf(text, sizeof text, "%.*s", host.n > 2 ? (int)host.n - 2 : 0, host.p + 1);
    if (host.p[0] != '[' || inet_pton(AF_INET6, text, &in) != 1) {
        dp_buf_str(out, host);
        return;
    }
    dp_buf_byte(out, '[');
    for (size_t i = 0; i < sizeof in.s6_addr; i++)
        dp_buf_printf(out, "%s%02x", i && i % 2 == 0 ? ":" : "", in.s6_addr[i]);
    dp_buf_byte(out, ']');
}

static bool compresses_ipv6(browser_case *c)
{
    bool theirs = edit_part(c, &c->href, HOST, expand_ipv6);
    return edit_part(c, &c->ours, HOST, expand_ipv6) || theirs;
}

/* ---- all of them ----------------------------------------------------------------------- */

const browser_reason browser_reasons[BROWSER_REASONS] = {
    {"ends", true, trims_ends},
    {"tabs", true, drops_tabs},
    {"backslash", true, turns_backslashes},
    {"slashes", true, counts_no_slashes},
    {"host-bytes", true, allows_host_bytes},
    {"idn-table", true, has_newer_idn},
    {"idn-symbols", true, allows_symbols},
    {"idn-hyphens", true, allows_hyphens},
    {"idn-length", true, allows_long_names},
    {"fragment", false, keeps_fragment},
    {"empty-userinfo", false, drops_empty_userinfo},
    {"userinfo-escapes", false, escapes_userinfo},
    {"ipv4", false, reads_ipv4},
    {"ipv6", false, compresses_ipv6},
    {"unreserved", false, keeps_unreserved},
    {"hex-case", false, keeps_hex_case},
    {"stray-percent", false, keeps_stray_percent},
    {"more-escapes", false, escapes_less},
    {"apostrophe", false, escapes_apostrophe},
    {"empty-pairs", false, keeps_empty_pairs},
};

dp_str browser_stage_0(dp_str input, dp_arena *a)
{
    dp_buf b = {0};
    bool   ok = dp_normalize(&b, input);
    dp_str s = taken(&b, a);
    return ok ? s : (dp_str){NULL, 0};
}

bool browser_explain(browser_case c, unsigned set)
{
    for (size_t i = 0; i < BROWSER_REASONS; i++)
        if ((set >> i & 1) && browser_reasons[i].before)
            browser_reasons[i].act(&c);
    c.ours = browser_stage_0(c.input, c.a);
    for (size_t i = 0; i < BROWSER_REASONS; i++)
        if ((set >> i & 1) && !browser_reasons[i].before)
            browser_reasons[i].act(&c);
    return !c.ours.p == !c.href.p && dp_str_eq(c.ours, c.href);
}

bool browser_is_absolute(dp_str input, const char *base, dp_arena *a)
{
    browser_case c = {.a = a, .input = input};
    trims_ends(&c);
    drops_tabs(&c);
    turns_backslashes(&c);
    size_t colon = find_any(c.input, ":");
    if ((colon != 4 && colon != 5) || colon >= c.input.n || strncasecmp(c.input.p, "https", colon) != 0)
        return false;
    bool slashes = dp_str_starts(dp_str_cut(c.input, colon + 1, c.input.n), DP_STR("//"));
    return slashes || !base || strncasecmp(base, c.input.p, colon + 1) != 0;
}
