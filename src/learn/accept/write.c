/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/accept/write.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/day.h"
#include "base/intern.h"

/* Four decimals, rounded down: a file never claims more than was found. */
static void write_share(dp_buf *out, double p)
{
    unsigned n = p >= 1 ? 10000 : p > 0 ? (unsigned)(p * 10000) : 0;
    char     digits[5] = {(char)('0' + n / 1000 % 10), (char)('0' + n / 100 % 10), (char)('0' + n / 10 % 10),
                          (char)('0' + n % 10), 0};
    size_t   k = 4;
    while (k > 1 && digits[k - 1] == '0')
        k--;
    if (n == 10000)
        dp_buf_c(out, "1");
    else
        dp_buf_printf(out, ".%.*s", (int)k, digits);
}

static void write_attrs(dp_buf *out, const dp_proposal *p)
{
    const char *between = "";
    dp_buf_byte(out, '[');
    if (p->p >= 0) {
        dp_buf_c(out, "p=");
        write_share(out, p->p);
        dp_buf_byte(out, ' ');
    }
    dp_buf_printf(out, "n=%" PRIu64 " neg=%" PRIu64, p->n, p->neg);
    if (p->save)
        dp_buf_printf(out, " save=%" PRIu64, p->save);
    if (p->urls)
        dp_buf_printf(out, " urls=%" PRIu64, p->urls);
    if (p->sites)
        dp_buf_printf(out, " sites=%" PRIu32, p->sites);
    for (int by = DP_BYS - 1; by >= 0; by--) { /* the strongest first */
        if (!(p->by >> by & 1))
            continue;
        dp_buf_printf(out, "%s%s", *between ? between : " by=", dp_by_name((dp_by)by));
        between = ",";
    }
    if (p->across)
        dp_buf_printf(out, " across=%s", dp_across_name(p->across));
    if (p->guards.n)
        dp_buf_printf(out, " guard=%.*s", DP_FMT(p->guards));
    if (p->seen > 0) {
        char day[DP_DAY_TEXT];
        dp_buf_printf(out, " seen=%s", dp_day_write(day, p->seen / DP_DAY_SECONDS).p);
    }
    dp_buf_byte(out, ']');
}

void dp_write_rule(dp_buf *out, const dp_proposal *p)
{
    dp_buf_c(out, p->state == DP_LIKELY ? "likely " : "");
    dp_buf_str(out, p->text);
    dp_buf_byte(out, ' ');
    write_attrs(out, p);
    dp_buf_byte(out, '\n');
}

/* What is being written. */
typedef struct writing {
    dp_buf             *out;
    const dp_proposals *p;
    dp_str              keep;
    uint32_t           *next; /* [n] of the same block */
    size_t             *line, lines;
} writing;

static size_t count_lines(dp_str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++)
        n += s.p[i] == '\n';
    return n;
}

/* The block whose proposals are linked by next[], from `first` on. */
static void write_block(writing *w, uint32_t first)
{
    bool ordered = false;
    dp_buf_c(w->out, "host ");
    dp_buf_str(w->out, w->p->v[first].hosts);
    dp_buf_byte(w->out, '\n');
    for (uint32_t i = first; i != UINT32_MAX; i = w->next[i])
        ordered |= w->p->v[i].is_order;
    dp_buf_c(w->out, ordered ? "order any\n" : "");
    dp_buf_str(w->out, w->keep);
    w->lines += 1 + (size_t)ordered + count_lines(w->keep);
    for (uint32_t i = first; i != UINT32_MAX; i = w->next[i]) {
        bool is_rule = !w->p->v[i].is_order;
        if (w->line)
            w->line[i] = is_rule ? w->lines : SIZE_MAX;
        if (is_rule)
            dp_write_rule(w->out, &w->p->v[i]);
        w->lines += is_rule;
    }
}

/* ---- which block a rule goes to --------------------------------------------------------------- */

enum { MOST_ASKED = 64 /* blocks behind its own that a rule is compared with */ };

typedef struct block {
    dp_str   hosts;
    uint32_t first, last; /* proposals */
    bool     rewrites;    /* URLs, not only their parameters */
} block;

typedef struct blocks {
    block    *v; /* [n] in order */
    uint32_t  n;
    dp_intern scopes; /* numbers of host lines */
    uint32_t *latest; /* [scopes] the last block with this host line */
} blocks;

/* The next name of a host line; n == 0: there is none. */
static dp_str next_host(dp_str *rest)
{
    size_t at = 0;
    while (at < rest->n && rest->p[at] != ',')
        at++;
    dp_str one = dp_str_cut(*rest, 0, at);
    *rest = dp_str_cut(*rest, at + 2 < rest->n ? at + 2 : rest->n, rest->n);
    return one;
}

static bool share_host(dp_str a, dp_str b)
{
    for (dp_str x = next_host(&a); x.n; x = next_host(&a)) {
        dp_str rest = b;
        for (dp_str y = next_host(&rest); y.n; y = next_host(&rest))
            if (dp_str_eq(x, y))
                return true;
    }
    return false;
}

static bool is_rewrite(const dp_proposal *p)
{
    return !p->is_order && memmem(p->text.p, p->text.n, " => ", 4) != NULL;
}

/* The captures of one side of a rule, up to the next blank. */
static size_t count_captures(dp_str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n && text.p[i] != ' '; i++)
        n += text.p[i] == '{';
    return n;
}

/* Whether the right side of a rule has fewer captures than the left one. */
static bool forgets(const dp_proposal *p)
{
    const char *arrow = p->is_order ? NULL : memmem(p->text.p, p->text.n, " => ", 4);
    size_t      right = arrow ? (size_t)(arrow - p->text.p) + 4 : p->text.n;
    return arrow && count_captures(p->text) > count_captures(dp_str_cut(p->text, right, p->text.n));
}

/* Whether a rule that goes to block `b` would come before rules of the same hosts that were given before it, and
 * forget what they need. */
static bool jumps(const blocks *t, uint32_t b, const dp_proposal *p)
{
    bool found = false;
    for (uint32_t k = b + 1; k < t->n && k <= b + MOST_ASKED && !found && forgets(p); k++)
        found = t->v[k].rewrites && share_host(p->hosts, t->v[k].hosts);
    return found;
}

/* The block of proposal `i`: the last one with its hosts, or a new one. */
static bool place(blocks *t, uint32_t *next, const dp_proposals *p, uint32_t i)
{
    const dp_proposal *one = &p->v[i];
    uint32_t           scope = 0;
    bool               known = dp_intern_find(&t->scopes, one->hosts, &scope);
    next[i] = UINT32_MAX;
    if (known && !jumps(t, t->latest[scope], one)) {
        block *b = &t->v[t->latest[scope]];
        next[b->last] = i;
        b->last = i;
        b->rewrites |= is_rewrite(one);
        return true;
    }
    scope = known ? scope : (uint32_t)t->scopes.n;
    if (!known && !dp_intern_add(&t->scopes, one->hosts, scope))
        return false;
    t->latest[scope] = t->n;
    t->v[t->n++] = (block){one->hosts, i, i, is_rewrite(one)};
    return true;
}

dp_err dp_write_blocks(dp_buf *out, const dp_proposals *p, dp_str keep, size_t *line)
{
    uint32_t *next = malloc((p->n + 1) * sizeof *next);
    blocks    t = {.v = malloc((p->n + 1) * sizeof *t.v), .latest = malloc((p->n + 1) * sizeof *t.latest)};
    bool      ok = next && t.v && t.latest && p->n < UINT32_MAX;
    for (size_t i = 0; i < p->n && ok; i++)
        ok = place(&t, next, p, (uint32_t)i);
    writing w = {out, p, keep, next, line, count_lines(dp_buf_view(out))};
    for (uint32_t b = 0; b < t.n && ok; b++)
        write_block(&w, t.v[b].first);
    dp_intern_done(&t.scopes);
    free(next);
    free(t.v);
    free(t.latest);
    return ok && !out->failed ? DP_OK : DP_ENOMEM;
}
