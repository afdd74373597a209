/* learn/dust/text.h - what DustBuster found, in the language of rule files.
 *
 *     ("/index.html$", "/$")                              /{**}/index.html? => /{**}/?
 *     ("^http://www.a.com/", "^http://a.com/")            http://www.a.com/{**} => http://a.com/{**}
 *     ("/story?id=", "/story_")                           sub "/story?id=" -> "/story_"
 *     sid is omitted, sid has a default value             drop ?sid          set ?sid=2
 *
 * A pair has no direction. While nothing else decides, it is written in the one that lowers (W, length, bytes)
 * (docs/rule-format.md, "It ends"): what all rules lower cannot go round in circles.
 *
 * A substitution is written as a template where the two say the same:
 *   - the whole origin of one host for that of another; the two differ on URLs that have a port, userinfo or no
 *     scheme, so a site must have none of these;
 *   - a last segment; the two differ on URLs whose query ends with that text, so a site must have none of these.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUST_TEXT_H
#define DP_LEARN_DUST_TEXT_H

#include "base/buf.h"
#include "learn/dust/dust.h"

/* What must be known of a site's URLs before a template is written. */
typedef struct dp_dust_forms {
    const dp_str *query; /* [nquery] queries that hold a '/' */
    size_t        nquery;
    bool          odd_origin; /* some URL has a port, userinfo or no scheme */
} dp_dust_forms;

/* The queries are views into the URLs given, their array is in `a`. DP_ENOMEM. */
dp_err dp_dust_forms_read(dp_dust_forms *out, const dp_str *url, size_t n, dp_arena *a);

/* The sides in the direction a rule is written: from -> to. */
void dp_dust_orient(const dp_dust_rule *r, dp_str *from, dp_str *to);

/* Append the rule, without state and attributes. False, and nothing written, when the language has no words for it: a
 * literal that is not in stage-0 form, a raw star (an erased value), a name that cannot be written. */
bool dp_dust_rule_text(dp_buf *out, const dp_dust_rule *r, const dp_dust_forms *forms);
bool dp_dust_param_text(dp_buf *out, const dp_dust_param *p);

/* The substitution itself, always as `sub`. */
bool dp_dust_sub_text(dp_buf *out, const dp_dust_rule *r);

#endif
