/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/rounds/shorter.h"

#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "learn/auto/rounds/listed.h"
#include "learn/auto/rounds/lookback.h"
#include "learn/auto/rounds/promise.h"
#include "learn/auto/thresholds.h"

enum {
    MOST_TRIED = 40, /* lists of rules that are run to see whether keys are kept */
    MOST_PASSES = 4  /* over lines that may be joined: a list may differ from another one in one more place */
};

/* ---- one drop out of two -------------------------------------------------------------------- */

/* "drop ?a,b if =1" cut into its names and what follows; false: it is no drop. */
static bool cut_drop(dp_str text, dp_str *head, dp_str *names, dp_str *rest)
{
    static const char *const heads[] = {"drop ?", "drop ;"};
    for (size_t k = 0; k < DP_COUNT(heads); k++) {
        *head = dp_str_c(heads[k]);
        if (!dp_str_starts(text, *head))
            continue;
        const char *end = memchr(text.p + head->n, ' ', text.n - head->n);
        size_t      at = end ? (size_t)(end - text.p) : text.n;
        *names = dp_str_cut(text, head->n, at);
        *rest = dp_str_cut(text, at, text.n);
        return true;
    }
    return false;
}

/* The next name of a list; n == 0: it is at its end. */
static dp_str next_name(dp_str *list)
{
    const char *comma = memchr(list->p, ',', list->n);
    size_t      n = comma ? (size_t)(comma - list->p) : list->n;
    dp_str      name = dp_str_cut(*list, 0, n);
    *list = dp_str_cut(*list, comma ? n + 1 : n, list->n);
    return name;
}

/* Whether a list has a name, or a prefix of it. */
static bool has_name(dp_str list, dp_str name)
{
    while (list.n) {
        dp_str one = next_name(&list);
        if (dp_str_eq(one, name) ||
            (one.n && one.p[one.n - 1] == '*' && dp_str_starts(name, dp_str_cut(one, 0, one.n - 1))))
            return true;
    }
    return false;
}

bool dp_join_drops(dp_buf *out, dp_str a, dp_str b)
{
    dp_str head[2], names[2], rest[2], name[2];
    dp_buf_reset(out);
    if (!cut_drop(a, &head[0], &names[0], &rest[0]) || !cut_drop(b, &head[1], &names[1], &rest[1]) ||
        !dp_str_eq(head[0], head[1]) || !dp_str_eq(rest[0], rest[1]))
        return false;
    dp_str list[2] = {names[0], names[1]};
    dp_buf_str(out, head[0]);
    size_t from = out->n;
    name[0] = next_name(&list[0]);
    name[1] = next_name(&list[1]);
    while (name[0].n || name[1].n) { /* both are sorted, or nearly so */
        int  k = !name[0].n || (name[1].n && dp_str_cmp(name[1], name[0]) < 0);
        bool again = has_name(names[!k], name[k]) && (k || !dp_str_eq(name[0], name[1]));
        if (!again) {
            if (out->n > from)
                dp_buf_byte(out, ',');
            dp_buf_str(out, name[k]);
        }
        name[k] = next_name(&list[k]);
    }
    dp_buf_str(out, rest[0]);
    return !out->failed;
}

/* ---- the list ------------------------------------------------------------------------------- */

static void add_counts(dp_count *a, const dp_count *b)
{
    a->pos += b->pos;
    a->neg += b->neg;
    a->clusters += b->clusters;
    a->good += b->good;
    a->bad += b->bad;
    a->changed += b->changed;
    a->by |= b->by;
}

/* Make rule `t` do what `u` does, too, by this text. */
static void join(dp_taken *t, const dp_taken *u, dp_str text)
{
    double good = t->count.good + 1.0, more = u->count.good + 1.0;
    t->text[0] = text;
    t->p = (t->p * good + u->p * more) / (good + more);
    t->factor = t->factor > u->factor ? t->factor : u->factor;
    t->guards |= u->guards;
    t->sites = t->sites > u->sites ? t->sites : u->sites;
    t->old |= u->old;
    t->doubted |= u->doubted;
    t->owed += u->owed;
    t->depth = t->depth > u->depth ? t->depth : u->depth;
    add_counts(&t->count, &u->count);
    add_counts(&t->later, &u->later);
}

/* Leave out r->v[j]. */
static void leave_out(dp_rounds *r, size_t j)
{
    memmove(&r->v[j], &r->v[j + 1], (r->n - j - 1) * sizeof *r->v);
    r->n--;
}

/* ---- one drop of one name ------------------------------------------------------------------- */

/* Names of a list that is taken apart; 0: it is none, or others carry it, it drops one value, or some name is guarded
 * and nobody knows which. */
static size_t parts_of(const dp_taken *t, dp_str *head, dp_str *names, dp_str *rest)
{
    size_t n = 0;
    bool   whole = t->text[1].n || t->drawn || t->sites || t->prior > 0 || t->factor >= DP_GUARD_FACTOR ||
                   !cut_drop(t->text[0], head, names, rest);
    if (whole || head->p[head->n - 1] != '?' || dp_str_starts(*rest, DP_STR(" if ")))
        return 0;
    for (dp_str list = *names; list.n; n++)
        next_name(&list);
    return n > 1 ? n : 0;
}

/* Make r->v[i] the first of its `n` parts, and put the others behind it. */
static dp_err take_apart(dp_rounds *r, size_t i, size_t n, dp_str head, dp_str names, dp_str rest)
{
    dp_buf text = {0};
    dp_err code = DP_OK;
    for (size_t k = 0; k < n && code == DP_OK; k++) {
        dp_buf_reset(&text);
        dp_buf_str(&text, head);
        dp_buf_str(&text, next_name(&names));
        dp_buf_str(&text, rest);
        dp_str now = dp_arena_str(r->arena, dp_buf_view(&text));
        code = text.failed || !now.p || !DP_ROOM(r->v, r->n, r->cap) ? DP_ENOMEM : DP_OK;
        if (code != DP_OK)
            break;
        dp_taken *t = &r->v[i + k];
        if (k) {
            memmove(t + 1, t, (r->n - i - k) * sizeof *t);
            *t = t[-1];
            r->n++;
        }
        t->text[0] = now;
        t->family = DP_FAMILY_PARAM;
        t->count = (dp_count){.by = t->count.by};
    }
    dp_buf_done(&text);
    return code;
}

/* Put what drops path parameters everywhere before all others: their conditions are about components, and
 * /viewforum.php;sid=1 is not /viewforum.php. */
static void put_first(dp_rounds *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        dp_taken t = r->v[i];
        dp_str   head, names, rest;
        if (t.text[1].n || !cut_drop(t.text[0], &head, &names, &rest) || head.p[head.n - 1] != ';' || rest.n)
            continue;
        memmove(&r->v[n + 1], &r->v[n], (i - n) * sizeof t);
        r->v[n++] = t;
    }
}

dp_err dp_shorter_take_apart(dp_rounds *r)
{
    put_first(r);
    for (size_t i = 0; i < r->n; i++) {
        dp_str head, names, rest;
        size_t n = parts_of(&r->v[i], &head, &names, &rest);
        if (n)
            DP_TRY(take_apart(r, i, n, head, names, rest));
    }
    return DP_OK;
}

/* ---- hosts that lead to one ------------------------------------------------------------------ */

/* Where a rule that does nothing but exchange its host leads; n == 0: it is none. */
static dp_str target_of(const dp_taken *t)
{
    dp_str text = t->text[0], none = {"", 0}, glob = DP_STR("/{**}"), arrow = DP_STR(" => //");
    size_t from = 2 + t->hosts.n + glob.n;
    if (t->text[1].n || text.n < from + arrow.n + glob.n || !dp_str_starts(text, DP_STR("//")) ||
        !dp_str_eq(dp_str_cut(text, 2, 2 + t->hosts.n), t->hosts) ||
        !dp_str_eq(dp_str_cut(text, from - glob.n, from), glob) ||
        !dp_str_eq(dp_str_cut(text, from, from + arrow.n), arrow) ||
        !dp_str_eq(dp_str_cut(text, text.n - glob.n, text.n), glob))
        return none;
    dp_str host = dp_str_cut(text, from + arrow.n, text.n - glob.n);
    return memchr(host.p, '/', host.n) || memchr(host.p, ' ', host.n) ? none : host;
}

/* The host where a chain of such rules ends. */
static dp_str end_of(const dp_rounds *r, size_t i)
{
    dp_str end = target_of(&r->v[i]);
    for (size_t steps = 0, k = 0; end.n && steps < r->n && k < r->n; k++)
        if (target_of(&r->v[k]).n && dp_str_eq(r->v[k].hosts, end)) {
            end = target_of(&r->v[k]);
            steps++;
            k = SIZE_MAX; /* from the first one again */
        }
    return end;
}

/* Join the hosts that end where rule `i` does. */
static dp_err join_hosts(dp_rounds *r, size_t i, bool *any)
{
    dp_buf hosts = {0}, text = {0};
    dp_str end = end_of(r, i);
    size_t others = 0;
    for (size_t j = i; j < r->n; j++) {
        if (!dp_str_eq(end_of(r, j), end) || dp_str_eq(r->v[j].hosts, end))
            continue;
        others += j > i;
        size_t k = i;
        while (k < j && !(dp_str_eq(r->v[k].hosts, r->v[j].hosts) && dp_str_eq(end_of(r, k), end)))
            k++;
        dp_buf_c(&hosts, j > i && k == j ? ", " : "");
        dp_buf_str(&hosts, k == j ? r->v[j].hosts : (dp_str){"", 0});
    }
    dp_buf_c(&text, "/{**} => //");
    dp_buf_str(&text, end);
    dp_buf_c(&text, "/{**}");
    dp_str now = dp_arena_str(r->arena, dp_buf_view(&text)), all = dp_arena_str(r->arena, dp_buf_view(&hosts));
    bool   ok = now.p && all.p && !hosts.failed && !text.failed;
    for (size_t j = r->n; ok && others && --j > i;) {
        if (!dp_str_eq(end_of(r, j), end))
            continue;
        join(&r->v[i], &r->v[j], r->v[i].text[0]);
        r->v[j].gone = true;
        *any = true;
    }
    if (ok && others) {
        r->v[i].text[0] = now;
        r->v[i].hosts = all;
        for (size_t j = r->n; --j > i;)
            if (r->v[j].gone)
                leave_out(r, j);
    }
    dp_buf_done(&hosts);
    dp_buf_done(&text);
    return ok ? DP_OK : DP_ENOMEM;
}

/* Whether every URL has the key that it had, by the rules as they are now. */
static dp_err keeps_keys(bool *same, dp_rounds *r, const uint64_t *key)
{
    const dp_forms *f = &r->forms;
    DP_TRY(dp_lookback_ends(same, r));
    if (!*same)
        return DP_OK;
    DP_TRY(dp_lookback_afresh(r));
    for (size_t u = 0; u < f->site->n && *same; u++)
        *same = f->hash[f->of[u]] == key[u];
    return DP_OK;
}

/* ---- lines that differ in one text --------------------------------------------------------------- */

/* Edits on trial. */
typedef struct attempt {
    dp_rounds      *r;
    const uint64_t *key; /* [site->n] hashes of keys, as they must stay */
    dp_taken       *was; /* [n] the rules before all edits */
    size_t          n;
    dp_edits        edits;
    bool           *on;    /* [edits.n] that are made */
    uint32_t       *owner; /* [n] the edit that a rule is a member of, but not the first one; UINT32_MAX: none */
    size_t          tried;
} attempt;

/* Make the rules as they are with the edits that are on. */
static void write_edits(attempt *t)
{
    dp_rounds *r = t->r;
    size_t     n = 0;
    dp_taken  *now = r->v;
    memcpy(now, t->was, t->n * sizeof *now);
    for (size_t k = 0; k < t->edits.n; k++) {
        const dp_edit *e = &t->edits.v[k];
        for (size_t i = 1; i < e->n && t->on[k]; i++)
            join(&now[e->member[0]], &t->was[e->member[i]], e->text);
        if (t->on[k])
            now[e->member[0]].text[0] = e->text;
    }
    for (size_t i = 0; i < t->n; i++)
        if (t->owner[i] == UINT32_MAX || !t->on[t->owner[i]])
            now[n++] = now[i];
    r->n = n;
}

/* Turn on edits [a, b), those that together leave every URL its key: all, or else those of each half that do. */
static dp_err try_edits(attempt *t, size_t a, size_t b)
{
    bool same;
    if (a == b || t->tried++ >= MOST_TRIED)
        return DP_OK;
    for (size_t k = a; k < b; k++)
        t->on[k] = true;
    write_edits(t);
    DP_TRY(keeps_keys(&same, t->r, t->key));
    if (same)
        return DP_OK;
    for (size_t k = a; k < b; k++)
        t->on[k] = false;
    if (b - a == 1)
        return DP_OK;
    DP_TRY(try_edits(t, a, a + (b - a) / 2));
    return try_edits(t, a + (b - a) / 2, b);
}

/* Whether a rule may be joined with others, by its text. */
static bool is_joinable(const dp_taken *t)
{
    return !t->text[1].n && !t->drawn && t->family != DP_FAMILY_ORDER;
}

/* Whether two rules rest on the same evidence: what may hold by accident keeps a line, and a p, of its own. */
static bool is_alike(const dp_taken *t, const dp_taken *u)
{
    return dp_str_eq(t->hosts, u->hosts) && (t->prior > 0) == (u->prior > 0) &&
           dp_promise_is_accident(t) == dp_promise_is_accident(u);
}

/* The rules as lines: of one kind are those that rest on the same evidence. */
static dp_line *lines_of(const dp_rounds *r)
{
    dp_line *v = malloc((r->n + 1) * sizeof *v);
    for (size_t i = 0; v && i < r->n; i++) {
        const dp_taken *t = &r->v[i];
        size_t          k = 0;
        while (k < i && !(is_joinable(&r->v[k]) && is_alike(&r->v[k], t)))
            k++;
        v[i] = (dp_line){t->text[0], is_joinable(t) ? (uint32_t)k : DP_NO_KIND};
    }
    return v;
}

typedef dp_err find_edits(dp_edits *out, const dp_line *v, size_t n, dp_arena *a);

/* The keys that the rules give the URLs. */
static uint64_t *keys_of(const dp_forms *f)
{
    uint64_t *key = malloc((f->site->n + 1) * sizeof *key);
    for (size_t u = 0; u < f->site->n && key; u++)
        key[u] = f->hash[f->of[u]];
    return key;
}

/* Make the edits of `t` as far as every URL keeps its key; `*any`: there was one. */
static dp_err make_edits(attempt *t, bool *any)
{
    dp_rounds *r = t->r;
    t->was = malloc(r->n * sizeof *t->was);
    t->on = calloc(t->edits.n, sizeof *t->on);
    t->owner = malloc(r->n * sizeof *t->owner);
    if (!t->was || !t->on || !t->owner)
        return DP_ENOMEM;
    memcpy(t->was, r->v, r->n * sizeof *t->was);
    memset(t->owner, 0xFF, r->n * sizeof *t->owner);
    for (uint32_t k = 0; k < t->edits.n; k++) {
        dp_edit *e = &t->edits.v[k];
        e->text = dp_arena_str(r->arena, e->text);
        if (!e->text.p)
            return DP_ENOMEM;
        for (size_t i = 1; i < e->n; i++)
            t->owner[e->member[i]] = k;
    }
    dp_err code = try_edits(t, 0, t->edits.n);
    write_edits(t);
    for (size_t k = 0; k < t->edits.n; k++)
        *any |= t->on[k];
    return code == DP_OK ? dp_lookback_afresh(r) : code;
}

/* Make the edits that `find` finds, as far as every URL keeps its key, or the one that it gets now where `key` is NULL;
 * `*any`: there was one. */
static dp_err edit(dp_rounds *r, const uint64_t *key, find_edits *find, bool *any)
{
    dp_arena  a = {0};
    attempt   t = {.r = r, .key = key, .n = r->n};
    uint64_t *now = NULL;
    dp_line  *line = lines_of(r);
    dp_err    code = line ? find(&t.edits, line, r->n, &a) : DP_ENOMEM;
    *any = false;
    if (code == DP_OK && t.edits.n && !key) {
        code = dp_lookback_afresh(r);
        t.key = now = keys_of(&r->forms);
        code = code == DP_OK && !now ? DP_ENOMEM : code;
    }
    if (code == DP_OK && t.edits.n)
        code = make_edits(&t, any);
    free(line);
    free(now);
    free(t.was);
    free(t.on);
    free(t.owner);
    dp_arena_done(&a);
    return code;
}

static dp_err edit_all(dp_rounds *r, const uint64_t *key)
{
    bool any = true;
    DP_TRY(edit(r, key, dp_listed_chains, &any));
    any = true;
    for (int pass = 0; pass < MOST_PASSES && any; pass++)
        DP_TRY(edit(r, key, dp_listed_joins, &any));
    return DP_OK;
}

/* ---- all together ---------------------------------------------------------------------------- */

/* `drop` lines of one kind that differ in names alone. */
static dp_err find_drops(dp_edits *out, const dp_line *v, size_t n, dp_arena *a)
{
    dp_buf    text = {0};
    bool     *taken = calloc(n + 1, sizeof *taken), ok;
    uint32_t *member = malloc((n + 1) * sizeof *member);
    *out = (dp_edits){DP_NEWS(a, n + 1, dp_edit), 0};
    ok = taken && member && out->v;
    for (uint32_t i = 0; i < n && ok; i++) {
        dp_edit e = {.text = v[i].text};
        dp_str  head, names, rest;
        if (taken[i] || v[i].kind == DP_NO_KIND || !cut_drop(v[i].text, &head, &names, &rest))
            continue;
        member[e.n++] = i;
        for (uint32_t j = i + 1; j < n && ok; j++) {
            if (taken[j] || v[j].kind != v[i].kind || !dp_join_drops(&text, e.text, v[j].text))
                continue;
            member[e.n++] = j;
            taken[j] = true;
            e.text = dp_arena_str(a, dp_buf_view(&text));
            ok = e.text.p && !text.failed;
        }
        if (e.n == 1)
            continue;
        e.member = DP_NEWS(a, e.n, uint32_t);
        ok = ok && e.member;
        if (ok)
            memcpy(e.member, member, e.n * sizeof *member);
        out->v[out->n++] = e;
    }
    dp_buf_done(&text);
    free(taken);
    free(member);
    return ok ? DP_OK : DP_ENOMEM;
}

dp_err dp_shorter_list(dp_rounds *r)
{
    size_t    n = r->n;
    bool      any = false, same = true;
    dp_taken *was = malloc((n + 1) * sizeof *was);
    uint64_t *key = keys_of(&r->forms);
    dp_err    code = was && key ? DP_OK : DP_ENOMEM;
    if (code == DP_OK)
        memcpy(was, r->v, n * sizeof *was);
    for (size_t i = 0; i < r->n && code == DP_OK; i++)
        if (target_of(&r->v[i]).n)
            code = join_hosts(r, i, &any);
    if (code == DP_OK && any)
        code = keeps_keys(&same, r, key);
    if (code == DP_OK && !same) {
        memcpy(r->v, was, n * sizeof *was);
        r->n = n;
        code = dp_lookback_afresh(r);
    }
    if (code == DP_OK)
        code = edit_all(r, key);
    free(was);
    free(key);
    return code;
}

dp_err dp_shorter_join(dp_rounds *r)
{
    bool any = false;
    DP_TRY(edit(r, NULL, find_drops, &any)); /* the last look has made exceptions: keys are not what they were */
    return any ? dp_lookback_count(r) : DP_OK;
}
