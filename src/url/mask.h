/* url/mask.h - hide what may be secret in a URL that is shown to people.
 *
 *     http://me:pw@a.com/x?token=1234&p=2   ──►   http://xxx@a.com/x?token=xxx&p=2
 *
 * Userinfo, and the values of parameters (of query and path) whose name holds one of
 * the words in mask.c, in any case. It works on any text, URL or not. Used wherever an
 * example is shown in a message, report or comment; never in what apply prints.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_URL_MASK_H
#define DP_URL_MASK_H

#include "base/buf.h"

/* Append `url` to `out`, masked. Also masked are the values of parameters that have none,
 * or an erased one, in some of the `nkept` texts: what a rule dropped or erased. */
void dp_mask_url(dp_buf *out, dp_str url, const dp_str *kept, size_t nkept);

/* The same for a page in which people judge rules: what a rule dropped or erased stays where it cannot be a secret, a
 * number below 1,000 or plain words ("?page=2", "?sort=price-desc", "?utm_source=mail"), and its name does not say that
 * it is about a person; and what a text has in its path, where the rule has moved it. */
void dp_mask_example(dp_buf *out, dp_str url, const dp_str *kept, size_t nkept);

/* Whether a parameter of that name is masked. */
bool dp_mask_is_secret(dp_str name);

/* Whether a value looks like the e-mail or the IP address of somebody, also where '@' and ':' are escaped. */
bool dp_mask_is_personal(dp_str value);

/* The same into a message: cut to `cap` bytes with NUL ("..." marks the cut), what cannot
 * be printed as ?, addresses of clients as *. */
void dp_mask_line(char *out, size_t cap, dp_str text);

/* What fields a line has, and nothing of what is in them: 'a' for each word, '9' for each number, and all that stands
 * between. So nobody sees who has asked. Cut to `cap` bytes with NUL.
 *
 *     203.0.113.9 - frank [18/Nov/2026] "GET /a"   ──►   9.9.9.9 - a [9/a/9] "a /a" */
void dp_mask_shape(char *out, size_t cap, dp_str text);

/* Whether a text is of three fields or more, as a line of a log: then its shape alone is for a message. */
bool dp_mask_is_fields(dp_str text);

/* What should be a URL, into a message: as a line, or the shape. */
void dp_mask_stray(char *out, size_t cap, dp_str text);

#endif
