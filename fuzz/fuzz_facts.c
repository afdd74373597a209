/* Facts out of a state, a work file or a row of packed facts (store/pack.h): bytes of others. What is taken must be
 * learned from without harm, by every method.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "dustpan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char *const method[] = {"auto", "tree", "rewrite", "dust", "duster"};
    static const char *const domain[] = {"a.com"};
    dp_learner              *l;
    dp_site_step            *s;
    dp_error                 err;
    dp_text                 *t = NULL;
    if (n < 1)
        return 0;
    assert(dp_learner_new(&l) == DP_OK);
    assert(dp_learner_set(l, "method", method[data[0] % DP_COUNT(method)], &err) == DP_OK);
    assert(dp_learner_set(l, "threads", "1", &err) == DP_OK);
    assert(dp_site_step_new(&s, l, domain, 1, &err) == DP_OK);
    if (dp_site_step_add(s, (const char *)data + 1, n - 1, &err) == DP_OK) {
        size_t          k;
        const uint64_t *c;
        const uint32_t *d, *u;
        if (data[0] & 4)
            (void)dp_site_step_presences(s, &k, &c, &d, &u);
        if (data[0] & 8 ? dp_site_step_survey(&t, s, &err) == DP_OK : dp_site_step_learn(&t, s, NULL, 0, &err) == DP_OK)
            dp_text_free(t);
    }
    dp_site_step_free(s);
    dp_learner_free(l);
    return 0;
}
