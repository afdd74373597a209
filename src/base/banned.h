/* base/banned.h - turn calls that cannot be made safe into compile errors.
 *
 * Force-included into every source file by the Makefile.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_BANNED_H
#define DP_BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf strtok gets atoi atol atof

#endif
