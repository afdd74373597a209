/* rule/print.h - model -> text: what `rules fmt` writes.
 *
 *     likely drop ?view on /shop/{**} unless /shop/cart/{**}       [p=.93 n=14]  # why
 *     state  rule                                                  column 62
 *
 * Reading what was printed gives the same model, comments included; printing that gives
 * the same text.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_RULE_PRINT_H
#define DP_RULE_PRINT_H

#include "base/buf.h"
#include "rule/rule.h"

void dp_print_scope(dp_buf *out, const dp_scope *s); /* *.example.com */
void dp_print_template(dp_buf *out, const dp_template *t);
void dp_print_condition(dp_buf *out, const dp_template *t); /* of `on`, `unless` or `keep` */
void dp_print_text(dp_buf *out, const dp_rule *r);   /* without state, attributes, comment */
void dp_print_rule(dp_buf *out, const dp_rule *r);   /* state, rule, attributes; no line end */
void dp_print_keep(dp_buf *out, const dp_keep *k);   /* keep ?lang */
void dp_print_block(dp_buf *out, const dp_block *b); /* host, order and keep lines, without comments */
void dp_print_meaning(dp_buf *out, const dp_block *b); /* the same without attributes, which mean nothing for a key */
void dp_print_file(dp_buf *out, const dp_rules *r);  /* header, blocks, comments */
void dp_print_lines(dp_buf *out, const dp_rules *r, size_t *line); /* the same; line[rules], from 0, of each rule */

const char *dp_state_name(dp_state s); /* "active", "pin", ... */

#endif
