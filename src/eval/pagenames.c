/* pagenames.c - dp_pagenames of dustpan.h: eval/truth.h for those who cannot have all records in one place.
 *
 *     files ─► eval/records ─► eval/truth ─► URL i: the name of its page, the line that says it
 *
 * The Spark package asks twice: of all records of a URL, which counts; of all records with one digest, which are one
 * page (bindings/spark, labels.py).
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "base/room.h"
#include "base/words/strlist.h"
#include "eval/records.h"

typedef struct lines {
    uint64_t first, decisive;
} lines;

struct dp_pagenames {
    dp_records in;
    dp_truth   truth;
    dp_strlist names; /* of the input, by the number of the cluster */
    lines     *line;  /* [truth.n] */
    size_t     cap;
    bool       ran;
    char       room[16];
};

dp_err dp_pagenames_new(dp_pagenames **out)
{
    *out = calloc(1, sizeof **out);
    return *out ? DP_OK : DP_ENOMEM;
}

void dp_pagenames_free(dp_pagenames *l)
{
    if (!l)
        return;
    dp_records_done(&l->in);
    dp_truth_done(&l->truth);
    dp_strlist_done(&l->names);
    free(l->line);
    free(l);
}

dp_err dp_pagenames_input(dp_pagenames *l, dp_input_option option, const char *text)
{
    return dp_records_set(&l->in, option, text);
}

static dp_err add(dp_pagenames *l, const dp_labelled *rec)
{
    dp_truth *t = &l->truth;
    bool      fresh;
    uint32_t  number;
    if (!DP_ROOM(l->line, t->n, l->cap))
        return DP_ENOMEM;
    DP_TRY(dp_truth_add(t, rec->form, rec->host, &rec->says, &fresh));
    if (!dp_truth_find(t, rec->form, &number))
        return DP_ENOMEM;
    if (fresh)
        l->line[number].first = rec->line;
    if (t->decided)
        l->line[number].decisive = rec->line;
    bool is_new = rec->says.name.n && t->clusters.n > l->names.n;
    return !is_new || dp_strlist_add(&l->names, rec->says.name) ? DP_OK : DP_ENOMEM;
}

static dp_err read_all(dp_pagenames *l, dp_error *err)
{
    dp_labelled rec;
    bool        more;
    for (;;) {
        DP_TRY(dp_records_next(&l->in, &l->truth, &rec, &more, err));
        if (!more)
            break;
        dp_err code = add(l, &rec);
        if (code != DP_OK)
            return dp_fail_as(err, code);
    }
    if (!l->truth.n)
        return dp_records_none(&l->in, &l->truth, err);
    dp_err code = dp_truth_settle(&l->truth);
    return code == DP_OK ? DP_OK : dp_fail_as(err, code);
}

dp_err dp_pagenames_read(dp_pagenames *l, const char *const *paths, size_t count, dp_error *err)
{
    if (l->ran || !count)
        return dp_fail(err, DP_EINVALID, l->ran ? "names were already read" : "no files were given");
    l->ran = true;
    dp_err code = dp_records_open(&l->in, paths, count, err);
    if (code == DP_OK)
        code = read_all(l, err);
    dp_records_close(&l->in);
    return code;
}

size_t dp_pagenames_count(const dp_pagenames *l)
{
    return l->truth.n;
}

int dp_pagenames_is_named(const dp_pagenames *l, size_t i)
{
    return !dp_truth_has_content(&l->truth, (uint32_t)i);
}

const char *dp_pagenames_page(dp_pagenames *l, size_t i, size_t *n)
{
    dp_str name = dp_pagenames_is_named(l, i) ? dp_strlist_get(&l->names, l->truth.cluster[i])
                                           : dp_truth_name(&l->truth, (uint32_t)i, l->room);
    *n = name.n;
    return name.p;
}

uint64_t dp_pagenames_first(const dp_pagenames *l, size_t i)
{
    return l->line[i].first;
}

uint64_t dp_pagenames_decisive(const dp_pagenames *l, size_t i)
{
    return l->line[i].decisive;
}
