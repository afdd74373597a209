#!/bin/sh
# dustpan.h stands alone, in C11 and in C++, without a warning.
# SPDX-License-Identifier: Apache-2.0
set -eu
gcc -std=c11 -pedantic -Wall -Wextra -Werror -fsyntax-only -x c include/dustpan.h
clang -std=c++11 -pedantic -Wall -Wextra -Werror -fsyntax-only -x c++ include/dustpan.h
