/* from_lines.c - formats of one line a rule: AdGuard's $removeparam, Clean-param of robots.txt.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "exchange/import.h"

static dp_str trim(dp_str s)
{
    while (s.n && (s.p[0] == ' ' || s.p[0] == '\t'))
        s = dp_str_cut(s, 1, s.n);
    while (s.n && strchr(" \t\r", s.p[s.n - 1]) && s.p[s.n - 1])
        s.n--;
    return s;
}

/* The next line of the text, without its end; false when there is none. */
static bool next_line(dp_str *rest, dp_str *line)
{
    if (!rest->n)
        return false;
    const char *end = memchr(rest->p, '\n', rest->n);
    size_t      n = end ? (size_t)(end - rest->p) : rest->n;
    *line = trim((dp_str){rest->p, n});
    *rest = dp_str_cut(*rest, end ? n + 1 : n, rest->n);
    return true;
}

/* What stands before the first `c`, all of it when there is none; `s` becomes what follows. */
static dp_str cut_at(dp_str *s, char c)
{
    const char *at = s->n ? memchr(s->p, c, s->n) : NULL;
    dp_str      head = {s->p, at ? (size_t)(at - s->p) : s->n};
    *s = at ? dp_str_cut(*s, head.n + 1, s->n) : (dp_str){s->p + s->n, 0};
    return head;
}

/* ---- AdGuard ------------------------------------------------------------------------------------------------ */

/* ||host^ as hosts; false when it says more or less. */
static bool read_pattern(dp_buf *hosts, dp_str p)
{
    dp_buf_reset(hosts);
    if (!p.n || dp_str_eq(p, DP_STR("*"))) {
        dp_buf_c(hosts, "any");
        return true;
    }
    if (!dp_str_starts(p, DP_STR("||")) || !dp_str_ends(p, DP_STR("^")) || p.n < 4)
        return false;
    p = dp_str_cut(p, 2, p.n - 1);
    for (size_t i = 0; i < p.n; i++) {
        if (strchr("*/^|:, ", p.p[i]))
            return false;
    }
    dp_buf_printf(hosts, "%.*s, *.%.*s", DP_FMT(p), DP_FMT(p));
    return true;
}

/* A name, or /^prefix/; false when it is neither. */
static bool read_name(dp_buf *name, dp_str v)
{
    bool prefix = v.n > 3 && dp_str_starts(v, DP_STR("/^")) && v.p[v.n - 1] == '/';
    if (prefix)
        v = dp_str_cut(v, 2, v.n - 1);
    dp_buf_reset(name);
    for (size_t i = 0; i < v.n; i++) {
        if (strchr(prefix ? "\\.[](){}*+?^$|/=&;" : "*/~|", v.p[i]))
            return false;
    }
    dp_buf_str(name, v);
    if (prefix)
        dp_buf_byte(name, '*');
    return v.n > 0;
}

static const char *read_filter(dp_str line, dp_buf *hosts, dp_buf *name)
{
    if (dp_str_starts(line, DP_STR("@@")))
        return "an exception";
    const char *dollar = memrchr(line.p, '$', line.n);
    /* A '$' in a regular expression is no end of the pattern. */
    const char *option = memmem(line.p, line.n, "$removeparam", 12);
    if (!option)
        return "no $removeparam";
    dp_str pattern = {line.p, (size_t)(option - line.p)}, v = dp_str_cut(line, pattern.n + 12, line.n);
    if (!v.n)
        return "all parameters";
    if (v.p[0] != '=' || dollar > option)
        return "a $removeparam of another kind";
    v = dp_str_cut(v, 1, v.n);
    if (memchr(v.p, ',', v.n))
        return "other modifiers";
    if (!read_pattern(hosts, pattern))
        return "a pattern that is no host";
    return read_name(name, v) ? NULL : "neither a name nor a prefix";
}

dp_err dp_import_adguard(dp_import *i)
{
    dp_str rest = i->text, line;
    dp_buf hosts = {0}, name = {0};
    for (size_t number = 1; next_line(&rest, &line); number++) {
        if (!line.n || line.p[0] == '!' || line.p[0] == '[')
            continue;
        const char *why = read_filter(line, &hosts, &name);
        i->out.failed |= hosts.failed || name.failed;
        if (why)
            dp_import_refuse(i, number, line, why);
        else
            dp_import_drop(i, dp_buf_view(&hosts), dp_buf_view(&name), number);
    }
    dp_buf_done(&hosts);
    dp_buf_done(&name);
    return DP_OK;
}

/* ---- Clean-param --------------------------------------------------------------------------------------------- */

static bool starts_with_word(dp_str line, const char *word)
{
    return line.n >= strlen(word) && strncasecmp(line.p, word, strlen(word)) == 0;
}

static void add_param_line(dp_import *i, dp_str value, dp_str hosts, dp_buf *names, size_t number)
{
    dp_str whole = value, list = cut_at(&value, ' ');
    value = trim(value);
    if (value.n && !dp_str_eq(value, DP_STR("/")) && !dp_str_eq(value, DP_STR("/*"))) {
        dp_import_refuse(i, number, whole, "a path");
        return;
    }
    dp_buf_reset(names);
    while (list.n) {
        dp_str one = cut_at(&list, '&');
        if (one.n && names->n)
            dp_buf_byte(names, ',');
        if (memchr(one.p, '*', one.n) || memchr(one.p, ',', one.n))
            dp_buf_byte(names, '#'); /* no name can hold it: refused as a whole */
        dp_buf_str(names, one);
    }
    i->out.failed |= names->failed;
    dp_import_drop(i, hosts, dp_buf_view(names), number);
}

/* The file does not say whose it is, so a comment has to: "# robots.txt of a.com, www.a.com". */
dp_err dp_import_clean_param(dp_import *i)
{
    static const char of[] = "# robots.txt of ";
    dp_str            rest = i->text, line, hosts = {0};
    dp_buf            names = {0};
    dp_err            code = DP_OK;
    for (size_t number = 1; code == DP_OK && next_line(&rest, &line); number++) {
        if (starts_with_word(line, of)) {
            hosts = trim(dp_str_cut(line, sizeof of - 1, line.n));
            if (dp_str_eq(hosts, DP_STR("every host")))
                hosts = DP_STR("any");
        } else if (starts_with_word(line, "clean-param:")) {
            if (!hosts.n)
                code = dp_fail_at(i->err, DP_ESYNTAX, i->name, number, 0,
                                  "whose robots.txt is this? Put a line '# robots.txt of HOST' before it");
            else
                add_param_line(i, trim(dp_str_cut(line, 12, line.n)), hosts, &names, number);
        }
    }
    dp_buf_done(&names);
    return code;
}
