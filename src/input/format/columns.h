/* input/format/columns.h - the names of a record's fields, and their values as text.
 *
 *     "cluster,url,-"  ->  columns          "0186dc807b3b451e"  ->  record.simhash
 *
 * The names are those of --columns, of TSV header lines and of JSON fields: url cluster status
 * size digest sketch simhash title importance target canonical time inlinks hops mime client
 * agent hits, and - for a column that does not matter. `bytes` is size, `sha1` digest,
 * `redirect` target, and mh1 to mh4 are the four numbers of a sketch.
 *
 * Used by input/format/tsv.c and by input/format/jsonl.c and cdxj.c; other formats know their columns.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_INPUT_FORMAT_COLUMNS_H
#define DP_INPUT_FORMAT_COLUMNS_H

#include "base/err.h"
#include "input/format/format.h"

/* A dp_field, or one of these. */
enum { DP_COLUMN_MH = DP_FIELDS /* to DP_COLUMN_MH + 3 */, DP_COLUMN_NONE = DP_FIELDS + 4 };

enum { DP_COLUMNS_MAX = 512 };

typedef struct dp_columns {
    uint8_t v[DP_COLUMNS_MAX]; /* [n] */
    size_t  n;
    size_t  need; /* columns up to the last that matters */
} dp_columns;

/* What stands under `name`; DP_COLUMN_NONE when it is none of the names above. */
unsigned dp_column_find(dp_str name);

/* Read --columns: names joined by commas, or clusters, list, pairs. DP_EINVALID says which name
 * it does not know, or that url is missing. */
dp_err dp_columns_parse(dp_columns *c, dp_str names, dp_error *err);

/* Read a header line, '#' before it or not, with TABs between the names; those it does not know
 * count as '-'. False when none of them is url. */
bool dp_columns_header(dp_columns *c, dp_str line);

/* Put a value under a column into the record. Empty and "-" are unknown. */
dp_line dp_column_set(dp_record *r, unsigned column, dp_str value, dp_why *why);

/* All of `s` as a number that is not negative; false when it is none. */
bool dp_number(dp_str s, int64_t *out);

#endif
