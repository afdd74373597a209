/* input/format/warcwalk.h - the records of a WARC file, one after another.
 *
 *     WARC/1.0 CR LF WARC-Type: response CR LF ... CR LF CR LF block CR LF CR LF WARC/1.0 ...
 *     |------------------- header ----------------------------|
 *
 * input/format/warc.c makes records of responses and revisits, input/format/wat.c of the JSON in WAT files.
 *
 * Invariants:
 *   - A block is followed by two line ends (some writers make it fewer or more), and then by the next
 *     record or the end. Where it is not, the length is wrong: the record is bad, and reading goes
 *     on at the next line that begins a record, looked for from the begin of the block.
 *   - A gzip member that is broken is a bad record, too, and reading goes on at the next member.
 *   - A block above DP_WARC_BLOCK bytes is passed over, but for its begin: `block` is that.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_INPUT_FORMAT_WARCWALK_H
#define DP_INPUT_FORMAT_WARCWALK_H

#include "input/format/format.h"

enum { DP_WARC_BLOCK = 32 << 20, DP_WARC_BEGIN = 1 << 20, DP_WARC_HEADER = 1 << 20 };

typedef struct dp_warc_walk {
    uint64_t left;  /* bytes of the last block still to be passed over */
    bool     lost;  /* the begin of the next record has to be looked for */
    dp_str   header, block; /* of this record; views of the window */
    bool     whole; /* `block` is all of it */
} dp_warc_walk;

/* Go to the next record. s->more is false at the end, s->kind DP_LINE_BAD for a record that cannot be
 * read, else DP_LINE_RECORD with header and block set. DP_EIO, DP_ENOMEM. */
dp_err dp_warc_walk_next(dp_warc_walk *w, dp_step *s, dp_error *err);

/* The target URI, without the angle brackets that some writers put around it. */
dp_str dp_warc_uri(dp_str header);

#endif
