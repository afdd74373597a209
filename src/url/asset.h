/* url/asset.h - is this the URL of a page, or of a picture, a script or a style that pages are made of?
 *
 *     /logo.png  /app.js?v=3     assets, by the ending of their path
 *     /a  /a.html  /show.php     pages
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_URL_ASSET_H
#define DP_URL_ASSET_H

#include <stdbool.h>

#include "base/str.h"

bool dp_url_is_asset(dp_str url);

#endif
