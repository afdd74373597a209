/* The tables of a report as HTML. They are whole without script; class "sorts" lets the script sort them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "output/crawler.h"
#include "output/html.h"
#include "output/report/parts.h"

enum { BAR = 64 /* pixels of a whole bar */ };

void dp_report_number(dp_buf *out, uint64_t n, const char *one, const char *many)
{
    dp_html_count(out, n);
    dp_buf_byte(out, ' ');
    dp_buf_c(out, n == 1 ? one : many);
}

void dp_report_bytes(dp_buf *out, uint64_t n)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    double                   v = (double)n;
    size_t                   unit = 0;
    while (v >= 1000 && unit + 1 < DP_COUNT(units)) {
        v /= 1000;
        unit++;
    }
    uint64_t tenths = (uint64_t)(v * 10 + .5);
    dp_html_count(out, tenths / 10);
    if (unit)
        dp_buf_printf(out, ".%u", (unsigned)(tenths % 10));
    dp_buf_printf(out, " %s", units[unit]);
}

static void open_table(dp_buf *out, const char *label, const char *kind, const char *const *head, size_t n)
{
    dp_buf_printf(out, "<div class=\"scroll\" role=\"region\" aria-label=\"%s\" tabindex=\"0\"><table%s>"
                       "<caption>%s</caption><thead><tr>", label, kind, label);
    for (size_t i = 0; i < n; i++)
        dp_buf_printf(out, "<th scope=\"col\">%s</th>", head[i]);
    dp_buf_c(out, "</tr></thead><tbody>\n");
}

static void close_table(dp_buf *out)
{
    dp_buf_c(out, "</tbody></table></div>\n");
}

/* The same, with the number of rows below it: a long table scrolls. */
static void close_long_table(dp_buf *out, size_t rows)
{
    close_table(out);
    dp_buf_c(out, "<p class=\"facts rows\">");
    dp_report_number(out, rows, "row", "rows");
    dp_buf_c(out, "</p>\n");
}

static void open_row(dp_buf *out, const char *kind, dp_str name)
{
    dp_buf_printf(out, "<tr%s><th scope=\"row\">", kind);
    dp_html_text(out, name);
    dp_buf_c(out, "</th>");
}

static void close_row(dp_buf *out)
{
    dp_buf_c(out, "</tr>\n");
}

static void cell_count(dp_buf *out, uint64_t v)
{
    dp_buf_c(out, "<td>");
    dp_html_count(out, v);
    dp_buf_c(out, "</td>");
}

static void cell_share(dp_buf *out, double v)
{
    dp_buf_c(out, "<td>");
    dp_html_share(out, v);
    dp_buf_c(out, "</td>");
}

/* A share with a bar behind it. */
static void cell_bar(dp_buf *out, double v)
{
    dp_buf_c(out, "<td>");
    dp_html_share(out, v);
    dp_buf_printf(out, "<svg class=\"b\" viewBox=\"0 0 %d 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
                       "<rect width=\"%d\" height=\"8\"/></svg></td>", BAR, (int)(v * BAR + .5));
}

static void cell_bytes(dp_buf *out, uint64_t n)
{
    dp_buf_c(out, "<td>");
    dp_report_bytes(out, n);
    dp_buf_c(out, "</td>");
}

static void cell_text(dp_buf *out, const char *text)
{
    dp_buf_printf(out, "<td>%s</td>", text);
}

/* ---- the points of the curve ------------------------------------------------------------------------ */

void dp_report_points(dp_buf *out, const dp_report *r)
{
    static const char *const head[] = {"Minimum precision", "Rules", "Fetched", "Saved", "Right merges",
                                       "Wrong merges", "Pages lost"};
    open_table(out, "Thresholds", "", head, DP_COUNT(head));
    for (size_t i = 0; i < r->npoint; i++) {
        const dp_report_point *p = &r->point[i];
        dp_buf                 name = {0};
        if (p->threshold < 0)
            dp_buf_c(&name, "no rules (basic URL cleanup)");
        else
            dp_html_share(&name, p->threshold);
        dp_buf_printf(out, "<tr%s><th scope=\"row\">", p->chosen ? " class=\"rules\"" : "");
        dp_buf_str(out, dp_buf_view(&name));
        dp_buf_c(out, p->chosen ? " (this report)</th>" : "</th>");
        out->failed |= name.failed;
        dp_buf_done(&name);
        cell_count(out, p->rules);
        cell_count(out, p->score.fetched);
        cell_share(out, p->score.reduction);
        cell_share(out, dp_report_right(&p->score));
        cell_count(out, p->score.bad);
        cell_count(out, p->score.lost);
        close_row(out);
    }
    close_long_table(out, r->npoint);
}

/* ---- baselines -------------------------------------------------------------------------------------- */

void dp_report_baselines(dp_buf *out, const dp_report *r)
{
    static const char *const head[] = {"",          "Saved",  "Pages lost", "Fetched", "Wrong merges",
                                       "Precision", "Recall", "F1",         "Rules"};
    static const char *const bare[] = {"", "Merged", "Different keys", "Rules"};
    static const struct { dp_report_row row; const char *name; } rows[] = {
        {DP_ROW_IDENTITY, "No rules"}, {DP_ROW_STAGE0, "Basic URL cleanup"}, {DP_ROW_COMMON, "Common trackers"},
        {DP_ROW_RULES, "These rules"}, {DP_ROW_BEST, "Best possible"},
    };
    open_table(out, "These rules and others", "", r->labelled ? head : bare,
               r->labelled ? DP_COUNT(head) : DP_COUNT(bare));
    for (size_t i = 0; i < DP_COUNT(rows); i++) {
        const dp_score *s = &r->row[rows[i].row];
        if (rows[i].row == DP_ROW_BEST && !r->labelled)
            continue;
        open_row(out, rows[i].row == DP_ROW_RULES ? " class=\"rules\"" : "", dp_str_c(rows[i].name));
        cell_bar(out, s->reduction);
        if (r->labelled)
            cell_count(out, s->lost);
        cell_count(out, s->fetched);
        if (r->labelled) {
            cell_count(out, s->bad);
            cell_share(out, s->precision);
            cell_share(out, s->recall);
            cell_share(out, s->f1);
        }
        if (rows[i].row == DP_ROW_COMMON || rows[i].row == DP_ROW_RULES)
            cell_count(out, r->row_rules[rows[i].row]);
        else
            cell_text(out, "\xE2\x80\x93");
        close_row(out);
    }
    close_table(out);
    if (r->labelled)
        dp_buf_c(out, "<p class=\"facts\">Precision: pages seen per fetch. Recall: share of all pages that are seen. "
                      "Always read savings together with lost pages.</p>");
}

/* ---- crawlers --------------------------------------------------------------------------------------- */

void dp_report_traffic(dp_buf *out, const dp_report *r)
{
    static const char *const head[] = {"Crawler", "Requests", "Wasted", "Share", "Sent", "Wasted bytes", "URLs",
                                       "Different keys", "Wasted, by labels"};
    size_t rows = 0;
    open_table(out, "Requests by crawler", " class=\"sorts\"", head, r->known ? DP_COUNT(head) : DP_COUNT(head) - 1);
    for (uint32_t i = 0; i < dp_crawlers(); i++) {
        const dp_spent *s = &r->spent[i];
        if (!s->hits)
            continue;
        rows++;
        open_row(out, dp_crawler_is(i) ? "" : " class=\"rest\"", dp_str_c(dp_crawler_name(i)));
        cell_count(out, s->hits);
        cell_count(out, s->wasted);
        cell_bar(out, (double)s->wasted / (double)s->hits);
        cell_bytes(out, s->bytes);
        cell_bytes(out, s->wasted_bytes);
        cell_count(out, s->urls);
        cell_count(out, s->pages);
        if (r->known)
            cell_count(out, r->known[i].wasted);
        close_row(out);
    }
    close_long_table(out, rows);
}

void dp_report_days(dp_buf *out, const dp_report *r)
{
    static const char *const head[] = {"Day (UTC)", "Requests", "Wasted", "Share", "Sent", "Wasted bytes"};
    open_table(out, "Requests by day", " class=\"sorts\"", head, DP_COUNT(head));
    for (size_t i = 0; i < r->nday; i++) {
        const dp_report_day *d = &r->day[i];
        dp_buf               date = {0};
        dp_report_put_date(&date, d->day);
        open_row(out, "", dp_buf_view(&date));
        cell_count(out, d->hits);
        cell_count(out, d->wasted);
        cell_bar(out, d->hits ? (double)d->wasted / (double)d->hits : 0);
        cell_bytes(out, d->bytes);
        cell_bytes(out, d->wasted_bytes);
        close_row(out);
        out->failed |= date.failed;
        dp_buf_done(&date);
    }
    close_long_table(out, r->nday);
}

/* ---- hosts ------------------------------------------------------------------------------------------ */

static void host_cells(dp_buf *out, const dp_report *r, const dp_score *s)
{
    cell_count(out, s->urls);
    cell_bar(out, s->urls ? (double)(s->urls - s->fetched) / (double)s->urls : 0);
    if (r->labelled)
        cell_count(out, s->lost);
    cell_count(out, s->fetched);
    if (!r->labelled)
        return;
    cell_count(out, s->clusters);
    cell_share(out, s->urls ? (double)(s->urls - s->clusters) / (double)s->urls : 0);
    cell_count(out, s->bad);
}

void dp_report_hosts(dp_buf *out, const dp_report *r)
{
    static const char *const head[] = {"Host", "URLs", "Saved", "Pages lost", "Fetched", "Pages", "Possible saving",
                                       "Wrong merges"};
    static const char *const bare[] = {"Host", "URLs", "Merged", "Different keys"};
    dp_report_rest rest = dp_report_rest_of(r);
    dp_buf_c(out, "<p>");
    dp_report_number(out, r->nhost, "host", "hosts");
    if (rest.hosts) {
        dp_buf_c(out, "; the ");
        dp_html_count(out, rest.shown);
        dp_buf_c(out, " with the most URLs have a row each, the others share the last row. ");
    } else {
        dp_buf_c(out, r->nhost == 1 ? ". " : ", those with the most URLs first. ");
    }
    dp_buf_c(out, "Merges across hosts count only in the totals above.</p>"
                  "<div class=\"tools need-js\"><label for=\"find-host\">Find a host</label>"
                  "<input id=\"find-host\" type=\"search\" autocomplete=\"off\" "
                  "data-filter=\"#hosts tbody tr:not(.rest)\">"
                  "<output for=\"find-host\"></output></div>");
    open_table(out, "Hosts", " class=\"sorts\"", r->labelled ? head : bare,
               r->labelled ? DP_COUNT(head) : DP_COUNT(bare));
    for (size_t i = 0; i < rest.shown; i++) {
        open_row(out, "", r->host[i].name);
        host_cells(out, r, &r->host[i].score);
        close_row(out);
    }
    if (rest.hosts) {
        dp_buf name = {0};
        dp_report_number(&name, rest.hosts, "other host", "other hosts");
        open_row(out, " class=\"rest\"", dp_buf_view(&name));
        host_cells(out, r, &(dp_score){.urls = rest.urls, .clusters = rest.clusters, .fetched = rest.fetched,
                                       .lost = rest.lost, .bad = rest.bad});
        close_row(out);
        out->failed |= name.failed;
        dp_buf_done(&name);
    }
    close_long_table(out, rest.shown + (rest.hosts > 0));
}

/* ---- promised against measured ------------------------------------------------------------------------ */

void dp_report_reliability(dp_buf *out, const dp_report *r)
{
    static const char *const head[] = {"Expected precision", "Rules", "Votes of pages", "Promised", "Measured"};
    static const char *const name[DP_REPORT_BANDS] = {"99.9 % and more", "99 to 99.9 %", "95 to 99 %", "90 to 95 %",
                                                      "below 90 %", "all rules"};
    open_table(out, "Promised and measured", "", head, DP_COUNT(head));
    for (size_t i = 0; i < DP_REPORT_BANDS; i++) {
        const dp_report_band *b = &r->band[i];
        uint64_t              votes = b->pos + b->against;
        if (!votes)
            continue;
        open_row(out, i + 1 == DP_REPORT_BANDS ? " class=\"rules\"" : "", dp_str_c(name[i]));
        cell_count(out, b->rules);
        cell_count(out, votes);
        cell_share(out, b->promised / (double)votes);
        cell_share(out, (double)b->pos / (double)votes);
        close_row(out);
    }
    close_table(out);
}
