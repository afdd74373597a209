/* site/fact.h - what learning keeps of one record: the URL in stage-0 form, and what it says.
 *
 *     dp_record ── dp_fact_make ──►  page      url, cluster, content, size, hits ..., rel=canonical
 *                                    redirect  url, cluster, where it leads
 *                                    gone      url: a log has it answered 404 or 410, and nothing else of it
 *                                    followed  url: a log has it redirect, and its client went on to `link`
 *                                    nothing   other errors, other methods, what is no URL: counted
 *
 * Bodies are looked at here and then forgotten, names of clusters become hashes: a fact is small, so that
 * billions of them can be kept in files (store/pack.h) until their site is learned. site/corpus.h brings the facts of
 * one site together. Who asked becomes a hash that means something in this process alone, and goes into no file that
 * outlives it.
 *
 * A link that leads to another site becomes a fact of that site, too, of the kind `named`: who leads to it. So all that
 * is known of a site is in its own facts. It says which sites may be one (site/group.h), and nothing about the URL.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SITE_FACT_H
#define DP_SITE_FACT_H

#include "base/hash.h"
#include "input/record.h"
#include "site/evidence.h"
#include "site/follow.h"
#include "site/site.h"
#include "url/frame.h"

enum { DP_LEAST_CONTENT = 512 /* bytes: equal digests of no more are no evidence for a rule; others are against it */ };

typedef enum dp_fact_kind {
    DP_FACT_PAGE,
    DP_FACT_REDIRECT,
    DP_FACT_NAMED,
    DP_FACT_GONE,
    DP_FACT_FOLLOWED,
    DP_FACT_KINDS
} dp_fact_kind;

/* Which of the optional parts are there. */
typedef enum dp_fact_part {
    DP_FACT_CLUSTER = 1,
    DP_FACT_DIGEST = 2,
    DP_FACT_TEXT = 4,
    DP_FACT_SKETCH = 8,
    DP_FACT_SIMHASH = 16,
    DP_FACT_SIZE = 32,
    DP_FACT_TIME = 64,
    DP_FACT_HITS = 128,
    DP_FACT_IMPORTANCE = 256,
    DP_FACT_INLINKS = 512,
    DP_FACT_HOPS = 1024,
    DP_FACT_CLIENT = 2048,
    DP_FACT_LINK = 4096,
    DP_FACT_SLOTS = 8192,
    DP_FACT_SPELLING = 16384,
    DP_FACT_SIZES = 32768,
    DP_FACT_LINKED = 65536,
    DP_FACT_TAGS = 131072,
    DP_FACT_RESOURCE = 262144,
    DP_FACT_PARTS = 524287 /* all of them */
} dp_fact_part;

/* A size, and how many records have it. */
typedef struct dp_fact_size {
    uint32_t size, times;
} dp_fact_size;

/* Parts that are not there are zero. */
typedef struct dp_fact {
    dp_fact_kind kind;
    uint32_t     has;     /* of dp_fact_part */
    dp_str       url;     /* in stage-0 form */
    dp_str       host;    /* in `url` */
    dp_str       link;    /* in stage-0 form: where a redirect leads, or rel=canonical of a page */
    uint64_t     cluster; /* hash of the name */
    uint8_t      fold;    /* of the cluster, base/fold.h */
    uint8_t      by;      /* of NAMED: DP_BY_REDIRECT or DP_BY_CANONICAL */
    uint64_t     from;    /* of NAMED: hash of the URL that leads here */
    dp_str       from_domain; /* and its domain */
    dp_hash128   digest, text;
    uint32_t     mime;    /* with a digest; hash; 0: not known */
    uint8_t      resource; /* a dp_resource: what its content type says, where its name says another one */
    dp_str       slots;   /* with a text: dp_slot, one after another, wherever they lie */
    uint64_t     sketch[DP_SKETCH_SIZE];
    uint64_t     simhash;
    int64_t      size, time;
    uint32_t     hits;    /* 0 counts as 1 */
    uint32_t     inlinks, hops;
    uint32_t     linked;  /* requests of a log that came from another page of the host */
    dp_str       tags;    /* of a log: dp_fact_size, the same way as `sizes`, with a tag in the place of the size */
    dp_str       clients; /* their hashes, by the secret of the process: uint32_t, wherever they lie */
    dp_str       sizes;   /* of many records: dp_fact_size, the same way (store/loglines.h) */
    uint32_t     spelling; /* hash of the URL as it was found, where that is not its stage-0 form */
    double       importance;
} dp_fact;

/* Whether the fact is of a URL of its site; else it only says something about one. */
static inline bool dp_fact_is_of_url(const dp_fact *f)
{
    return f->kind == DP_FACT_PAGE || f->kind == DP_FACT_REDIRECT;
}

/* The same without what says who asked: what others read may not tell that. */
dp_fact dp_fact_without_clients(const dp_fact *f);

/* Hash of a URL in stage-0 form, or of a domain. */
uint64_t dp_fact_hash(dp_str text);

typedef enum dp_fact_count {
    DP_FACT_RECORDS,
    DP_FACT_NOT_URLS,
    DP_FACT_ERRORS,    /* answered 4xx or 5xx, or not at all */
    DP_FACT_NOT_PAGES, /* other methods, other answers without a target */
    DP_FACT_REDIRECTS,
    DP_FACT_COUNTS
} dp_fact_count;

/* Memory that is used again for the next record, and what was counted. A zeroed one is valid. */
typedef struct dp_fact_maker {
    uint64_t          total[DP_FACT_COUNTS];
    dp_evidence_maker maker;
    dp_frame          frame;
    dp_buf            form, link, link_form;
    uint32_t          client; /* of the last record */
    dp_fact_size      tag;    /* the same */
    dp_follow         follow;
    dp_buf            from;   /* that led to the last record, by its client */
    const char       *path;   /* of the file */
} dp_fact_maker;

/* The fact of a record; *any is false when there is none. Texts are valid until the next call. DP_ENOMEM. */
dp_err dp_fact_make(dp_fact_maker *m, dp_fact *out, const dp_record *r, bool *any);

/* After a page: that its client had just been sent there by another URL. False when that is not so. */
bool dp_fact_followed(const dp_fact_maker *m, const dp_fact *page, dp_fact *out);

/* What the site of `f->link` is to know of `f`, whose domain is `domain`; `host` is that of the link. */
dp_fact dp_fact_named(const dp_fact *f, dp_str domain, dp_str host);

/* A fact out of a file or a message: DP_ESYNTAX when its URLs are none in stage-0 form, or its host is not that of its
 * URL; DP_ENOMEM. */
dp_err dp_fact_check(dp_frame *frame, const dp_fact *f);

/* The host of a URL in stage-0 form. */
dp_str dp_fact_host(dp_str url);

void dp_fact_maker_done(dp_fact_maker *m);

#endif
