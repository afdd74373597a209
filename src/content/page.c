/* SPDX-License-Identifier: Apache-2.0 */
#include "content/page.h"

#include <stdlib.h>

#include "base/words/case.h"
#include "content/charset.h"
#include "content/html.h"
#include "content/squeeze.h"
#include "url/resolve.h"

enum { SNIFFED = 1024 /* bytes looked at to tell the kind */ };

struct dp_page_reader {
    dp_charset charset;
    dp_html    html;
    dp_buf     utf8;      /* the whole page */
    dp_buf     text;      /* of what is no HTML */
    dp_buf     base;      /* what links are relative to */
    dp_buf     canonical;
    dp_buf     linked;    /* the canonical link of the header */
};

dp_err dp_page_reader_new(dp_page_reader **out)
{
    *out = calloc(1, sizeof **out);
    return *out ? DP_OK : DP_ENOMEM;
}

void dp_page_reader_free(dp_page_reader *r)
{
    if (!r)
        return;
    dp_charset_done(&r->charset);
    dp_html_done(&r->html);
    dp_buf_done(&r->utf8);
    dp_buf_done(&r->text);
    dp_buf_done(&r->base);
    dp_buf_done(&r->canonical);
    dp_buf_done(&r->linked);
    free(r);
}

/* ---- headers ------------------------------------------------------------------------------------ */

/* The next header named `name` from `*at` on, which moves behind it; false when there is none. */
static bool next_header(dp_str block, size_t *at, const char *name, dp_str *value)
{
    while (*at < block.n) {
        const char *lf = memchr(block.p + *at, '\n', block.n - *at);
        size_t      end = lf ? (size_t)(lf - block.p) : block.n;
        dp_str      line = dp_str_cut(block, *at, end);
        const char *colon = line.n ? memchr(line.p, ':', line.n) : NULL;
        *at = end + 1;
        if (!colon || !dp_is_word(dp_str_trim(dp_str_cut(line, 0, (size_t)(colon - line.p))), name))
            continue;
        *value = dp_str_trim(dp_str_cut(line, (size_t)(colon - line.p) + 1, line.n));
        return true;
    }
    return false;
}

/* The target of `Link: <target>; rel="canonical"`; the parts of a list are looked at one by one. */
static dp_str find_link(dp_str header)
{
    dp_str value;
    for (size_t at = 0; next_header(header, &at, "link", &value);) {
        for (size_t i = 0; i < value.n;) {
            const char *open = memchr(value.p + i, '<', value.n - i);
            const char *close = open ? memchr(open, '>', value.n - (size_t)(open - value.p)) : NULL;
            if (!close)
                break;
            dp_str target = {open + 1, (size_t)(close - open) - 1};
            i = (size_t)(close - value.p) + 1;
            size_t end = i;
            while (end < value.n && value.p[end] != '<')
                end++;
            for (size_t k = i; k + 4 < end; k++) {
                if (!dp_str_starts_but_case(dp_str_cut(value, k, end), DP_STR("rel=")))
                    continue;
                dp_str rel = dp_str_cut(value, k + 4, end);
                while (rel.n && (rel.p[0] == '"' || rel.p[0] == ' '))
                    rel = dp_str_cut(rel, 1, rel.n);
                if (dp_str_starts_but_case(rel, DP_STR("canonical")))
                    return target;
            }
            i = end;
        }
    }
    return (dp_str){0};
}

/* ---- kinds --------------------------------------------------------------------------------------- */

/* Files whose first bytes leave no doubt, whatever a server calls them. */
static bool has_magic(dp_str body)
{
    static const dp_str magic[] = {
        {"%PDF-", 5}, {"GIF8", 4}, {"\x89PNG", 4}, {"\xFF\xD8\xFF", 3}, {"PK\3\4", 4}, {"\x1F\x8B", 2},
        {"RIFF", 4}, {"ID3", 3}, {"OggS", 4}, {"\x7F" "ELF", 4}, {"\xD0\xCF\x11\xE0", 4}, {"Rar!", 4}, {"BZh", 3},
        {"wOFF", 4}, {"wOF2", 4}, {"\0\0\1\0", 4}, {"\x28\xB5\x2F\xFD", 4}, {"CWS", 3}, {"FWS", 3},
    };
    for (size_t i = 0; i < DP_COUNT(magic); i++) {
        if (dp_str_starts(body, magic[i]))
            return true;
    }
    return false;
}

static dp_page_kind sniff(dp_str body)
{
    static const char *const tags[] = {"<html", "<!doctype html", "<head", "<body", "<title"};
    dp_str                   top = dp_str_cut(body, 0, body.n < SNIFFED ? body.n : SNIFFED);
    bool   is_wide = dp_str_starts(top, DP_STR("\xFF\xFE")) || dp_str_starts(top, DP_STR("\xFE\xFF"));
    if (top.n && !is_wide && memchr(top.p, 0, top.n))
        return DP_PAGE_BINARY;
    for (size_t i = 0; i < DP_COUNT(tags); i++) {
        if (dp_str_has_but_case(top, dp_str_c(tags[i])))
            return DP_PAGE_HTML;
    }
    return DP_PAGE_TEXT;
}

static dp_page_kind find_kind(dp_str type, dp_str body)
{
    static const char *const texts[] = {
        "application/json", "application/xml", "application/javascript", "application/x-javascript",
        "application/ecmascript", "application/x-sh", "application/x-httpd-php", "message/rfc822",
    };
    const char *semicolon = type.n ? memchr(type.p, ';', type.n) : NULL;
    dp_str      name = dp_str_trim(dp_str_cut(type, 0, semicolon ? (size_t)(semicolon - type.p) : type.n));
    if (has_magic(body))
        return DP_PAGE_BINARY;
    if (!name.n || dp_is_word(name, "unk") || dp_is_word(name, "-") || dp_is_word(name, "no-type"))
        return sniff(body);
    if (dp_is_word(name, "text/html") || dp_is_word(name, "application/xhtml+xml"))
        return DP_PAGE_HTML;
    if (name.n > 5 && (dp_str_starts_but_case(name, DP_STR("text/")) || dp_str_ends_but_case(name, DP_STR("+xml")) ||
                       dp_str_ends_but_case(name, DP_STR("+json"))))
        return DP_PAGE_TEXT;
    for (size_t i = 0; i < DP_COUNT(texts); i++) {
        if (dp_is_word(name, texts[i]))
            return DP_PAGE_TEXT;
    }
    return DP_PAGE_BINARY;
}

/* ---- a page --------------------------------------------------------------------------------------- */

/* Resolve both canonical links; r->canonical is empty when there is none or they differ. */
static void find_canonical(dp_page_reader *r, const dp_page_source *in)
{
    dp_str page = dp_buf_view(&r->html.canonical), link = find_link(in->header);
    dp_str base = in->url;
    dp_buf_reset(&r->base);
    dp_buf_reset(&r->canonical);
    dp_buf_reset(&r->linked);
    if (r->html.base.n && dp_resolve(&r->base, in->url, dp_buf_view(&r->html.base)))
        base = dp_buf_view(&r->base);
    if (page.n)
        dp_resolve(&r->canonical, base, page);
    if (link.n)
        dp_resolve(&r->linked, in->url, link);
    bool differ = r->canonical.n && r->linked.n && !dp_str_eq(dp_buf_view(&r->canonical), dp_buf_view(&r->linked));
    if (!r->canonical.n)
        dp_buf_str(&r->canonical, dp_buf_view(&r->linked));
    if (differ || r->html.disputed)
        r->canonical.n = 0;
}

/* The page in UTF-8. */
static dp_err convert(dp_page_reader *r, dp_str type, dp_str body, bool is_html)
{
    dp_buf_reset(&r->utf8);
    dp_charset_convert(&r->charset, &r->utf8, body, dp_charset_find(body, type, is_html));
    return r->utf8.failed ? DP_ENOMEM : DP_OK;
}

dp_err dp_page_read(dp_page_reader *r, dp_page *out, const dp_page_source *in)
{
    dp_str type = {0};
    size_t at = 0;
    if (!next_header(in->header, &at, "content-type", &type))
        type = in->mime;
    *out = (dp_page){.kind = find_kind(type, in->body)};
    dp_buf_reset(&r->html.canonical);
    dp_buf_reset(&r->html.base);
    r->html.disputed = false;
    if (out->kind == DP_PAGE_HTML) {
        DP_TRY(convert(r, type, in->body, true));
        dp_err code = dp_html_read(&r->html, dp_buf_view(&r->utf8));
        if (code != DP_OK && code != DP_ELIMIT)
            return code;
        out->text = dp_buf_view(&r->html.text);
        out->title = dp_buf_view(&r->html.title);
        out->marks = (const dp_mark *)(const void *)r->html.marks.p;
        out->nmark = r->html.marks.n / sizeof *out->marks;
        out->kind = code == DP_OK ? DP_PAGE_HTML : DP_PAGE_BINARY;
    } else if (out->kind == DP_PAGE_TEXT) {
        DP_TRY(convert(r, type, in->body, false));
        dp_buf_reset(&r->text);
        dp_squeeze s = {.out = &r->text};
        dp_squeeze_add(&s, dp_buf_view(&r->utf8));
        if (r->text.failed)
            return DP_ENOMEM;
        out->text = dp_buf_view(&r->text);
    }
    find_canonical(r, in);
    out->canonical = dp_buf_view(&r->canonical);
    return r->base.failed || r->canonical.failed || r->linked.failed ? DP_ENOMEM : DP_OK;
}
