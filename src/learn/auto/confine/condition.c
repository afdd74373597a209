/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/confine/condition.h"

#include "rule/print.h"

/* Values of one key; none: the capture is of any value. */
typedef struct values {
    const dp_feature *const *v;
    size_t                   n;
} values;

/* ---- templates ---------------------------------------------------------------------------- */

/* Whether a component is a capture of anything: {x}. */
static bool is_capture(const dp_pat *p)
{
    return p->n == 1 && p->v[0].kind == DP_ITEM_CAPTURE && p->v[0].cls == DP_CLASS_ANY;
}

static bool has_glob(const dp_template *t)
{
    return t->glob != DP_NO_GLOB;
}

static bool ends_with_glob(const dp_template *t)
{
    return has_glob(t) && t->glob + 1 == t->nseg;
}

/* Make a component {name=v1|v2}, or {name}. False when memory is out. */
static bool make_capture(dp_pat *out, dp_str name, values v, dp_arena *a)
{
    dp_item *item = DP_NEW(a, dp_item);
    dp_str  *list = DP_NEWS(a, v.n, dp_str);
    if (!item || !list)
        return false;
    for (size_t i = 0; i < v.n; i++)
        list[i] = v.v[i]->value;
    *item = (dp_item){.kind = DP_ITEM_CAPTURE, .text = name, .cls = v.n ? DP_CLASS_LIST : DP_CLASS_ANY, .list = list,
                      .nlist = v.n};
    *out = (dp_pat){item, 1};
    return true;
}

/* A copy with room for so many components more. NULL when memory is out. */
static dp_template *copy_template(const dp_template *t, size_t more, dp_arena *a)
{
    dp_template *copy = DP_NEW(a, dp_template);
    dp_pat      *seg = DP_NEWS(a, t->nseg + more, dp_pat);
    if (!copy || !seg)
        return NULL;
    memcpy(seg, t->seg, t->nseg * sizeof *seg);
    *copy = *t;
    copy->seg = seg;
    return copy;
}

/* The template with component `k`, a capture, confined. */
static dp_template *confine_capture(const dp_template *t, size_t k, values v, dp_arena *a)
{
    dp_template *out = copy_template(t, 0, a);
    return out && make_capture(&out->seg[k], t->seg[k].v[0].text, v, a) ? out : NULL;
}

/* The template with {**} opened: its component number `in` (0 or 1) confined. */
static dp_template *open_glob(const dp_template *t, size_t in, values v, dp_arena *a)
{
    size_t       at = t->glob, more = in + 1;
    dp_template *out = copy_template(t, more, a);
    if (!out)
        return NULL;
    memmove(out->seg + at + more, out->seg + at, (t->nseg - at) * sizeof *out->seg);
    out->nseg += more;
    out->glob += more;
    bool ok = !in || make_capture(&out->seg[at], DP_STR("r"), (values){0}, a);
    return ok && make_capture(&out->seg[at + in], DP_STR("q"), v, a) ? out : NULL;
}

/* The template with an extension behind its last component, which is {**} or a capture: .png, or one of several,
 * .{e=png|gif}; none: that which the other side has, .{e}. */
static dp_template *add_extension(const dp_template *t, values v, dp_arena *a)
{
    bool         behind = ends_with_glob(t);
    dp_template *out = copy_template(t, behind, a);
    dp_item     *file = DP_NEWS(a, 3, dp_item);
    dp_pat       list;
    if (!out || !file || !make_capture(&list, DP_STR("e"), v, a))
        return NULL;
    out->nseg += behind;
    file[0] = behind ? (dp_item){.kind = DP_ITEM_CAPTURE, .text = DP_STR("z")} : t->seg[t->nseg - 1].v[0];
    file[1] = (dp_item){.kind = DP_ITEM_LITERAL, .text = v.n == 1 ? v.v[0]->value : DP_STR(".")};
    for (size_t i = 0; v.n > 1 && i < v.n; i++)
        list.v[0].list[i] = dp_str_cut(v.v[i]->value, 1, v.v[i]->value.n);
    file[2] = list.v[0];
    out->seg[out->nseg - 1] = (dp_pat){file, v.n == 1 ? 2 : 3};
    return out;
}

/* ---- restrictions ------------------------------------------------------------------------- */

/* Print the rule with other sides; they are NULL when memory is out. */
static bool put_sides(dp_buf *out, const dp_rule *rule, dp_template *left, dp_template *right)
{
    dp_rule new = *rule;
    out->failed |= !left || !right;
    if (out->failed)
        return false;
    new.left = left;
    new.right = right;
    dp_print_text(out, &new);
    return true;
}

/* Files of some kinds: /{**} -> /{**}/{z}.png, /{x} -> /{x}.png, where both sides end alike. */
static bool confine_files(dp_buf *out, const dp_rule *rule, values v, dp_arena *a)
{
    const dp_template *left = rule->left, *right = rule->right;
    const dp_pat      *x = &left->seg[left->nseg - 1], *y = &right->seg[right->nseg - 1];
    bool same = ends_with_glob(left) ? ends_with_glob(right)
                                     : is_capture(x) && is_capture(y) && dp_str_eq(x->v[0].text, y->v[0].text);
    return same &&
           put_sides(out, rule, add_extension(left, v, a), add_extension(right, v.n == 1 ? v : (values){0}, a));
}

/* {x} -> {x=v1|v2} on the left of a template; {**} -> {q=v1|v2}/{**} on both sides. */
static bool confine_component(dp_buf *out, const dp_rule *rule, values v, dp_arena *a)
{
    const dp_template *left = rule->left, *right = rule->right;
    size_t             k = v.v[0]->at;
    if (v.v[0]->kind == DP_F_END) {
        if (k >= left->nseg || (has_glob(left) && left->nseg - 1 - k <= left->glob))
            return false;
        k = left->nseg - 1 - k;
    } else if (has_glob(left) && k >= left->glob) {
        /* Components come out of {**} on the right, too, wherever it stands there. */
        size_t in = k - left->glob;
        return has_glob(right) && in <= 1 &&
               put_sides(out, rule, open_glob(left, in, v, a), open_glob(right, in, (values){0}, a));
    }
    return k < left->nseg && is_capture(&left->seg[k]) &&
           put_sides(out, rule, confine_capture(left, k, v, a), rule->right);
}

/* A template where one of the values holds. One with a scheme or a host is not confined. */
static bool confine(dp_buf *out, const dp_rule *rule, values v, dp_arena *a)
{
    dp_feature_kind kind = (dp_feature_kind)v.v[0]->kind;
    if (rule->left->scheme.n || rule->left->host.n)
        return false;
    for (size_t i = 0; i < v.n; i++)
        if (!v.v[i]->value.n)
            return false;
    if (kind == DP_F_EXTENSION)
        return confine_files(out, rule, v, a);
    return (kind == DP_F_START || kind == DP_F_END) && confine_component(out, rule, v, a);
}

static void put_exception(dp_buf *out, const dp_template *t)
{
    dp_buf_c(out, " unless ");
    dp_print_condition(out, t);
}

bool dp_condition_restrict(dp_buf *out, const dp_rule *rule, const dp_feature *const *v, size_t n, dp_arena *a)
{
    dp_rule body = *rule;
    dp_buf_reset(out);
    if (rule->kind == DP_RULE_REWRITE)
        return confine(out, rule, (values){v, n}, a);
    if (rule->on)
        return false;
    body.nunless = 0;
    dp_print_text(out, &body);
    dp_buf_c(out, " on ");
    if (!dp_feature_print(out, v, n))
        return false;
    for (size_t i = 0; i < rule->nunless; i++)
        put_exception(out, rule->unless[i]);
    return true;
}

/* ---- exceptions --------------------------------------------------------------------------- */

/* Whether the rule has that exception; `room` may fail. */
static bool has_exception(const dp_rule *rule, dp_str exception, dp_buf *room)
{
    bool found = false;
    for (size_t i = 0; i < rule->nunless && !found && !room->failed; i++) {
        dp_buf_reset(room);
        put_exception(room, rule->unless[i]);
        found = dp_str_eq(dp_buf_view(room), exception);
    }
    return found;
}

bool dp_condition_except(dp_buf *out, const dp_rule *rule, const dp_feature *const *v, size_t n)
{
    dp_buf room = {0};
    bool   ok = true;
    dp_buf_reset(out);
    dp_print_text(out, rule);
    for (size_t i = 0; i < n && ok && !room.failed; i++) {
        size_t at = out->n;
        dp_buf_c(out, " unless ");
        /* One that is there is of no use: another rule leads there after this one has fired. */
        ok = dp_feature_print(out, &v[i], 1) && !has_exception(rule, dp_str_cut(dp_buf_view(out), at, out->n), &room);
    }
    out->failed |= room.failed;
    dp_buf_done(&room);
    return ok;
}
