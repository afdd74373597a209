/* base/json.h - write JSON: strings and numbers; brackets and commas are the caller's.
 *
 *     dp_buf_c(&b, "{\"url\":"); dp_json_str(&b, url); dp_buf_byte(&b, '}');
 *
 * Bytes that are not UTF-8 become lone surrogates, 0xFF as \udcff, so that nothing is lost:
 * Python reads them back with surrogateescape. Numbers do not depend on the locale.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_JSON_H
#define DP_BASE_JSON_H

#include "base/buf.h"

/* Append `s` in double quotes. */
void dp_json_str(dp_buf *out, dp_str s);

/* Append `v` (not negative; above 10^18 it counts as that) with at most `decimals` (up to 9)
 * digits after the point, without trailing zeros. */
void dp_json_number(dp_buf *out, double v, int decimals);

#endif
