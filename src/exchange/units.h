/* exchange/units.h - rules as single steps that a tool without our engine can take one after another.
 *
 *     host a.com, *.a.com          dp_export_unit  drop ?sid   under a.com
 *     drop ?sid                    dp_export_unit  drop ?sid   under *.a.com, after all that stand under names
 *
 * The engine tries the rules in the order of docs/rule-format.md 3.2 and begins anew whenever one has fired. One pass
 * over the units in their order gives the same key if no unit can make one fire that stands before it, or itself:
 * `dp_units_settle` refuses a rule that might. What no regular expression can express is refused before that.
 *
 * A redirected request comes back, and goes through all units anew. So there a pass may end behind a unit that can make
 * an earlier one fire (`ends`), as the engine begins anew: each pass is the beginning of what the engine does, and the
 * last one finds nothing to do. exchange/feeds.h says when that is certain to end.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EXCHANGE_UNITS_H
#define DP_EXCHANGE_UNITS_H

#include "base/buf.h"
#include "rule/rule.h"

/* Which conditions on scheme, host and path a tool can express; those on parameters none can. */
typedef enum dp_conditions {
    DP_CONDITIONS_NONE,
    DP_CONDITIONS_OWN, /* some: it refuses the others itself */
    DP_CONDITIONS_ALL
} dp_conditions;

enum {
    DP_UNIT_SEGMENTS = 64, /* of a template; longer ones are refused */
    DP_UNITS_BACK = 1024   /* of more units none may make an earlier one fire, also where requests come back */
};

typedef struct dp_export_unit {
    const dp_rule   *rule;  /* a drop of query parameters (or of all but some), or a rewrite of scheme, host and path */
    const dp_scope **scope; /* [nscope], all of one kind */
    size_t           nscope;
    size_t           number; /* in the order of the lines */
    bool             ends;   /* a pass that it fires in ends behind it */
    bool             refused;
} dp_export_unit;

typedef struct dp_units {
    dp_export_unit *v; /* [n] */
    size_t          n, cap;
    dp_arena        arena;
    const char     *tool;     /* that they are for, as a name in a sentence */
    const char     *cannot;   /* "TOOL cannot express" */
    bool            drops;    /* it can only drop parameters */
    bool            only;     /* it can drop all but some of them, too */
    bool            path_params; /* it can drop those of the path, too */
    bool            comes_back;  /* what a pass has changed goes through another */
    bool            secrets;     /* values that may be secret are exported, too */
    dp_conditions   conditions;
    dp_buf          refusals; /* lines: file:line: rule ID skipped: why */
    size_t          nrules;   /* that fire */
    size_t          nrefused; /* of them */
    size_t          nlines;   /* of order: refused, too */
    size_t          nlikely;  /* rules that were not asked for, because they are likely */
    bool            failed;   /* memory is out */
} dp_units;

/* Take the rules that fire (with `likely` those, too) and refuse what no tool can express. */
void dp_units_take(dp_units *u, const dp_rules *r, bool likely);
void dp_units_done(dp_units *u);

/* Refuse a rule with all its units: a sentence that says why; or what the tool cannot express. */
void dp_units_refuse(dp_units *u, const dp_rule *r, dp_str why);
void dp_units_refuse_feature(dp_units *u, const dp_rule *r, const char *what);

/* Refuse what another pass would change; removes the refused ones. */
void dp_units_settle(dp_units *u);

#endif
