/* cli/serve.h - review --serve: the page in a browser of this machine, and the rule file that it saves.
 *
 *     dp_serving s;
 *     dp_serving_begin(&s, &page, &o, sample, &err)     note which file the rules are read from, before they are
 *     dp_page_count(&page, &o, &sample, 1, &err)
 *     dp_serving_run(&s, &err)                          print the address; serve until SIGINT, SIGTERM or SIGHUP
 *
 * Whoever opens the page sees the rule file as it is then: where it has changed, by the page or by an editor, the
 * records are read and counted again. The page has a version, a new one with each change, and what was made in another
 * version than the file has now is not saved: nobody's work is written over.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CLI_SERVE_H
#define DP_CLI_SERVE_H

#include <sys/stat.h>

#include "cli/page.h"

typedef struct dp_serving {
    dp_page               *page;
    const dp_page_options *o;
    dp_page_setting        sample;
    const char            *path;
    struct stat            known;   /* the rule file of this version */
    uint64_t               version; /* from 1 */
    bool                   stale;   /* the page is of a file before this one */
} dp_serving;

/* `page` and `o` must outlive it. DP_EIO: there is no such file, or it is none. */
dp_err dp_serving_begin(dp_serving *s, dp_page *page, const dp_page_options *o, dp_page_setting sample, dp_error *err);

dp_err dp_serving_run(dp_serving *s, dp_error *err);

#endif
