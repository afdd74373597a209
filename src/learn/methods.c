/* The table of learners. A new one is a file and a row here.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/auto/method.h"
#include "learn/dust/method.h"
#include "learn/duster/duster.h"
#include "learn/rewrite/rewrite.h"
#include "learn/seq2seq/method.h"
#include "learn/tree/tree.h"

const dp_method *const dp_methods[] = {
    &dp_method_auto,
    &dp_method_dust,
    &dp_method_rewrite,
    &dp_method_tree,
    &dp_method_duster,
    &dp_method_seq2seq,
};

size_t dp_methods_count(void)
{
    return DP_COUNT(dp_methods);
}

const dp_method *dp_method_find(dp_str name)
{
    for (size_t i = 0; i < DP_COUNT(dp_methods); i++) {
        if (dp_str_eq(name, dp_str_c(dp_methods[i]->name)))
            return dp_methods[i];
    }
    return NULL;
}
