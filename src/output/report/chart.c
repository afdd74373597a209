/* The curve of a report as SVG: fetches saved against merges that are right.
 *
 *     100 % ●─────●──◉           drawn in user units of 480 × 300, scaled by the page
 *      99 % │        ╲●          ◉ the rules of the report   ┆ the best possible
 *           └─────────┴──┆──
 *
 * Stage 0 is no point of it: its few merges say nothing of rules, and would decide where the axis begins.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <stdio.h>

#include "output/html.h"
#include "output/report/parts.h"

enum { WIDTH = 480, HEIGHT = 300, LEFT = 74, RIGHT = 24, TOP = 18, BOTTOM = 50, MOST_TICKS = 6, FIRST = 1 /* point */ };

typedef struct axis {
    double from, to, step;
} axis;

/* The least of the usual steps with which at most MOST_TICKS reach over `range`. */
static double nice_step(double range)
{
    static const double usual[] = {.0005, .001, .002, .005, .01, .02, .05, .1, .2, .25};
    for (size_t i = 0; i < DP_COUNT(usual); i++) {
        if (range / usual[i] <= MOST_TICKS)
            return usual[i];
    }
    return .25;
}

static axis x_axis(const dp_report *r)
{
    double most = r->row[DP_ROW_BEST].reduction;
    for (size_t i = FIRST; i < r->npoint; i++)
        most = fmax(most, r->point[i].score.reduction);
    double step = nice_step(fmax(most, .02));
    return (axis){0, fmin(1, ceil(fmax(most, .02) / step - 1e-9) * step), step};
}

static axis y_axis(const dp_report *r)
{
    double least = .995; /* never so near that noise looks like a fall */
    for (size_t i = FIRST; i < r->npoint; i++)
        least = fmin(least, dp_report_right(&r->point[i].score));
    double step = nice_step(1 - least);
    return (axis){fmax(0, 1 - ceil((1 - least) / step - 1e-9) * step), 1, step};
}

static double at_x(const axis *a, double v)
{
    return LEFT + (v - a->from) / (a->to - a->from) * (WIDTH - LEFT - RIGHT);
}

static double at_y(const axis *a, double v)
{
    return HEIGHT - BOTTOM - (v - a->from) / (a->to - a->from) * (HEIGHT - TOP - BOTTOM);
}

/* One decimal, in every locale the same. */
static void put_place(dp_buf *out, double v)
{
    int tenths = (int)(v * 10 + .5);
    dp_buf_printf(out, "%d.%d", tenths / 10, tenths % 10);
}

static void put_at(dp_buf *out, const char *name, double v)
{
    dp_buf_printf(out, " %s=\"", name);
    put_place(out, v);
    dp_buf_byte(out, '"');
}

static void put_line(dp_buf *out, const char *kind, double x1, double y1, double x2, double y2)
{
    dp_buf_printf(out, "<line class=\"%s\"", kind);
    put_at(out, "x1", x1);
    put_at(out, "y1", y1);
    put_at(out, "x2", x2);
    put_at(out, "y2", y2);
    dp_buf_c(out, "/>");
}

static void put_text(dp_buf *out, double x, double y, const char *anchor, const char *text)
{
    dp_buf_c(out, "<text");
    put_at(out, "x", x);
    put_at(out, "y", y);
    dp_buf_printf(out, " text-anchor=\"%s\">%s</text>", anchor, text);
}

static void put_tick(dp_buf *out, double x, double y, const char *anchor, double v)
{
    unsigned hundredths = (unsigned)(v * 10000 + .5);
    char     text[32];
    if (hundredths % 100 == 0)
        snprintf(text, sizeof text, "%u %%", hundredths / 100);
    else
        snprintf(text, sizeof text, "%u.%0*u %%", hundredths / 100, hundredths % 10 ? 2 : 1,
                 hundredths % 10 ? hundredths % 100 : hundredths % 100 / 10);
    put_text(out, x, y, anchor, text);
}

static void put_axes(dp_buf *out, const axis *x, const axis *y)
{
    int xs = (int)((x->to - x->from) / x->step + .5), ys = (int)((y->to - y->from) / y->step + .5);
    for (int i = 0; i <= xs; i++) {
        double v = fmin(x->from + i * x->step, x->to);
        put_line(out, "grid", at_x(x, v), TOP, at_x(x, v), HEIGHT - BOTTOM);
        put_tick(out, at_x(x, v), HEIGHT - BOTTOM + 18, "middle", v);
    }
    for (int i = 0; i <= ys; i++) {
        double v = fmax(y->to - i * y->step, 0);
        put_line(out, "grid", LEFT, at_y(y, v), WIDTH - RIGHT, at_y(y, v));
        put_tick(out, LEFT - 8, at_y(y, v) + 4, "end", v);
    }
    put_text(out, (LEFT + WIDTH - RIGHT) / 2., HEIGHT - 10, "middle", "fetches saved \xE2\x86\x92");
}

/* What a point says when it is pointed at, and to those who cannot see it. */
static void put_title(dp_buf *out, const dp_report_point *p)
{
    dp_buf_c(out, "<title>Minimum precision ");
    dp_html_share(out, p->threshold);
    dp_buf_c(out, ": ");
    dp_html_share(out, p->score.reduction);
    dp_buf_c(out, " saved, ");
    dp_html_share(out, dp_report_right(&p->score));
    dp_buf_c(out, " of the merges right, ");
    dp_report_number(out, p->score.lost, "page lost</title>", "pages lost</title>");
}

static void put_points(dp_buf *out, const dp_report *r, const axis *x, const axis *y)
{
    dp_buf_c(out, "<polyline class=\"line\" points=\"");
    for (size_t i = FIRST; i < r->npoint; i++) {
        put_place(out, at_x(x, r->point[i].score.reduction));
        dp_buf_byte(out, ',');
        put_place(out, at_y(y, dp_report_right(&r->point[i].score)));
        dp_buf_byte(out, ' ');
    }
    dp_buf_c(out, "\"/>");
    for (int ring = 0; ring < 2; ring++) { /* the ring lies above the others */
        for (size_t i = FIRST; i < r->npoint; i++) {
            const dp_report_point *p = &r->point[i];
            if (p->chosen != (ring == 1))
                continue;
            dp_buf_c(out, ring ? "<circle class=\"ring\" r=\"7\"" : "<circle r=\"4\"");
            put_at(out, "cx", at_x(x, p->score.reduction));
            put_at(out, "cy", at_y(y, dp_report_right(&p->score)));
            dp_buf_byte(out, '>');
            put_title(out, p);
            dp_buf_c(out, "</circle>");
        }
    }
}

void dp_report_chart(dp_buf *out, const dp_report *r)
{
    axis   x = x_axis(r), y = y_axis(r);
    double best = at_x(&x, r->row[DP_ROW_BEST].reduction);
    dp_buf_printf(out, "<figure><svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"chart-t "
                       "chart-d\"><title id=\"chart-t\">Fetches saved, and share of right merges</title>"
                       "<desc id=\"chart-d\">", WIDTH, HEIGHT);
    for (size_t i = 0; i < r->npoint; i++) {
        if (!r->point[i].chosen)
            continue;
        dp_buf_c(out, "The rules of this report save ");
        dp_html_share(out, r->point[i].score.reduction);
        dp_buf_c(out, " of the fetches, and ");
        dp_html_share(out, dp_report_right(&r->point[i].score));
        dp_buf_c(out, " of their merges are right. ");
    }
    dp_buf_c(out, "The best possible saving is ");
    dp_html_share(out, r->row[DP_ROW_BEST].reduction);
    dp_buf_c(out, ". The table below has all points.</desc>");
    put_axes(out, &x, &y);
    put_line(out, "best", best, TOP, best, HEIGHT - BOTTOM);
    put_text(out, best - 6, HEIGHT - BOTTOM - 8, "end", "best possible");
    put_points(out, r, &x, &y);
    dp_buf_c(out, "</svg><figcaption class=\"facts\">Vertical axis: the share of merges that are right."
                  "</figcaption></figure>");
}
