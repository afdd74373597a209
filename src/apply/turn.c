/* SPDX-License-Identifier: Apache-2.0 */
#include "apply/turn.h"

#include "apply/boundary.h"
#include "apply/engine.h"
#include "rule/print.h"
#include "rule/rulefile.h"

/* ---- templates ------------------------------------------------------------------------------------ */

/* The capture of that name in `t`, NULL: none. */
static const dp_item *find_capture(const dp_template *t, dp_str name)
{
    for (size_t i = 0; i < dp_template_pats(t); i++) {
        const dp_pat *p = dp_template_pat(t, i);
        for (size_t k = 0; k < p->n; k++)
            if (p->v[k].kind == DP_ITEM_CAPTURE && dp_str_eq(p->v[k].text, name))
                return &p->v[k];
    }
    return NULL;
}

/* Whether all that `t` takes from the URL stands once in `other`, as it is. */
static bool is_kept_by(const dp_template *t, const dp_template *other)
{
    for (size_t i = 0; i < dp_template_pats(t); i++) {
        const dp_pat *p = dp_template_pat(t, i);
        for (size_t k = 0; k < p->n; k++) {
            const dp_item *one = &p->v[k];
            if (one->kind == DP_ITEM_STAR || one->conv != DP_CONV_NONE)
                return false;
            if (one->kind == DP_ITEM_CAPTURE && dp_template_captures(other, one->text) != 1)
                return false;
        }
    }
    for (size_t i = 0; i < t->nquery; i++)
        if (dp_query_is_of_all(&t->query[i]))
            return false;
    return !t->label.n && (t->glob == DP_NO_GLOB) == (other->glob == DP_NO_GLOB) && t->open == other->open &&
           t->has_query == other->has_query;
}

/* A copy of a pattern; its captures match what those of `like` do, NULL: they are references. */
static bool copy_pat(dp_pat *out, const dp_pat *from, const dp_template *like, dp_arena *a)
{
    *out = (dp_pat){DP_NEWS(a, from->n, dp_item), from->n};
    for (size_t i = 0; out->v && i < from->n; i++) {
        dp_item *one = &out->v[i];
        *one = (dp_item){.kind = from->v[i].kind, .text = from->v[i].text};
        const dp_item *was = like && one->kind == DP_ITEM_CAPTURE ? find_capture(like, one->text) : NULL;
        if (was) {
            one->cls = was->cls;
            one->length = was->length;
            one->list = was->list;
            one->nlist = was->nlist;
        }
    }
    return out->v != NULL;
}

static dp_template *copy_template(const dp_template *from, const dp_template *like, dp_arena *a)
{
    dp_template *t = DP_NEW(a, dp_template);
    if (!t)
        return NULL;
    *t = *from;
    t->seg = DP_NEWS(a, t->nseg, dp_pat);
    t->query = DP_NEWS(a, t->nquery, dp_query_item);
    bool good = t->seg && t->query;
    for (size_t i = 0; good && i < t->nseg; i++)
        good = copy_pat(&t->seg[i], &from->seg[i], like, a);
    for (size_t i = 0; good && i < t->nquery; i++) {
        t->query[i] = from->query[i];
        good = copy_pat(&t->query[i].pat, &from->query[i].pat, like, a);
    }
    return good ? t : NULL;
}

/* ---- rules ---------------------------------------------------------------------------------------- */

/* Whether β -> α would fire on what it has made: "/x/" stands in ".5/x/". */
static bool comes_back(const dp_rule *r)
{
    dp_str a = r->alpha, b = r->beta;
    for (size_t i = 0; i + b.n <= a.n; i++) {
        if (memcmp(a.p + i, b.p, b.n) == 0 && (!r->at_start || i == 0) && (!r->at_end || i + b.n == a.n) &&
            dp_is_boundary(a, i) && dp_is_boundary(a, i + b.n))
            return true;
    }
    return false;
}

static bool has_two_sides(const dp_rule *r)
{
    if (r->kind == DP_RULE_SUB)
        return r->beta.n > 0 && !comes_back(r);
    return r->kind == DP_RULE_REWRITE && !r->on && !r->nunless && is_kept_by(r->left, r->right) &&
           is_kept_by(r->right, r->left);
}

/* Whether it could stand in a file: it can be written, and does not feed itself. */
static dp_err can_stand(dp_str hosts, dp_str rule, bool *can)
{
    dp_buf     text = {0};
    dp_rules  *alone = NULL;
    dp_engine *e = NULL;
    dp_buf_printf(&text, "dustpan-rules 1\nhost %.*s\n%.*s\n", DP_FMT(hosts), DP_FMT(rule));
    dp_err code = text.failed ? DP_ENOMEM : dp_rules_new(&alone);
    if (code == DP_OK)
        code = dp_rules_parse(alone, "turned", text.p, text.n, NULL);
    if (code == DP_OK)
        code = dp_engine_new(&e, alone, 0, 0, NULL);
    *can = code == DP_OK;
    dp_engine_free(e);
    dp_rules_free(alone);
    dp_buf_done(&text);
    return code == DP_ENOMEM ? code : DP_OK;
}

/* The exchanged rule, with its text, whether it could stand or not; *out is NULL where it has no two sides. */
static dp_err exchange(dp_rule **out, const dp_rule *r, dp_arena *a)
{
    dp_buf   text = {0};
    dp_rule *t;
    *out = NULL;
    if (!has_two_sides(r))
        return DP_OK;
    if (!(t = DP_NEW(a, dp_rule)))
        return DP_ENOMEM;
    *t = *r;
    t->alpha = r->beta;
    t->beta = r->alpha;
    if (r->kind == DP_RULE_REWRITE) {
        t->left = copy_template(r->right, r->left, a);
        t->right = copy_template(r->left, NULL, a);
        if (!t->left || !t->right)
            return DP_ENOMEM;
    }
    dp_print_text(&text, t);
    t->text = text.failed ? (dp_str){NULL, 0} : dp_arena_str(a, dp_buf_view(&text));
    dp_buf_done(&text);
    *out = t;
    return t->text.p ? DP_OK : DP_ENOMEM;
}

dp_err dp_rule_turn(const dp_rule **out, const dp_rule *r, dp_arena *a)
{
    bool     can = false;
    dp_rule *t;
    *out = NULL;
    DP_TRY(exchange(&t, r, a));
    if (t)
        DP_TRY(can_stand(r->block->hosts, t->text, &can));
    *out = can ? t : NULL;
    return DP_OK;
}

dp_err dp_rule_turn_unless(dp_str *out, const dp_rule *r, dp_str guard, dp_arena *a)
{
    bool     can = false;
    dp_buf   text = {0};
    dp_rule *t;
    *out = (dp_str){NULL, 0};
    DP_TRY(exchange(&t, r, a));
    if (!t)
        return DP_OK;
    dp_buf_printf(&text, "%.*s unless %.*s", DP_FMT(t->text), DP_FMT(guard));
    dp_str whole = text.failed ? (dp_str){NULL, 0} : dp_arena_str(a, dp_buf_view(&text));
    dp_buf_done(&text);
    if (!whole.p)
        return DP_ENOMEM;
    DP_TRY(can_stand(r->block->hosts, whole, &can));
    if (can)
        *out = whole;
    return DP_OK;
}
