#!/bin/sh
# atlas.sh - our own learner on kinds of duplicate URLs as real software makes them, one site each, and on sites that mix several.
#
#     tools/evidence/atlas.sh           (make evidence-atlas)
#     SEEDS="101 102 103" MIX=101 tools/evidence/atlas.sh
#
# The generator and the scores are ../shared/atlas, which is not part of this project: where it is absent, nothing is measured, and
# that is said. Half of the pages are learned, the other half is scored. Solved: F1 >= .99 of what is possible, no wrong merge, at
# most 5 rules (twice the hand-written ones on mixed sites). Columns: F1, pages lost, wrong merges, rules.
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
SEEDS=${SEEDS:-101 102 103}
MIX=${MIX:-101}
atlas=../shared/atlas
if [ ! -e $atlas/atlas.py ]; then
    echo "skipped: $atlas is absent, nothing was measured"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
score() { # TITLE WORD SEED: what atlas.py makes by that word
    echo "$1, seed $3"
    python3 $atlas/atlas.py "$2" "$work/$2$3" --seed "$3"
    $atlas/atlas_score.sh "$BUILD/dustpan" "$work/$2$3" auto
    echo
}
for seed in $SEEDS; do
    score kinds make "$seed"
done
for seed in $MIX; do
    score "mixed sites" mix "$seed"
done
