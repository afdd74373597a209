#!/bin/sh
# kinds.sh - our own learner on the kinds of duplicates that tools/plant/kinds.txt describes, one small site each.
#
#     tools/evidence/kinds.sh           (make evidence-kinds)
#     SEEDS=4 tools/evidence/kinds.sh
#
# Half of the pages are learned, the other half is scored. Solved (*): F1 at least .99 of what the rules written by hand reach, no wrong
# merge, at most 5 rules. Columns: A: of the half that is not looked at while the learner is changed; T: a trap; F1 without rules, of what
# was learned, of the rules written by hand; wrong merges; rules.
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for seed in ${SEEDS:-1 2 3}; do
    echo "seed $seed"
    python3 tools/plant/kinds.py make "$work/$seed" --seed "$seed"
    python3 tools/plant/kinds.py score "$work/$seed" --dustpan "${BUILD:-build}/dustpan"
    echo
done
