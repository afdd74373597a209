/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/saving.h"

static double percent(uint64_t part, uint64_t all)
{
    return all ? 100 * (double)part / (double)all : 0;
}

void dp_saving_say(dp_buf *out, uint64_t urls, uint64_t fetched, uint64_t pages)
{
    double saved = percent(urls - fetched, urls), possible = percent(urls - pages, urls);
    if (fetched < pages)
        dp_buf_printf(out, "%.1f %% fewer fetches, but only %.1f %% are possible without losing pages", saved,
                      possible);
    else if (pages == urls)
        dp_buf_c(out, "no fetches to save, since every page has one URL");
    else
        dp_buf_printf(out, "%.1f %% fewer fetches of %.1f %% possible", saved, possible);
}
