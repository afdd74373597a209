/* bench_pcre2.c - the rival: the same rules as regular expressions, PCRE2 with its JIT and a host index.
 *
 *     bench_pcre2 REGEX <URLS >KEYS        REGEX: what `bench_urls regex` writes
 *
 *     host <TAB> name <TAB> name...                  the lines that follow are rules of these hosts
 *     u|p|q regex <TAB> replacement                  u: at the start of the URL, p: of its path, q: search its query
 *
 * It does what someone would write who knows PCRE2 well: rules found by host in a hash table, compiled when the host
 * first comes, JIT without its checks (pcre2_jit_match), path rules anchored where the path begins, query rules skipped
 * where there is no query. The first rule that matches and changes the URL rewrites it, until none does. It does not
 * bring URLs to stage 0; the URLs it is given are in that form.
 * SPDX-License-Identifier: Apache-2.0
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "bench.h"

enum { CHUNK = 1 << 20, LONGEST = 1 << 16, MAX_FIRINGS = 64 };

typedef struct rule {
    char        where; /* u, p or q */
    const char *regex, *to;
    pcre2_code *code; /* NULL: not compiled yet */
} rule;

typedef struct host {
    const char *name;
    size_t      n, first, count; /* rules */
    bool        ready;
} host;

static rule             *rules;
static host             *hosts, **table; /* table: open addressing */
static size_t            nrules, nhosts, table_mask;
static pcre2_match_data *groups;

/* ---- rules ------------------------------------------------------------------------------------------ */

static size_t hash_of(const char *p, size_t n) /* FNV-1a */
{
    size_t h = 14695981039346656037u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)p[i]) * 1099511628211u;
    return h ^ h >> 32;
}

static host *find_host(const char *p, size_t n)
{
    for (size_t i = hash_of(p, n) & table_mask; table[i]; i = (i + 1) & table_mask)
        if (table[i]->n == n && memcmp(table[i]->name, p, n) == 0)
            return table[i];
    return NULL;
}

/* Read the file; texts stay where they are, ended by NUL in the place of TAB or LF. */
static void read_rules(const char *path)
{
    size_t n, count;
    char  *text = bench_read(path, &n);
    free(bench_lines(text, n, &count));
    rules = malloc(count * sizeof *rules);
    hosts = malloc(count * 2 * sizeof *hosts);
    for (table_mask = 1; table_mask < count * 4; table_mask *= 2) {}
    table = calloc(table_mask--, sizeof *table);
    if (!rules || !hosts || !table)
        bench_die("memory");
    size_t first_host = 0;
    for (char *line, *rest = text; (line = strsep(&rest, "\n")) && rest;) {
        char *word = strsep(&line, "\t");
        if (strcmp(word, "host") != 0) {
            rules[nrules++] = (rule){word[0], word + 1, line, NULL};
            for (size_t h = first_host; h < nhosts; h++)
                hosts[h].count++;
            continue;
        }
        for (first_host = nhosts; (word = strsep(&line, "\t")); nhosts++) {
            hosts[nhosts] = (host){word, strlen(word), nrules, 0, false};
            size_t i = hash_of(word, strlen(word)) & table_mask;
            while (table[i])
                i = (i + 1) & table_mask;
            table[i] = &hosts[nhosts];
        }
    }
}

static void compile_rules(host *h)
{
    for (rule *r = rules + h->first; r < rules + h->first + h->count; r++) {
        int        code;
        PCRE2_SIZE at;
        if (r->code)
            continue;
        r->code = pcre2_compile((PCRE2_SPTR)r->regex, PCRE2_ZERO_TERMINATED, r->where == 'q' ? 0 : PCRE2_ANCHORED,
                                &code, &at, NULL);
        if (!r->code || pcre2_jit_compile(r->code, PCRE2_JIT_COMPLETE) != 0) {
            fprintf(stderr, "bench_pcre2: %s\n", r->regex);
            exit(2);
        }
    }
    h->ready = true;
}

/* ---- URLs --------------------------------------------------------------------------------------------- */

typedef struct text {
    char  *p;
    size_t n;
} text;

/* `from` with the match replaced, into `to`; false when nothing changes. */
static bool replace(const rule *r, text from, text *to)
{
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(groups);
    char             *out = to->p;
    memcpy(out, from.p, at[0]);
    out += at[0];
    for (const char *t = r->to; *t; t++) {
        if (*t != '$') {
            *out++ = *t;
            continue;
        }
        size_t g = (size_t)(*++t - '0');
        if (at[2 * g] != PCRE2_UNSET) {
            memcpy(out, from.p + at[2 * g], at[2 * g + 1] - at[2 * g]);
            out += at[2 * g + 1] - at[2 * g];
        }
    }
    memcpy(out, from.p + at[1], from.n - at[1]);
    to->n = (size_t)(out - to->p) + from.n - at[1];
    return to->n != from.n || memcmp(to->p, from.p, to->n) != 0;
}

/* The first rule that matches and changes `*url` makes `*next` of it. */
static bool fire(text url, text *next)
{
    const char *name = memmem(url.p, url.n, "://", 3);
    if (!name)
        return false;
    name += 3;
    const char *end = url.p + url.n, *path = name;
    while (path < end && *path != '/' && *path != '?')
        path++;
    host *h = find_host(name, (size_t)(path - name));
    if (!h)
        return false;
    if (!h->ready)
        compile_rules(h);
    const char *query = memchr(path, '?', (size_t)(end - path));
    for (rule *r = rules + h->first; r < rules + h->first + h->count; r++) {
        const char *start = r->where == 'u' ? url.p : r->where == 'p' ? path : query;
        if (start &&
            pcre2_jit_match(r->code, (PCRE2_SPTR)url.p, url.n, (size_t)(start - url.p), 0, groups, NULL) >= 0 &&
            replace(r, url, next))
            return true;
    }
    return false;
}

/* Write the key of `url` to `out`. */
static char *put_key(char *out, text url)
{
    static char room[2][LONGEST * 2];
    text        now = url, next = {room[0], 0};
    for (int i = 0; i < MAX_FIRINGS && fire(now, &next); i++) {
        now = next;
        next.p = room[now.p == room[0]];
    }
    memcpy(out, now.p, now.n);
    out[now.n] = '\n';
    return out + now.n + 1;
}

static void write_all(const char *p, size_t n)
{
    for (ssize_t done; n > 0; p += done, n -= (size_t)done)
        if ((done = write(STDOUT_FILENO, p, n)) < 0)
            bench_die("standard output");
}

int main(int argc, char **argv)
{
    static char in[CHUNK + LONGEST], out[CHUNK * 2];
    if (argc != 2) {
        fputs("usage: bench_pcre2 REGEX <URLS >KEYS\n", stderr);
        return 2;
    }
    read_rules(argv[1]);
    groups = pcre2_match_data_create(8, NULL);
    char   *to = out;
    size_t  held = 0;
    ssize_t got;
    while ((got = read(STDIN_FILENO, in + held, CHUNK)) > 0) {
        char *line = in, *end = in + held + got;
        for (char *lf; (lf = memchr(line, '\n', (size_t)(end - line))); line = lf + 1) {
            to = put_key(to, (text){line, (size_t)(lf - line)});
            if (to - out > CHUNK) {
                write_all(out, (size_t)(to - out));
                to = out;
            }
        }
        held = (size_t)(end - line);
        if (held > LONGEST)
            bench_die("a line is too long");
        memmove(in, line, held);
    }
    write_all(out, (size_t)(to - out));
    return 0;
}
