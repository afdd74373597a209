/* plant/plant_host.h - one site: which kinds it is made of, under which names.
 *
 *     kinds of the table + words of this host  ->  mechanisms  ->  parts, each with forms compiled to pieces
 *
 *     form "1/$a/%n/%s"   ->   rule 1, pieces  "/kalomi/" %n   "/" %s   ""
 *
 * A host is a function of (options, its number); what is left of its URLs is the only thing that changes.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_PLANT_HOST_H
#define DP_PLANT_HOST_H

#include "base/arena.h"
#include "plant_kind.h"
#include "plant_options.h"
#include "plant_word.h"

enum { PLANT_LETTERS = 16 /* words of a mechanism */, PLANT_MECHANISMS = 16, PLANT_PARTS = 24, PLANT_NAMES = 4 };

/* Literal text, then a code; 0 ends the form. */
typedef struct plant_piece {
    const char *text;
    uint16_t    n;
    char        code;
} plant_piece;

typedef struct plant_form {
    const plant_piece *piece; /* the last has code 0 */
    unsigned           rule;  /* of the mechanism, from 1; 0: none */
    bool               whole; /* begins with its own //host */
} plant_form;

typedef struct plant_mechanism {
    const plant_kind *kind;
    dp_str            word[PLANT_LETTERS];
    dp_str            extension[2], page_name, path_name, syllable, doubled, capital;
    dp_str            rule[PLANT_RULES]; /* p is NULL: none */
    unsigned          language;          /* the first of its languages */
    bool              dotted;            /* versions are 1.0, not v1 */
    uint64_t          salt;
} plant_mechanism;

typedef struct plant_part {
    const plant_mechanism *m;
    const plant_part_kind *kind;
    plant_form             form[PLANT_FORMS];
    unsigned               forms, dims;
    unsigned               room; /* URLs that a page can have, 1000: any number */
    uint64_t               salt;
    uint64_t               next; /* page to be made next */
} plant_part;

typedef struct plant_host {
    const plant_options *o;
    uint64_t             number, seed;
    uint64_t             urls;      /* that it has in the set */
    dp_str               name, mirror, origin;
    dp_str               alias;     /* another origin; p is NULL: none */
    const plant_mechanism *alias_by, *drop_by;
    dp_str               drop[PLANT_NAMES]; /* parameters that do not matter anywhere */
    unsigned             drops;
    unsigned             mechanisms, parts;
    plant_mechanism      mechanism[PLANT_MECHANISMS];
    plant_part           part[PLANT_PARTS];
    uint8_t              some[256], many[256]; /* parts by weight: all; those with room */
    uint64_t             mask, factor[2], offset; /* item number -> shown number */
    unsigned             half;
    dp_arena             memory;
} plant_host;

/* Make host `number`, that has `urls` URLs in the set. DP_ENOMEM. */
dp_err plant_host_init(plant_host *h, const plant_options *o, uint64_t number, uint64_t urls);
void   plant_host_done(plant_host *h);

/* Whether the varieties of the part's items are a decoy. */
static inline bool plant_part_is_decoy(const plant_part *p)
{
    return p->dims > 1 || (p->m->kind->flags & PLANT_SOLO);
}

/* Append the host's block of the rule file. */
void plant_host_rules(dp_buf *out, const plant_host *h);

#endif
