/* learn/run/settings.h - the options of `learn`, as texts in and as numbers out.
 *
 *     "min-precision" ".95"    "trust" "canonical,near"    "MS" "4"
 *
 * What every method shares is a table in settings.c; what one method has alone are the rows of its dp_method. Options
 * of a method may be set before the method is: they are kept as texts and looked at when all are there.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_RUN_SETTINGS_H
#define DP_LEARN_RUN_SETTINGS_H

#include "base/words/strlist.h"
#include "learn/method/method.h"
#include "site/group.h"
#include "site/ownership.h"

typedef struct dp_settings {
    const dp_method *method;
    dp_accept        accept;
    double           min_precision;
    dp_grouping      grouping;
    dp_by            named;         /* what a column `cluster` counts as */
    unsigned         trust;         /* 1 << dp_by, beyond what is always trusted */
    dp_buf           keep;          /* lines */
    dp_buf           owners_file;   /* --same-owner, with a NUL behind it; n == 0: none */
    dp_ownership     owners;        /* what it says */
    uint32_t         threads;       /* 0: all */
    size_t           memory;        /* bytes; 0: half of the machine's */
    dp_buf           tmp;           /* folder for work files, with a NUL behind it; n == 0: /tmp */
    dp_buf           state;         /* file that keeps the facts of all runs, with a NUL; n == 0: none */
    bool             update;        /* add to what the state holds */
    uint64_t         seed;
    bool             keep_soft;     /* soft errors are pages as all others */
    bool             strict;
    double           first;         /* share of the records that is read, from the first on */
    bool             certify;       /* with this confidence */
    double           confidence;
    bool             relearn;       /* all sites, not a few */
    bool             untested;      /* nobody will read what the rules are worth */
    uint64_t         site_sample;   /* URLs of a site that are learned from, at most; 0: all */
    dp_strlist       names, values; /* of options of methods, as set */
} dp_settings;

void dp_settings_init(dp_settings *s);
void dp_settings_done(dp_settings *s);

/* DP_EINVALID when there is no such option, or the value does not fit: the message says what would; DP_ENOMEM. */
dp_err dp_settings_set(dp_settings *s, const char *name, const char *value, dp_error *err);

/* The i-th option that all methods share, and a line that the help has before it (NULL: none); NULL when there are no
 * more. */
const dp_option_row *dp_settings_row(size_t i, const char **heading);

/* Whether an option of the method is a text that the rule file does not name. */
bool dp_settings_is_text(const dp_settings *s, dp_str name);

/* URLs of a site that the chosen method looks at, at most; 0: all. */
uint64_t dp_settings_sample(const dp_settings *s);

/* The options struct of the chosen method: its defaults, and what was set; malloc'd; texts are views into `s`.
 * DP_EINVALID when an option is another method's. */
dp_err dp_settings_options(void **out, const dp_settings *s, dp_error *err);

#endif
