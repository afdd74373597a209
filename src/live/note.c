/* SPDX-License-Identifier: Apache-2.0 */
#include "live/note.h"

static const struct {
    const char *name, *phrase;
    bool        passing;
} faults[DP_FAULTS] = {
    [DP_FAULT_NONE] = {"none", "no failure", false},
    [DP_FAULT_RESOLVE] = {"no address", "DNS lookup failed", true},
    [DP_FAULT_CONNECT] = {"no connection", "no connection", true},
    [DP_FAULT_PRIVATE] = {"private address", "private address", false},
    [DP_FAULT_TIMEOUT] = {"timeout", "no answer in time", true},
    [DP_FAULT_BROKEN] = {"broken answer", "connection broken, or not HTTP", true},
    [DP_FAULT_LENGTH] = {"wrong length", "length differs from Content-Length", true},
    [DP_FAULT_LARGE] = {"too large", "page too large", false},
    [DP_FAULT_TLS] = {"bad certificate or TLS", "TLS failed or the certificate could not be verified", true},
    [DP_FAULT_SERVER] = {"server error", "server error", true},
    [DP_FAULT_REDIRECT] = {"redirect to nowhere", "redirect without a target", false},
    [DP_FAULT_INTERRUPTED] = {"interrupted", "interrupted when an earlier run was killed", false},
    [DP_FAULT_REFUSED] = {"no connection", "connection refused", true},
    [DP_FAULT_UNREACHABLE] = {"no connection", "no route to the host", true},
};

const char *dp_fault_name(dp_fault f)
{
    return faults[f].name;
}

const char *dp_fault_phrase(dp_fault f)
{
    return faults[f].phrase;
}

bool dp_fault_is_passing(dp_fault f)
{
    return faults[f].passing;
}
