/* SPDX-License-Identifier: Apache-2.0 */
#include "output/crawler.h"

#include "base/secret.h"
#include "base/words/case.h"

/* Names, which are the words to look for. */
static const char *const known[] = {
    "Googlebot", "bingbot", "YandexBot", "Baiduspider", "DuckDuckBot", "Applebot", "Amazonbot", "PetalBot",
    "Bytespider", "GPTBot", "OAI-SearchBot", "ChatGPT-User", "ClaudeBot", "PerplexityBot", "meta-externalagent",
    "facebookexternalhit", "CCBot", "archive.org_bot", "heritrix", "Qwantbot", "SeznamBot", "AhrefsBot", "SemrushBot",
    "MJ12bot", "DotBot", "DataForSeoBot", "Screaming Frog", "Slurp",
};

/* What other crawlers call themselves. */
static const char *const general[] = {"bot", "crawl", "spider", "scrapy", "fetcher", "archiver"};

/* Behind the names. */
enum { OTHERS = DP_COUNT(known), BY_WAYS, MANY_NAMES, REST, ALL };

size_t dp_crawlers(void)
{
    return ALL;
}

uint32_t dp_crawler_by_ways(void)
{
    return BY_WAYS;
}

uint32_t dp_crawler_of_many_names(void)
{
    return MANY_NAMES;
}

uint32_t dp_crawler_of(dp_str agent)
{
    for (uint32_t i = 0; i < DP_COUNT(known); i++) {
        if (dp_str_has_but_case(agent, dp_str_c(known[i])))
            return i;
    }
    for (size_t i = 0; i < DP_COUNT(general); i++) {
        if (dp_str_has_but_case(agent, dp_str_c(general[i])))
            return OTHERS;
    }
    return REST;
}

uint32_t dp_agents_look(dp_agents *a, dp_str agent)
{
    uint64_t hash = dp_secret_text(agent);
    size_t   at = hash % DP_AGENTS_KEPT;
    if (!a->known[at] || a->hash[at] != hash) {
        a->crawler[at] = dp_crawler_of(agent);
        a->hash[at] = hash;
        a->known[at] = 1;
    }
    return a->crawler[at];
}

const char *dp_crawler_name(uint32_t crawler)
{
    static const char *const behind[] = {"other crawlers", "behave like crawlers", "several crawlers' names",
                                         "everybody else"};
    return crawler < OTHERS ? known[crawler] : behind[crawler - OTHERS];
}

bool dp_crawler_is(uint32_t crawler)
{
    return crawler < REST;
}

bool dp_crawler_is_named(uint32_t crawler)
{
    return crawler < OTHERS;
}
