/* SPDX-License-Identifier: Apache-2.0 */
#include "input/identity.h"

static const char *const names[] = {"clusters,content", "clusters", "content"};

bool dp_identity_find(dp_identity *out, const char *name)
{
    for (size_t i = 0; i < DP_COUNT(names); i++) {
        if (strcmp(name, names[i]) == 0) {
            *out = (dp_identity)i;
            return true;
        }
    }
    return false;
}

const char *dp_identity_name(bool clusters, bool content)
{
    if (!clusters && !content)
        return NULL;
    return names[clusters && content ? DP_IDENTITY_ANY : clusters ? DP_IDENTITY_CLUSTERS : DP_IDENTITY_CONTENT];
}

void dp_identity_filter(dp_identity identity, dp_record *r)
{
    if (identity == DP_IDENTITY_CONTENT) {
        r->has &= ~(1u << DP_FIELD_CLUSTER);
        r->cluster = (dp_str){0};
    } else if (identity == DP_IDENTITY_CLUSTERS) {
        r->has &= ~(1u << DP_FIELD_DIGEST | 1u << DP_FIELD_SKETCH | 1u << DP_FIELD_SIMHASH);
        r->digest = r->body = (dp_str){0};
        r->sketch = (dp_sketch){0};
        r->simhash = 0;
    }
}
