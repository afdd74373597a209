/* learn/sample/sample_site.h - which facts are looked at, of a site that has too many.
 *
 *     facts ─► 1. a pilot: some clusters, whole ─► keys that change while the page stays     sid, ref
 *                 different URLs, about
 *           ─► 2. how many facts have which form                        /item?id=1  -> bin 7, 3 facts
 *           ─► 3. bins in their order, until --site-sample is reached:  is this fact in the sample?
 *
 * The form of a URL is its outline (learn/sample/url_outline.h) without the parameters whose keys are volatile. Facts
 * are drawn by the hash of their form, so that URLs which a rule about such keys, about hosts, case or order would
 * merge, rightly or wrongly, are drawn together: what speaks against a rule is in the sample as often as what speaks
 * for it.
 *
 * A key is volatile when it takes more than one value, or is missing once, in more than a quarter of the pilot's
 * clusters that have it (under one path). When forms are so coarse that hardly anything fits, URLs are drawn by their
 * whole outline.
 *
 * Invariants:
 *   - The sample depends on the set of facts and on the size asked for: not on their order, nor on who has seen which.
 *     What several have seen of one site is joined after each step (dp_site_sample_pack, ..._join).
 *   - It has at most about as many URLs as asked for: where facts repeat URLs, there are more facts. How often they do
 *     is estimated, by a twentieth at most. A form too common to fit is passed over.
 *   - A site whose URLs are not more than that is taken whole (`all`), as if nobody had asked.
 *
 * Memory: 184 bytes a URL of the pilot, of which there are some 50,000; 260 KB for the bins and ranks.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SAMPLE_SAMPLE_SITE_H
#define DP_LEARN_SAMPLE_SAMPLE_SITE_H

#include "base/buf.h"
#include "site/fact.h"

enum {
    DP_SITE_SAMPLE_BINS = 1 << 14,
    DP_SITE_SAMPLE_RANKS = 1 << 12,
    DP_SITE_SAMPLE_KEYS = 10 /* of a URL that the pilot looks at */
};

typedef enum dp_site_sample_step {
    DP_SITE_SAMPLE_PILOT,
    DP_SITE_SAMPLE_COUNT,
    DP_SITE_SAMPLE_TAKE
} dp_site_sample_step;

/* A URL of the pilot. */
typedef struct dp_site_sample_row {
    uint64_t group, url; /* hashes: of cluster and path; of the URL */
    uint64_t n;
    uint64_t name[DP_SITE_SAMPLE_KEYS], pair[DP_SITE_SAMPLE_KEYS];
} dp_site_sample_row;

struct dp_site_sample {
    dp_site_sample_step step;
    uint64_t            facts, most;                 /* own facts of the site; URLs that the sample may have */
    uint64_t            room;                        /* the same in facts, once the URLs are known */
    bool                all;                         /* everything is taken */
    uint8_t             rank[DP_SITE_SAMPLE_RANKS];  /* of hashes of URLs, by their first bits: HyperLogLog */
    dp_site_sample_row *row;                         /* [n] of the pilot */
    size_t              n, cap, limit;
    uint64_t           *key;                         /* [nkey] hashes of volatile names, sorted */
    size_t              nkey;
    bool                whole;                       /* the sample is drawn by whole outlines */
    uint64_t            bin[2][DP_SITE_SAMPLE_BINS]; /* facts by form, and by whole outline; then 1: in the sample */
};

/* For a site of `facts` facts, to take at most `most` URLs. NULL: memory is out. */
dp_site_sample *dp_site_sample_make(uint64_t facts, uint64_t most);

/* Look at a fact, as the step asks; what other sites say is passed over. DP_ENOMEM. */
dp_err dp_site_sample_see(dp_site_sample *d, const dp_fact *f);

/* All facts were seen: go on to the next step. DP_ENOMEM. */
dp_err dp_site_sample_turn(dp_site_sample *d);

/* In the last step: whether facts of the URL are in the sample. */
bool dp_site_sample_takes(const dp_site_sample *d, dp_str url);

/* What was seen so far, as bytes; add such bytes of the same step, or of a later one to nothing. DP_ESYNTAX. */
void   dp_site_sample_pack(dp_buf *out, dp_site_sample *d);
dp_err dp_site_sample_unpack(dp_site_sample *d, dp_str bytes);

#endif
