/* plant/plant_kind.h - what a site can be made of: the table of families, decoys and traps.
 *
 *     {"slug", family 9,  rules {"/$a/{i:int}/{s} => /$b/{i}", ...},
 *                         parts {{forms {"0/$b/%n", "1/$a/%n/%s"}}}}
 *
 * A kind is a few rules and a few parts of the site they are about. A part is a set of pages; page (j, d) is item
 * number j in its variety d. A form is one way to write a page's URL; its first letter is the number of the rule that
 * takes the form back to the first one, 0 when there is none. A part without rules but with varieties is a decoy: its
 * varieties look alike and differ.
 *
 * Codes of the host, filled in once ($) and of the page or URL, filled in each time (%):
 *
 *     $a..$p  words of this kind     $1 $2  extensions    $H host   $M mirror host     $P page parameter's name
 *     $J      path parameter's name  $Q Z   capitals: a doubled one, another one       $G one syllable
 *
 *     %n number   %k slug   %t Title_Of   %T Title%20Of   %+ Title+Of   %u UPPER0ID                  by j
 *     %c one of $k..$n      %b $k or $l   %e $m or $n     %Y %m %y year month day                    by j
 *     %d d+1   %D d+2   %W word number d   %L language   %v version   %O $H or $M                     by d
 *     %i hex   %j slug   %A slug in the case of d                                                    by j and d
 *     %K slug in a random case   %x hex   %s slug   %r number   %z a word nobody else has             by URL
 *     %0 the number %n behind one to three zeros                                                     by j and URL
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_PLANT_KIND_H
#define DP_PLANT_KIND_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PLANT_HARD = 1,   /* only under --hard */
    PLANT_ALIAS = 2,  /* about all pages: part 0's forms are origins, the first is the true one; one a host */
    PLANT_DROP = 4,   /* about all pages: part 0's form is a list of parameters that do not matter */
    PLANT_LATE = 8,   /* its rules stand last */
    PLANT_SOLO = 16,  /* every URL a page, all of one content: soft errors */
    PLANT_PLAIN = 32, /* nothing to learn */
    PLANT_ASKED = 64  /* as web software makes them; only where --only names them, or all of them as `software` */
};

enum { PLANT_RULES = 3, PLANT_FORMS = 4, PLANT_PART_KINDS = 3 };

typedef struct plant_part_kind {
    uint8_t     weight; /* share of the site's pages */
    uint8_t     dims;   /* varieties of an item, 0 counts as 1; above 1 the part is a decoy */
    uint8_t     equal;  /* percent of the items whose varieties are equal today */
    const char *form[PLANT_FORMS];
} plant_part_kind;

typedef struct plant_kind {
    const char     *name;
    uint8_t         family; /* 1 to 14, 15 to 24 of PLANT_ASKED; 0: decoy or trap */
    uint8_t         flags;
    const char     *scope;  /* another name of the host line */
    const char     *rule[PLANT_RULES];
    plant_part_kind part[PLANT_PART_KINDS];
} plant_kind;

extern const plant_kind plant_kinds[];
extern const unsigned   plant_kind_count; /* at most 64 */

#endif
