/* Any bytes as a model file (learn/seq2seq/model.h), of which only the head and the checksum are made right: what is
 * opened translates without harm.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hash.h"
#include "dustpan.h"
#include "support/memoryfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const char head[] = "dustpan-model\n1\n", rules[] = "dustpan-rules 1\nhost any\ndrop ?zz\n";
static const char urls[] = "http://h0.example/a/1?sid=2\nhttp://h0.example/p/12?id=7&sid=x\nhttps://www.h0.example/\n"
                           "h0.example/a-b/c.html\nno url\n";

static void translate(dp_model *m)
{
    dp_rules      *r;
    dp_engine     *e;
    dp_filter     *f;
    dp_memory_file in = dp_memory_file_of(urls, sizeof urls - 1);
    const char    *paths[] = {in.path};
    int            out = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (dp_rules_new(&r) != DP_OK || dp_rules_parse(r, "fuzz", rules, sizeof rules - 1, NULL) != DP_OK ||
        dp_engine_new(&e, r, 0, 0, NULL) != DP_OK || dp_filter_new(&f, e) != DP_OK)
        abort();
    dp_filter_model(f, m);
    dp_filter_set(f, DP_FILTER_THREADS, 1);
    (void)dp_filter_run(f, paths, 1, out, NULL);
    dp_filter_free(f);
    dp_engine_free(e);
    dp_rules_free(r);
    dp_memory_file_close(&in);
    close(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    dp_model *m;
    dp_buf    b = {0};
    dp_buf_add(&b, head, sizeof head - 1);
    dp_buf_add(&b, (const char *)data, n);
    uint64_t sum = dp_hash_bytes(b.p, b.n);
    dp_buf_add(&b, (const char *)&sum, sizeof sum);
    dp_memory_file f = dp_memory_file_of(b.p, b.n);
    if (dp_model_open(&m, f.path, NULL) == DP_OK) {
        translate(m);
        dp_model_free(m);
    }
    dp_memory_file_close(&f);
    dp_buf_done(&b);
    return 0;
}
