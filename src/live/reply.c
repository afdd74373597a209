/* SPDX-License-Identifier: Apache-2.0 */
#include "live/reply.h"

#define REACH "make sure that this machine can reach the hosts, then run the same command again"
#define LATER "run the same command again later"

/* Names and phrases of faults: live/note.h. */
static const struct {
    const char *name, *phrase, *hint, *next;
} causes[DP_CAUSE_ROWS] = {
    [DP_CAUSE_NONE] = {"none", "no cause", NULL, LATER},
    [DP_CAUSE_NOT_HTTP] = {"not http", "neither http nor https", NULL, "give http or https URLs with --urls"},
    [DP_CAUSE_TOO_LONG] = {"too long", "the URL is longer than 8,192 bytes", NULL, "give shorter URLs with --urls"},
    [DP_CAUSE_MASKED] = {"masked value", "masked values (xxx) in the URL", NULL,
                         "give URLs with their original values with --urls"},
    [DP_CAUSE_CREDENTIALS] = {"credentials", "a user name or password in the URL", NULL,
                              "give URLs without passwords with --urls"},
    [DP_CAUSE_ROBOTS_ITSELF] = {"robots.txt itself", "robots.txt is not a page", NULL,
                                "give URLs of pages with --urls"},
    [DP_CAUSE_ACTION] = {"action word", "a word such as \"logout\" or \"delete\" in the URL",
                         "--allow-actions fetches them too",
                         "add --allow-actions, if fetching these URLs does no harm"},
    [DP_CAUSE_FORBIDDEN] = {"robots.txt", "forbidden by robots.txt", NULL,
                            "give URLs that robots.txt allows, or label URLs yourself and use --offline"},
    [DP_CAUSE_NO_ROBOTS] = {"robots.txt cannot be had", "robots.txt could not be fetched", NULL, REACH},
    [DP_CAUSE_GIVEN_UP] = {"its host fails", "the host failed too often in a row", NULL, LATER},
    [DP_CAUSE_BUDGET] = {"budget", "the limit of requests was reached", "--max-fetches allows more",
                         "raise --max-fetches; with --cache DIR no page is fetched twice"},
    [DP_CAUSE_LOOP] = {"redirects without end", "too many redirects", NULL, "give other URLs with --urls"},
    [DP_CAUSE_GONE] = {"no page", "no such page", NULL, "give URLs that still exist with --urls"},
    [DP_CAUSE_ABSENT] = {"not in the labelled set", "not among the labelled URLs", NULL,
                         "add labels for these URLs, or fetch the pages (without --offline)"},
    [DP_CAUSE_FAULT + DP_FAULT_NONE] = {.next = LATER},
    [DP_CAUSE_FAULT + DP_FAULT_RESOLVE] = {.next = REACH},
    [DP_CAUSE_FAULT + DP_FAULT_CONNECT] = {.next = REACH},
    [DP_CAUSE_FAULT + DP_FAULT_PRIVATE] = {.hint = "add --allow-private", .next = "add --allow-private"},
    [DP_CAUSE_FAULT + DP_FAULT_TIMEOUT] = {.hint = "--timeout allows more time", .next = "raise --timeout"},
    [DP_CAUSE_FAULT + DP_FAULT_BROKEN] = {.next = LATER},
    [DP_CAUSE_FAULT + DP_FAULT_LENGTH] = {.next = LATER},
    [DP_CAUSE_FAULT + DP_FAULT_LARGE] = {.hint = "--max-size allows more", .next = "raise --max-size"},
    [DP_CAUSE_FAULT + DP_FAULT_TLS] = {.hint = "--ca-file adds certificates",
                                       .next = "give the certificates of these hosts with --ca-file"},
    [DP_CAUSE_FAULT + DP_FAULT_SERVER] = {.next = LATER},
    [DP_CAUSE_FAULT + DP_FAULT_REDIRECT] = {.next = "give other URLs with --urls"},
    [DP_CAUSE_FAULT + DP_FAULT_INTERRUPTED] = {.next = "remove the folder of --cache, then run the same command again"},
    [DP_CAUSE_FAULT + DP_FAULT_REFUSED] = {.next = REACH},
    [DP_CAUSE_FAULT + DP_FAULT_UNREACHABLE] = {.next = REACH},
};

size_t dp_cause_row(const dp_cause *c)
{
    return c->kind == DP_CAUSE_FAULT ? DP_CAUSE_FAULT + (size_t)c->fault : (size_t)c->kind;
}

const char *dp_cause_name(size_t row)
{
    return row >= DP_CAUSE_FAULT ? dp_fault_name((dp_fault)(row - DP_CAUSE_FAULT)) : causes[row].name;
}

const char *dp_cause_phrase(size_t row)
{
    return row >= DP_CAUSE_FAULT ? dp_fault_phrase((dp_fault)(row - DP_CAUSE_FAULT)) : causes[row].phrase;
}

const char *dp_cause_hint(size_t row)
{
    return causes[row].hint;
}

const char *dp_cause_next(size_t row)
{
    return causes[row].next;
}
