#!/bin/sh
# quickstart.sh - what ./quickstart shows once dustpan is built: the full workflow on generated data.
#
#     sample.awk ─► a crawl and a log ─► split ─► learn ─► apply to unseen URLs ─► report
#
# Leaves all files in build/quickstart (or the folder given).
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$(dirname "$0")/.."
dustpan=${DUSTPAN:-build/dustpan}
out=${1:-build/quickstart}
mkdir -p "$out"

awk -v log_file="$out/access.log" -f examples/sample.awk >"$out/crawl.tsv"
echo "1. Generated data: a crawl of two shops, a wiki, a forum, a magazine and a library catalogue ($(wc -l <"$out/crawl.tsv") URLs),"
echo "   and their access log. These URLs show the same page:"
echo
for page in shop10529 wiki37; do
    awk -F '\t' -v page=$page '$1 == page { print "     " $2 }' "$out/crawl.tsv"
    echo
done

echo "2. Learn rules from one half of the pages:  dustpan learn learn.train.tsv -o learned.rules"
echo
"$dustpan" split --quiet "$out/crawl.tsv" --test .5 -o "$out/learn"
"$dustpan" learn --quiet "$out/learn.train.tsv" -o "$out/learned.rules"
grep -e '^host' -e '^order' -e '=>' -e '^drop' "$out/learned.rules" | sed 's/  *\[.*//; s/^/     /'

echo
echo "3. Apply them to URLs of the other half, which were not used for learning:  dustpan apply -r learned.rules unseen.txt"
cut -f 2 "$out/learn.test.tsv" >"$out/unseen.txt"
"$dustpan" apply --quiet -r "$out/learned.rules" "$out/unseen.txt" -o "$out/keys.txt"
paste "$out/unseen.txt" "$out/keys.txt" | awk -F '\t' '$1 != $2 && ++n % 2500 == 7 {
    printf "\n     %s\n  -> %s\n", $1, $2 }'

echo
echo "4. See what the rules save and risk:  dustpan report -r learned.rules learn.test.tsv access.log -o report.html"
"$dustpan" report --quiet -r "$out/learned.rules" "$out/learn.test.tsv" "$out/access.log" -o "$out/report.html"
"$dustpan" report --quiet -r "$out/learned.rules" "$out/learn.test.tsv" "$out/access.log" --json >"$out/report.json"

# A number of the report, by its name, where it comes first.
number() { sed -n "1s/.*\"$1\":\([0-9.]*\).*/\1/p" "$out/report.json"; }
share() { awk -v v="$1" 'BEGIN { printf "%.1f %%", 100 * v }'; }
crawlers=$(sed -n 's/.*"crawler":true,"hits":\([0-9]*\).*"duplicate_hits":\([0-9]*\).*"known.*/\1 \2/p' "$out/report.json" |
    awk '{ hits += $1; duplicate += $2 } END { printf "%.1f %%", 100 * duplicate / hits }')

cat <<TEXT

Of $(number urls) unseen URLs, $(number fetched) are left to fetch.
Saved:     $(share "$(number reduction)") of all fetches, of $(share "$(number best_reduction)") possible without losing a page.
Lost:      $(number lost) of $(number clusters) pages; $(number bad_merges) of $(($(number good_merges) + $(number bad_merges))) merges are wrong.
Crawlers:  $crawlers of their requests in the log were for duplicates.

Next: open $out/report.html in a browser. Then use your own data:

  a crawl with pages (WARC), or a list "page <TAB> URL" such as $out/crawl.tsv:
     $dustpan learn crawl.warc.gz -o my.rules
  an access log, which does not show pages; so its rules are tested on the site, with a few polite requests:
     $dustpan learn access.log -o likely.rules
     $dustpan validate -r likely.rules --urls access.log -o my.rules
  see what they save and risk; then write each page once:
     $dustpan report -r my.rules crawl.warc.gz -o report.html
     $dustpan apply -r my.rules --unique urls.txt

docs/labels.md says which rules your data can support, docs/users/ what to do as a crawler, an archive or the owner of a site.
TEXT
