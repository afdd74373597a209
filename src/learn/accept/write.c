/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/accept/write.h"

#include <inttypes.h>
#include <stdlib.h>

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

dp_err dp_write_blocks(dp_buf *out, const dp_proposals *p, dp_str keep, size_t *line)
{
    dp_intern blocks = {0};
    uint32_t *next = malloc((p->n + 1) * sizeof *next), *last = malloc((p->n + 1) * sizeof *last);
    uint32_t *first = malloc((p->n + 1) * sizeof *first), n = 0, b;
    bool      ok = next && last && first && p->n < UINT32_MAX;
    for (size_t i = 0; i < p->n && ok; i++) {
        next[i] = UINT32_MAX;
        if (dp_intern_find(&blocks, p->v[i].hosts, &b)) {
            next[last[b]] = (uint32_t)i;
        } else {
            b = n++;
            ok = dp_intern_add(&blocks, p->v[i].hosts, b);
            first[b] = (uint32_t)i;
        }
        last[b] = (uint32_t)i;
    }
    writing w = {out, p, keep, next, line, count_lines(dp_buf_view(out))};
    for (b = 0; b < n && ok; b++)
        write_block(&w, first[b]);
    dp_intern_done(&blocks);
    free(next);
    free(last);
    free(first);
    return ok && !out->failed ? DP_OK : DP_ENOMEM;
}
