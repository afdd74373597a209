/* SPDX-License-Identifier: Apache-2.0 */
#include "site/ownership.h"

#include <stdlib.h>

#include "base/room.h"
#include "url/host.h"

static bool is_between(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == ',';
}

/* A domain of the owner whose first one is `*first`; UINT32_MAX: it is the first. */
static dp_err add(dp_ownership *o, dp_str word, uint32_t *first, const char *name, size_t line, dp_error *err)
{
    dp_buf   host = {0};
    uint32_t known, number = (uint32_t)o->name.n;
    bool     is_host = dp_host_normalize(&host, word);
    dp_str   domain = dp_host_domain(dp_buf_view(&host));
    dp_err   code = host.failed ? DP_ENOMEM : DP_OK;
    if (code == DP_OK && !is_host)
        code = dp_fail_at(err, DP_ESYNTAX, name, line, 0, "'%.*s' is not a domain", DP_FMT(word));
    else if (code == DP_OK && dp_intern_find(&o->number, domain, &known)) {
        if (*first == UINT32_MAX || o->first[known] != *first)
            code = dp_fail_at(err, DP_ESYNTAX, name, line, 0,
                              "%.*s is listed twice: put all domains of one owner on one line", DP_FMT(domain));
    } else if (code == DP_OK) {
        *first = *first == UINT32_MAX ? number : *first;
        if (!DP_ROOM(o->first, number, o->cap) ||
            !dp_intern_add(&o->number, domain, number) || !dp_strlist_add(&o->name, domain))
            code = DP_ENOMEM;
        else
            o->first[number] = *first;
    }
    dp_buf_done(&host);
    return code;
}

static dp_err read_line(dp_ownership *o, dp_str line, size_t number, const char *name, dp_error *err)
{
    uint32_t first = UINT32_MAX;
    for (size_t i = 0, end; i < line.n && line.p[i] != '#'; i = end) {
        for (end = i; end < line.n && !is_between(line.p[end]) && line.p[end] != '#'; end++) {}
        if (end > i)
            DP_TRY(add(o, dp_str_cut(line, i, end), &first, name, number, err));
        else
            end++;
    }
    return DP_OK;
}

dp_err dp_ownership_read(dp_ownership *o, dp_str text, const char *name, dp_error *err)
{
    size_t number = 1;
    for (size_t i = 0, end; i < text.n; i = end + 1, number++) {
        for (end = i; end < text.n && text.p[end] != '\n'; end++) {}
        DP_TRY(read_line(o, dp_str_cut(text, i, end), number, name, err));
    }
    return DP_OK;
}

void dp_ownership_done(dp_ownership *o)
{
    dp_strlist_done(&o->name);
    dp_intern_done(&o->number);
    free(o->first);
    *o = (dp_ownership){0};
}

dp_str dp_ownership_lead(const dp_ownership *o, dp_str domain)
{
    uint32_t number;
    return dp_intern_find(&o->number, domain, &number) ? dp_strlist_get(&o->name, o->first[number]) : domain;
}

bool dp_ownership_are_one(const dp_ownership *o, const dp_str *domain, size_t n)
{
    bool one = true;
    for (size_t i = 1; i < n && one; i++)
        one = dp_str_eq(dp_ownership_lead(o, domain[i]), dp_ownership_lead(o, domain[0]));
    return one;
}

bool dp_ownership_prefer(const dp_ownership *o, dp_str domain, dp_str other)
{
    uint32_t a, b;
    return dp_intern_find(&o->number, domain, &a) && dp_intern_find(&o->number, other, &b) && a < b;
}
