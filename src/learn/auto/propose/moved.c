/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/propose/moved.h"

#include "learn/auto/thresholds.h"
#include "url/frame.h"

enum { MOST_FORMS = 8 }; /* of a page that are looked at */

/* The value of a name in a form; n == 0: it has none. */
static dp_str value_of(const dp_frame *f, dp_str name)
{
    for (uint32_t i = 0; i < f->npair; i++)
        if (dp_str_eq(name, dp_pair_name(f, &f->pair[i])))
            return dp_pair_value(f, &f->pair[i]);
    return (dp_str){"", 0};
}

static bool has_component(const dp_frame *f, dp_str text)
{
    for (uint32_t i = 0; i < f->nseg; i++)
        if (dp_str_eq(dp_frame_seg(f, i), text))
            return true;
    return false;
}

/* What pages say of a name. */
typedef struct verdict {
    uint32_t moved, needless;
} verdict;

/* The forms of a page: the first with a value of the name beside the first without. */
static void hear_page(verdict *v, const dp_frame *form, size_t n, dp_str name)
{
    const dp_frame *with = NULL, *without = NULL;
    for (size_t i = 0; i < n; i++) {
        bool has = value_of(&form[i], name).n > 0;
        with = has && !with ? &form[i] : with;
        without = has || without ? without : &form[i];
    }
    if (!with || !without)
        return;
    dp_str value = value_of(with, name);
    if (has_component(without, value) && !has_component(with, value))
        v->moved++;
    else
        v->needless++;
}

dp_err dp_moved_find(uint32_t *out, const dp_forms *f, const dp_str *name, size_t n)
{
    dp_frame form[MOST_FORMS] = {{0}};
    verdict  v[DP_MOST_MOVED] = {{0}};
    bool     failed = false;
    for (uint32_t c = 0; c < f->site->nclusters && n && !failed; c++) {
        size_t read = 0;
        for (uint32_t k = f->first[c]; k < f->first[c + 1] && f->first[c + 1] - f->first[c] > 1 && read < MOST_FORMS;
             k++) {
            dp_frame_result got = dp_frame_read(&form[read], f->text[f->member[k]]);
            failed |= got == DP_FRAME_NOMEM;
            read += got == DP_FRAME_OK;
        }
        for (size_t i = 0; i < n && read > 1; i++)
            hear_page(&v[i], form, read, name[i]);
    }
    *out = 0;
    for (size_t i = 0; i < n; i++)
        *out |= (uint32_t)(v[i].moved >= DP_LEAST_PROPOSERS && v[i].moved > v[i].needless) << i;
    for (size_t i = 0; i < MOST_FORMS; i++)
        dp_frame_done(&form[i]);
    return failed ? DP_ENOMEM : DP_OK;
}
