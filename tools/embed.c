/* embed.c - make one C text of a page and the files it is made of.
 *
 *     embed web/report.html >page.c
 *
 *     {{css report.css}}   the files beside the page; leading blanks, empty lines and comment lines are left out
 *     {{js report.js}}     the same
 *     {{csp}}              a Content-Security-Policy that allows these two and nothing else, by their SHA-256
 *
 * Other {{names}} stay: src/output/page.h fills them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20 /* bytes of a file */ };

static _Noreturn void die(const char *what, const char *name)
{
    fprintf(stderr, "embed: %s: %s\n", name, what);
    exit(2);
}

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = malloc(MOST + 1);
    if (!f || !text)
        die("cannot read", path);
    size_t n = fread(text, 1, MOST, f);
    if (ferror(f) || n == MOST)
        die("cannot read all of it", path);
    fclose(f);
    text[n] = 0;
    return text;
}

/* Whether a line is one comment, begun and ended on it. */
static bool is_comment(const char *line, size_t n)
{
    return n >= 4 && memcmp(line, "/*", 2) == 0 && memcmp(line + n - 2, "*/", 2) == 0;
}

/* A style or script, one line after another without what only people need. */
static char *squeeze(char *text)
{
    char *to = text;
    for (char *line = text, *next; *line; line = next) {
        size_t n = strcspn(line, "\n");
        next = line + n + (line[n] != 0);
        while (n && (*line == ' ' || *line == '\t')) {
            line++;
            n--;
        }
        if (n == 0 || is_comment(line, n))
            continue;
        memmove(to, line, n);
        to += n;
        *to++ = '\n';
    }
    *to = 0;
    return text;
}

/* The parts that {{KIND file...}} stands for, end to end, from the folder of `page`. */
static char *part(const char *text, const char *kind, const char *page)
{
    char        path[1024], mark[16], *whole = calloc(1, MOST + 1);
    const char *slash = strrchr(page, '/');
    snprintf(mark, sizeof mark, "{{%s ", kind);
    const char *at = strstr(text, mark), *end = at ? strstr(at, "}}") : NULL;
    if (!end || !whole)
        die("no such part", kind);
    for (at += strlen(mark); at < end; at += strspn(at, " ")) {
        size_t n = strcspn(at, " }");
        snprintf(path, sizeof path, "%.*s%.*s", slash ? (int)(slash - page + 1) : 0, page, (int)n, at);
        char *one = squeeze(read_file(path));
        if (strlen(whole) + strlen(one) > MOST)
            die("too long", path);
        strcat(whole, one);
        at += n;
    }
    return whole;
}

static void put_hash(char *out, size_t cap, const char *text)
{
    unsigned char sum[SHA256_DIGEST_LENGTH], code[64];
    SHA256((const unsigned char *)text, strlen(text), sum);
    EVP_EncodeBlock(code, sum, sizeof sum);
    snprintf(out, cap, "'sha256-%s'", (const char *)code);
}

static void put_c(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\n')
            printf("\\n\"\n\"");
        else if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c >= 0x80 || c < ' ' || c == '?')
            printf("\\%03o", c); /* '?' for trigraphs */
        else
            putchar(c);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2)
        die("usage: embed PAGE >page.c", "one page is needed");
    const char *slash = strrchr(argv[1], '/'), *base = slash ? slash + 1 : argv[1];
    int         stem = (int)strcspn(base, ".");
    char *page = read_file(argv[1]), *css = part(page, "css", argv[1]), *js = part(page, "js", argv[1]);
    char  css_hash[128], js_hash[128], policy[512];
    put_hash(css_hash, sizeof css_hash, css);
    put_hash(js_hash, sizeof js_hash, js);
    snprintf(policy, sizeof policy, "default-src 'none'; style-src %s; script-src %s; img-src data:; base-uri 'none'; "
             "form-action 'none'", css_hash, js_hash);
    printf("/* Made by tools/embed.c of %s. */\n#include \"output/page.h\"\n\nconst char dp_%.*s_page[] = \"", argv[1],
           stem, base);
    for (const char *at = page; *at;) {
        const char *mark = strstr(at, "{{"), *end = mark ? strstr(mark, "}}") : NULL;
        if (!end) {
            put_c(at, strlen(at));
            break;
        }
        put_c(at, (size_t)(mark - at));
        if (strncmp(mark, "{{css ", 6) == 0)
            put_c(css, strlen(css));
        else if (strncmp(mark, "{{js ", 5) == 0)
            put_c(js, strlen(js));
        else if (strncmp(mark, "{{csp}}", 7) == 0)
            put_c(policy, strlen(policy));
        else
            put_c(mark, (size_t)(end + 2 - mark));
        at = end + 2;
    }
    printf("\";\nconst size_t dp_%.*s_page_size = sizeof dp_%.*s_page - 1;\n", stem, base, stem, base);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 2;
}
