/* SPDX-License-Identifier: Apache-2.0 */
#include "live/note.h"

static const struct {
    const char *name;
    bool        passing;
} faults[DP_FAULTS] = {
    [DP_FAULT_NONE] = {"none", false},
    [DP_FAULT_RESOLVE] = {"no address", true},
    [DP_FAULT_CONNECT] = {"no connection", true},
    [DP_FAULT_PRIVATE] = {"private address", false},
    [DP_FAULT_TIMEOUT] = {"timeout", true},
    [DP_FAULT_BROKEN] = {"broken answer", true},
    [DP_FAULT_LENGTH] = {"wrong length", true},
    [DP_FAULT_LARGE] = {"too large", false},
    [DP_FAULT_TLS] = {"bad certificate or TLS", true},
    [DP_FAULT_SERVER] = {"server error", true},
    [DP_FAULT_REDIRECT] = {"redirect to nowhere", false},
    [DP_FAULT_INTERRUPTED] = {"interrupted", false},
};

const char *dp_fault_name(dp_fault f)
{
    return faults[f].name;
}

bool dp_fault_is_passing(dp_fault f)
{
    return faults[f].passing;
}
