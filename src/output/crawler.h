/* output/crawler.h - which crawler sent a request, by the words in its user agent.
 *
 *     Mozilla/5.0 (compatible; Googlebot/2.1; +http://...)   ──►   Googlebot
 *     SomeNewBot/0.1                                          ──►   other crawlers
 *     Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko ...     ──►   everybody else
 *
 * A table of words, the first that occurs counts; case does not matter. Agents can lie: this says who a client claims
 * to be. What clients do says more (output/visitors.h). docs/report.md lists the table.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_OUTPUT_CRAWLER_H
#define DP_OUTPUT_CRAWLER_H

#include "base/str.h"

/* How many names there are; behind those of crawlers stand other crawlers, what output/visitors.h finds, and everybody
 * else. */
size_t   dp_crawlers(void);
uint32_t dp_crawler_by_ways(void);       /* a crawler by what it does */
uint32_t dp_crawler_of_many_names(void); /* a client that called itself by the names of two crawlers */

/* The number of the name that fits. */
uint32_t dp_crawler_of(dp_str agent);

/* Agents that came lately: most lines of a log have one of a few. A zeroed one is valid and empty. */
enum { DP_AGENTS_KEPT = 1024 };

typedef struct dp_agents {
    uint64_t hash[DP_AGENTS_KEPT];
    uint8_t  known[DP_AGENTS_KEPT]; /* 1: there is one */
    uint32_t crawler[DP_AGENTS_KEPT];
} dp_agents;

/* The same number, sooner. */
uint32_t dp_agents_look(dp_agents *a, dp_str agent);

const char *dp_crawler_name(uint32_t crawler);

/* Whether it is a crawler at all. */
bool dp_crawler_is(uint32_t crawler);

/* Whether it has a name of its own. */
bool dp_crawler_is_named(uint32_t crawler);

#endif
