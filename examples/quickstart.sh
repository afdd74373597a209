#!/bin/sh
# quickstart.sh - what ./quickstart shows once dustpan is built: the main job on a sample of URLs.
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$(dirname "$0")/.."
dustpan=${DUSTPAN:-build/dustpan}
rules=examples/site.rules
urls=examples/urls.txt
unique=$(mktemp)
trap 'rm -f "$unique"' EXIT

echo "1. Apply rules: each URL gets the one form that all its duplicates share. Six of them:"
for line in 4 6 13 21 27 40; do
    url=$(sed -n "${line}p" $urls)
    key=$(printf '%s\n' "$url" | "$dustpan" apply --quiet -r $rules)
    printf '\n     %s\n  -> %s\n' "$url" "$key"
done

echo
echo "2. Print each page once:  dustpan apply -r $rules --unique $urls"
echo
"$dustpan" apply --quiet -r $rules --unique $urls >"$unique"
sed 's/^/     /' "$unique"

echo
echo "3. Ask why:  dustpan explain -r $rules URL"
echo
why=$("$dustpan" explain -r $rules "$(sed -n 21p $urls)")
printf '%s\n' "$why" | sed 's/^/     /'

before=$(wc -l <$urls)
after=$(wc -l <"$unique")
cat <<TEXT

$before URLs went in, $after pages came out: $((before - after)) URLs were duplicates of another one, $((100 * (before - after) / before)) % of all fetches.
The rules that said so are plain text, one a line: open $rules.
Your own list:   build/dustpan apply -r $rules --unique FILE    (gzip, zstd and bzip2 too)
All commands:    build/dustpan --help
To install:      sudo make install
TEXT
