/* to_names.c - tools that take names of parameters to drop: duplicate-url-discarder, robots.txt (Clean-param).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/words/json.h"
#include "exchange/export.h"
#include "url/chars.h"

static void refuse_names(dp_buf *why, const dp_export_unit *u, const char *cannot)
{
    for (size_t i = 0; !why->n && i < u->rule->names.n; i++) {
        if (u->rule->names.v[i].prefix)
            dp_buf_printf(why, "%s parameter names that end in *", cannot);
    }
}

static bool has_name(const dp_block *b, dp_str name, const char *lead)
{
    for (size_t i = 0; i < b->nscope; i++) {
        dp_str s = b->scope[i].name;
        if (!b->scope[i].wildcard && !b->scope[i].any && s.n == name.n + strlen(lead) &&
            dp_str_starts(s, dp_str_c(lead)) && dp_str_ends(s, name))
            return true;
    }
    return false;
}

/* ---- duplicate-url-discarder ---------------------------------------------------------------------------------- */

/* Its pattern for a domain matches the domain itself, too. */
void dp_refuse_discarder(dp_buf *why, const dp_export_unit *u, const char *cannot)
{
    for (size_t i = 0; !why->n && i < u->nscope; i++) {
        dp_str name = u->scope[i]->name;
        if (name.n && memchr(name.p, '[', name.n))
            dp_buf_printf(why, "%s an IPv6 address in the host line", cannot);
        else if (u->scope[i]->wildcard && !has_name(u->rule->block, name, ""))
            dp_buf_printf(why, "in duplicate-url-discarder *.%.*s includes %.*s; add that host to the rule's host line",
                          DP_FMT(name), DP_FMT(name));
    }
    if (!why->n)
        refuse_names(why, u, cannot);
}

/* www.a.com where a.com is there, too: its pattern holds for both. */
static bool is_twin(const dp_export_unit *u, const dp_scope *s)
{
    return !s->any && !s->wildcard && dp_str_starts(s->name, DP_STR("www.")) &&
           has_name(u->rule->block, dp_str_cut(s->name, 4, s->name.n), "");
}

static void exclude(dp_buf *out, size_t *n, const char *lead, dp_str name)
{
    dp_buf_printf(out, "%s\"%s%.*s/\"", (*n)++ ? ", " : ", \"exclude\": [", lead, DP_FMT(name));
}

/* The point of "www." stands for any character in its patterns: shop.a.com is www-shop.a.com, too. Those are other
 * hosts. It looks for patterns by registrable domain, so that a.com is not www-a.com. */
static void exclude_likes(dp_buf *out, size_t *n, const dp_export_unit *u, dp_str name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_~";
    const char       *point = name.n ? memchr(name.p, '.', name.n) : NULL;
    if (!point || !memchr(point + 1, '.', name.n - (size_t)(point + 1 - name.p)))
        return;
    for (const char *c = letters; *c; c++) {
        char lead[] = {'w', 'w', 'w', *c, 0};
        if (!has_name(u->rule->block, name, lead))
            exclude(out, n, lead, name);
    }
}

/* "a.com/" is a.com and www.a.com, "a.com" all below it, "" every URL that no other pattern fits. */
static void add_pattern(dp_buf *out, const dp_export_unit *u)
{
    size_t included = 0, excluded = 0;
    dp_buf_c(out, "{\"include\": [");
    for (size_t i = 0; i < u->nscope; i++) {
        const dp_scope *s = u->scope[i];
        if (!is_twin(u, s))
            dp_buf_printf(out, "%s\"%.*s%s\"", included++ ? ", " : "", DP_FMT(s->name),
                          s->any || s->wildcard ? "" : "/");
    }
    dp_buf_c(out, "]");
    for (size_t i = 0; i < u->nscope; i++) {
        const dp_scope *s = u->scope[i];
        if (is_twin(u, s))
            continue;
        if (!s->any && !s->wildcard && !has_name(u->rule->block, s->name, "www."))
            exclude(out, &excluded, "www.", s->name);
        exclude_likes(out, &excluded, u, s->name);
    }
    dp_buf_c(out, excluded ? "]}" : "}");
}

static void add_policy(dp_buf *out, const dp_export_unit *names, const dp_export_unit *where)
{
    dp_buf_c(out, out->p && out->n && out->p[out->n - 1] == '[' ? "\n  {\"args\": [" : ",\n  {\"args\": [");
    for (size_t i = 0; i < names->rule->names.n; i++) {
        dp_buf_c(out, i ? ", " : "");
        dp_json_str(out, names->rule->names.v[i].text);
    }
    dp_buf_printf(out, "], \"order\": 100, \"processor\": \"%s\", \"urlPattern\": ",
                  names->rule->kind == DP_RULE_ONLY ? "queryRemovalExcept" : "queryRemoval");
    add_pattern(out, where);
    dp_buf_byte(out, '}');
}

/* A policy for every URL is not asked where another fits, so those get it as well. */
void dp_export_discarder(dp_buf *out, const dp_units *units)
{
    dp_buf_byte(out, '[');
    for (size_t i = 0; i < units->n; i++) {
        const dp_export_unit *u = &units->v[i];
        add_policy(out, u, u);
        for (size_t j = 0; !u->scope[0]->any && j < units->n; j++) {
            if (units->v[j].scope[0]->any)
                add_policy(out, &units->v[j], u);
        }
    }
    dp_buf_c(out, "\n]\n");
}

/* ---- Clean-param ------------------------------------------------------------------------------------------------ */

enum { MAX_LINE = 480 /* bytes; readers take 500 */ };

void dp_robots_hosts(dp_buf *out, const dp_export_unit *u)
{
    dp_buf_c(out, "# robots.txt of");
    for (size_t i = 0; i < u->nscope; i++) {
        const dp_scope *s = u->scope[i];
        dp_buf_printf(out, "%s %s%.*s", i ? "," : "", s->any ? "every host" : s->wildcard ? "*." : "",
                      DP_FMT(s->name));
    }
}

bool dp_is_plain(dp_str name)
{
    for (size_t i = 0; i < name.n; i++) {
        if (!dp_is(name.p[i], DP_CH_ALNUM) && !strchr(".-_", name.p[i]))
            return false;
    }
    return true;
}

bool dp_is_plain_path(const dp_template *t)
{
    bool plain = !t->scheme.n && !t->host.n;
    for (size_t i = 0; i < t->nseg && plain; i++) {
        const dp_pat *p = &t->seg[i];
        plain = p->n == 0 || (p->n == 1 && p->v[0].kind == DP_ITEM_LITERAL && dp_is_plain(p->v[0].text));
    }
    return plain;
}

/* All of a folder: its path is what others begin with. */
static bool is_folder(const dp_template *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->nseg; i++)
        n += (t->seg[i].n ? t->seg[i].v[0].text.n : 0) + 1;
    return dp_is_plain_path(t) && t->glob == t->nseg - 1 && n < MAX_LINE / 2;
}

static void add_folder(dp_buf *out, const dp_template *t)
{
    dp_buf_c(out, t->nseg > 1 ? " /" : "");
    for (size_t i = 0; i + 1 < t->nseg; i++)
        dp_buf_printf(out, "%.*s/", DP_FMT(t->seg[i].n ? t->seg[i].v[0].text : DP_STR("")));
}

void dp_refuse_robots_names(dp_buf *why, const dp_export_unit *u, const char *cannot)
{
    for (size_t i = 0; !why->n && i < u->rule->names.n; i++) {
        dp_str s = u->rule->names.v[i].text;
        if (!dp_is_plain(s))
            dp_buf_printf(why, "%s a parameter name with characters other than letters, digits, '.', '-' and '_'",
                          cannot);
        else if (s.n > MAX_LINE / 2)
            dp_buf_printf(why, "%s a parameter name of more than 240 characters", cannot);
    }
}

void dp_refuse_clean_param(dp_buf *why, const dp_export_unit *u, const char *cannot)
{
    const dp_rule *r = u->rule;
    if (r->has_if)
        dp_buf_printf(why, "%s a condition on the value (if)", cannot);
    else if (r->nunless)
        dp_buf_printf(why, "%s an exception (unless)", cannot);
    else if (r->on && !is_folder(r->on))
        dp_buf_printf(why, "%s a condition other than a folder, such as /a/b/{**}", cannot);
    else
        refuse_names(why, u, cannot);
    if (!why->n)
        dp_refuse_robots_names(why, u, cannot);
}

void dp_export_clean_param(dp_buf *out, const dp_units *units)
{
    dp_buf folder = {0};
    for (size_t i = 0; i < units->n; i++) {
        const dp_export_unit *u = &units->v[i];
        const dp_names       *names = &u->rule->names;
        dp_buf_reset(&folder);
        if (u->rule->on)
            add_folder(&folder, u->rule->on);
        dp_robots_hosts(out, u);
        size_t begin = 0;
        for (size_t j = 0; j < names->n; j++) {
            if (!j || out->n - begin + names->v[j].text.n + folder.n > MAX_LINE) {
                dp_buf_str(out, j ? dp_buf_view(&folder) : (dp_str){"", 0});
                begin = out->n;
                dp_buf_c(out, "\nClean-param: ");
            } else {
                dp_buf_byte(out, '&');
            }
            dp_buf_str(out, names->v[j].text);
        }
        dp_buf_str(out, dp_buf_view(&folder));
        dp_buf_byte(out, '\n');
    }
    out->failed |= folder.failed;
    dp_buf_done(&folder);
}
