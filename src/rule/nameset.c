/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/nameset.h"

#include <stdlib.h>

#include "base/room.h"

/* FNV-1a, because it goes byte by byte. */
static uint64_t hash_start(char kind)
{
    return 0xCBF29CE484222325u ^ (unsigned char)kind;
}

static uint64_t hash_step(uint64_t h, char c)
{
    return (h ^ (unsigned char)c) * 0x100000001B3u;
}

static uint64_t hash_name(char kind, dp_str text)
{
    uint64_t h = hash_start(kind);
    for (size_t i = 0; i < text.n; i++)
        h = hash_step(h, text.p[i]);
    return h;
}

static uint64_t hash_of(const void *self, uint32_t number)
{
    const dp_nameset_entry *e = &((const dp_nameset *)self)->v[number];
    return hash_name(e->kind, e->name.text) + e->name.prefix;
}

void dp_nameset_reset(dp_nameset *s)
{
    if (s->index.n)
        dp_index_reset(&s->index);
    s->has_prefixes = false;
}

void dp_nameset_done(dp_nameset *s)
{
    free(s->v);
    dp_index_done(&s->index);
    *s = (dp_nameset){0};
}

static bool same_name(const dp_nameset_entry *e, char kind, dp_str text, bool prefix)
{
    return e->kind == kind && e->name.prefix == prefix && dp_str_eq(e->name.text, text);
}

static dp_err add_name(dp_nameset *s, const dp_nameset_entry *new, dp_nameset_test answers)
{
    uint32_t i;
    if (!DP_ROOM(s->v, s->index.n, s->cap) || !dp_index_room(&s->index, hash_of, s))
        return DP_ENOMEM;
    dp_index_walk w = dp_index_from(&s->index, hash_name(new->kind, new->name.text) + new->name.prefix);
    while (dp_index_next(&w, &i)) {
        dp_nameset_entry *e = &s->v[i];
        if (!same_name(e, new->kind, new->name.text, new->name.prefix))
            continue;
        if (answers(e->rule, new->rule))
            return DP_OK;
        if (answers(new->rule, e->rule)) {
            e->rule = new->rule;
            return DP_OK;
        }
    }
    s->v[dp_index_end(&s->index, &w)] = *new;
    s->has_prefixes |= new->name.prefix;
    return DP_OK;
}

dp_err dp_nameset_add(dp_nameset *s, const dp_names *names, const dp_rule *rule, dp_nameset_test answers)
{
    for (size_t i = 0; i < names->n; i++)
        DP_TRY(add_name(s, &(dp_nameset_entry){names->v[i], names->kind, rule}, answers));
    return DP_OK;
}

static const dp_nameset_entry *probe(const dp_nameset *s, uint64_t h, const dp_nameset_entry *want,
                                     dp_nameset_test answers)
{
    uint32_t i;
    for (dp_index_walk w = dp_index_from(&s->index, h + want->name.prefix); dp_index_next(&w, &i);)
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
    if (s->index.n == 0)
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
