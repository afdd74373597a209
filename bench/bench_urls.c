/* bench_urls.c - write the URLs and the rules that the other programs of this folder measure.
 *
 *     bench_urls urls  [options]    URLs, one a line, none twice
 *     bench_urls rules [options]    a rule file; some of the URLs (-f) each fire one of its rules, drawn at random
 *     bench_urls regex [options]    the same rules as regular expressions, for bench_pcre2
 *
 *     -n N   URLs (1000000)          -h N   hosts (400)               -r N   rules a host (100)
 *     -m M   mix of rules: all, regex (only what a regular expression can say), glob, sub; one construct: cut, only,
 *            rest, names, label, convert, unit
 *     -f P   percent of the URLs that fire a rule (20)                -x P   percent not in stage-0 form (0)
 *     -o O   hosts in the order: zipf (popular ones often), uniform   -s N   seed (1)
 *
 * Everything is a function of the options: host number h and its rule number r have fixed names, so that URLs and
 * rules meet without a table. A kind of rule is a row of four texts, filled in by fill().
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bench.h"

/* ---- kinds of rules ------------------------------------------------------------------------------ */

/* In these texts: %w word of the rule, %v a word of one length, %b bare name of the host, %i a number no other URL
 * has, %n a small number, %x a session, %t a common word, %s a slug. */
typedef struct kind {
    const char *rule;
    const char *url;   /* fires the rule; without origin unless it says one */
    const char
        *regex; /* first letter: u at the start of the URL, p at the start of its path, q anywhere in its query */
    const char *to;    /* $1, $2: groups */
} kind;

#define END "(?=\\?|$)" /* of a path */

static const kind kinds[] = {
    ['d'] = {"drop ?%w", "/%t/%s-%i?%w=%x", "q(\\?)%w(?:=[^&;]*)?[&;]|[?&;]%w(?:=[^&;]*)?(?=[&;]|$)", "$1"},
    ['D'] = {"drop ?%w", "/%t/%t.php?id=%i&%w=%x&page=%n", "q(\\?)%w(?:=[^&;]*)?[&;]|[?&;]%w(?:=[^&;]*)?(?=[&;]|$)",
             "$1"},
    ['p'] = {"drop ?%v_*", "/%t/%s?id=%i&%v_src=%t&%v_med=%t",
             "q(\\?)%v_[^&;=]*(?:=[^&;]*)?[&;]|[?&;]%v_[^&;=]*(?:=[^&;]*)?(?=[&;]|$)", "$1"},
    ['e'] = {"erase ?%w", "/%t/%t/%i?%w=%x", "q([?&;]%w=)(?:[^&;*][^&;]*|\\*[^&;]+)", "$1*"},
    ['t'] = {"/%w/{id:int}/{slug} => /%w/{id}", "/%w/%i/%s", "p/%w/([0-9]+)/[^/?*]+" END, "/%w/$1"},
    ['T'] = {"/%w/{id:int}.html => /%w/{id}", "/%w/%i.html?page=%n", "p/%w/([0-9]+)\\.html" END, "/%w/$1"},
    ['m'] = {"/{cat}/%w/{id} => /%w/{id}", "/%t/%w/%i-%s", "p/[^/?*]+/%w/([^/?*]+)" END, "/%w/$1"},
    ['q'] = {"/%w?id={id:int} => /%w/{id}", "/%w?id=%i", "p/%w\\?id=([0-9]+)$", "/%w/$1"},
    ['Q'] = {"/%w.php?id={id:int}&... => /%w/{id}?...", "/%w.php?id=%i&lang=en&page=%n", NULL, NULL},
    ['o'] = {"drop ?view on /%w/{**}", "/%w/%s/%i?view=print", NULL, NULL},
    ['g'] = {"/%w/{**}/index.html => /%w/{**}/", "/%w/%t/%t/%i/index.html", "p(/%w/(?:[^?]*/)?)index\\.html" END, "$1"},
    ['G'] = {"/{**}/%w/{id:int} => /{**}/{id}", "/%t/%t/%w/%i?page=%n", NULL, NULL},
    ['h'] = {"http://www.%b/{**} => https://%b/{**}", "http://www.%b/%t/%s-%i", "uhttp://www\\.\\Q%b\\E/",
             "https://%b/"},
    ['s'] = {"sub \"/%w?id=\" -> \"/%w-\"", "/%t/%w?id=%i", NULL, NULL},
    ['S'] = {"sub \"_%w.htm$\" -> \".htm$\"", "/%t/%s-%i_%w.htm", NULL, NULL},
    ['c'] = {"/%w/{s:slug}-{id:int}.html => /%w/{id}", "/%w/%s-%i.html", NULL, NULL},
    ['l'] = {"/%w/{y:int*4}{m:int*2}{d:int} => /%w/{y}/{m}/{d}", "/%w/%i", NULL, NULL},
    ['k'] = {"only ?id on /%w/{**}", "/%w/%t/%s?id=%i&sid=%x&page=%n", NULL, NULL},
    ['r'] = {"/%w?id={id:int}&... => /%w/{id}", "/%w?id=%i&sid=%x&page=%n", NULL, NULL},
    ['f'] = {"fold case names on /%w/{**}", "/%w/%s?ID=%i&Page=%n", NULL, NULL},
    ['u'] = {"/%w/~{u}/{**} => //{u}.%b/{**}", "/%w/~%t/%s/%i", NULL, NULL},
    ['i'] = {"/%w/{t}/{id} => /%w/{t|cap}-{id|int}", "/%w/%t/00%i", NULL, NULL},
    ['x'] = {"sub \"%%20%w\" -> \"-%w\"", "/%t/%s-%i%%20%w", NULL, NULL},
    ['-'] = {NULL, "/%t/%s/%i", NULL, NULL}, /* fires none */
    ['='] = {NULL, "/%t/%t.php?id=%i&page=%n", NULL, NULL},
    ['+'] = {NULL, "/%t/%t/%s-%i.html", NULL, NULL},
};

/* The kinds of a host's rules, in turn; the first of a host is a matter of its number. */
static const struct {
    const char *name, *kinds;
} mixes[] = {{"all", "dtpQgDmThqoe"}, {"regex", "dtpqgDmThe"}, {"glob", "gG"}, {"sub", "sS"},
             {"cut", "cl"},          {"only", "k"},           {"rest", "r"},  {"names", "f"},
             {"label", "u"},         {"convert", "i"},        {"unit", "x"}};

/* ---- numbers and words --------------------------------------------------------------------------- */

typedef struct options {
    uint64_t    n, hosts, rules, seed;
    double      fire, raw;
    const char *mix;
    bool        zipf;
} options;

static uint64_t mix64(uint64_t x) /* splitmix64 */
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t random_state;

static uint64_t random_below(uint64_t n)
{
    return (uint64_t)(((unsigned __int128)mix64(random_state++) * n) >> 64);
}

static bool chance(double percent)
{
    return (double)random_below(1u << 30) < percent / 100 * (1u << 30);
}

enum { SYLLABLES = 80, WORDS = SYLLABLES * SYLLABLES * SYLLABLES };

/* Number `x` as pronounceable letters, `n` syllables; different for different x below 80^n. */
static char *put_word(char *to, uint64_t x, int n)
{
    for (; n > 0; n--, x /= SYLLABLES) {
        *to++ = "bcdfghjklmnprstv"[x % 16];
        *to++ = "aeiou"[x / 16 % 5];
    }
    return to;
}

static char *put_number(char *to, uint64_t x)
{
    char digit[20];
    int  n = 0;
    do
        digit[n++] = (char)('0' + x % 10);
    while (x /= 10);
    while (n > 0)
        *to++ = digit[--n];
    return to;
}

static char *put(char *to, const char *text)
{
    size_t n = strlen(text);
    memcpy(to, text, n);
    return to + n;
}

static const char *const words[] = {"news", "products", "article", "shop",  "users", "topics", "archive", "blog",
                                    "help", "sport",    "events",  "books", "world", "travel", "reviews", "press"};

static const char *any_word(void)
{
    return words[random_below(sizeof words / sizeof *words)];
}

/* "babacodu.com" */
static char *put_host(char *to, uint64_t h)
{
    const uint64_t all = (uint64_t)WORDS * SYLLABLES;
    static const char *const end[] = {".com", ".org", ".net", ".de", ".co.uk", ".com", ".fr", ".com"};
    to = put_word(to, (h * 2654437 + 12345) % all, 4); /* the factor has no common divisor with 80: no two are equal */
    return put(to, end[h % 8]);
}

static char *put_rule_word(char *to, uint64_t h, uint64_t r, bool ending)
{
    static const char *const end[] = {"", "s", "id", "list"};
    to = put_word(to, (r * 31 + h * 7919 + 4711) % WORDS, 3); /* different for all r below 16,000 of a host */
    return put(to, ending ? end[r % 4] : "");
}

/* Which kind rule `r` of host `h` is. The rule on the host's own name makes no sense twice. */
static const kind *kind_of(const options *o, uint64_t h, uint64_t r)
{
    size_t n = strlen(o->mix);
    char   k = o->mix[(r + h) % n];
    return &kinds[(unsigned char)(k == 'h' && r >= n ? 't' : k)];
}

/* Fill in one of a kind's texts. */
static char *fill(char *to, const char *text, uint64_t h, uint64_t r, uint64_t serial)
{
    for (; *text; text++) {
        if (*text != '%') {
            *to++ = *text;
            continue;
        }
        switch (*++text) {
        case 'w': to = put_rule_word(to, h, r, true); break;
        case 'v': to = put_rule_word(to, h, r, false); break;
        case 'b': to = put_host(to, h); break;
        case 'i': to = put_number(to, 10000000 + serial * 48271 % 2147483647); break; /* a bijection */
        case 'n': to = put_number(to, 1 + random_below(99)); break;
        case 't': to = put(to, any_word()); break;
        case 'x':
            for (uint64_t i = 0, x = mix64(random_state++); i < 16; i++, x >>= 4)
                *to++ = "0123456789abcdef"[x & 15];
            break;
        case 's':
            to = put_word(to, random_below(WORDS), 3);
            *to++ = '-';
            to = put_word(to, random_below(WORDS), 2);
            *to++ = '-';
            to = put_word(to, random_below(WORDS), 3);
            break;
        default: *to++ = *text;
        }
    }
    return to;
}

/* ---- what is written ------------------------------------------------------------------------------- */

/* The share of hosts 0..h in all URLs, for Zipf's law. */
static double *zipf_table(uint64_t hosts)
{
    double *sum = malloc(hosts * sizeof *sum), all = 0;
    if (!sum)
        bench_die("memory");
    for (uint64_t h = 0; h < hosts; h++)
        sum[h] = all += 1 / (double)(h + 1);
    return sum;
}

static uint64_t draw_host(const options *o, const double *sum)
{
    if (!o->zipf)
        return random_below(o->hosts);
    double   x = (double)random_below(1u << 30) / (1u << 30) * sum[o->hosts - 1];
    uint64_t low = 0, high = o->hosts - 1;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (sum[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static char *put_url(char *to, const options *o, uint64_t h, uint64_t serial)
{
    uint64_t    r = random_below(o->rules);
    const kind *k = chance(o->fire) ? kind_of(o, h, r) : &kinds[(unsigned char)"-=+"[random_below(3)]];
    bool        raw = chance(o->raw);
    if (k->url[0] == '/') {
        to = put(to, raw ? "HTTPS://" : "https://");
        to = put(to, h % 2 ? "www." : "");
        to = put_host(to, h);
    }
    to = fill(to, k->url, h, r, serial);
    return put(to, raw ? "#%7etop\n" : "\n");
}

static void write_urls(const options *o)
{
    enum { FULL = 1 << 20, LONGEST = 1024 };
    static char room[FULL + LONGEST];
    char       *to = room;
    double     *sum = o->zipf ? zipf_table(o->hosts) : NULL;
    random_state = mix64(o->seed) << 1;
    for (uint64_t i = 0; i < o->n; i++) {
        to = put_url(to, o, draw_host(o, sum), i);
        if (to - room >= FULL || i + 1 == o->n) {
            if (fwrite(room, 1, (size_t)(to - room), stdout) != (size_t)(to - room))
                bench_die("standard output");
            to = room;
        }
    }
    free(sum);
}

static void write_filled(const char *text, uint64_t h, uint64_t r)
{
    char line[1024];
    fwrite(line, 1, (size_t)(fill(line, text, h, r, 0) - line), stdout);
}

static void write_rules(const options *o, bool regex)
{
    if (!regex)
        puts("dustpan-rules 1");
    for (uint64_t h = 0; h < o->hosts; h++) {
        write_filled(regex ? "host\t%b\twww.%b\n" : "host %b, www.%b\n", h, 0);
        for (uint64_t r = 0; r < o->rules; r++) {
            const kind *k = kind_of(o, h, r);
            write_filled(regex ? k->regex : k->rule, h, r);
            if (regex) {
                putchar('\t');
                write_filled(k->to, h, r);
            }
            putchar('\n');
        }
    }
}

static int usage(void)
{
    fputs("usage: bench_urls urls|rules|regex [-n URLS] [-h HOSTS] [-r RULES] [-m all|regex|glob|sub] [-f PERCENT] [-x "
          "PERCENT] "
          "[-o zipf|uniform] [-s SEED]\n",
          stderr);
    return 2;
}

int main(int argc, char **argv)
{
    options o = {.n = 1000000, .hosts = 400, .rules = 100, .seed = 1, .fire = 20, .zipf = true, .mix = mixes[0].kinds};
    for (int c; (c = getopt(argc, argv, "n:h:r:m:f:x:o:s:")) != -1;) {
        switch (c) {
        case 'n': o.n = strtoull(optarg, NULL, 10); break;
        case 'h': o.hosts = strtoull(optarg, NULL, 10); break;
        case 'r': o.rules = strtoull(optarg, NULL, 10); break;
        case 's': o.seed = strtoull(optarg, NULL, 10); break;
        case 'f': o.fire = strtod(optarg, NULL); break;
        case 'x': o.raw = strtod(optarg, NULL); break;
        case 'o': o.zipf = strcmp(optarg, "zipf") == 0; break;
        case 'm':
            for (size_t i = 0; i < sizeof mixes / sizeof *mixes; i++)
                if (strcmp(mixes[i].name, optarg) == 0)
                    o.mix = mixes[i].kinds;
            break;
        default: return usage();
        }
    }
    const char *what = optind < argc ? argv[optind] : "";
    if (o.hosts == 0 || o.rules == 0 || o.rules >= 16000)
        return usage();
    if (strcmp(what, "urls") == 0)
        write_urls(&o);
    else if (strcmp(what, "rules") == 0 || strcmp(what, "regex") == 0)
        write_rules(&o, strcmp(what, "regex") == 0);
    else
        return usage();
    if (fflush(stdout) != 0)
        bench_die("standard output");
    return 0;
}
