#!/bin/sh
# fuzz_long.sh BUILD RUNS [TARGET...] - fuzz every target in turn, until all together have run RUNS times.
#
#     make fuzz-long                      10^8 runs of all targets: hours, for the night
#     make fuzz-long X="url page"         of these alone
#
# A turn gives each target TURN seconds (300), as many at a time as there are cores, each time with another seed. Counts
# stand in BUILD/fuzz/long/TARGET, new inputs in BUILD/fuzz/corpus/TARGET: stop it whenever you like, and the same command
# goes on from there. Remove BUILD/fuzz/long to count from 0. What crashes, leaks or takes more than 10 s is written to
# fuzz/crashes/TARGET, to be committed with its repair; the other targets go on. Exit status 1 when something was found.
# SPDX-License-Identifier: Apache-2.0
set -u
cd "$(dirname "$0")/.." || exit 2

# One turn of one target.
if [ "$1" = --turn ]; then
    build=$2 x=$3 counts=$2/fuzz/long
    mkdir -p "$build/fuzz/corpus/$x" "fuzz/corpus/$x" "fuzz/crashes/$x"
    log=$(mktemp)
    [ -e "fuzz/$x.dict" ] && dictionary=-dict=fuzz/$x.dict || dictionary=
    # shellcheck disable=SC2086  # none or one word
    "$build/fuzz/fuzz_$x" -max_total_time="${TURN:-300}" -timeout=10 -print_final_stats=1 -verbosity=0 $dictionary \
        -artifact_prefix="fuzz/crashes/$x/" "$build/fuzz/corpus/$x" "fuzz/corpus/$x" >"$log" 2>&1
    status=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    before=$(cat "$counts/$x" 2>/dev/null || echo 0)
    echo $((before + ${runs:-0})) >"$counts/$x.new" && mv "$counts/$x.new" "$counts/$x"
    if [ $status -ne 0 ]; then
        echo "fuzz-long: $x: FOUND SOMETHING:"
        grep -E '^(SUMMARY|ERROR|not so|==.*ERROR)|Test unit written' "$log" | sed 's/^/    /'
        echo "$x" >>"$counts/found"
    fi
    rm -f "$log"
    exit 0
fi

build=$1 wanted=$2
shift 2
if [ $# -eq 0 ]; then
    for file in fuzz/fuzz_*.c; do
        x=${file#fuzz/fuzz_}
        set -- "$@" "${x%.c}"
    done
fi
counts=$build/fuzz/long
mkdir -p "$counts"
rm -f "$counts/found"

total() {
    sum=0
    for x; do
        sum=$((sum + $(cat "$counts/$x" 2>/dev/null || echo 0)))
    done
    echo "$sum"
}

while [ "$(total "$@")" -lt "$wanted" ]; do
    printf '%s\n' "$@" | xargs -P "$(nproc)" -n 1 "$0" --turn "$build" || exit 1
    echo "fuzz-long: $(total "$@") of $wanted runs, $(date -u '+%Y-%m-%d %H:%M')"
done
for x; do
    printf '%-10s %s\n' "$x" "$(cat "$counts/$x" 2>/dev/null || echo 0)"
done
if [ -s "$counts/found" ]; then
    echo "fuzz-long: found something in: $(sort -u "$counts/found" | tr '\n' ' '); see fuzz/crashes"
    exit 1
fi
