/* SPDX-License-Identifier: Apache-2.0 */
#include "input/bytes/codec.h"

dp_err dp_codec_decode(const dp_codec *c, dp_buf *out, dp_str in, size_t max)
{
    void   *state = NULL;
    dp_flow f = {.in = in.p, .in_n = in.n, .last = true};
    dp_err  code = c->open(&state);
    while (code == DP_OK && out->n < max) {
        size_t room = max - out->n < 64 << 10 ? max - out->n : 64 << 10;
        if (!dp_buf_room(out, room)) {
            code = DP_ENOMEM;
            break;
        }
        f.out = out->p + out->n;
        f.out_n = room;
        code = c->run(state, &f);
        out->n += room - f.out_n;
        if (f.out_n) /* it stops before the room is used up only at the end */
            break;
    }
    if (state)
        c->close(state);
    return code;
}
