/* url/resource.h - what kind of thing a URL shows: a page, or something that pages are made of.
 *
 *     text/html               ──► page          /a/logo.png    ──► image
 *     application/javascript  ──► asset         /a/b           ──► page
 *
 * The content type says it, and where none is known the extension. What neither knows is a page: that is what rules are
 * for. eval/strata.h counts votes by it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_URL_RESOURCE_H
#define DP_URL_RESOURCE_H

#include "base/str.h"

typedef enum dp_resource {
    DP_RESOURCE_PAGE = 0,
    DP_RESOURCE_IMAGE,
    DP_RESOURCE_ASSET,    /* style sheets, scripts, fonts */
    DP_RESOURCE_MEDIA,    /* sound and film */
    DP_RESOURCE_DOCUMENT, /* pdf, office files, plain text */
    DP_RESOURCE_DATA,     /* feeds, json, csv */
    DP_RESOURCE_ARCHIVE,  /* packed files and programs */
    DP_RESOURCES
} dp_resource;

/* Of a content type, which may be empty, and the last segment of a path. */
dp_resource dp_resource_of(dp_str mime, dp_str file);

/* "page", "image", ...; and of several: "pages". */
const char *dp_resource_name(dp_resource r);
const char *dp_resource_names(dp_resource r);

#endif
