/* cli/exchange.h - dustpan rules export, dustpan rules import: verbs of cmd_rules.c.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CLI_EXCHANGE_H
#define DP_CLI_EXCHANGE_H

#include "cli/options.h"

int dp_cmd_export(int argc, char **argv, dp_arena *a);
int dp_cmd_import(int argc, char **argv, dp_arena *a);

#endif
