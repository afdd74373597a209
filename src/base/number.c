/* SPDX-License-Identifier: Apache-2.0 */
#include "base/number.h"

/* Both parts are exact up to 2^53 and 10^22, so that the quotient is the double nearest
 * to the text, as strtod's; digits past the 18th do not count. */
bool dp_number_read(double *out, dp_str s)
{
    const double   most = 1e15;
    const uint64_t full = 100000000000000000u;
    uint64_t       digits = 0;
    double         scale = 1;
    bool           point = false, any = false;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '.' && !point) {
            point = true;
        } else if (s.p[i] >= '0' && s.p[i] <= '9') {
            any = true;
            if (digits < full) {
                digits = digits * 10 + (uint64_t)(s.p[i] - '0');
                scale = point ? scale * 10 : scale;
            } else if (!point) {
                return false;
            }
        } else {
            return false;
        }
    }
    *out = (double)digits / scale;
    return any && *out <= most;
}

bool dp_size_read(uint64_t *out, dp_str text)
{
    static const char units[] = "KMGT";
    const char       *unit = text.n ? memchr(units, text.p[text.n - 1], sizeof units - 1) : NULL;
    double            n, times = 1;
    for (const char *u = units; unit && u <= unit; u++)
        times *= 1024;
    text.n -= unit != NULL;
    if (!dp_number_read(&n, text) || n * times > 1e18)
        return false;
    *out = (uint64_t)(n * times);
    return true;
}

dp_str dp_number_hex(char room[16], uint64_t n)
{
    for (int i = 0; i < 16; i++)
        room[i] = "0123456789abcdef"[n >> (60 - 4 * i) & 15];
    return (dp_str){room, 16};
}
