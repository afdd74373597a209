/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "url/chars.h"

#define IN(c, a, b) ((c) >= (a) && (c) <= (b))
#define DIGIT(c)    IN(c, '0', '9')
#define LOWER(c)    IN(c, 'a', 'z')
#define UPPER(c)    IN(c, 'A', 'Z')
#define MARK(c)     ((c) == '-' || (c) == '.' || (c) == '_' || (c) == '~')
#define ESCAPE(c)                                                                                              \
    ((c) <= ' ' || (c) >= 0x7F || (c) == '"' || (c) == '<' || (c) == '>' || (c) == '\\' || (c) == '^' || (c) == '{' || \
     (c) == '|' || (c) == '}' || (c) == '`')

#define BITS(c)                                                                                                  \
    ((DIGIT(c) ? DP_CH_DIGIT : 0) | (LOWER(c) || UPPER(c) ? DP_CH_ALPHA : 0) |                                   \
     (DIGIT(c) || IN(c, 'a', 'f') || IN(c, 'A', 'F') ? DP_CH_HEX : 0) | (UPPER(c) ? DP_CH_UPPER : 0) |           \
     (DIGIT(c) || LOWER(c) || UPPER(c) || MARK(c) ? DP_CH_UNRESERVED : 0) | (ESCAPE(c) ? DP_CH_ESCAPE : 0) |     \
     (DIGIT(c) || LOWER(c) || MARK(c) ? DP_CH_HOST : 0))

#define ROW4(c)  BITS(c), BITS((c) + 1), BITS((c) + 2), BITS((c) + 3)
#define ROW16(c) ROW4(c), ROW4((c) + 4), ROW4((c) + 8), ROW4((c) + 12)
#define ROW64(c) ROW16(c), ROW16((c) + 16), ROW16((c) + 32), ROW16((c) + 48)

const uint8_t dp_chars[256] = {ROW64(0), ROW64(64), ROW64(128), ROW64(192)};
