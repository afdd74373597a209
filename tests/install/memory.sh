#!/bin/sh
# learn inside --memory, with a hard limit on the address space: what the program takes for an empty input, and what it
# was given. The rules are those of a run without limit, whose records alone take more.
# SPDX-License-Identifier: Apache-2.0
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -s BUILD="$BUILD/gcc" CC=gcc WERROR=1 all >/dev/null
PATH=$BUILD/gcc:$PATH
# Only what is asked for counts: no buffers of a library that is not used, no heap a thread.
export OPENBLAS_NUM_THREADS=1 MALLOC_ARENA_MAX=1

plant --urls 400000 --hosts 2000 --host-zipf .5 --clusters "$work/in"
learn() {
    timeout 200 dustpan learn -q --method tree --threads 2 "$@"
}
learn -o "$work/free.rules" "$work/in"
: >"$work/none"
base=40000 # KB
until (ulimit -v $base && learn "$work/none" >/dev/null 2>&1); do
    base=$((base + 10000))
    [ $base -lt 1000000 ]
done
for memory in 20 40; do
    limit=$((base + memory * 1024))
    (ulimit -v $limit && learn --memory ${memory}M --tmp "$work" -o "$work/tight.rules" "$work/in")
    cmp "$work/free.rules" "$work/tight.rules"
    echo "--memory ${memory}M in $((limit / 1024)) MB, $((base / 1024)) MB of them for the program: the same rules"
done
if (ulimit -v $((base + 20 * 1024)) && learn "$work/in" >/dev/null 2>&1); then
    echo "the limit is none: it is kept without --memory, too"
    exit 1
fi
