/* learn/auto/propose/behind.h - words behind, or in front of, several ids and words of the site in one component.
 *
 *     /Hotel-g12-d34-Reviews-Red_Oak.html     /Hotel-g12-d34-Reviews-Oak.html     /Hotel-g12-d34-Reviews.html
 *
 *     /Hotel-g{a:int}-d{b:int}-Reviews-{z}.html => /Hotel-g{a}-d{b}-Reviews.html
 *
 * One id is for propose/forget.h and propose/middle.h; here its whole layout is written.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_PROPOSE_BEHIND_H
#define DP_LEARN_AUTO_PROPOSE_BEHIND_H

#include "learn/auto/propose/propose.h"

/* Ideas about the one component in which the pair differs, if it is the only one. */
void dp_generate_behind(dp_pairing *p);

#endif
