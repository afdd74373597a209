/* learn/sizes/orders.h - lists that have another size in another order: there equal sizes do prove something.
 *
 *     /list?page=1               7003  ┐ the first rows of many; another order has other rows,
 *     /list?page=1&sort=price    6120  ├ so what has one size has them in one order
 *     /list?page=1&sort=name     7003  ┘
 *     /short?sort=price, /short?sort=name    5120    all rows, in whatever order: nothing is known
 *
 * Read by learn/sizes/weigh_sizes.c.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SIZES_ORDERS_H
#define DP_LEARN_SIZES_ORDERS_H

#include "site/site.h"

/* For each URL of a labelled site whether some order of its list has quite another size; all false where pages differ
 * from one fetch to the next. The caller frees it; NULL: memory is out. */
uint8_t *dp_orders_tell(const dp_site *s);

#endif
