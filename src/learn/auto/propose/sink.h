/* learn/auto/propose/sink.h - one page under all URLs of a narrow form -> a rule that says so.
 *
 *     /login?next=/a     /login?next=/b     /login?next=/c     ...      erase ?next on /login
 *     /edit/x615b        /edit/x9eb0        /edit/x37ad        ...      /edit/x{a} => /edit/x*
 *
 * A login, a search that finds nothing, "no permission": such a page has one vote on every rule, as any other, and so
 * none would ever be learned from it. What is drawn here is not pages but URLs of a form: so many were seen, with so
 * many values of a part, and all of them show this page.
 *
 * A form is a host, a depth, literal components and pairs. It is found page by page: of what at least `least` of the
 * page's URLs have in common, that is added which leaves most of them for each URL of other pages, until none of these
 * is left. A form that shows another page under one URL is no sink. Then all is added that the form's URLs have in
 * common, so that the rule fires on no more than that; a component or parameter is erased if it had `least` values.
 * What had fewer stays in the key.
 *
 * What comes out are ideas: the engine tries them on all forms, as it does others (learn/auto/rounds/sinks.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_PROPOSE_SINK_H
#define DP_LEARN_AUTO_PROPOSE_SINK_H

#include "learn/auto/forms/forms.h"
#include "learn/auto/forms/idea.h"

/* Add the ideas that large pages give; dp_idea.drawn is the least number of values that a part had which is erased,
 * dp_idea.depth how much had to be added after the first part. DP_ENOMEM. */
dp_err dp_sinks_propose(dp_ideas *out, const dp_forms *f, uint32_t least);

#endif
