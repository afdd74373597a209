#!/bin/sh
# The documents are installed with the program: those that the README names, and every link from one document to another leads
# to an installed file. So are the files of the man pages' examples. Uninstall takes the folder away.
# SPDX-License-Identifier: Apache-2.0
set -eu
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
doc=$tree/usr/share/doc/dustpan
install() { make -s BUILD="$BUILD/gcc" CC=gcc WERROR=1 PREFIX=/usr DESTDIR="$tree" "$@" >/dev/null; }

install install
for file in README.md CHANGELOG.md LICENSE docs/flow.md docs/learning.md docs/rule-format.md docs/users/crawler.md docs/algorithms/auto.md examples/crawl.tsv; do
    cmp "$file" "$doc/$file"
done
find "$doc" -name '*.md' | while read -r page; do
    # Targets of links that are documents, without their headings; those to sources and data stay in the repository.
    grep -o '](\([^):]*\.md\)[)#]' "$page" | sed 's/^](//; s/[)#]$//' | while read -r link; do
        [ -e "$(dirname "$page")/$link" ] || echo "${page#"$doc"/}: $link"
    done
done >"$tree/broken"
cat "$tree/broken"
[ ! -s "$tree/broken" ]
rm "$tree/broken"

install uninstall
[ ! -e "$doc" ] || { echo "uninstall left: $(find "$doc")"; exit 1; }
