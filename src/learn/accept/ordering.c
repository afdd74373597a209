/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/accept/ordering.h"

#include <stdlib.h>

#include "apply/engine.h"
#include "base/hash.h"

typedef struct sorting {
    dp_engine  *engine; /* of the order line alone */
    dp_scratch *scratch;
    dp_member  *v;      /* [n] by key; tag: 0 for those that are changed, 1 for the others */
    size_t      n;
} sorting;

static dp_err make_engine(dp_engine **out, const dp_proposal *p)
{
    dp_buf    text = {0};
    dp_rules *r = NULL;
    dp_buf_printf(&text, "dustpan-rules 1\nhost %.*s\norder any\n", DP_FMT(p->hosts));
    dp_err code = text.failed ? DP_ENOMEM : dp_rules_new(&r);
    if (code == DP_OK)
        code = dp_rules_parse(r, "learned", text.p, text.n, NULL);
    if (code == DP_OK)
        code = dp_engine_new(out, r, 0, 0, NULL);
    dp_rules_free(r);
    dp_buf_done(&text);
    return code;
}

static dp_err sort_urls(sorting *o, const dp_site *s, const uint32_t *url, size_t n)
{
    o->v = malloc((n + 1) * sizeof *o->v);
    if (!o->v)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        dp_str text = s->url[url[i]], key = dp_engine_run(o->engine, o->scratch, DP_KEY, text, NULL, NULL);
        if (!key.p)
            return DP_ENOMEM;
        o->v[o->n++] = (dp_member){dp_hash_str(key), dp_str_eq(key, text), (uint32_t)i};
    }
    return DP_OK;
}

static int by_key(const void *a, const void *b)
{
    const dp_member *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->tag != y->tag)
        return x->tag < y->tag ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

static dp_err count_votes(dp_trial *out, sorting *o, const dp_labels *labels)
{
    dp_trier t;
    dp_err   code = dp_trier_init(&t, labels);
    *out = (dp_trial){.bad_a = DP_NO_ITEM, .bad_b = DP_NO_ITEM};
    if (code != DP_OK)
        return code;
    qsort(o->v, o->n, sizeof *o->v, by_key);
    for (size_t i = 0, still, end; i < o->n && code == DP_OK; i = end) {
        for (still = i; still < o->n && o->v[still].key == o->v[i].key && !o->v[still].tag; still++) {}
        for (end = still; end < o->n && o->v[end].key == o->v[i].key; end++) {}
        dp_rule_group g = {o->v + i, still - i, o->v + still, end - still};
        if (g.nchanged)
            code = dp_trier_add(&t, &g, out);
    }
    if (code == DP_OK)
        dp_trier_vote(&t, out);
    dp_trier_done(&t);
    return code;
}

dp_err dp_order_try(dp_trial *out, const dp_proposal *p, const dp_site *s, const uint32_t *url, size_t n,
                    const dp_labels *labels)
{
    sorting o = {0};
    dp_err  code = make_engine(&o.engine, p);
    if (code == DP_OK)
        code = dp_scratch_new(&o.scratch);
    if (code == DP_OK)
        code = sort_urls(&o, s, url, n);
    if (code == DP_OK)
        code = count_votes(out, &o, labels);
    dp_scratch_free(o.scratch);
    dp_engine_free(o.engine);
    free(o.v);
    return code;
}
