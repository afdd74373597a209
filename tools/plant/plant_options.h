/* plant/plant_options.h - what a planted set is a function of.
 *
 *     plant_options o = PLANT_OPTIONS_INIT;
 *     plant_option_set(&o, "urls", "100000", err)          --urls 100000
 *     plant_options_print(&b, &o)                          "plant 1 --urls 100000 --hosts 40 ..."
 *
 * The printed text stands in the header of every output; the scorer reads it back from the truth
 * and draws from the same sites.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_PLANT_OPTIONS_H
#define DP_PLANT_OPTIONS_H

#include "base/buf.h"
#include "base/err.h"

#define PLANT_VERSION 1 /* any change of what is generated makes it another number */

typedef struct plant_options {
    uint64_t urls, hosts, seed;
    uint64_t contents;    /* wanted; 0: as the other numbers give it */
    double   redundant;   /* wanted share of URLs that show nothing new; negative: as the other numbers give it */
    double   singletons;  /* share of the contents that have one URL */
    double   zipf;        /* exponent of the other contents' sizes, 2 to max_size */
    uint64_t max_size;
    double   host_zipf;   /* exponent of the hosts' sizes */
    double   missing;     /* share of a content's URLs, after its first, that nobody has seen */
    double   noise;       /* share of wrong labels in the clusters */
    uint64_t size_jitter; /* bytes by which equal pages differ */
    uint64_t crawl;       /* 0: host by host, cluster by cluster; else URLs that a window holds and mixes */
    uint64_t hard;        /* 1: traps that depend on context */
    uint64_t only;        /* bit i: sites may hold plant_kinds[i] */
} plant_options;

#define PLANT_OPTIONS_INIT                                                                                        \
    ((plant_options){.urls = 100000, .hosts = 40, .seed = 1, .redundant = -1, .singletons = 0.5, .zipf = 2.5,     \
                     .max_size = 200, .host_zipf = 0.8, .only = UINT64_MAX})

/* Set the option called `name`. DP_EINVALID when there is none, or `value` does not fit it. */
dp_err plant_option_set(plant_options *o, dp_str name, dp_str value, dp_error *err);

/* Whether there is an option of this name. */
bool plant_option_known(dp_str name);

/* One line for each: "  --urls N   how many\n". */
void plant_options_help(dp_buf *out);

/* "plant 1 --urls ..." with all of them; and the reverse, which refuses another version. */
void   plant_options_print(dp_buf *out, const plant_options *o);
dp_err plant_options_read(plant_options *o, dp_str text, dp_error *err);

#endif
