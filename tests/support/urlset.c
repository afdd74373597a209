/* SPDX-License-Identifier: Apache-2.0 */
#include "support/urlset.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <zlib.h>

enum { MAX_URL = 2000, CHUNK = 1 << 18 };

static size_t hash(dp_str s)
{
    uint64_t h = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (unsigned char)s.p[i]) * 1099511628211u;
    return (size_t)(h ^ (h >> 32));
}

static void *need(void *p)
{
    if (!p)
        abort();
    return p;
}

static size_t *find(const urlset *s, dp_str url)
{
    size_t i = hash(url) & (s->nslot - 1);
    while (s->slot[i] && !dp_str_eq(s->v[s->slot[i] - 1], url))
        i = (i + 1) & (s->nslot - 1);
    return &s->slot[i];
}

static void add(urlset *s, dp_str url)
{
    if (2 * (s->n + 1) > s->nslot) {
        free(s->slot);
        s->nslot = s->nslot ? 2 * s->nslot : 1 << 16;
        s->slot = need(calloc(s->nslot, sizeof *s->slot));
        for (size_t i = 0; i < s->n; i++)
            *find(s, s->v[i]) = i + 1;
    }
    size_t *slot = find(s, url);
    if (*slot)
        return;
    if (s->n == s->cap) {
        s->cap = s->cap ? 2 * s->cap : 1 << 15;
        s->v = need(realloc(s->v, s->cap * sizeof *s->v));
    }
    s->v[s->n] = dp_arena_str(&s->a, url);
    need((void *)(uintptr_t)s->v[s->n].p);
    *slot = ++s->n;
}

static bool ends_url(char c)
{
    return (unsigned char)c <= ' ' || c == '"' || c == '\'' || c == '<' || c == '>' || c == 0x7F;
}

static bool is_alnum(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Take the URLs out of text[0 .. n); `more` follows, so one that touches the end is left. Returns where to go on. */
static size_t scan(urlset *s, const char *text, size_t n, bool more)
{
    for (size_t i = 0; i < n; i++) {
        const char *h = memchr(text + i, 'h', n - i);
        if (!h)
            return n ? n - 1 : 0; /* keep a byte: what stands before the next */
        i = (size_t)(h - text);
        if (more && n - i < MAX_URL + 1)
            return i ? i - 1 : 0;
        dp_str rest = {h, n - i};
        bool   begins = dp_str_starts(rest, DP_STR("http://")) || dp_str_starts(rest, DP_STR("https://"));
        if (!begins || (i > 0 && is_alnum(text[i - 1])))
            continue;
        size_t len = 0;
        while (len < rest.n && len < MAX_URL && !ends_url(h[len]))
            len++;
        add(s, (dp_str){h, len});
        i += len - 1;
    }
    return n;
}

static bool add_file(urlset *s, const char *path)
{
    gzFile f = gzopen(path, "rb"); /* plain files pass through */
    if (!f)
        return false;
    char  *buf = need(malloc(CHUNK));
    size_t n = 0;
    for (;;) {
        int got = gzread(f, buf + n, (unsigned)(CHUNK - n));
        if (got > 0)
            n += (size_t)got;
        size_t used = scan(s, buf, n, got > 0);
        if (got <= 0)
            break; /* a member cut short ends the file, too */
        memmove(buf, buf + used, n - used);
        n -= used;
    }
    free(buf);
    gzclose(f);
    s->files++;
    return true;
}

bool urlset_add_folder(urlset *s, const char *folder)
{
    struct dirent **entry;
    int             n = scandir(folder, &entry, NULL, alphasort);
    bool            ok = n >= 0;
    for (int i = 0; i < n; i++) {
        char        path[4096];
        struct stat st;
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        if (ok && entry[i]->d_name[0] != '.')
            ok = stat(path, &st) == 0 && (S_ISDIR(st.st_mode) ? urlset_add_folder(s, path) : add_file(s, path));
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
    return ok;
}

void urlset_done(urlset *s)
{
    free(s->v);
    free(s->slot);
    dp_arena_done(&s->a);
    *s = (urlset){0};
}
