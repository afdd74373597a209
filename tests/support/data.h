/* support/data.h - skip a test, saying why; and the data that lies beside the repository.
 *
 * tests/run lists skipped tests with their reasons; .ci/run lets only "shared/data absent" pass.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_DATA_H
#define DP_SUPPORT_DATA_H

/* Skip the running cmocka test. `reason` is one line. */
_Noreturn void dp_test_skip(const char *reason);

/* The path of `name` under ../shared/data (tests run in the repository's root). Skips the running test when that folder
 * is absent; fails it when the folder is there and `name` is not. Valid until the next call. */
const char *dp_test_data(const char *name);

#endif
