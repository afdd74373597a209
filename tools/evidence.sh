#!/bin/sh
# evidence.sh NAME COMMAND... - run a long check and keep what it said in docs/results/NAME.txt, with commit,
# command and machine.
# SPDX-License-Identifier: Apache-2.0
set -u
cd "$(dirname "$0")/.." || exit 2
name=$1
shift
file=docs/results/$name.txt
mkdir -p docs/results
status=$(mktemp)
trap 'rm -f "$status"' EXIT
{
    echo "commit:  $(git rev-parse --short HEAD)$(git diff --quiet HEAD -- . ":!$file" || echo ' with changes')"
    echo "command: $*"
    echo "machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, $(uname -sr)"
    echo "date:    $(date -u +%Y-%m-%d)"
    echo
    start=$(date +%s)
    "$@" 2>&1
    echo $? >"$status"
    echo
    echo "status $(cat "$status"), $(($(date +%s) - start)) s"
} | tee "$file"
exit "$(cat "$status")"
