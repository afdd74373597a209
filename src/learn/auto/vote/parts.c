/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/vote/parts.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/ordinal.h"
#include "base/room.h"
#include "learn/auto/layout/reading.h"
#include "learn/auto/propose/path.h"
#include "learn/auto/thresholds.h"
#include "learn/auto/vote/rest.h"
#include "learn/auto/vote/tails.h"
#include "rule/ruleline.h"
#include "url/chars.h"
#include "url/frame.h"

enum { MOST_NAMES = 16, MOST_HEARD = 32 /* forms of a group: each is compared with all */ };

/* The first values of a name that were forgotten. */
typedef struct values {
    uint64_t v[DP_PART_VALUES];
    size_t   n;
    bool     empty;  /* the empty one was, too */
    bool     others; /* it has values that were not */
} values;

typedef struct asking {
    const dp_forms *forms;
    dp_rule         rule;
    dp_frame        frame;
    dp_str          name[MOST_NAMES]; /* [n] */
    values          of[MOST_NAMES];
    size_t          n;
    bool            equal; /* any value that they have says something */
    bool            failed;
} asking;

/* Whether the rule's condition says which value a name has: nothing is claimed of others. */
static bool is_fixed(const dp_template *on, dp_str name)
{
    for (size_t i = 0; on && i < on->nquery; i++)
        if (dp_str_eq(on->query[i].name, name) && on->query[i].kind == DP_QUERY_VALUE)
            return true;
    return false;
}

/* Whether enough values of each name were forgotten; with `flags` also where they are all that there are, and the empty
 * one among them: ?all, ?all=, ?all=on. */
static bool is_done(const asking *a, bool flags)
{
    bool all = true;
    for (size_t i = 0; i < a->n; i++) {
        const values *s = &a->of[i];
        bool          flag = flags && a->rule.kind == DP_RULE_DROP && s->n && s->empty && !s->others;
        all &= s->n == DP_PART_VALUES || flag || is_fixed(a->rule.on, a->name[i]);
    }
    return all;
}

/* What a form has of a name; `hash` 0: nothing. */
typedef struct having {
    uint64_t hash;
    bool     full; /* a value that is not empty */
    dp_str   text; /* of the form, the last value */
} having;

static having having_of(const dp_frame *f, dp_str name)
{
    having h = {0};
    for (uint32_t k = 0; k < f->npair; k++) {
        dp_str value = dp_pair_value(f, &f->pair[k]);
        if (!dp_str_eq(name, dp_pair_name(f, &f->pair[k])))
            continue;
        h.hash = dp_hash_mix(dp_hash_fold(h.hash, dp_hash_str(value)) | 1);
        h.full |= value.n > 0;
        h.text = value;
    }
    return h;
}

static bool was_forgotten(const values *s, having h)
{
    bool found = !h.hash || (s->empty && !h.full);
    for (size_t i = 0; i < s->n && !found; i++)
        found = s->v[i] == h.hash;
    return found;
}

static void note(values *s, having h)
{
    s->empty |= h.hash && !h.full;
    for (size_t i = 0; i < s->n; i++)
        if (s->v[i] == h.hash)
            return;
    if (h.full && s->n < DP_PART_VALUES)
        s->v[s->n++] = h.hash;
}

/* Whether two values have an id in common: one of some digits, or a number that both begin with. */
static bool has_id_of(dp_str a, dp_str b)
{
    size_t n = 0;
    while (n < a.n && n < b.n && a.p[n] == b.p[n] && dp_is(a.p[n], DP_CH_DIGIT))
        n++;
    bool number = n && (n == a.n || !dp_is(a.p[n], DP_CH_ALNUM)) && (n == b.n || !dp_is(b.p[n], DP_CH_ALNUM));
    return number || dp_share_id(a, b);
}

/* The values by which forms of one page differ in a group: these were forgotten. What all of them have was not, nor was
 * an id that two of them have: ?id=17 and ?id=17:a-title. */
static void look(void *ctx, const dp_group_seen *g)
{
    asking *a = ctx;
    having  first[MOST_NAMES];
    size_t  seen = 0;
    if (g->agree < 2 || g->n > MOST_HEARD || is_done(a, false))
        return;
    for (size_t i = 0; i < g->n; i++) {
        if (a->forms->label[g->form[i]] != g->label)
            continue;
        dp_frame_result got = dp_frame_read(&a->frame, a->forms->text[g->form[i]]);
        a->failed |= got == DP_FRAME_NOMEM;
        for (size_t m = 0; got == DP_FRAME_OK && m < a->n; m++) {
            having h = having_of(&a->frame, a->name[m]);
            first[m] = seen ? first[m] : h;
            if ((h.hash != first[m].hash && !has_id_of(h.text, first[m].text)) || a->equal) {
                note(&a->of[m], first[m]);
                note(&a->of[m], h);
            }
        }
        seen += got == DP_FRAME_OK;
    }
}

/* Which names have values, where idea `i` fires, that were not forgotten. */
static void look_for_others(asking *a, const dp_attempt *tried, size_t i)
{
    for (size_t k = tried->at[i]; k < tried->at[i + 1]; k++) {
        dp_frame_result got = dp_frame_read(&a->frame, a->forms->text[tried->v[k].item]);
        a->failed |= got == DP_FRAME_NOMEM;
        for (size_t m = 0; got == DP_FRAME_OK && m < a->n; m++)
            a->of[m].others |= !was_forgotten(&a->of[m], having_of(&a->frame, a->name[m]));
    }
}

/* The names of a rule that drops parameters of any value; what begins alike (utm_*) is one with many values. */
static void take_names(asking *a)
{
    const dp_rule *r = &a->rule;
    bool any = (r->kind == DP_RULE_DROP || r->kind == DP_RULE_ERASE) && !r->has_if && r->names.kind == '?' &&
               r->names.n <= MOST_NAMES;
    for (size_t i = 0; any && i < r->names.n; i++)
        any = !r->names.v[i].prefix;
    for (size_t i = 0; any && i < r->names.n; i++)
        a->name[a->n++] = r->names.v[i].text;
}

/* The first of the names whose values are equal: they may be 1 by accident, all of them. */
static void take_equal(asking *a)
{
    a->equal = true;
    if (a->rule.left && a->rule.left->nquery)
        a->name[a->n++] = a->rule.left->query[0].name;
}

/* ---- values of a component that is forgotten ---------------------------------------------- */

/* Groups in which a value was forgotten of a page, and those in which it stands for another page alone. */
typedef struct verdict {
    uint32_t good, bad;
} verdict;

typedef struct hearing {
    const dp_forms *forms;
    dp_frame        one, other;
    dp_ordinals     values;
    verdict        *v; /* [values.n] */
    uint32_t        cap;
    uint32_t        strange; /* forms of a page whose values have nothing in common with another's */
    bool            failed;
} hearing;

/* The components in which a frame differs from another. */
static dp_str difference(const dp_frame *f, dp_path_cut c)
{
    uint32_t end = f->nseg - c.end;
    return c.start < end ? dp_frame_cut(f, f->seg[c.start], f->seg[end] - 1) : (dp_str){f->s, 0};
}

/* Whether what two forms differ in has a component or an id in common: that one was not forgotten, it stands in another
 * place. */
static bool has_common(const dp_frame *f, const dp_frame *g, dp_path_cut c)
{
    bool common = dp_share_id(difference(f, c), difference(g, c));
    for (uint32_t i = c.start; i < f->nseg - c.end && !common; i++)
        for (uint32_t k = c.start; k < g->nseg - c.end && !common; k++)
            common = dp_frame_seg(f, i).n && dp_str_eq(dp_frame_seg(f, i), dp_frame_seg(g, k));
    return common;
}

/* The verdict on what `one` has where the two differ; NULL: memory is out. */
static verdict *verdict_on_difference(hearing *h, dp_path_cut c)
{
    uint32_t number;
    bool     fresh;
    if (!DP_ROOM(h->v, h->values.n, h->cap) ||
        dp_ordinals_add(&h->values, dp_hash_str(difference(&h->one, c)), &number, &fresh) != DP_OK)
        return NULL;
    if (fresh)
        h->v[number] = (verdict){0};
    return &h->v[number];
}

/* What each form of a group says of its value: it is one of several of its page, or alone among those of another. */
static void hear(void *ctx, const dp_group_seen *g)
{
    hearing *h = ctx;
    if (g->n > MOST_HEARD)
        return;
    for (size_t i = 0; i < g->n && !h->failed; i++) {
        size_t partner = g->n, stranger = g->n;
        for (size_t k = 0; k < g->n; k++) {
            if (k == i)
                continue;
            if (h->forms->label[g->form[k]] == h->forms->label[g->form[i]])
                partner = k;
            else
                stranger = k;
        }
        size_t with = partner < g->n ? partner : stranger;
        dp_frame_result got = dp_frame_read(&h->one, h->forms->text[g->form[i]]);
        dp_frame_result too = dp_frame_read(&h->other, h->forms->text[g->form[with]]);
        h->failed |= got == DP_FRAME_NOMEM || too == DP_FRAME_NOMEM;
        if (got != DP_FRAME_OK || too != DP_FRAME_OK)
            continue;
        dp_path_cut c = dp_path_cut_of(&h->one, &h->other);
        verdict    *v = verdict_on_difference(h, c);
        h->failed |= !v;
        if (v && partner < g->n) {
            v->good++;
            h->strange += !has_common(&h->one, &h->other, c);
        } else if (v) {
            v->bad++;
        }
    }
}

/* Whether all components from some place on are forgotten, whatever they are. */
static bool forgets_rest(const dp_rule *rule)
{
    return rule->left && rule->right && rule->left->glob != DP_NO_GLOB && rule->right->glob == DP_NO_GLOB;
}

/* Whether no value that a rule forgets stands for pages of its own wherever it is seen; and where it forgets all the
 * rest of a path, whether it was seen to differ in all of it. */
static int values_of_rule_speak(dp_ballot *b, size_t i, const dp_rule *rule)
{
    hearing h = {.forms = b->forms};
    int     tails = dp_tails_speak(b, i, rule);
    if (tails <= 0)
        return tails;
    dp_ballot_walk(b, i, hear, &h);
    bool all = !forgets_rest(rule) || h.strange >= DP_STRANGE_RESTS;
    for (uint32_t k = 0; k < h.values.n; k++)
        all &= h.v[k].good || h.v[k].bad < DP_VALUE_AGAINST;
    dp_frame_done(&h.one);
    dp_frame_done(&h.other);
    dp_ordinals_done(&h.values);
    free(h.v);
    return h.failed ? -1 : all;
}

/* What is known of a value that is forgotten. Values that one page has are of one class. */
typedef struct heard {
    uint32_t class; /* another value of its class, or itself */
    uint32_t pages; /* that gained by the class, at its first value */
    uint32_t fired; /* forms that have it */
    bool     spoke; /* a page gained by it */
} heard;

/* A component that a template forgets, and its values: the first by which a page gained, and others. */
typedef struct blank {
    uint32_t at;     /* from the start, or from the end */
    bool     behind; /* from the end */
    uint64_t first;
    bool     several, others; /* by which pages gained; that the rule reaches besides */
    dp_ordinals values;
    heard      *of; /* [values.n] */
    uint32_t    room;
} blank;

enum { MOST_BLANKS = 6 };

typedef struct blanks {
    const dp_forms *forms;
    dp_frame        frame;
    blank           v[MOST_BLANKS];
    size_t          n;
    bool            failed;
} blanks;

static bool refers_to(const dp_pat *p, dp_str name)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->v[i].kind == DP_ITEM_CAPTURE && dp_str_eq(p->v[i].text, name))
            return true;
    return false;
}

static bool is_kept(const dp_template *right, dp_str name)
{
    bool kept = false;
    for (size_t i = 0; i < right->nseg && !kept; i++)
        kept = refers_to(&right->seg[i], name);
    for (size_t i = 0; i < right->nquery && !kept; i++)
        kept = refers_to(&right->query[i].pat, name);
    return kept;
}

/* Components of the left side that may be anything, and of which nothing is left. */
static void find_blanks(blanks *b, const dp_rule *rule)
{
    const dp_template *left = rule->left;
    for (size_t i = 0; i < left->nseg && b->n < MOST_BLANKS; i++) {
        const dp_pat *p = &left->seg[i];
        if (p->n != 1 || p->v[0].kind != DP_ITEM_CAPTURE || p->v[0].cls != DP_CLASS_ANY ||
            is_kept(rule->right, p->v[0].text))
            continue;
        bool behind = left->glob != DP_NO_GLOB && i > left->glob;
        b->v[b->n++] = (blank){.at = (uint32_t)(behind ? left->nseg - i : i), .behind = behind};
    }
}

/* The value that a form has there, hashed; 0: none. */
static uint64_t value_there(const blanks *b, const blank *x)
{
    const dp_frame *f = &b->frame;
    uint32_t        at = x->behind ? f->nseg - x->at : x->at;
    return at < f->nseg ? dp_hash_str(dp_frame_seg(f, at)) | 1 : 0;
}

static uint32_t class_of(blank *x, uint32_t value)
{
    while (x->of[value].class != value)
        value = x->of[value].class = x->of[x->of[value].class].class;
    return value;
}

/* What is known of a value; NULL: memory is out. */
static heard *heard_of(blank *x, uint64_t value, uint32_t *number)
{
    bool fresh;
    if (!DP_ROOM(x->of, x->values.n, x->room) || dp_ordinals_add(&x->values, value, number, &fresh) != DP_OK)
        return NULL;
    if (fresh)
        x->of[*number] = (heard){.class = *number};
    return &x->of[*number];
}

/* A page gained that has this value, and had that of class `*with` before; UINT32_MAX: it is its first. */
static bool note_class(blank *x, uint64_t value, uint32_t *with)
{
    uint32_t number;
    heard   *h = heard_of(x, value, &number);
    if (!h)
        return false;
    h->spoke = true;
    uint32_t root = class_of(x, number);
    if (*with != UINT32_MAX && class_of(x, *with) != root) {
        uint32_t other = class_of(x, *with);
        x->of[other].pages += x->of[root].pages;
        x->of[root].class = other;
        root = other;
    }
    *with = root;
    return true;
}

/* Whether pages of two classes of values gained by the rule, three of each: then the component is not needless,
 * /questions/7/{a} and /users/7/{a}. */
static bool divides_pages(const blank *x)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->values.n; i++)
        n += x->of[i].class == i && x->of[i].pages >= DP_LEAST_CLUSTERS;
    return n > 1;
}

/* Whether a value comes again and again by which no page gained. */
static bool is_unheard(const blank *x)
{
    bool found = false;
    for (uint32_t i = 0; i < x->values.n; i++)
        found |= !x->of[i].spoke && x->of[i].fired >= DP_UNHEARD_VALUE;
    return found;
}

static void drop_blanks(blanks *b)
{
    for (size_t k = 0; k < b->n; k++) {
        dp_ordinals_done(&b->v[k].values);
        free(b->v[k].of);
    }
    dp_frame_done(&b->frame);
}

static bool read_form(blanks *b, uint32_t form)
{
    dp_frame_result got = dp_frame_read(&b->frame, b->forms->text[form]);
    b->failed |= got == DP_FRAME_NOMEM;
    return got == DP_FRAME_OK;
}

static void note_blanks(void *ctx, const dp_group_seen *g)
{
    blanks  *b = ctx;
    uint32_t class[MOST_BLANKS];
    memset(class, 0xFF, sizeof class);
    for (size_t i = 0; i < g->changed && g->agree > 1; i++) {
        if (b->forms->label[g->form[i]] != g->label || !read_form(b, g->form[i]))
            continue;
        for (size_t k = 0; k < b->n; k++) {
            uint64_t value = value_there(b, &b->v[k]);
            b->v[k].first = b->v[k].first ? b->v[k].first : value;
            b->v[k].several |= value != b->v[k].first;
            b->failed |= value && !note_class(&b->v[k], value, &class[k]);
        }
    }
    for (size_t k = 0; k < b->n && !b->failed; k++)
        if (class[k] != UINT32_MAX)
            b->v[k].of[class_of(&b->v[k], class[k])].pages++;
}

/* The values that forms have on which the rule fires. */
static void note_fired(blanks *b, const dp_attempt *tried, size_t i)
{
    for (size_t k = tried->at[i]; b->n && k < tried->at[i + 1] && !b->failed; k++) {
        bool read = read_form(b, tried->v[k].item);
        for (size_t m = 0; m < b->n && read && !b->failed; m++) {
            uint64_t value = value_there(b, &b->v[m]);
            uint32_t number;
            heard   *h = value ? heard_of(&b->v[m], value, &number) : NULL;
            b->failed |= value && !h;
            b->v[m].others |= value != b->v[m].first;
            if (h)
                h->fired++;
        }
    }
}

/* Whether what a template forgets was seen to differ, or has one value wherever it is: a word that all pages had which
 * gained by it, /{a}/{b}?id={c} where {a} was always doku.php, says nothing of others. A rule of two lines cannot be
 * confined to the values that spoke for it. */
static int blanks_speak(dp_ballot *ballot, size_t i, const dp_rule *rule)
{
    blanks b = {.forms = ballot->forms};
    bool   all = true, fixed = ballot->idea[i].text[1].n > 0;
    if (rule->kind != DP_RULE_REWRITE || !rule->left || !rule->right)
        return 1;
    find_blanks(&b, rule);
    if (b.n)
        dp_ballot_walk(ballot, i, note_blanks, &b);
    note_fired(&b, &ballot->tried, i);
    for (size_t k = 0; k < b.n; k++) {
        const blank *x = &b.v[k];
        all &= (x->several || !x->others) && !divides_pages(x) && !(fixed && is_unheard(x));
    }
    drop_blanks(&b);
    return b.failed ? -1 : all;
}

/* Components of the left side that are a literal and a capture of any text. */
static void find_mixed(blanks *b, const dp_template *left)
{
    for (size_t i = 0; i < left->nseg && b->n < MOST_BLANKS; i++) {
        bool any = false;
        for (size_t k = 0; k < left->seg[i].n && left->seg[i].n > 1; k++)
            any |= left->seg[i].v[k].kind == DP_ITEM_CAPTURE && left->seg[i].v[k].cls == DP_CLASS_ANY;
        bool behind = left->glob != DP_NO_GLOB && i > left->glob;
        if (any)
            b->v[b->n++] = (blank){.at = (uint32_t)(behind ? left->nseg - i : i), .behind = behind};
    }
}

/* Whether a text that a rule takes apart was seen with two values: /rel-b/{**} => /rel-a/{**} says nothing of /lab/. */
static int affixes_speak(dp_ballot *ballot, size_t i, const dp_rule *rule)
{
    blanks b = {.forms = ballot->forms};
    bool   all = true;
    if (rule->kind != DP_RULE_REWRITE || !rule->left)
        return 1;
    find_mixed(&b, rule->left);
    if (b.n)
        dp_ballot_walk(ballot, i, note_blanks, &b);
    for (size_t k = 0; k < b.n; k++)
        all &= b.v[k].several;
    drop_blanks(&b);
    return b.failed ? -1 : all;
}

/* The same of a template: what it forgets was seen to differ. */
static int template_speaks(dp_ballot *b, size_t i, const dp_rule *rule)
{
    int tails = dp_tails_speak(b, i, rule);
    return tails > 0 ? blanks_speak(b, i, rule) : tails;
}

/* The same of a rule that rewrites, of each of its lines. */
static int rewriting_speaks(dp_ballot *b, size_t i)
{
    const dp_idea *idea = &b->idea[i];
    int            said = 1;
    for (size_t k = 0; k < DP_COUNT(idea->text) && idea->text[k].n && said > 0; k++) {
        dp_arena room = {0};
        dp_rule  rule;
        dp_err   code = dp_ruleline_parse(&rule, idea->text[k], &room);
        if (code == DP_ENOMEM)
            said = -1;
        else if (code == DP_OK && idea->family == DP_FAMILY_FORGET)
            said = values_of_rule_speak(b, i, &rule);
        else if (code == DP_OK && idea->family == DP_FAMILY_AFFIX)
            said = affixes_speak(b, i, &rule);
        else if (code == DP_OK)
            said = template_speaks(b, i, &rule);
        dp_arena_done(&room);
    }
    return said;
}

/* ---- names of which one value is dropped -------------------------------------------------- */

/* What pairs of forms say of each name: two of one page that differ in it, two of other pages that differ in it
 * alone. */
typedef struct polling {
    const dp_forms *forms;
    dp_rule         rule;
    dp_frame        one, other;
    verdict         of[MOST_NAMES];
    uint32_t        page[MOST_NAMES];    /* the first that has shown the name as needless */
    bool            several[MOST_NAMES]; /* another one did, too */
    bool            failed;
} polling;

static void hear_pair(polling *p, bool same)
{
    size_t differ = 0, last = 0;
    for (size_t m = 0; m < p->rule.names.n; m++) {
        dp_str name = p->rule.names.v[m].text;
        if (having_of(&p->one, name).hash == having_of(&p->other, name).hash)
            continue;
        differ++;
        last = m;
        p->of[m].good += same;
    }
    if (!same && differ == 1)
        p->of[last].bad++;
}

static void poll_group(void *ctx, const dp_group_seen *g)
{
    polling *p = ctx;
    verdict  before[MOST_NAMES];
    if (g->n > MOST_HEARD)
        return;
    memcpy(before, p->of, sizeof before);
    for (size_t i = 0; i + 1 < g->n && !p->failed; i++) {
        dp_frame_result got = dp_frame_read(&p->one, p->forms->text[g->form[i]]);
        p->failed |= got == DP_FRAME_NOMEM;
        for (size_t k = i + 1; got == DP_FRAME_OK && k < g->n && !p->failed; k++) {
            dp_frame_result other = dp_frame_read(&p->other, p->forms->text[g->form[k]]);
            p->failed |= other == DP_FRAME_NOMEM;
            if (other == DP_FRAME_OK)
                hear_pair(p, p->forms->label[g->form[i]] == p->forms->label[g->form[k]]);
        }
    }
    for (size_t m = 0; m < p->rule.names.n; m++)
        if (p->of[m].good > before[m].good) {
            p->page[m] = before[m].good ? p->page[m] : g->label;
            p->several[m] |= p->page[m] != g->label;
        }
}

/* Whether each name of a list, drop ?a,b if =1, was dropped of two pages, and hardly of others. One page is enough
 * where the value is empty. */
static int names_speak(dp_ballot *b, size_t i)
{
    polling  p = {.forms = b->forms};
    dp_arena room = {0};
    bool     all = true;
    dp_err   code = dp_ruleline_parse(&p.rule, b->idea[i].text[0], &room);
    if (code == DP_OK && p.rule.kind == DP_RULE_DROP && p.rule.names.n > 1 && p.rule.names.n <= MOST_NAMES) {
        dp_ballot_walk(b, i, poll_group, &p);
        for (size_t m = 0; m < p.rule.names.n; m++)
            all &= (p.rule.value.n ? p.several[m] : p.of[m].good) && p.of[m].bad * DP_PART_AGAINST <= p.of[m].good;
    }
    dp_frame_done(&p.one);
    dp_frame_done(&p.other);
    dp_arena_done(&room);
    return code == DP_ENOMEM || p.failed ? -1 : all;
}

int dp_parts_speak(dp_ballot *b, size_t i)
{
    asking   a = {.forms = b->forms};
    dp_arena room = {0};
    int      all = 1;
    if (b->idea[i].family == DP_FAMILY_FORGET || b->idea[i].family == DP_FAMILY_TEMPLATE ||
        b->idea[i].family == DP_FAMILY_LOSSY || b->idea[i].family == DP_FAMILY_JOINT ||
        b->idea[i].family == DP_FAMILY_AFFIX)
        return rewriting_speaks(b, i);
    if (b->idea[i].family == DP_FAMILY_VALUE)
        return names_speak(b, i);
    bool again = b->idea[i].family == DP_FAMILY_AGAIN;
    if (b->idea[i].family != DP_FAMILY_PARAMS && b->idea[i].family != DP_FAMILY_PARAM && !again)
        return true;
    dp_err code = dp_ruleline_parse(&a.rule, b->idea[i].text[0], &room);
    if (code == DP_OK && again)
        take_equal(&a);
    else if (code == DP_OK)
        take_names(&a);
    if (code == DP_OK)
        all = dp_rest_speaks(b, i, &a.rule);
    if (a.n) {
        dp_ballot_walk(b, i, look, &a);
        if (!is_done(&a, false))
            look_for_others(&a, &b->tried, i);
        all = is_done(&a, true);
    }
    dp_frame_done(&a.frame);
    dp_arena_done(&room);
    return code == DP_ENOMEM || a.failed ? -1 : all;
}

/* ---- values that a page has beside each other --------------------------------------------- */

/* How many pages were seen with two values of each name. */
typedef struct pairing {
    asking   of;
    uint32_t pages[MOST_NAMES];
} pairing;

static void note_pairs(void *ctx, const dp_group_seen *g)
{
    pairing *p = ctx;
    asking  *a = &p->of;
    uint64_t first[MOST_NAMES] = {0};
    bool     two[MOST_NAMES] = {0};
    for (size_t i = 0; i < g->n && i < MOST_HEARD && g->agree > 1; i++) {
        if (a->forms->label[g->form[i]] != g->label)
            continue;
        dp_frame_result got = dp_frame_read(&a->frame, a->forms->text[g->form[i]]);
        a->failed |= got == DP_FRAME_NOMEM;
        for (size_t m = 0; got == DP_FRAME_OK && m < a->n; m++) {
            having h = having_of(&a->frame, a->name[m]);
            two[m] |= h.full && first[m] && h.hash != first[m];
            first[m] = h.full && !first[m] ? h.hash : first[m];
        }
    }
    for (size_t m = 0; m < a->n; m++)
        p->pages[m] += two[m];
}

int dp_parts_differ(dp_ballot *b, size_t i)
{
    pairing  p = {.of = {.forms = b->forms}};
    dp_arena room = {0};
    bool     all = true;
    dp_err   code = dp_ruleline_parse(&p.of.rule, b->idea[i].text[0], &room);
    if (code == DP_OK)
        take_names(&p.of);
    if (p.of.n)
        dp_ballot_walk(b, i, note_pairs, &p);
    for (size_t m = 0; m < p.of.n; m++)
        all &= p.pages[m] >= DP_LEAST_CLUSTERS || is_fixed(p.of.rule.on, p.of.name[m]);
    dp_frame_done(&p.of.frame);
    dp_arena_done(&room);
    return code == DP_ENOMEM || p.of.failed ? -1 : all;
}
