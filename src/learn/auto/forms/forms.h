/* learn/auto/forms/forms.h - what the rules accepted so far make of a site's URLs.
 *
 *     URL                      form                 label
 *     http://a.com/x?sid=1 ─┐
 *     http://a.com/x?sid=2 ─┴─ http://a.com/x       the cluster most of its URLs have
 *     http://a.com/y ───────── http://a.com/y
 *
 * A form is a text, made by the engine alone, so that what is judged here is what `apply` will do. Each round
 * of learn/auto/rounds/rounds.h looks for rules between forms, and then rewrites them: duplicates that one rule hides
 * from another come to light.
 *
 * Invariants:
 *   - Forms are distinct, and numbered in the order of their first URL; URLs are sorted, so the numbers do not depend
 *     on the input's order.
 *   - Forms of label c are member[first[c]] to member[first[c + 1] - 1], in order.
 *
 * Memory: 8 bytes a URL and cluster, about 60 a form and the texts of forms that differ from their URL.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_FORMS_FORMS_H
#define DP_LEARN_AUTO_FORMS_FORMS_H

#include "base/index.h"
#include "base/pool.h"
#include "learn/auto/forms/absences.h"
#include "learn/auto/forms/identity.h"
#include "learn/method/firings.h"
#include "site/site.h"

/* 32-bit numbers: there are as many as URLs. */
typedef struct dp_forms {
    const dp_site *site;
    dp_pool       *pool;
    bool           singletons;
    size_t         n;
    dp_str        *text;   /* [n] */
    uint32_t      *label;  /* [n] DP_NO_CLUSTER: nothing is known */
    uint32_t      *weight; /* [n] URLs that have it */
    uint8_t       *by;     /* [n] bits 1 << dp_by of its URLs */
    bool          *made;   /* [n] the text lies in arena[now], not in the site */
    uint32_t      *of;     /* [site->n] form of each URL */
    uint32_t      *member; /* forms by label */
    uint32_t      *first;  /* [site->nclusters + 1] */
    uint32_t      *kept;   /* [nkept] what became of the forms before the last step, DP_NO_FORM: rewritten; NULL: all
                              were made afresh */
    size_t         nkept;
    uint32_t       steps;  /* times that they were rewritten */
    uint64_t      *hash;   /* [n] of the text */
    dp_index       index;
    dp_arena       arena[2]; /* texts that are not the site's, the present ones in arena[now] */
    int            now;
    dp_identities  identities; /* of the pages; empty until somebody fills it */
    bool           limited;  /* on some the rules had no end */
    dp_str         sorted;   /* lines of a rule file that say where pairs are sorted, under which ideas are tried; not
                                owned */
    const dp_engine *whole;  /* the rules that carry the one idea under trial to its end; NULL: it is tried once; not
                                owned */
} dp_forms;

#define DP_NO_FORM UINT32_MAX

/* What URLs became by some rules: without one of them, only those are another on which it fired. */
typedef struct dp_recall {
    dp_str   *text;  /* [site->n] */
    uint64_t *fired; /* [site->n] bit k: what has mark k fired; all bits: nothing is known of it */
    uint8_t  *mark;  /* [rules of the engine] DP_NO_MARK: it has none */
    dp_arena  arena; /* texts */
    uint64_t  again; /* URLs with one of these bits are run */
    bool      notes; /* what comes of them is noted */
} dp_recall;

enum { DP_NO_MARK = 64 };

/* How forms are rewritten. */
typedef struct dp_rewriting {
    const dp_engine *engine;  /* NULL: nothing changes */
    bool             afresh;  /* from the URLs, else from the present forms */
    const uint8_t   *touched; /* [forms->n] not 0: it may change; NULL: all may; not when made afresh */
    dp_firings      *fired;   /* what fired on the URLs is added, when made afresh; NULL: nobody asks */
    dp_absences     *absences; /* the same, each rule once; with `fired` */
    dp_owners        owners;  /* of the engine's rules, where somebody asks */
    bool             absent;  /* somebody will ask, too, what all URLs would be without each rule */
    dp_recall       *recall;  /* when made afresh; NULL: all URLs are run */
} dp_rewriting;

/* The forms of a site: its URLs, or what the engine of `how` (made afresh; may be NULL) makes of them. Without
 * `singletons` nothing is known of pages that have one URL alone. The pool may be NULL. DP_ENOMEM. */
dp_err dp_forms_init(dp_forms *f, const dp_site *s, bool singletons, const dp_rewriting *how, dp_pool *pool);
void   dp_forms_done(dp_forms *f);

/* Go on to what the engine makes of them. DP_ENOMEM. */
dp_err dp_forms_rewrite(dp_forms *f, const dp_rewriting *how);

/* The form with that hash (dp_hash_str of its text), DP_NO_FORM when there is none. */
uint32_t dp_forms_find(const dp_forms *f, uint64_t hash);

/* What is tried on a form costs its length for every idea that fires, and ideas can be as many as parameters: forms
 * beyond these bounds neither propose nor vote here. Rules that are accepted are judged on them as on all others
 * (learn/accept). */
enum { DP_FORM_BYTES = 2048, DP_FORM_PAIRS = 64 };

bool dp_form_is_bounded(dp_str text);

#endif
