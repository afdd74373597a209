/* eval/grid.h - a table for people: the first column to the left, numbers to the right.
 *
 *     dp_grid g = {.columns = 2};
 *     dp_grid_cell(&g, "rules"); dp_grid_cell(&g, "%d", 7);
 *     dp_grid_print(&out, &g);  dp_grid_done(&g);
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_GRID_H
#define DP_EVAL_GRID_H

#include "base/buf.h"

enum { DP_GRID_COLUMNS = 32 };

typedef struct dp_grid {
    size_t columns; /* at most DP_GRID_COLUMNS */
    size_t cells;
    dp_buf text; /* cells, each ended by NUL */
} dp_grid;

void dp_grid_cell(dp_grid *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
void dp_grid_str(dp_grid *g, dp_str text);

/* The first row, which says how many columns there are. */
void dp_grid_head(dp_grid *g, const char *const *cell, size_t n);

/* A share: four digits after the point; any number: two. In every locale the same. */
void dp_grid_share(dp_grid *g, double v);
void dp_grid_number(dp_grid *g, double v);

/* Append the table. Failure of either buffer is out->failed. */
void dp_grid_print(dp_buf *out, const dp_grid *g);
void dp_grid_done(dp_grid *g);

#endif
