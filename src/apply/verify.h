/* apply/verify.h - is every number in an image inside its bounds?
 *
 * Called once by dp_image_open, so that the engine need not ask again. One sweep over each
 * section: things lie in the order in which the compiler wrote them, without gaps, and
 * that order is part of what is checked.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_APPLY_VERIFY_H
#define DP_APPLY_VERIFY_H

#include "apply/image.h"

extern const size_t dp_section_unit[DP_SECTIONS]; /* bytes of one thing of a section */

/* DP_ESYNTAX names the section that is damaged; DP_ENOMEM. */
dp_err dp_image_verify(const dp_image *im, const char *name, dp_error *err);

#endif
