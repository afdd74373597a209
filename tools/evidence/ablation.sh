#!/bin/sh
# ablation.sh - what the choices of the neural translator are worth: one changed at a time, the others as they are by default.
#
#     tools/evidence/ablation.sh [SIZE...]      (make evidence-ablation)      hidden sizes; 16 32 64 128
#
# Sites as in methods.py, a planted and a real one. The network alone answers (apply --model), no rule; precision, recall
# and F1 are those of the crawl simulation, `lost` clusters of which no page is fetched. So that 128 units end in time,
# training stops after 60 epochs, or 10 without a better loss. Seconds are CPU time of one training.
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
data=../shared/data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- 16 32 64 128

# The crawl simulation on clusters and keys, as one row.
simulate() { # SITE WHAT CLUSTERS KEYS SECONDS
    paste "$3" "$4" | awk -F '\t' -v site="$1" -v what="$2" -v seconds="$5" '
        !($1 in known) { known[$1]; clusters++ }
        !($3 in seen) { seen[$3]; fetched++; if (!($1 in covered)) { covered[$1]; n++ } }
        END { p = n / fetched; r = n / clusters
              printf "%-14s %-18s %6.3f %6.3f %6.3f %6d %7s\n", site, what, p, r, 2 * p * r / (p + r), clusters - n, seconds }'
}

# CPU seconds of a command and its children.
cpu() {
    python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
u = resource.getrusage(resource.RUSAGE_CHILDREN)
print("%.1f" % (u.ru_utime + u.ru_stime))' "$@"
}

# Train with some options into $work/model; twice: for rules, which are not looked at, and for the file.
train() { # EPOCHS OPTION...
    epochs=$1
    shift
    cpu "$BUILD/dustpan" learn --quiet --threads 1 --method seq2seq --accept paper --epochs "$epochs" --patience 10 \
        --model "$work/model" "$@" -o "$work/rules" "$train"
}

answer() { # WHAT SECONDS
    "$BUILD/dustpan" apply --quiet --model "$work/model" "$work/urls" >"$work/keys"
    simulate "$name" "$1" "$test" "$work/keys" "$2"
}

row() { # WHAT OPTION...
    what=$1
    shift
    rm -f "$work/model" "$work/rules"
    seconds=$(train 60 "$@" | awk '{ print $1 / 2 }')
    answer "$what" "$seconds"
}

site() { # NAME SIZE...
    name=$1 train=$work/train.tsv test=$work/test.tsv
    shift
    cut -f 2 "$test" >"$work/urls"
    simulate "$name" 'no answer' "$test" "$work/urls" -
    for size in "$@"; do
        row "hidden $size" --hidden "$size"
    done
    row 'loss ace' --loss ace
    row 'optimizer sgd' --optimizer sgd
    row 'as by default'
    # The network is there, finished, and stays; only the guard changes.
    for sure in 0 .5 .8 .95 .99; do
        train 1 --sure $sure >/dev/null
        answer "sure $sure" -
    done
}

printf '%-14s %-18s %6s %6s %6s %6s %7s\n' site what prec rec F1 lost seconds
"$BUILD/plant" --preset sigir17 --redundant .307 --seed 1 --clusters "$work/all"
grep -v '^#' "$work/all" | head -n 15000 >"$work/train.tsv"
grep -v '^#' "$work/all" | tail -n 5000 >"$work/test.tsv"
site 'planted .307' "$@"
if [ -e $data/live-docs/clusters.tsv.gz ]; then
    "$BUILD/dustpan" split --quiet --test 0.5 --seed 1 -o "$work/half" $data/live-docs/clusters.tsv.gz
    mv "$work/half.train.tsv" "$work/train.tsv"
    mv "$work/half.test.tsv" "$work/test.tsv"
    site live-docs "$@"
else
    echo "live-docs: not there, passed over"
fi
