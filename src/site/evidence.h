/* site/evidence.h - what a record says about the content of its page.
 *
 *     columns: digest size mime sketch simhash title   ─┐
 *     body, by content/page: text, words               ─┴─►  dp_evidence (content/cluster.h)
 *
 * A digest counts unless it is that of nothing or the page is known to have at most `min_size`
 * bytes; a body without one gets the digest of its bytes. A sketch or simhash of zero is what
 * others write for a page without words, and counts as none. output/clustering.c and site/corpus.c
 * are the callers.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SITE_EVIDENCE_H
#define DP_SITE_EVIDENCE_H

#include "base/arena.h"
#include "base/buf.h"
#include "content/cluster.h"
#include "content/page.h"
#include "content/words.h"
#include "input/record.h"

/* Memory that is used again for the next record. Valid when zeroed but for the options. */
typedef struct dp_evidence_maker {
    dp_sameness     same;     /* what is not looked at is not made */
    int64_t         min_size; /* bytes */
    bool            mask;     /* hide what is volatile in texts */
    dp_page_reader *pages;
    dp_words        words;
    dp_buf          hidden;
    dp_slots        slots;
    dp_buf          form;      /* of the URL */
    dp_arena        kept;      /* slots of evidence that was made and not yet forgotten */
    dp_str          canonical; /* that the body of the last record names; n == 0: none */
} dp_evidence_maker;

/* Only what `same` looks at is in e->has; 0 when the record says nothing. e->shown points to slots that live until
 * dp_evidence_forget. DP_ENOMEM. */
dp_err dp_evidence_make(dp_evidence_maker *w, dp_evidence *e, const dp_record *r);

/* Give back the slots of all evidence that was made so far. */
static inline void dp_evidence_forget(dp_evidence_maker *w)
{
    dp_arena_reset(&w->kept);
}

/* What the URL of a page, in stage-0 form, says in e->shown. */
void dp_evidence_locate(dp_evidence *e, dp_str url);

void dp_evidence_maker_done(dp_evidence_maker *w);

#endif
