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

size_t dp_crawlers(void)
{
    return DP_COUNT(known) + 2;
}

uint32_t dp_crawler_of(dp_str agent)
{
    for (uint32_t i = 0; i < DP_COUNT(known); i++) {
        if (dp_str_has_but_case(agent, dp_str_c(known[i])))
            return i;
    }
    for (size_t i = 0; i < DP_COUNT(general); i++) {
        if (dp_str_has_but_case(agent, dp_str_c(general[i])))
            return DP_COUNT(known);
    }
    return DP_COUNT(known) + 1;
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
    if (crawler < DP_COUNT(known))
        return known[crawler];
    return crawler == DP_COUNT(known) ? "other crawlers" : "everybody else";
}

bool dp_crawler_is(uint32_t crawler)
{
    return crawler <= DP_COUNT(known);
}
