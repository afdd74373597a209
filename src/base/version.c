/* SPDX-License-Identifier: Apache-2.0 */
#include "dustpan.h"

const char *dp_version(void)
{
    return DP_VERSION;
}
