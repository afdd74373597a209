#!/bin/sh
# learn inside --memory, with a hard limit on the address space: what the program takes for an empty input, and what it
# was given. The rules are those of a run without limit, whose records alone take more.
# SPDX-License-Identifier: Apache-2.0
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -s BUILD="$BUILD/gcc" CC=gcc WERROR=1 "$BUILD/gcc/dustpan" "$BUILD/gcc/plant" >/dev/null
PATH=$BUILD/gcc:$PATH
# Only what is asked for counts: no heap a thread.
export MALLOC_ARENA_MAX=1

# Nothing is loaded that a command does not use, and no command waits for ever where the address space is small.
for mb in 60 100 200; do
    prlimit --as=$((mb * 1048576)) timeout 10 dustpan --version >/dev/null
done
if ldd "$BUILD/gcc/dustpan" | grep -i blas; then
    echo "OpenBLAS is for seq2seq alone"
    exit 1
fi

plant --urls 400000 --hosts 2000 --host-zipf .5 --clusters "$work/in"
learn() { # LIMIT ARGUMENT...
    limit=$1
    shift
    prlimit --as="$limit" timeout 200 dustpan learn -q --method tree --threads 2 "$@"
}
learn unlimited -o "$work/free.rules" "$work/in"
: >"$work/none"
MB=1048576
base=$((40 * MB))
until learn $base "$work/none" >/dev/null 2>&1; do
    base=$((base + 10 * MB))
    [ $base -lt $((1000 * MB)) ]
done
for memory in 20 40; do
    learn $((base + memory * MB)) --memory ${memory}M --tmp "$work" -o "$work/tight.rules" "$work/in"
    cmp "$work/free.rules" "$work/tight.rules"
    echo "--memory ${memory}M and $((base / MB)) MB for the program: the same rules"
done
if learn $((base + 20 * MB)) "$work/in" >/dev/null 2>&1; then
    echo "the limit is none: it is kept without --memory, too"
    exit 1
fi
