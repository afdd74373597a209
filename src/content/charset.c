/* SPDX-License-Identifier: Apache-2.0 */
#include "content/charset.h"

#include <errno.h>
#include <iconv.h>

#include "base/words/utf8.h"
#include "url/chars.h"

enum {
    META_WITHIN = 1024, /* bytes in which <meta> must stand, as browsers do */
    MAX_LABEL = 24      /* letters and digits; longer ones are not in the table */
};

/* Labels of the Encoding Standard, letters and digits only; windows-125x and x-cp125x stand
 * in the row of cp125x. */
static const struct {
    const char *label, *name;
} labels[] = {
    {"utf8", "UTF-8"}, {"unicode11utf8", "UTF-8"}, {"xunicode20utf8", "UTF-8"},
    {"utf16", "UTF-16LE"}, {"utf16le", "UTF-16LE"}, {"utf16be", "UTF-16BE"}, {"unicode", "UTF-16LE"},
    {"ucs2", "UTF-16LE"}, {"iso10646ucs2", "UTF-16LE"},
    {"ascii", "CP1252"}, {"usascii", "CP1252"}, {"latin1", "CP1252"}, {"l1", "CP1252"}, {"iso88591", "CP1252"},
    {"cp1252", "CP1252"}, {"cp819", "CP1252"}, {"ibm819", "CP1252"}, {"ansix341968", "CP1252"},
    {"iso88592", "ISO-8859-2"}, {"latin2", "ISO-8859-2"}, {"l2", "ISO-8859-2"},
    {"iso88593", "ISO-8859-3"}, {"latin3", "ISO-8859-3"}, {"iso88594", "ISO-8859-4"}, {"latin4", "ISO-8859-4"},
    {"iso88595", "ISO-8859-5"}, {"cyrillic", "ISO-8859-5"}, {"iso88596", "ISO-8859-6"}, {"arabic", "ISO-8859-6"},
    {"iso88597", "ISO-8859-7"}, {"greek", "ISO-8859-7"}, {"iso88598", "ISO-8859-8"}, {"iso88598i", "ISO-8859-8"},
    {"hebrew", "ISO-8859-8"}, {"iso88599", "CP1254"}, {"latin5", "CP1254"}, {"l5", "CP1254"}, {"cp1254", "CP1254"},
    {"iso885910", "ISO-8859-10"}, {"latin6", "ISO-8859-10"}, {"iso885911", "CP874"}, {"tis620", "CP874"},
    {"windows874", "CP874"}, {"iso885913", "ISO-8859-13"}, {"iso885914", "ISO-8859-14"},
    {"iso885915", "ISO-8859-15"}, {"latin9", "ISO-8859-15"}, {"l9", "ISO-8859-15"}, {"iso885916", "ISO-8859-16"},
    {"cp1250", "CP1250"}, {"cp1251", "CP1251"}, {"cp1253", "CP1253"}, {"cp1255", "CP1255"}, {"cp1256", "CP1256"},
    {"cp1257", "CP1257"}, {"cp1258", "CP1258"}, {"cp866", "CP866"}, {"ibm866", "CP866"},
    {"koi", "KOI8-R"}, {"koi8", "KOI8-R"}, {"koi8r", "KOI8-R"}, {"koi8u", "KOI8-U"}, {"koi8ru", "KOI8-U"},
    {"macintosh", "MACINTOSH"}, {"mac", "MACINTOSH"}, {"xmacroman", "MACINTOSH"},
    {"gb2312", "GB18030"}, {"gbk", "GB18030"}, {"xgbk", "GB18030"}, {"gb18030", "GB18030"},
    {"gb231280", "GB18030"}, {"chinese", "GB18030"}, {"big5", "BIG5-HKSCS"}, {"big5hkscs", "BIG5-HKSCS"},
    {"xxbig5", "BIG5-HKSCS"}, {"cnbig5", "BIG5-HKSCS"},
    {"shiftjis", "CP932"}, {"sjis", "CP932"}, {"xsjis", "CP932"}, {"mskanji", "CP932"}, {"windows31j", "CP932"},
    {"ms932", "CP932"}, {"eucjp", "EUC-JP"}, {"xeucjp", "EUC-JP"}, {"iso2022jp", "ISO-2022-JP"},
    {"euckr", "CP949"}, {"ksc56011987", "CP949"}, {"ksc5601", "CP949"}, {"korean", "CP949"}, {"windows949", "CP949"},
};

/* What iconv calls `label`; NULL when the table does not know it. */
static const char *find_label(dp_str label)
{
    char   plain[MAX_LABEL];
    size_t n = 0;
    for (size_t i = 0; i < label.n; i++) {
        if (!dp_is(label.p[i], DP_CH_ALNUM))
            continue;
        if (n == sizeof plain)
            return NULL;
        plain[n++] = dp_lower(label.p[i]);
    }
    dp_str want = {plain, n};
    if ((n == 11 && memcmp(plain, "windows125", 10) == 0) || (n == 7 && memcmp(plain, "xcp125", 6) == 0)) {
        memcpy(plain + n - 6, "cp", 2);
        want = dp_str_cut(want, n - 6, n);
    }
    for (size_t i = 0; i < DP_COUNT(labels); i++) {
        if (dp_str_eq(want, dp_str_c(labels[i].label)))
            return labels[i].name;
    }
    return NULL;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool at_word(dp_str s, size_t at, const char *word)
{
    return dp_str_starts_but_case(dp_str_cut(s, at, s.n), dp_str_c(word));
}

/* The value after "charset" and "=" in `s`, with or without quotes; from `*at`, which moves
 * behind it. Empty when there is none. */
static dp_str next_charset(dp_str s, size_t *at)
{
    for (size_t i = *at; i < s.n; i++) {
        if (!at_word(s, i, "charset"))
            continue;
        size_t j = i + 7;
        while (j < s.n && is_blank(s.p[j]))
            j++;
        if (j == s.n || s.p[j] != '=')
            continue;
        for (j++; j < s.n && (is_blank(s.p[j]) || s.p[j] == '"' || s.p[j] == '\''); j++) {}
        size_t end = j;
        while (end < s.n && !is_blank(s.p[end]) && !strchr(";\"'/>,", s.p[end]))
            end++;
        *at = end;
        return dp_str_cut(s, j, end);
    }
    *at = s.n;
    return (dp_str){0};
}

/* The value of the parameter charset in "text/html; charset=utf-8"; empty when there is none. */
static dp_str charset_param(dp_str content_type)
{
    const char *semicolon = content_type.n ? memchr(content_type.p, ';', content_type.n) : NULL;
    size_t      at = semicolon ? (size_t)(semicolon - content_type.p) : content_type.n;
    return next_charset(content_type, &at);
}

/* What <meta charset=x> or <meta content="text/html; charset=x"> near the top says. */
static const char *find_meta(dp_str page)
{
    dp_str top = dp_str_cut(page, 0, page.n < META_WITHIN ? page.n : META_WITHIN);
    for (size_t i = 0; i < top.n; i++) {
        if (top.p[i] != '<')
            continue;
        if (at_word(top, i, "<!--")) {
            for (i += 2; i < top.n && !at_word(top, i, "-->"); i++) {}
            continue;
        }
        if (!at_word(top, i, "<meta") || i + 5 == top.n || (!is_blank(top.p[i + 5]) && top.p[i + 5] != '/'))
            continue;
        size_t end = i;
        while (end < top.n && top.p[end] != '>')
            end++;
        size_t      at = i;
        const char *name = find_label(next_charset(dp_str_cut(top, 0, end), &at));
        /* It was read as ASCII, so it is not UTF-16 whatever it says. */
        if (name)
            return strncmp(name, "UTF-16", 6) == 0 ? "UTF-8" : name;
    }
    return NULL;
}

static const struct {
    dp_str      bytes;
    const char *name;
} marks[] = {
    {{"\xEF\xBB\xBF", 3}, "UTF-8"},
    {{"\xFE\xFF", 2}, "UTF-16BE"},
    {{"\xFF\xFE", 2}, "UTF-16LE"},
};

const char *dp_charset_find(dp_str page, dp_str content_type, bool is_html)
{
    for (size_t i = 0; i < DP_COUNT(marks); i++) {
        if (dp_str_starts(page, marks[i].bytes))
            return marks[i].name;
    }
    const char *name = find_label(charset_param(content_type));
    if (!name && is_html)
        name = find_meta(page);
    return name ? name : dp_utf8_is_valid(page) ? "UTF-8" : "CP1252";
}

/* Append the conversion of `page` by c->cd. */
static void convert(dp_charset *c, dp_buf *out, dp_str page)
{
    char  *in = (char *)(uintptr_t)page.p; /* iconv does not write there */
    size_t left = page.n;
    size_t unit = strncmp(c->open, "UTF-16", 6) == 0 ? 2 : 1;
    bool   last = false;
    iconv(c->cd, NULL, NULL, NULL, NULL);
    while (!last && dp_buf_room(out, left + 16)) {
        char  *to = out->p + out->n;
        size_t room = out->cap - out->n;
        last = !left; /* some conversions hold a character back */
        size_t bad = iconv(c->cd, last ? NULL : &in, &left, &to, &room);
        out->n = (size_t)(to - out->p);
        if (last || bad != (size_t)-1 || errno == E2BIG)
            continue;
        /* EILSEQ, or EINVAL at a character that is cut off: pass over what has no meaning. */
        size_t skip = unit < left ? unit : left;
        dp_utf8_put(out, 0xFFFD);
        in += skip;
        left -= skip;
    }
}

void dp_charset_convert(dp_charset *c, dp_buf *out, dp_str page, const char *name)
{
    for (size_t i = 0; i < DP_COUNT(marks); i++) {
        if (strcmp(name, marks[i].name) == 0 && dp_str_starts(page, marks[i].bytes))
            page = dp_str_cut(page, marks[i].bytes.n, page.n);
    }
    if (strcmp(name, "UTF-8") != 0 && (!c->open || strcmp(c->open, name) != 0)) {
        dp_charset_done(c);
        iconv_t cd = iconv_open("UTF-8", name);
        if (cd != (iconv_t)-1) {
            c->cd = cd;
            c->open = name;
        }
    }
    /* A system without that conversion: the letters of ASCII survive. */
    if (strcmp(name, "UTF-8") != 0 && c->open)
        convert(c, out, page);
    else
        dp_utf8_clean(out, page);
}

void dp_charset_done(dp_charset *c)
{
    if (c->open)
        iconv_close(c->cd);
    *c = (dp_charset){0};
}
