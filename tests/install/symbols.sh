#!/bin/sh
# The shared library exports what dustpan.h declares, all of it and nothing else; and nothing in the library
# exits, prints or reads the environment.
# SPDX-License-Identifier: Apache-2.0
set -u
so=$BUILD/gcc/libdustpan.so
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# What DP_API stands before; declarations may go over several lines, so look for the first name before a bracket.
sed -n '/^DP_API/s/^[^(]*[ *]\(dp_[a-z0-9_]*\)(.*/\1/p' include/dustpan.h | sort -u >"$scratch/declared"
nm -D --defined-only "$so" | awk '{ print $3 }' | sort -u >"$scratch/exported" || exit 1
[ -s "$scratch/declared" ] || { echo "found no DP_API declaration"; exit 1; }
echo "declared (-) and exported (+):"
diff -u "$scratch/declared" "$scratch/exported" || exit 1

nm -A -u "$BUILD/gcc/libdustpan.a" 2>/dev/null |
    grep -wE 'exit|_exit|quick_exit|abort|printf|vprintf|puts|putchar|perror|stdout|stderr|getenv|secure_getenv' |
    grep -v __assert_fail && { echo "the library may not use these"; exit 1; }
exit 0
