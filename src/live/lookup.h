/* live/lookup.h - pages without a network: files say which URLs show the same page.
 *
 *     7 http://a.com/x          ask("http://a.com/x") ──► a page whose sketch stands for cluster 7
 *     7 http://a.com/x?s=1      ask("http://a.com/z") ──► unknown (--absent unknown), or gone (--absent negative)
 *
 * By their clusters or by their contents (--identity): eval/truth.h says which are the same, as it does for `eval`.
 * The second dp_teller. What is absent says nothing: nobody has looked. The paper counts it against a rule.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_LOOKUP_H
#define DP_LIVE_LOOKUP_H

#include "eval/records.h"
#include "live/reply.h"

typedef struct dp_lookup dp_lookup;

dp_err dp_lookup_new(dp_lookup **out, bool absent_is_gone);
void   dp_lookup_free(dp_lookup *l);

/* `url` shows the page `cluster`; of a URL that comes twice the first counts. `url` is in stage-0 form. DP_ENOMEM. */
dp_err dp_lookup_add(dp_lookup *l, dp_str url, dp_str cluster);

/* Add all URLs of some files whose pages are known. `in` has the options, and the bad lines afterwards; *identity is
 * how pages were told apart, a name of input/identity.h. DP_ESYNTAX when no record says what its page is, DP_EIO,
 * DP_ENOMEM, DP_ELIMIT. */
dp_err dp_lookup_load(dp_lookup *l, dp_records *in, const char *const *paths, size_t count, const char **identity,
                      dp_error *err);

dp_teller dp_lookup_teller(dp_lookup *l);

#endif
