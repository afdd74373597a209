/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/nameset.h"

#include <stdlib.h>

/* FNV-1a, because it goes byte by byte. */
static uint64_t hash_start(char kind)
{
    return 0xCBF29CE484222325u ^ (unsigned char)kind;
}

static uint64_t hash_step(uint64_t h, char c)
{
    return (h ^ (unsigned char)c) * 0x100000001B3u;
}

static size_t slot_of(const dp_nameset *s, uint64_t h, bool prefix)
{
    h = (h + prefix) * 0x9E3779B97F4A7C15u;
    return (size_t)(h ^ h >> 32) & (s->cap - 1);
}

static uint64_t hash_name(char kind, dp_str text)
{
    uint64_t h = hash_start(kind);
    for (size_t i = 0; i < text.n; i++)
        h = hash_step(h, text.p[i]);
    return h;
}

void dp_nameset_reset(dp_nameset *s)
{
    s->round++;
    s->n = 0;
    s->has_prefixes = false;
}

void dp_nameset_done(dp_nameset *s)
{
    free(s->v);
    *s = (dp_nameset){0};
}

static bool same_name(const dp_nameset_entry *e, char kind, dp_str text, bool prefix)
{
    return e->kind == kind && e->name.prefix == prefix && dp_str_eq(e->name.text, text);
}

static void put(dp_nameset *s, dp_nameset_entry e)
{
    size_t i = slot_of(s, hash_name(e.kind, e.name.text), e.name.prefix);
    while (s->v[i].round == s->round)
        i = (i + 1) & (s->cap - 1);
    s->v[i] = e;
    s->n++;
    s->has_prefixes |= e.name.prefix;
}

static bool grow(dp_nameset *s)
{
    dp_nameset next = {.cap = s->cap ? s->cap * 2 : 64, .round = s->round};
    if (!(next.v = calloc(next.cap, sizeof *next.v)))
        return false;
    for (size_t i = 0; i < s->cap; i++)
        if (s->v[i].round == s->round)
            put(&next, s->v[i]);
    free(s->v);
    *s = next;
    return true;
}

dp_err dp_nameset_add(dp_nameset *s, const dp_names *names, const dp_rule *rule, dp_nameset_test answers)
{
    for (size_t i = 0; i < names->n; i++) {
        const dp_name *name = &names->v[i];
        bool           needed = true;
        if (s->n >= s->cap / 2 && !grow(s))
            return DP_ENOMEM;
        size_t at = slot_of(s, hash_name(names->kind, name->text), name->prefix);
        for (; s->v[at].round == s->round && needed; at = (at + 1) & (s->cap - 1)) {
            dp_nameset_entry *e = &s->v[at];
            if (!same_name(e, names->kind, name->text, name->prefix))
                continue;
            if (answers(e->rule, rule)) {
                needed = false;
            } else if (answers(rule, e->rule)) {
                e->rule = rule;
                needed = false;
            }
        }
        if (needed)
            put(s, (dp_nameset_entry){*name, names->kind, rule, s->round});
    }
    return DP_OK;
}

static const dp_nameset_entry *probe(const dp_nameset *s, uint64_t h, const dp_nameset_entry *want,
                                     dp_nameset_test answers)
{
    for (size_t i = slot_of(s, h, want->name.prefix); s->v[i].round == s->round; i = (i + 1) & (s->cap - 1))
        if (same_name(&s->v[i], want->kind, want->name.text, want->name.prefix) && answers(s->v[i].rule, want->rule))
            return &s->v[i];
    return NULL;
}

const dp_nameset_entry *dp_nameset_find(const dp_nameset *s, char kind, const dp_name *name, const dp_rule *rule,
                                        dp_nameset_test answers)
{
    const dp_nameset_entry *e = NULL;
    dp_nameset_entry        want = {.kind = kind, .rule = rule};
    uint64_t                h = hash_start(kind);
    if (s->n == 0)
        return NULL;
    for (size_t i = 0; i <= name->text.n && !e; i++) {
        want.name = (dp_name){dp_str_cut(name->text, 0, i), true};
        if (s->has_prefixes)
            e = probe(s, h, &want, answers);
        h = i < name->text.n ? hash_step(h, name->text.p[i]) : h;
    }
    want.name = *name;
    return e || name->prefix ? e : probe(s, h, &want, answers);
}
