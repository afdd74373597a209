/* SPDX-License-Identifier: Apache-2.0 */
#include "url/resource.h"

#include "base/words/case.h"

enum { LONGEST = 80 /* bytes of a content type or an extension that are looked at */ };

typedef struct known {
    const char *text;
    dp_resource is;
} known;

/* How a content type begins. */
static const known types[] = {
    {"text/html", DP_RESOURCE_PAGE},          {"application/xhtml", DP_RESOURCE_PAGE},
    {"image/", DP_RESOURCE_IMAGE},            {"text/css", DP_RESOURCE_ASSET},
    {"text/javascript", DP_RESOURCE_ASSET},   {"application/javascript", DP_RESOURCE_ASSET},
    {"application/x-javascript", DP_RESOURCE_ASSET},
    {"font/", DP_RESOURCE_ASSET},             {"application/font", DP_RESOURCE_ASSET},
    {"application/vnd.ms-fontobject", DP_RESOURCE_ASSET},
    {"audio/", DP_RESOURCE_MEDIA},            {"video/", DP_RESOURCE_MEDIA},
    {"application/pdf", DP_RESOURCE_DOCUMENT}, {"application/postscript", DP_RESOURCE_DOCUMENT},
    {"application/msword", DP_RESOURCE_DOCUMENT}, {"application/vnd.", DP_RESOURCE_DOCUMENT},
    {"application/rtf", DP_RESOURCE_DOCUMENT}, {"application/epub", DP_RESOURCE_DOCUMENT},
    {"text/plain", DP_RESOURCE_DOCUMENT},     {"text/markdown", DP_RESOURCE_DOCUMENT},
    {"application/json", DP_RESOURCE_DATA},   {"application/ld+json", DP_RESOURCE_DATA},
    {"application/xml", DP_RESOURCE_DATA},    {"text/xml", DP_RESOURCE_DATA},
    {"application/rss", DP_RESOURCE_DATA},    {"application/atom", DP_RESOURCE_DATA},
    {"text/csv", DP_RESOURCE_DATA},           {"text/calendar", DP_RESOURCE_DATA},
    {"application/zip", DP_RESOURCE_ARCHIVE}, {"application/gzip", DP_RESOURCE_ARCHIVE},
    {"application/x-", DP_RESOURCE_ARCHIVE},  {"application/octet-stream", DP_RESOURCE_ARCHIVE},
};

static const known extensions[] = {
    {"png", DP_RESOURCE_IMAGE},    {"jpg", DP_RESOURCE_IMAGE},    {"jpeg", DP_RESOURCE_IMAGE},
    {"gif", DP_RESOURCE_IMAGE},    {"svg", DP_RESOURCE_IMAGE},    {"webp", DP_RESOURCE_IMAGE},
    {"ico", DP_RESOURCE_IMAGE},    {"bmp", DP_RESOURCE_IMAGE},    {"avif", DP_RESOURCE_IMAGE},
    {"tif", DP_RESOURCE_IMAGE},    {"tiff", DP_RESOURCE_IMAGE},   {"css", DP_RESOURCE_ASSET},
    {"js", DP_RESOURCE_ASSET},     {"mjs", DP_RESOURCE_ASSET},    {"map", DP_RESOURCE_ASSET},
    {"woff", DP_RESOURCE_ASSET},   {"woff2", DP_RESOURCE_ASSET},  {"ttf", DP_RESOURCE_ASSET},
    {"otf", DP_RESOURCE_ASSET},    {"eot", DP_RESOURCE_ASSET},    {"mp3", DP_RESOURCE_MEDIA},
    {"mp4", DP_RESOURCE_MEDIA},    {"ogg", DP_RESOURCE_MEDIA},    {"ogv", DP_RESOURCE_MEDIA},
    {"webm", DP_RESOURCE_MEDIA},   {"wav", DP_RESOURCE_MEDIA},    {"avi", DP_RESOURCE_MEDIA},
    {"mov", DP_RESOURCE_MEDIA},    {"pdf", DP_RESOURCE_DOCUMENT}, {"ps", DP_RESOURCE_DOCUMENT},
    {"doc", DP_RESOURCE_DOCUMENT}, {"docx", DP_RESOURCE_DOCUMENT}, {"odt", DP_RESOURCE_DOCUMENT},
    {"rtf", DP_RESOURCE_DOCUMENT}, {"xls", DP_RESOURCE_DOCUMENT}, {"xlsx", DP_RESOURCE_DOCUMENT},
    {"ppt", DP_RESOURCE_DOCUMENT}, {"pptx", DP_RESOURCE_DOCUMENT}, {"epub", DP_RESOURCE_DOCUMENT},
    {"txt", DP_RESOURCE_DOCUMENT}, {"md", DP_RESOURCE_DOCUMENT},  {"rst", DP_RESOURCE_DOCUMENT},
    {"xml", DP_RESOURCE_DATA},     {"rss", DP_RESOURCE_DATA},     {"atom", DP_RESOURCE_DATA},
    {"json", DP_RESOURCE_DATA},    {"csv", DP_RESOURCE_DATA},     {"ics", DP_RESOURCE_DATA},
    {"zip", DP_RESOURCE_ARCHIVE},  {"gz", DP_RESOURCE_ARCHIVE},   {"tgz", DP_RESOURCE_ARCHIVE},
    {"bz2", DP_RESOURCE_ARCHIVE},  {"xz", DP_RESOURCE_ARCHIVE},   {"7z", DP_RESOURCE_ARCHIVE},
    {"rar", DP_RESOURCE_ARCHIVE},  {"tar", DP_RESOURCE_ARCHIVE},  {"exe", DP_RESOURCE_ARCHIVE},
    {"jar", DP_RESOURCE_ARCHIVE},  {"iso", DP_RESOURCE_ARCHIVE},  {"deb", DP_RESOURCE_ARCHIVE},
    {"rpm", DP_RESOURCE_ARCHIVE},  {"dmg", DP_RESOURCE_ARCHIVE},
};

/* In lower case; at most LONGEST bytes. */
static dp_str lower(char room[LONGEST], dp_str text)
{
    size_t n = text.n < LONGEST ? text.n : LONGEST;
    for (size_t i = 0; i < n; i++)
        room[i] = dp_lower(text.p[i]);
    return (dp_str){room, n};
}

static dp_str extension(dp_str file)
{
    size_t from = file.n;
    while (from > 0 && file.p[from - 1] != '.')
        from--;
    return from ? dp_str_cut(file, from, file.n) : (dp_str){NULL, 0};
}

dp_resource dp_resource_of(dp_str mime, dp_str file)
{
    char   room[LONGEST];
    dp_str small = lower(room, mime);
    for (size_t i = 0; i < DP_COUNT(types); i++) {
        if (dp_str_starts(small, dp_str_c(types[i].text)))
            return types[i].is;
    }
    small = lower(room, extension(file));
    for (size_t i = 0; i < DP_COUNT(extensions); i++) {
        if (dp_str_eq(small, dp_str_c(extensions[i].text)))
            return extensions[i].is;
    }
    return DP_RESOURCE_PAGE;
}

static const char *const names[DP_RESOURCES][2] = {
    [DP_RESOURCE_PAGE] = {"page", "pages"},
    [DP_RESOURCE_IMAGE] = {"image", "images"},
    [DP_RESOURCE_ASSET] = {"asset", "styles and scripts"},
    [DP_RESOURCE_MEDIA] = {"media", "sound and film"},
    [DP_RESOURCE_DOCUMENT] = {"document", "documents"},
    [DP_RESOURCE_DATA] = {"data", "feeds and data"},
    [DP_RESOURCE_ARCHIVE] = {"archive", "archives"},
};

const char *dp_resource_name(dp_resource r)
{
    return names[r][0];
}

const char *dp_resource_names(dp_resource r)
{
    return names[r][1];
}
