/* to_redirect.c - for the servers and the robots.txt of the site itself: nginx and Apache redirects, Disallow lines.
 *
 * A redirect is for people, too. So it is written only where pages were compared or a redirect was seen, or where you
 * have pinned the rule: sizes, sketches, lists and rel=canonical are no proof. What is erased can never be requested,
 * and is refused for all targets (exchange/units.c).
 *
 * Apache matches paths and queries apart. So the URL of the request is put together in a variable first, and the same
 * patterns as for nginx change that step by step.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "exchange/export.h"
#include "exchange/regex.h"

/* ---- who may be redirected ------------------------------------------------------------------------------------ */

static bool has_word(dp_str list, const char *word)
{
    dp_str want = dp_str_c(word);
    for (size_t i = 0, j; i < list.n; i = j + 1) {
        for (j = i; j < list.n && list.p[j] != ','; j++) {}
        if (dp_str_eq(dp_str_cut(list, i, j), want))
            return true;
    }
    return false;
}

/* Whether somebody has seen that people get the same page. A rule that says nothing was written by hand. */
static bool is_seen(const dp_rule *r)
{
    if (r->state == DP_PIN)
        return true;
    for (size_t i = 0; i < r->nattr; i++) {
        dp_str by = r->attr[i].value;
        if (dp_str_eq(r->attr[i].key, DP_STR("by")))
            return has_word(by, "text") || has_word(by, "digest") || has_word(by, "redirect") || has_word(by, "fetch");
    }
    return true;
}

static void refuse_unseen(dp_buf *why, const dp_export_unit *u)
{
    if (!is_seen(u->rule))
        dp_buf_c(why, "nobody has compared its pages, and a redirect is for people, too: test it with 'dustpan "
                      "validate', or pin it");
}

void dp_refuse_nginx_redirect(dp_buf *why, const dp_export_unit *u, const char *cannot)
{
    refuse_unseen(why, u);
    if (!why->n)
        dp_refuse_nginx(why, u, cannot);
}

void dp_refuse_apache_redirect(dp_buf *why, const dp_export_unit *u, const char *cannot)
{
    dp_refuse_nginx_redirect(why, u, cannot);
    const dp_template *t = u->rule->right;
    for (size_t i = 0; t && i < t->nseg && !why->n; i++) {
        for (size_t j = 0; j < t->seg[i].n && !why->n; j++) {
            dp_str s = t->seg[i].v[j].text;
            if (t->seg[i].v[j].kind == DP_ITEM_LITERAL && (memchr(s.p, '%', s.n) || memchr(s.p, '\\', s.n)))
                dp_buf_printf(why, "%s a percent sign in a result", cannot);
        }
    }
}

/* ---- nginx ------------------------------------------------------------------------------------------------------ */

void dp_export_nginx_redirect(dp_buf *out, const dp_units *units)
{
    dp_buf_c(out, "# Made by dustpan. These maps belong into the http block, and this line into the server block:\n"
                  "#     if ($dustpan_moved) { return 301 $dustpan_moved; }\n"
                  "# Behind a proxy that ends TLS, it must send X-Forwarded-Proto.\n"
                  "map $http_x_forwarded_proto $dustpan_scheme {\n    default $scheme;\n    http http;\n"
                  "    https https;\n}\n");
    size_t last = dp_nginx_maps(out, units, "$dustpan_scheme");
    dp_buf_printf(out,
                  "map \"$request_method $dustpan_0 $dustpan_%zu\" $dustpan_moved {\n    default \"\";\n"
                  "    \"~^(?:GET|HEAD) (\\S+) " DP_PASS_ENDS "?+(?!\\1$)(.+)$\" \"$2\";\n}\n",
                  last);
}

/* ---- Apache ----------------------------------------------------------------------------------------------------- */

/* One step: the variable `dustpan` of the request holds the URL so far. */
static void put_apache(dp_buf *out, const dp_export_unit *u, size_t number, dp_str pattern, dp_str result)
{
    (void)u, (void)number;
    dp_buf_printf(out, "RewriteCond %%{ENV:dustpan} \"%.*s\"\nRewriteRule ^ - [E=dustpan:%.*s]\n", DP_FMT(pattern),
                  DP_FMT(result));
}

void dp_export_apache_redirect(dp_buf *out, const dp_units *units)
{
    const dp_replacement apache = {"%", "", ""};
    dp_buf_c(out, "# For a VirtualHost, with mod_rewrite. Made by dustpan.\n"
                  "RewriteEngine on\n"
                  "# Behind a proxy that ends TLS, it must send X-Forwarded-Proto.\n"
                  "RewriteRule ^ - [E=dustpan_scheme:%{REQUEST_SCHEME}]\n"
                  "RewriteCond %{HTTP:X-Forwarded-Proto} \"^(https?)$\"\n"
                  "RewriteRule ^ - [E=dustpan_scheme:%1]\n"
                  "RewriteCond %{THE_REQUEST} \"^\\S+ (\\S+)\"\n"
                  "RewriteRule ^ - [E=dustpan:%{ENV:dustpan_scheme}://%{HTTP_HOST}%1,"
                  "E=dustpan_0:%{ENV:dustpan_scheme}://%{HTTP_HOST}%1]\n");
    dp_whole_steps(out, units, &apache, "%1%2", put_apache);
    dp_buf_c(out, "RewriteCond %{REQUEST_METHOD} \"^(?:GET|HEAD)$\"\n"
                  "RewriteCond \"%{ENV:dustpan_0} %{ENV:dustpan}\" \"!^(\\S+) \\1$\"\n"
                  "RewriteCond %{ENV:dustpan} \"^" DP_PASS_ENDS "?+([^?]*)[?]?(.*)$\"\n"
                  "RewriteRule ^ %1?%2 [R=301,L,NE]\n");
}

/* ---- robots.txt ------------------------------------------------------------------------------------------------- */

static bool has_prefix(const dp_names *names)
{
    for (size_t i = 0; i < names->n; i++) {
        if (names->v[i].prefix)
            return true;
    }
    return false;
}

void dp_refuse_robots(dp_buf *why, const dp_export_unit *u, const char *cannot)
{
    const dp_rule *r = u->rule;
    if (r->nunless)
        dp_buf_printf(why, "%s an exception (unless)", cannot);
    else if (r->on && !dp_is_plain_path(r->on))
        dp_buf_printf(why, "%s a condition other than a path of letters, digits, '.', '-', '_' and {**}", cannot);
    else if (r->names.kind == ';' && (r->on || r->has_if))
        dp_buf_printf(why, "%s a condition on a path parameter", cannot);
    else if (r->has_if && has_prefix(&r->names))
        dp_buf_printf(why, "%s a condition on the value (if) of names that end in *", cannot);
    else if (r->has_if && !dp_is_plain(r->value))
        dp_buf_printf(why, "%s a value with characters other than letters, digits, '.', '-' and '_'", cannot);
    else
        dp_refuse_robots_names(why, u, cannot);
}

/* The paths that a rule is about; {**} is nothing, or whatever stands between two slashes. */
static void add_path(dp_buf *out, const dp_template *on, bool more)
{
    if (!on || (on->nseg == 1 && on->glob == 0)) {
        dp_buf_c(out, "/*");
        return;
    }
    for (size_t i = 0; i < on->nseg; i++) {
        if (i == on->glob)
            dp_buf_c(out, more ? "/*" : "");
        else
            dp_buf_printf(out, "/%.*s", DP_FMT(on->seg[i].n ? on->seg[i].v[0].text : DP_STR("")));
    }
}

/* ";name" of the path; no URL of the site is meant to have it elsewhere. */
static void add_path_line(dp_buf *out, const dp_name *name)
{
    dp_buf_printf(out, "Disallow: /*;%.*s%s\n", DP_FMT(name->text), name->prefix ? "" : "=");
}

static void add_lines(dp_buf *out, const dp_rule *r, const dp_name *name, bool more)
{
    for (int later = 0; later < 2; later++) {
        for (int last = 0; last < (r->has_if ? 2 : 1); last++) {
            dp_buf_c(out, "Disallow: ");
            add_path(out, r->on, more);
            dp_buf_printf(out, "?%s%.*s%s", later ? "*&" : "", DP_FMT(name->text), name->prefix ? "" : "=");
            if (r->has_if)
                dp_buf_printf(out, "%.*s%c", DP_FMT(r->value), last ? '$' : '&');
            dp_buf_byte(out, '\n');
        }
    }
}

/* URLs with these parameters are not to be fetched at all: the pages have others. */
void dp_export_robots(dp_buf *out, const dp_units *units)
{
    dp_buf_c(out, "# Crawlers that keep to these lines never fetch URLs with these parameters: each page must be\n"
                  "# linked without them, too. Made by dustpan.\n");
    for (size_t i = 0; i < units->n; i++) {
        const dp_rule *r = units->v[i].rule;
        bool           has_glob = r->on && r->on->glob != DP_NO_GLOB && r->on->nseg > 1;
        if (!i || units->v[i - 1].rule->block != r->block) {
            dp_robots_hosts(out, &units->v[i]);
            dp_buf_c(out, "\nUser-agent: *\n");
        }
        for (size_t j = 0; j < r->names.n; j++) {
            if (r->names.kind == ';')
                add_path_line(out, &r->names.v[j]);
            else
                add_lines(out, r, &r->names.v[j], false);
            if (has_glob)
                add_lines(out, r, &r->names.v[j], true);
        }
    }
}
