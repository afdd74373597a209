/* rule/rule.h - THE model: what a rule file says, as a tree.
 *
 *     host www.example.com, example.com              dp_block  scopes, order, keeps, rules
 *     /{slug}/dp/{asin} => /dp/{asin}  [p=.99]       dp_rule   left, right, attributes
 *     ────┬────────────    ────┬─────
 *         dp_template          dp_template           segments and query items
 *     {asin}                                         dp_pat    literals and captures
 *
 * rule/rulefile.h writes it from text, rule/print.h turns it back into text, learners
 * build it, apply/compile.h reads it. docs/rule-format.md says what it means.
 *
 * Invariants:
 *   - Everything hangs in the arena of its dp_rules and never moves.
 *   - Literals are in stage-0 form and hold no raw { } * # space " < >.
 *   - In a dp_pat no literal is empty or adjacent to another; on the left two captures (or
 *     stars) are adjacent only where the first has a fixed length. An empty dp_pat (n == 0)
 *     is the empty text.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_RULE_RULE_H
#define DP_RULE_RULE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

typedef enum dp_class {
    DP_CLASS_ANY = 0,
    DP_CLASS_INT,
    DP_CLASS_HEX,
    DP_CLASS_WORD,
    DP_CLASS_SLUG,
    DP_CLASS_UUID,
    DP_CLASS_DATE,
    DP_CLASS_LIST /* {x=v1|v2} */
} dp_class;

typedef enum dp_conv {
    DP_CONV_NONE = 0,
    DP_CONV_LOWER,
    DP_CONV_UPPER,
    DP_CONV_DECODE,
    DP_CONV_ENCODE,
    DP_CONV_CAP, /* the first letter in upper case */
    DP_CONV_INT  /* digits without leading zeros */
} dp_conv;

typedef enum dp_item_kind { DP_ITEM_LITERAL, DP_ITEM_CAPTURE, DP_ITEM_STAR } dp_item_kind;

typedef struct dp_item {
    dp_item_kind kind;
    dp_class     cls;  /* of a capture on the left */
    dp_conv      conv; /* of a reference on the right */
    size_t       length; /* of {x:CLASS*N}: exactly so many bytes; 0: any number */
    dp_str       text; /* the literal, or the capture's name */
    dp_str      *list; /* [nlist] values of DP_CLASS_LIST */
    size_t       nlist;
} dp_item;

typedef struct dp_pat {
    dp_item *v;
    size_t   n;
} dp_pat;

typedef enum dp_query_kind {
    DP_QUERY_VALUE,   /* a=PAT; an empty PAT is "a=" */
    DP_QUERY_BARE,    /* a, without '=' */
    DP_QUERY_PRESENT, /* +a */
    DP_QUERY_ABSENT   /* !a */
} dp_query_kind;

typedef struct dp_query_item {
    dp_query_kind kind;
    dp_str        name;
    size_t        k;   /* the k-th pair of that name, from 1 */
    dp_pat        pat;
} dp_query_item;

#define DP_NO_GLOB SIZE_MAX

typedef struct dp_template {
    dp_str         scheme; /* n == 0: not written */
    dp_str         host;   /* n == 0: not written; of {x}.name: *.name */
    dp_str         label;  /* x of {x}.name, a capture of exactly one label; n == 0: the host is a literal */
    int            port;   /* -1: not written */
    dp_pat        *seg;    /* [nseg], at least one; the one numbered `glob` is {**} (and an empty dp_pat) */
    size_t         nseg;
    size_t         glob;   /* DP_NO_GLOB: none */
    bool           has_query;
    bool           open;   /* ends with ... (always true in conditions); on the left alone: other pairs go */
    dp_query_item *query;  /* [nquery] */
    size_t         nquery;
} dp_template;

typedef struct dp_name {
    dp_str text;   /* without the star */
    bool   prefix; /* utm_* */
} dp_name;

typedef struct dp_names {
    char     kind; /* '?' or ';' */
    dp_name *v;
    size_t   n;
} dp_names;

typedef enum dp_rule_kind {
    DP_RULE_REWRITE, /* left => right */
    DP_RULE_DROP,    /* names, has_if/value, on */
    DP_RULE_ONLY,    /* names, none of them for `only ?`; on */
    DP_RULE_ERASE,   /* names, on */
    DP_RULE_SET,     /* names (one, no prefix), value, on */
    DP_RULE_FOLD_PATH,
    DP_RULE_FOLD_QUERY,
    DP_RULE_FOLD_NAMES,
    DP_RULE_SUB      /* alpha, beta, at_start, at_end, on */
} dp_rule_kind;

typedef struct dp_attr {
    dp_str key, value;
} dp_attr;

typedef struct dp_block dp_block;

typedef struct dp_rule {
    dp_rule_kind  kind;
    dp_state      state;
    dp_template  *left, *right;
    dp_names      names;
    bool          has_if;
    dp_str        value;           /* of `if =VALUE` and `set ?name=VALUE` */
    dp_str        alpha, beta;     /* without anchors and escapes */
    bool          at_start, at_end;
    dp_template  *on;              /* NULL: everywhere */
    dp_template **unless;          /* [nunless] */
    size_t        nunless;
    dp_attr      *attr;            /* [nattr], in the order written */
    size_t        nattr;
    dp_str        lead;            /* comment lines before it, with their line ends */
    dp_str        tail;            /* comment after it, from '#' */
    dp_str        text;            /* as `rules fmt` prints it, without state, attributes and comment */
    uint64_t      id;
    dp_str        file;
    size_t        line, column;
    dp_block     *block; /* where it stands */
} dp_rule;

typedef struct dp_scope {
    dp_str name;     /* "a.com" of a.com, a.com:80 and *.a.com; empty for any */
    bool   wildcard; /* *.name */
    bool   any;
    int    port;     /* -1: every port */
} dp_scope;

typedef struct dp_keep {
    dp_names     names; /* n == 0: tpl holds */
    dp_template *tpl;
    dp_str       lead, tail; /* comments, as in dp_rule */
    size_t       line, column;
} dp_keep;

typedef enum dp_order { DP_ORDER_UNSET = 0, DP_ORDER_KEEP, DP_ORDER_ANY } dp_order;

struct dp_block {
    dp_scope  *scope;   /* [nscope], as written */
    size_t     nscope;
    dp_scope **by_name; /* [nscope], for look-up (rule/scope.h); NULL: look at each */
    dp_str     hosts;   /* scopes as printed: "a.com, *.b.com" */
    dp_str     key;     /* the same sorted: "*.b.com,a.com"; ids hash it */
    bool       off;
    dp_attr   *attr; /* [nattr] of the host line; they change nothing */
    size_t     nattr;
    dp_order   order;
    dp_keep   *keep; /* [nkeep] */
    size_t     nkeep;
    dp_rule  **rule; /* [nrule], line order */
    size_t     nrule;
    dp_str     lead, tail;             /* comments of the host line */
    dp_str     order_lead, order_tail; /* comments of the order line */
    size_t     order_line;
    dp_str     file;
    size_t     line;
};

struct dp_rules {
    dp_arena   arena;
    dp_block **block; /* [nblock], line order over all files; malloc'd */
    size_t     nblock, block_cap;
    dp_rule  **rule; /* [nrule], line order over all files; malloc'd */
    size_t     nrule, rule_cap;
    dp_str     end; /* comment lines after the last rule */
};

/* The number that rules show as p, n, ...; `fallback` when the attribute is absent. */
double dp_rule_number(const dp_rule *r, const char *key, double fallback);

/* Whether the comma-separated list in attribute `by` holds `kind`. */
bool dp_rule_by(const dp_rule *r, const char *kind);

/* Whether the rule can write an erased value: `erase`, or a star on the right. */
bool dp_rule_erases(const dp_rule *r);

/* What becomes of the rule: off when its block is. */
static inline dp_state dp_rule_state(const dp_rule *r)
{
    return r->block->off ? DP_OFF : r->state;
}

/* Whether it speaks of all pairs of its name: +a and !a. */
static inline bool dp_query_is_of_all(const dp_query_item *q)
{
    return q->kind == DP_QUERY_PRESENT || q->kind == DP_QUERY_ABSENT;
}

/* The text of a pattern that is a literal. */
static inline dp_str dp_pat_literal(const dp_pat *p)
{
    return p->n ? p->v[0].text : (dp_str){NULL, 0};
}

/* Pattern number `i` of a template: its segments, then the values of its query items. */
static inline const dp_pat *dp_template_pat(const dp_template *t, size_t i)
{
    return i < t->nseg ? &t->seg[i] : &t->query[i - t->nseg].pat;
}

static inline size_t dp_template_pats(const dp_template *t)
{
    return t->nseg + t->nquery;
}

/* How many captures of that name stand in `t`; a name without text (NULL) is any. */
size_t dp_template_captures(const dp_template *t, dp_str name);

bool dp_class_fits(dp_class c, dp_str text); /* DP_CLASS_LIST is not asked here */

/* Whether a class takes a length: {x:int*4}. */
static inline bool dp_class_has_length(dp_class c)
{
    return c == DP_CLASS_INT || c == DP_CLASS_HEX || c == DP_CLASS_WORD || c == DP_CLASS_SLUG;
}

enum { DP_MAX_LENGTH = 255 };

bool dp_name_fits(const dp_name *n, dp_str name);

#endif
