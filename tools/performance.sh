#!/bin/sh
# performance.sh - compare the tables of docs/performance.md with bench/results.tsv and bench/goals.tsv.
#
#     tools/performance.sh          say what is out of date, exit 1
#     tools/performance.sh --fix    write the tables anew (`make performance`)
#
# The page may have 150 lines: results belong there, their history belongs to git.
# SPDX-License-Identifier: Apache-2.0
set -u
cd "$(dirname "$0")/.." || exit 2
page=docs/performance.md
new=$(mktemp)
trap 'rm -f "$new"' EXIT
awk -f bench/goals.awk part=goals bench/goals.tsv part=results bench/results.tsv part=page "$page" >"$new" || exit 2
if [ "${1-}" = --fix ]; then
    cat "$new" >"$page"
elif ! diff -u "$page" "$new"; then
    echo "$page: the tables are not those of bench/results.tsv; 'make performance' writes them anew"
    exit 1
fi
lines=$(wc -l <"$page")
if [ "$lines" -gt 150 ]; then
    echo "$page: $lines lines, 150 are allowed"
    exit 1
fi
