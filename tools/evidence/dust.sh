#!/bin/sh
# dust.sh BUILD - Tables 1 to 4 of Bar-Yossef et al. 2006 on planted sites and on the logs of ../shared/data.
#
# For each set, with sizes and without (and with sketches where they are known):
#   detected, left   candidates before and after redundant ones are eliminated; removed: the share (Table 2)
#   rules            likely rules that `learn` writes, parameters with them
#   valid            by labels, in one direction or the other (Table 3); at 10, 50, 100, 300: their share of those of the first k
#                    that labels know (the paper divides by k, and has fetched all of them)
#   hold             rules that `validate --offline` keeps: Figures 4 and 5
#   reduction, coverage   of the URLs, of the duplicates, by applying those (Table 4, 6.6); lost: pages that are lost
# A set without labels has the first columns only.
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build}
dustpan=$build/dustpan
data=../shared/data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# field NAME: a line of the table that `eval --table dust` prints
field() { sed -n "s/^$1  *\([0-9.]*\)$/\1/p" "$work/eval"; }

share() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.3f", a / b; else printf "-" }'; }

# precision K: the share of valid rules among the first k of the list, as far as labels know them
precision() {
    awk -v k="$1" '/^likely/ && ++n > k { next } { print } END { exit n < k }' "$work/rules" >"$work/top" || { echo -; return; }
    "$dustpan" eval --with-likely -r "$work/top" --table dust "$labels" >"$work/eval" 2>"$work/log"
    share "$(field 'valid rules')" "$(field 'rules with evidence')"
}

# row NAME EVIDENCE BASE_URL LABELS FILE [OPTION...]
row() {
    name=$1 evidence=$2 base=$3 labels=$4 file=$5
    shift 5
    [ -e "$file" ] || { echo "$name: $file is absent"; return; }
    case $evidence in
    size) set -- "$@" --shingles 0 ;;
    near) set -- "$@" --ignore-sizes ;;
    list) set -- "$@" --shingles 0 --ignore-sizes ;;
    esac
    [ "$base" = - ] || set -- "$@" --base-url "$base"
    phases=$("$build/evidence/tables/dust_phases" $evidence "$base" "$file")
    urls=${phases%% *} left=${phases##* } detected=${phases#* }
    detected=${detected% *}
    rm -f "$work/rules"
    "$dustpan" learn --quiet --method dust --accept paper "$@" -o "$work/rules" "$file"
    rules=$(grep -c '^likely' "$work/rules" || true)
    printf '%-18s %-4s %7d %8d %6d %7s %6d' "$name" "$evidence" "$urls" "$detected" "$left" \
        "$(share $((detected - left)) "$detected")" "$rules"
    if [ "$labels" != - ]; then
        "$dustpan" eval --with-likely -r "$work/rules" --table dust "$labels" >"$work/eval" 2>"$work/log"
        printf ' %6s %6s' "$(field 'rules with evidence')" "$(field 'valid rules')"
        for k in 10 50 100 300; do
            printf ' %6s' "$(precision $k)"
        done
        "$dustpan" validate --quiet -r "$work/rules" --urls "$labels" --offline "$labels" -o "$work/valid" >"$work/log" || true
        "$dustpan" eval -r "$work/valid" --table dust "$labels" >"$work/eval" 2>"$work/log"
        printf ' %6s %8s %8s %5s' "$(field 'rules with evidence')" "$(field 'discovered redundancy')" \
            "$(field 'coverage of duplicates')" "$(field 'lost contents')"
    fi
    echo
}

printf '%-18s %-4s %7s %8s %6s %7s %6s %6s %6s %6s %6s %6s %6s %6s %8s %8s %5s\n' set by URLs detected left removed rules \
    known valid @10 @50 @100 @300 hold reduct. coverage lost

for seed in 1 2 3; do
    "$build/plant" --urls 20000 --hosts 1 --seed $seed --list "$work/list.tsv" --clean "$work/clean.tsv"
    for evidence in size near list; do
        row "planted, $seed" $evidence - "$work/clean.tsv" "$work/list.tsv"
    done
done
# The pages of live sites have sketches, too; of their logs, which give a size for each request, intervals of sizes.
for set in live-dokuwiki live-docs; do
    base=$(gzip -dc $data/$set/clusters.tsv.gz 2>/dev/null | sed -n '1s|.*\(http://[^/]*\)/.*|\1|p')
    for evidence in size list; do
        row "$set, log" $evidence "${base:--}" $data/$set/clusters.tsv.gz $data/$set/access.log.gz
    done
    # Without the digests, which are labels.
    gzip -dc $data/$set/pages.tsv.gz | awk -F'\t' -v OFS='\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i
        print "#url", "status", "size", "sketch"; next }
        { m = $at["mh1"] ? $at["mh1"] "," $at["mh2"] "," $at["mh3"] "," $at["mh4"] : "-"
          print $at["url"], $at["status"], $at["bytes"], m }' >"$work/pages.tsv"
    for evidence in size near list; do
        row "$set" $evidence - $data/$set/clusters.tsv.gz "$work/pages.tsv"
    done
done
gzip -dc $data/site-networkx/index.cdxj.gz |
    sed -e 's/.*"url":"\([^"]*\)".*"length":"\([0-9]*\)".*/\1\t200\t\2/' -e '1i #url\tstatus\tsize' >"$work/networkx.tsv"
gzip -dc $data/site-networkx/index.cdxj.gz |
    sed 's/.*"url":"\([^"]*\)".*"digest":"\([^"]*\)".*/\2\t\1/' >"$work/digests.tsv"
row site-networkx size - "$work/digests.tsv" "$work/networkx.tsv"
row site-networkx list - - "$work/networkx.tsv" # 25,000 rules: not judged
for evidence in size list; do
    row log-semicomplete $evidence http://semicomplete.com - $data/log-semicomplete/access.log.gz
    row log-society2013 $evidence http://www.mycompany.org - $data/log-society2013/access.log.gz
done
