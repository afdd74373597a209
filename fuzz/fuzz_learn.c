/* Any records, of any columns, learned by any method: the rules load, compile, and are printed as they were learned.
 *
 * The first byte chooses method and columns, the second the options.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "dustpan.h"
#include "support/memoryfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const char *const methods[] = {"auto", "tree", "rewrite", "dust"};
static const char *const sites[] = {"linked", "domain", "host", "linked"};
static const char *const columns[] = {
    "cluster,url", "url,digest,size", "url,status,target,canonical", "url,size,sketch,hits", "url,simhash,title,time",
    "url,cluster,target,client,importance,inlinks,hops", "url", "url,target",
};

static void must(bool holds, const char *what, const char *text)
{
    if (holds)
        return;
    fprintf(stderr, "not so: %s\n%s\n", what, text);
    abort();
}

static void set(dp_learner *l, const char *name, const char *value)
{
    must(dp_learner_set(l, name, value, NULL) == DP_OK, "the option is there", name);
}

static void check(const dp_learner *l)
{
    dp_text   *t, *printed, *summary;
    dp_rules  *r;
    dp_engine *e;
    must(dp_learner_rules(&t, l) == DP_OK, "there are rules", "");
    must(dp_rules_new(&r) == DP_OK, "there is memory", "");
    const char *p = dp_text_data(t);
    must(dp_rules_parse(r, "learned", p, dp_text_size(t), NULL) == DP_OK, "what was learned loads", p);
    must(dp_engine_new(&e, r, DP_WITH_LIKELY, 0, NULL) == DP_OK, "what was learned compiles", p);
    must(dp_rules_print(&printed, r) == DP_OK, "it is printed", p);
    must(dp_text_size(printed) == dp_text_size(t) && memcmp(dp_text_data(printed), p, dp_text_size(t)) == 0,
         "it is in its one spelling", p);
    must(dp_learner_summary(&summary, l, DP_JSON) == DP_OK, "there is a summary", p);
    dp_text_free(summary);
    dp_text_free(printed);
    dp_text_free(t);
    dp_engine_free(e);
    dp_rules_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    dp_learner *l;
    if (n < 2)
        return 0;
    dp_memory_file in = dp_memory_file_of(data + 2, n - 2);
    const char    *paths[] = {in.path};
    must(dp_learner_new(&l) == DP_OK, "there is memory", "");
    set(l, "threads", "1");
    set(l, "method", methods[data[0] & 3]);
    set(l, "site", sites[data[1] & 3]);
    if (data[1] & 4)
        set(l, "min-precision", ".5");
    if (data[1] & 8)
        set(l, "accept", "paper");
    if (data[1] & 16)
        set(l, "site-sample", "8");
    must(dp_learner_input(l, DP_INPUT_COLUMNS, columns[data[0] >> 2 & 7]) == DP_OK, "the columns are known", "");
    if (dp_learner_run(l, paths, 1, NULL) == DP_OK)
        check(l);
    dp_learner_free(l);
    dp_memory_file_close(&in);
    return 0;
}
