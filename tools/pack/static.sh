#!/bin/sh
# static.sh - the command as one file, tried in an empty root folder. See pack.sh; tests/install/static.sh runs it, too, on
# objects that are there: OBJECTS names their build folder.
# SPDX-License-Identifier: Apache-2.0
set -eu
build=${OBJECTS:-$BUILD}
make -s -j "$(nproc)" BUILD="$build" "$build/static/dustpan" 2>"$PACKAGES/static.log" || { cat "$PACKAGES/static.log"; exit 1; }
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cp "$build/static/dustpan" examples/crawl.tsv "$root"
alone() { if [ "$(id -u)" = 0 ]; then chroot "$root" /dustpan "$@"; else unshare -r chroot "$root" /dustpan "$@"; fi; }
alone --version -v
alone learn --quiet --tmp . crawl.tsv -o site.rules
alone eval -r site.rules crawl.tsv
cut -f 2 examples/crawl.tsv | alone apply --quiet -r site.rules --unique --seen seen - | head -n 3
if alone validate -r site.rules --urls crawl.tsv 2>"$root/said"; then exit 1; fi
grep -q 'fetching pages needs libcurl' "$root/said"
cp "$build/static/dustpan" "$PACKAGES/dustpan"
strip "$PACKAGES/dustpan"
ls -l "$PACKAGES/dustpan"
