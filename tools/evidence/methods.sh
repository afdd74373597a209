#!/bin/sh
# methods.sh - every learner on the same sites, in the shape of Table 2 of Xu et al. 2017.
#
#     tools/evidence/methods.sh [METHOD...]     (make evidence-seq2seq)
#
# Planted sites of 20,000 pages in crawl order with the duplicate rates of the paper: the first 15,000 are learned from,
# the last 5,000 are crawled. Real ones from ../shared/data, divided by cluster (they have no order). Precision, recall
# and F1 are those of the crawl simulation; `lost` are clusters of which no page is fetched.
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
data=../shared/data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- rewrite tree duster dust seq2seq auto

# One row out of what eval says.
row() { # SITE METHOD JSON SECONDS
    python3 -c '
import json, sys
site, method, seconds = sys.argv[1:]
e = json.load(sys.stdin)
print("%-22s %-10s %6.3f %6.3f %6.3f %6d %6d %7s" % (
    site, method, e["precision"], e["recall"], e["f1"], e["lost"], e["rules"], seconds))' "$1" "$2" "$4" <"$3"
}

# A file of keys beside clusters: the crawl simulation, for what is no rule file.
simulate() { # CLUSTERS KEYS
    paste "$1" "$2" | awk -F '\t' '
        !($1 in known) { known[$1]; clusters++ }
        !($3 in seen) { seen[$3]; fetched++; if (!($1 in covered)) { covered[$1]; n++ } }
        END { p = n / fetched; r = n / clusters
              printf "{\"precision\":%f,\"recall\":%f,\"f1\":%f,\"lost\":%d,\"rules\":0}\n", p, r, 2 * p * r / (p + r), clusters - n }'
}

site() { # NAME TRAIN TEST METHOD...
    name=$1 train=$2 test=$3
    shift 3
    printf 'dustpan-rules 1\n' >"$work/none.rules"
    "$BUILD/dustpan" eval --json -r "$work/none.rules" "$test" >"$work/json"
    row "$name" keepall "$work/json" -
    for method in "$@"; do
        model=
        [ "$method" != seq2seq ] || model="--model $work/model"
        rm -f "$work/model" "$work/rules"
        start=$(date +%s)
        # shellcheck disable=SC2086  # two words or none
        "$BUILD/dustpan" learn --quiet --method "$method" $model -o "$work/rules" "$train"
        seconds=$(($(date +%s) - start))
        "$BUILD/dustpan" eval --json -r "$work/rules" "$test" >"$work/json"
        row "$name" "$method" "$work/json" "$seconds"
        [ "$method" = seq2seq ] || continue
        cut -f 2 "$test" >"$work/urls"
        "$BUILD/dustpan" apply --quiet --model "$work/model" "$work/urls" >"$work/keys"
        simulate "$test" "$work/keys" >"$work/json"
        row "$name" ' (model)' "$work/json" -
    done
}

printf '%-22s %-10s %6s %6s %6s %6s %6s %7s\n' site method prec rec F1 lost rules seconds
seed=1
for redundant in .307 .174 .261 .060 .019; do
    "$BUILD/plant" --preset sigir17 --redundant "$redundant" --seed "$seed" --clusters "$work/all"
    grep -v '^#' "$work/all" | head -n 15000 >"$work/train"
    grep -v '^#' "$work/all" | tail -n 5000 >"$work/test"
    site "planted $redundant" "$work/train" "$work/test" "$@"
    seed=$((seed + 1))
done
for name in live-docs live-dokuwiki redirects-sqldocs redirects-githubdocs redirects-mdn; do
    if [ ! -e "$data/$name/clusters.tsv.gz" ]; then
        echo "$name: not there, passed over"
        continue
    fi
    "$BUILD/dustpan" split --quiet --test 0.5 --seed 1 -o "$work/half" "$data/$name/clusters.tsv.gz"
    site "$name" "$work/half.train.tsv" "$work/half.test.tsv" "$@"
done
