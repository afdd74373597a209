#!/bin/sh
# scale.sh BUILD [POWER...] - learn on planted sets of 10^POWER URLs (5 6 7; 8 when asked for), inside --memory.
#
# Every set has 250 URLs a host; --memory is 400M, and 4G for 10^8. A line each: URLs, memory given, seconds of CPU and
# of the clock, most memory held (MB), URLs a second of CPU, growth of the CPU time from the line before. Then the same
# rules from other threads, in more memory, and after kill -9. TMP names the folder for everything (default /tmp).
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- 5 6 7
work=$(mktemp -d "${TMP:-/tmp}/scale-XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"

# learn NAME OPTION...: learn from $work/in, rules to $work/NAME.rules, "user sys clock KB" to $work/NAME.time
learn() {
    name=$1
    shift
    /usr/bin/time -o "$work/$name.time" -f '%U %S %e %M' \
        "$build/dustpan" learn -q --tmp "$work/tmp" -o "$work/$name.rules" "$@" "$work/in"
}

echo "URLs memory CPU-s clock-s MB URLs/s/core growth"
last=0
for power in "$@"; do
    urls=$(awk -v p="$power" 'BEGIN { printf "%d", 10 ^ p }')
    memory=400M
    [ "$power" -lt 8 ] || memory=4G
    "$build/plant" --urls "$urls" --hosts $((urls / 250)) --host-zipf .5 --clusters "$work/in"
    learn "$power" --memory $memory
    awk -v urls="$urls" -v memory=$memory -v last="$last" '{
        cpu = $1 + $2
        printf "%d %s %.1f %.1f %.0f %.0f %s\n", urls, memory, cpu, $3, $4 / 1024, urls / cpu,
            (last > 0 ? sprintf("%.2f", cpu / last) : "-")
    }' "$work/$power.time"
    last=$(awk '{ print $1 + $2 }' "$work/$power.time")
    if [ "$power" -le 6 ]; then
        learn all
        cmp "$work/all.rules" "$work/$power.rules"
        echo "  all in memory: $(awk '{ printf "%.0f MB", $4 / 1024 }' "$work/all.time"), the same rules"
        learn one --memory $memory --threads 1
        cmp "$work/one.rules" "$work/$power.rules"
        echo "  one thread: $(awk '{ printf "%.1f s", $3 }' "$work/one.time"), the same rules"
    fi
    if [ "$power" -eq 6 ]; then
        "$build/dustpan" learn -q --tmp "$work/tmp" --memory 60M -o "$work/killed.rules" "$work/in" &
        pid=$!
        until [ -n "$(find "$work/tmp" -name 1040)" ] || ! kill -0 $pid 2>/dev/null; do
            sleep .2
        done
        kill -KILL $pid
        wait $pid || true
        echo "  killed; files: $(find "$work/tmp" -type f | wc -l), $(du -sm "$work/tmp" | cut -f 1) MB"
        learn killed --memory 60M
        cmp "$work/killed.rules" "$work/$power.rules"
        echo "  and again: $(awk '{ printf "%.1f s of CPU", $1 + $2 }' "$work/killed.time"), the same rules"
    fi
done
