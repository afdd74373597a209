/* apply/image.h - compiled rules: one flat piece of memory, the same in a file and in RAM.
 *
 *     header | TEXT | HOST | PROGRAM | BODY | ABOUT | BLOCK | KEEP
 *
 *     host name --hash--> HOST slot --> PROGRAM: a layer --> BODY: a rule with all it needs
 *
 * apply/compile.c writes it, apply/engine.c runs on it, apply/image.c loads, checks and
 * saves it. Nothing in it is a pointer: a file is mapped and used as it is. What is needed
 * together lies together, for with many hosts the cost of a URL is the memory it touches.
 *
 * A *layer* is what one scope name says (all blocks under that name): which rules can fire
 * there, indexed. A URL is looked up in the layers of name:port, name, each *.suffix
 * (longest first) and any. Inside a layer:
 *
 *     dp_im_layer | dp_im_tuple[ntuple] | dp_im_slot[nslot] | dp_im_slot[nsub] | list of bodies
 *
 * A *tuple* says which parts of a URL are looked at literally: scheme, host, some whole
 * segments, counted from either end, and one parameter name (tuple space search: rules that test the same
 * parts share one hash probe, however many there are).
 *
 * A *body* is one rule (or keep line) as the engine needs it: a dp_im_rule, then whatever it
 * refers to. Places inside a body are units of 4 bytes from its start, and two bytes long: a
 * body that fills two cache lines instead of four is a wait less.
 *
 *     dp_im_rule | literals | dp_im_item[] | dp_im_pat[] | dp_im_query[] | dp_im_template | ...
 *
 * Invariants (checked when a file is opened; the engine relies on them):
 *   - Every place and range lies inside its section, or its body.
 *   - Bodies stand in line order, and lists of bodies ascend: that order is priority.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_APPLY_IMAGE_H
#define DP_APPLY_IMAGE_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

#define DP_IMAGE_MAGIC   "dustpanC"
#define DP_IMAGE_VERSION 3
#define DP_IMAGE_ENDIAN  0x01020304u
#define DP_IMAGE_ALIGN   64 /* of sections, and of the memory itself */
#define DP_NONE          UINT32_MAX

/* `n` things of a section, from number `at` on. */
typedef struct dp_ref {
    uint32_t at, n;
} dp_ref;

/* `n` things inside a body, from unit `at` on. */
typedef struct dp_cut {
    uint16_t at, n;
} dp_cut;

enum { DP_BODY_UNIT = 4, DP_BODY_MOST = UINT16_MAX /* units of a body, and things at one place */ };

typedef enum dp_section {
    DP_SEC_TEXT,    /* char */
    DP_SEC_HOST,    /* dp_im_host */
    DP_SEC_PROGRAM, /* layers, in units of 8 bytes */
    DP_SEC_BODY,    /* bodies, in units of 8 bytes */
    DP_SEC_ABOUT,   /* dp_im_about, one a rule */
    DP_SEC_BLOCK,   /* dp_im_block */
    DP_SEC_KEEP,    /* uint32_t: bodies of keep lines */
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
    uint32_t max_cut;    /* captures of the pattern with DP_ITEM_CUTS that has most */
    dp_ref   rules_text; /* TEXT: the whole file, without comments */
    uint64_t set_id;     /* without options */
    struct {
        uint64_t at;    /* bytes from the start, multiple of DP_IMAGE_ALIGN */
        uint64_t count; /* things */
    } section[DP_SECTIONS];
} dp_im_header;

/* Open addressing, linear probing; layer == DP_NONE: empty. Not base/index.h: the table lies in the file as it is. */
typedef struct dp_im_host {
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
    uint32_t nplain, npaired;            /* tuples without a parameter come first, then those of query pairs */
    uint32_t reserved;
} dp_im_layer;

typedef enum dp_driver {
    DP_DRIVE_NONE,        /* segments alone */
    DP_DRIVE_NAME,        /* a query pair of that name */
    DP_DRIVE_NAME_VALUE,  /* a query pair name=value */
    DP_DRIVE_PREFIX,      /* a query pair whose name begins so */
    DP_DRIVE_PAIR,        /* any query pair */
    DP_DRIVE_PARAM,       /* a path parameter of that name */
    DP_DRIVE_PARAM_PREFIX,
    DP_DRIVE_ANY_PARAM    /* any path parameter */
} dp_driver;

/* What is hashed: scheme, host, segments from the start, from the end, then the parameter. */
typedef struct dp_im_tuple {
    uint16_t driver;               /* dp_driver */
    uint16_t origin;               /* DP_TUPLE_SCHEME, DP_TUPLE_HOST: these are hashed */
    uint32_t start_mask, end_mask; /* bit i: segment i from the start (from the end) is hashed */
    uint32_t nseg;                 /* least number of segments */
    uint32_t more;                 /* so many more may follow: 0, or as many as there are numbers */
    uint32_t prefix;               /* bytes, for the prefix drivers */
    uint64_t filter;               /* of the names that drive it (dp_filter_bit) */
    uint64_t literal_filter;       /* of the first thing that is hashed, but for those; 0: there is none */
} dp_im_tuple;

enum { DP_TUPLE_SCHEME = 1, DP_TUPLE_HOST = 2 };

/* A rule as slots and lists name it: the place of its body in units of 8 bytes, and whether it
 * is pinned, so that its priority is known before its body is touched. */
typedef uint32_t dp_im_entry;

#define DP_ENTRY_PINNED 0x40000000u
#define DP_ENTRY_BODY   0x3FFFFFFFu /* mask of the place */
#define DP_IN_LIST      0x80000000u

/* One rule is named in the slot itself; several stand in the layer's list behind their count. Not base/index.h: the
 * table lies in the file as it is. */
typedef struct dp_im_slot {
    uint32_t    tag;   /* upper half of the hash */
    dp_im_entry entry; /* a rule; DP_IN_LIST + place in the list; DP_NONE: empty */
} dp_im_slot;

typedef struct dp_im_block {
    dp_ref   hosts; /* TEXT: "a.com, *.b.com" */
    uint32_t off, order;
    dp_ref   keep; /* KEEP */
    dp_ref   rule; /* ABOUT */
    uint64_t head_hash; /* of its scopes, order and keeps as printed, for the set id */
} dp_im_block;

enum {
    DP_RULE_ERASES = 1,
    DP_RULE_FETCHES = 2,
    DP_RULE_AT_START = 4,
    DP_RULE_AT_END = 8,
    DP_RULE_HAS_IF = 16,
    DP_RULE_PARAMS = 32,
    DP_RULE_LEADS_OUT = 128, /* to another domain, which nobody vouches for */
    DP_RULE_FRAMED = 64 /* of a template: its result is in stage-0 form unless it has a dot segment */
};

/* What a body begins with. */
typedef struct dp_im_rule {
    float    p;      /* expected precision; 1 when the rule names none */
    uint8_t  kind;   /* dp_rule_kind, or DP_KEEP_LINE */
    uint8_t  state;  /* dp_state */
    uint8_t  flags;
    uint8_t  reserved;
    uint32_t size;   /* of the whole body in bytes, a multiple of 8 */
    uint32_t number; /* in line order */
    dp_cut   unless; /* uint16_t: places of dp_im_template */
    uint16_t on;     /* dp_im_template, 0: none; of a keep line, the template */
    union {
        struct { /* left => right: dp_im_template */
            uint16_t left, right;
        };
        struct { /* drop, only, erase, set, keep */
            dp_cut names; /* dp_im_name */
            dp_cut value; /* text */
        };
        struct { /* sub */
            dp_cut   alpha, beta; /* text */
            uint16_t pivot;       /* offset in α of the token that the layer's index holds */
        };
    };
} dp_im_rule;

enum { DP_KEEP_LINE = 100 };

/* What people need of a rule. */
typedef struct dp_im_about {
    uint64_t id;
    dp_ref   text; /* TEXT: the rule's line */
    uint32_t block, line;
    uint32_t body; /* units of 8 bytes */
    uint32_t reserved;
} dp_im_about;

typedef struct dp_im_template {
    dp_cut   scheme, host; /* text; n == 0: not written */
    int32_t  port;         /* -1: not written */
    uint16_t glob;         /* number of the segment, DP_NO_SEG */
    uint8_t  has_query, open;
    uint16_t label;        /* of {x}.name: one more than its slot; the host is .name then. 0: none */
    uint16_t reserved;
    dp_cut   seg;   /* dp_im_pat */
    dp_cut   query; /* dp_im_query */
} dp_im_template;

#define DP_NO_SEG UINT16_MAX

typedef dp_cut dp_im_pat; /* dp_im_item */

typedef struct dp_im_query {
    uint16_t  kind, k;
    dp_cut    name; /* text */
    dp_im_pat pat;
} dp_im_query;

typedef struct dp_im_item {
    uint8_t  kind, cls, conv;
    uint8_t  flags;  /* DP_ITEM_AGAIN, DP_ITEM_CUTS */
    uint16_t slot;   /* of a capture or reference */
    uint16_t length; /* of {x:CLASS*N}, 0: any */
    dp_cut   what;  /* text of a literal; dp_cut, the texts of {x=v1|v2} */
} dp_im_item;

enum {
    DP_ITEM_AGAIN = 1, /* a capture whose name stood further left */
    DP_ITEM_CUTS = 2   /* on the first item of a pattern: the leftmost literals need not be the cut */
};

enum { DP_MAX_CUT = 64 /* captures in a pattern that has DP_ITEM_CUTS */ };

typedef struct dp_im_name {
    dp_cut   text;
    uint32_t prefix;
} dp_im_name;

/* An image with the starts of its sections: what the engine works with. */
typedef struct dp_image {
    const dp_im_header *head;
    const char         *text;
    const dp_im_host   *host;
    uint64_t            host_mask; /* slots - 1 */
    const char         *program;
    const char         *body;
    const dp_im_about  *about;
    const dp_im_block  *block;
    const uint32_t     *keep;
    void               *memory; /* malloc'd, or mapped */
    size_t              mapped; /* bytes mapped, 0: malloc'd */
} dp_image;

static inline dp_str dp_im_str(const dp_image *im, dp_ref r)
{
    return (dp_str){im->text + r.at, r.n};
}

static inline const dp_im_rule *dp_im_body(const dp_image *im, uint32_t unit)
{
    return (const dp_im_rule *)(const void *)(im->body + (size_t)unit * 8);
}

/* What lies at `at` of a body. */
static inline const void *dp_im_at(const dp_im_rule *body, uint32_t at)
{
    return (const char *)body + (size_t)at * DP_BODY_UNIT;
}

static inline dp_str dp_im_literal(const dp_im_rule *body, dp_cut text)
{
    return (dp_str){dp_im_at(body, text.at), text.n};
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

static inline const dp_im_entry *dp_im_list(const dp_im_layer *l)
{
    return (const dp_im_entry *)(const void *)(dp_im_subs(l) + l->nsub);
}

/* Memory for an image of `size` bytes, aligned, for free(); in large pages where it is large,
 * for a URL touches a dozen places of it. NULL when memory is out. */
void *dp_image_alloc(size_t size);

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
