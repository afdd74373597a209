/* apply/image.h - compiled rules: one flat piece of memory, the same in a file and in RAM.
 *
 *     header | TEXT | HOST | PROGRAM | RULE | TEMPLATE | PAT | ITEM | ... sections
 *
 *     host name --hash--> HOST slot --> PROGRAM (a layer) --> RULE --> TEMPLATE --> PAT --> ITEM
 *
 * apply/compile.c writes it, apply/engine.c runs on it, apply/image.c loads, checks and
 * saves it. Nothing in it is a pointer: a file is mapped and used as it is.
 *
 * A *layer* is what one scope name says (all blocks under that name): which rules can fire
 * there, indexed. A URL is looked up in the layers of name:port, name, each *.suffix
 * (longest first) and any. Inside a layer:
 *
 *     dp_im_layer | dp_im_tuple[ntuple] | dp_im_slot[nslot] | dp_im_slot[nsub] | list of rule numbers
 *
 * A *tuple* says which parts of a URL are looked at literally: some whole segments, counted
 * from either end, and one parameter name (tuple space search: rules that test the same
 * parts share one hash probe, however many there are).
 *
 * Invariants (checked when a file is opened; the engine relies on them):
 *   - Every index and range lies inside its section.
 *   - Lists of rule numbers ascend: line order is priority.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_APPLY_IMAGE_H
#define DP_APPLY_IMAGE_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

#define DP_IMAGE_MAGIC   "dustpanC"
#define DP_IMAGE_VERSION 1
#define DP_IMAGE_ENDIAN  0x01020304u
#define DP_IMAGE_ALIGN   64 /* of sections, and of the memory itself */
#define DP_NONE          UINT32_MAX

/* `n` things from number `at` of some section; for TEXT, bytes. */
typedef struct dp_ref {
    uint32_t at, n;
} dp_ref;

typedef enum dp_section {
    DP_SEC_TEXT,
    DP_SEC_HOST,
    DP_SEC_PROGRAM,
    DP_SEC_BLOCK,
    DP_SEC_RULE,
    DP_SEC_ABOUT,
    DP_SEC_TEMPLATE,
    DP_SEC_PAT,
    DP_SEC_QUERY,
    DP_SEC_ITEM,
    DP_SEC_NAME,
    DP_SEC_KEEP,
    DP_SEC_WORD,   /* uint32_t: lists of template numbers */
    DP_SEC_STRING, /* dp_ref into TEXT: values of {x=v1|v2} */
    DP_SECTIONS
} dp_section;

typedef struct dp_im_header {
    char     magic[8];
    uint32_t endian, version;
    uint64_t size;     /* of the whole image, bytes */
    uint64_t checksum; /* XXH3 of everything after this field */
    uint32_t stage0;   /* DP_STAGE0_VERSION it was made for */
    uint32_t max_slot; /* captures of the rule that has most */
    uint32_t any;      /* layer of `host any`, DP_NONE */
    uint32_t has_ports, has_wildcards;
    uint32_t reserved;
    dp_ref   rules_text; /* the whole file, as `rules fmt` prints it */
    struct {
        uint64_t at;    /* bytes from the start, multiple of DP_IMAGE_ALIGN */
        uint64_t count; /* things */
    } section[DP_SECTIONS];
} dp_im_header;

typedef struct dp_im_host { /* open addressing, linear probing; layer == DP_NONE: empty */
    uint64_t hash;
    dp_ref   name;
    uint32_t layer; /* 8-byte unit of PROGRAM */
    int32_t  port;  /* of name:port, -1; -2 for *.name */
} dp_im_host;

enum { DP_HOST_ANY_PORT = -1, DP_HOST_WILDCARD = -2 };

typedef struct dp_im_layer {
    uint32_t ntuple, nslot, nsub, nlist; /* nslot and nsub: 0 or a power of two */
    dp_ref   keep;                       /* KEEP */
    dp_ref   sub_any;                    /* in the list: sub rules whose α is empty */
    uint64_t sub_filter;                 /* of the pivots of sub rules (dp_filter_bit) */
    uint32_t order;                      /* dp_order */
    uint32_t reserved;
} dp_im_layer;

typedef enum dp_driver {
    DP_DRIVE_NONE,        /* segments alone */
    DP_DRIVE_NAME,        /* a query pair of that name */
    DP_DRIVE_NAME_VALUE,  /* a query pair name=value */
    DP_DRIVE_PREFIX,      /* a query pair whose name begins so */
    DP_DRIVE_PARAM,       /* a path parameter of that name */
    DP_DRIVE_PARAM_PREFIX
} dp_driver;

typedef struct dp_im_tuple {
    uint32_t start_mask, end_mask; /* bit i: segment i from the start (from the end) is hashed */
    uint32_t nseg;                 /* least number of segments */
    uint32_t exact;                /* 1: exactly nseg */
    uint32_t driver;               /* dp_driver */
    uint32_t prefix;               /* bytes, for the prefix drivers */
    uint64_t filter;               /* of the names that drive it (dp_filter_bit) */
    uint64_t segment_filter;       /* of the first segment that is hashed */
} dp_im_tuple;

/* One rule is named in the slot itself; several stand in the layer's list behind their count. */
typedef struct dp_im_slot {
    uint32_t tag;  /* upper half of the hash */
    uint32_t rule; /* number of the rule; DP_IN_LIST + place in the list; DP_NONE: empty */
} dp_im_slot;

#define DP_IN_LIST 0x80000000u

typedef struct dp_im_block {
    dp_ref   hosts; /* TEXT: "a.com, *.b.com" */
    uint32_t off, order;
    dp_ref   keep; /* KEEP */
    dp_ref   rule; /* RULE */
    uint64_t head_hash; /* of its scopes, order and keeps as printed, for the set id */
} dp_im_block;

enum {
    DP_RULE_ERASES = 1,
    DP_RULE_FETCHES = 2,
    DP_RULE_AT_START = 4,
    DP_RULE_AT_END = 8,
    DP_RULE_HAS_IF = 16,
    DP_RULE_PARAMS = 32
};

/* What the engine needs of a rule: one cache line. */
typedef struct dp_im_rule {
    float    p;     /* expected precision; 1 when the rule names none */
    uint8_t  kind;  /* dp_rule_kind */
    uint8_t  state; /* dp_state */
    uint8_t  flags;
    uint8_t  reserved;
    uint32_t left, right, on; /* TEMPLATE, DP_NONE */
    uint32_t pivot;           /* offset in α of the token that the layer's index holds */
    dp_ref   unless;          /* WORD: template numbers */
    dp_ref   names;           /* NAME */
    dp_ref   value;           /* TEXT */
    dp_ref   alpha, beta;     /* TEXT */
} dp_im_rule;

/* What people need of it. */
typedef struct dp_im_about {
    uint64_t id;
    dp_ref   text; /* TEXT: state, rule, attributes */
    uint32_t block, line;
} dp_im_about;

typedef struct dp_im_template {
    dp_ref   scheme, host; /* n == 0: not written */
    int32_t  port;         /* -1: not written */
    uint32_t glob;         /* DP_NONE */
    dp_ref   seg;          /* PAT */
    dp_ref   query;        /* QUERY */
    uint32_t has_query, open;
} dp_im_template;

typedef dp_ref dp_im_pat; /* ITEM */

typedef struct dp_im_query {
    uint32_t  kind, k;
    dp_ref    name;
    dp_im_pat pat;
} dp_im_query;

typedef struct dp_im_item {
    uint8_t  kind, cls, conv;
    uint8_t  again; /* a capture whose name stood further left */
    uint32_t slot;  /* of a capture or reference; DP_NONE for stars and literals */
    dp_ref   text;  /* the literal */
    dp_ref   list;  /* STRING */
} dp_im_item;

typedef struct dp_im_name {
    dp_ref   text;
    uint32_t prefix, reserved;
} dp_im_name;

typedef struct dp_im_keep {
    dp_ref   names; /* NAME */
    uint32_t tpl;   /* TEMPLATE, DP_NONE: names hold */
    uint32_t params; /* 1: names of path parameters */
} dp_im_keep;

/* An image with the starts of its sections: what the engine works with. */
typedef struct dp_image {
    const dp_im_header   *head;
    const char           *text;
    const dp_im_host     *host;
    uint64_t              host_mask; /* slots - 1 */
    const char           *program;
    const dp_im_block    *block;
    const dp_im_rule     *rule;
    const dp_im_about    *about; /* of the same rules */
    const dp_im_template *tpl;
    const dp_im_pat      *pat;
    const dp_im_query    *query;
    const dp_im_item     *item;
    const dp_im_name     *name;
    const dp_im_keep     *keep;
    const uint32_t       *word;
    const dp_ref         *string;
    void                 *memory; /* malloc'd, or mapped */
    size_t                mapped; /* bytes mapped, 0: malloc'd */
} dp_image;

static inline dp_str dp_im_str(const dp_image *im, dp_ref r)
{
    return (dp_str){im->text + r.at, r.n};
}

static inline const dp_im_layer *dp_im_layer_at(const dp_image *im, uint32_t unit)
{
    return (const dp_im_layer *)(const void *)(im->program + (size_t)unit * 8);
}

static inline const dp_im_tuple *dp_im_tuples(const dp_im_layer *l)
{
    return (const dp_im_tuple *)(const void *)(l + 1);
}

static inline const dp_im_slot *dp_im_slots(const dp_im_layer *l)
{
    return (const dp_im_slot *)(const void *)(dp_im_tuples(l) + l->ntuple);
}

static inline const dp_im_slot *dp_im_subs(const dp_im_layer *l)
{
    return dp_im_slots(l) + l->nslot;
}

static inline const uint32_t *dp_im_list(const dp_im_layer *l)
{
    return (const uint32_t *)(const void *)(dp_im_subs(l) + l->nsub);
}

/* Take over `memory` of `size` bytes (malloc'd, or mapped; aligned) after checking all of it.
 * On failure it stays the caller's. `name` is for messages. */
dp_err dp_image_open(dp_image *out, void *memory, size_t size, bool is_mapped, const char *name, dp_error *err);

/* Map a file. DP_ESYNTAX when it is damaged, of another version or byte order. */
dp_err dp_image_map(dp_image *out, const char *path, dp_error *err);
dp_err dp_image_save(const dp_image *im, const char *path, dp_error *err);
void   dp_image_done(dp_image *im);

/* Hash of the bytes after the checksum field. */
uint64_t dp_image_checksum(const void *memory, size_t size);

#endif
