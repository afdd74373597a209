/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/grid.h"

#include <stdarg.h>
#include <stdio.h>

void dp_grid_head(dp_grid *g, const char *const *cell, size_t n)
{
    g->columns = n;
    for (size_t i = 0; i < n; i++)
        dp_grid_cell(g, "%s", cell[i]);
}

void dp_grid_str(dp_grid *g, dp_str text)
{
    for (size_t i = 0; i < text.n; i++)
        dp_buf_byte(&g->text, (unsigned char)text.p[i] < ' ' ? '?' : text.p[i]);
    dp_buf_byte(&g->text, 0);
    g->cells++;
}

void dp_grid_cell(dp_grid *g, const char *format, ...)
{
    char    line[512];
    va_list ap;
    va_start(ap, format);
    int n = vsnprintf(line, sizeof line, format, ap);
    va_end(ap);
    dp_grid_str(g, (dp_str){line, n < 0 ? 0 : (size_t)n < sizeof line ? (size_t)n : sizeof line - 1});
}

void dp_grid_share(dp_grid *g, double v)
{
    unsigned ten_thousandths = (unsigned)(v * 10000 + 0.5);
    dp_grid_cell(g, "%u.%04u", ten_thousandths / 10000, ten_thousandths % 10000);
}

void dp_grid_number(dp_grid *g, double v)
{
    unsigned long long hundredths = (unsigned long long)(v * 100 + 0.5);
    dp_grid_cell(g, "%llu.%02llu", hundredths / 100, hundredths % 100);
}

void dp_grid_print(dp_buf *out, const dp_grid *g)
{
    size_t width[DP_GRID_COLUMNS] = {0};
    out->failed |= g->text.failed;
    if (out->failed)
        return;
    const char *cell = g->text.p;
    for (size_t i = 0; i < g->cells; i++, cell += strlen(cell) + 1) {
        size_t n = strlen(cell), c = i % g->columns;
        width[c] = n > width[c] ? n : width[c];
    }
    cell = g->text.p;
    for (size_t i = 0; i < g->cells; i++, cell += strlen(cell) + 1) {
        size_t c = i % g->columns, blanks = width[c] - strlen(cell);
        if (c == 0)
            dp_buf_c(out, cell);
        for (size_t k = 0; k < blanks + (c ? 2 : 0); k++)
            dp_buf_byte(out, ' ');
        if (c)
            dp_buf_c(out, cell);
        if (c == g->columns - 1)
            dp_buf_byte(out, '\n');
    }
}

void dp_grid_done(dp_grid *g)
{
    dp_buf_done(&g->text);
    *g = (dp_grid){0};
}
