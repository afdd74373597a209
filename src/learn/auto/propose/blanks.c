/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/propose/blanks.h"

#include "url/frame.h"

enum { MOST_FORMS = 16 /* of a page that are compared, each with the one before it */ };

static bool has_component(const dp_frame *f, dp_str text)
{
    for (uint32_t i = 0; i < f->nseg; i++)
        if (dp_str_eq(text, dp_frame_seg(f, i)))
            return true;
    return false;
}

/* Whether a value of `f`, which has a +, is a component of `g`. */
static bool moves(const dp_frame *f, const dp_frame *g)
{
    for (uint32_t i = 0; i < f->npair; i++) {
        dp_str value = dp_pair_value(f, &f->pair[i]);
        if (memchr(value.p, '+', value.n) && has_component(g, value))
            return true;
    }
    return false;
}

/* Read a form with a + in it; false: it has none. */
static bool read_form(dp_frame *frame, dp_str text, bool *failed)
{
    if (!memchr(text.p, '+', text.n) || !dp_form_is_bounded(text))
        return false;
    dp_frame_result got = dp_frame_read(frame, text);
    *failed |= got == DP_FRAME_NOMEM;
    return got == DP_FRAME_OK;
}

dp_err dp_blanks_find(dp_ideas *out, const dp_forms *f)
{
    dp_idea  blank = {.text = {DP_STR("sub \"+\" -> \"%20\"")}, .tier = DP_TIER_FORM, .family = DP_FAMILY_TEMPLATE};
    dp_frame one = {0}, other = {0};
    for (uint32_t i = 0; i < f->site->nclusters && !out->failed; i++) {
        uint32_t begin = f->first[i], end = f->first[i + 1];
        end = end - begin > MOST_FORMS ? begin + MOST_FORMS : end;
        for (uint32_t k = begin + 1; k < end && !f->site->is_soft[i]; k++)
            if (read_form(&one, f->text[f->member[k - 1]], &out->failed) &&
                read_form(&other, f->text[f->member[k]], &out->failed) && (moves(&one, &other) || moves(&other, &one)))
                out->failed |= !dp_ideas_add(out, &blank, (dp_proposer){i, f->site->fold[i]});
    }
    dp_frame_done(&one);
    dp_frame_done(&other);
    return out->failed ? DP_ENOMEM : DP_OK;
}
