/* learn/auto/forms/absences.h - what each URL would be without each rule that fires on it.
 *
 *     http://a.com/x?sid=1&utm=2      drop ?sid      http://a.com/x?sid=1
 *                                     drop ?utm      http://a.com/x?utm=2
 *
 * learn/auto/forms/forms.c notes it when forms are made of URLs. One run of all rules on a URL can tell all of it:
 * where a rule fires for the first time, the run goes on without it as well (dp_engine_otherwise). Where few will ask
 * learn/auto/rounds/review.c runs the URLs again that somebody asks about.
 *
 * Which rules fired tells, too, what need not be run again where some are no more (learn/auto/rounds/unchanged.h).
 *
 * Memory: 40 bytes and the text for each rule that fires on a URL.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_FORMS_ABSENCES_H
#define DP_LEARN_AUTO_FORMS_ABSENCES_H

#include "base/arena.h"

typedef struct dp_absence {
    uint32_t rule; /* by its number among those that were accepted */
    uint32_t url;
    uint64_t key;  /* dp_hash_str of the text */
    dp_str   text; /* the URL's key without the rule; p is NULL: nobody has asked yet */
    uint64_t by;   /* bits (dp_owners) of the rules that made the text, or more of them */
} dp_absence;

/* A zeroed one is empty. */
typedef struct dp_absences {
    dp_absence *v; /* [n] by URL, in the order of firing, a rule once a URL */
    size_t     n, cap;
    uint32_t  *open; /* [nopen] URLs of which it is not known what fires: there is no end, or it leads back */
    size_t     nopen, open_cap;
    dp_arena   arena;
} dp_absences;

/* Add one; its text, if there is one, is copied. False when memory is out. */
bool dp_absences_add(dp_absences *f, const dp_absence *one);

/* Note that what fires on a URL is not known. False when memory is out. */
bool dp_absences_open(dp_absences *f, uint32_t url);

void dp_absences_reset(dp_absences *f);
void dp_absences_done(dp_absences *f);

/* Which rules of an engine are which of the accepted ones: some of these are two, `order any` is none. */
typedef struct dp_owners {
    uint32_t *of;    /* [first[n]] */
    uint32_t *first; /* [n + 1] the engine's first rule of each */
    uint64_t *bit;   /* [n] one bit of each rule, by its text; others may have the same */
} dp_owners;

#endif
