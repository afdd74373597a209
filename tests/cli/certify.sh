# dustpan learn --certify: a site with enough votes is certified and says so on its host lines; one with too few has likely rules and is told how many
# are missing; the same bytes on any number of threads and in any order; a change of the rules ends the certificate.
# SPDX-License-Identifier: Apache-2.0
. "$ROOT/tests/cli/common"

shop() { # PAGES: pages with and without a session
    awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++) { print i "\thttp://shop.example/item/" i; print i "\thttp://shop.example/item/" i "?sid=" i * 7 } }'
}

shop 1400 >large.tsv
shop 400 >small.tsv
t dustpan learn --certify large.tsv -o large.rules
cat large.rules
t dustpan learn --certify small.tsv -o small.rules
cat small.rules
t dustpan learn --certify --min-precision .95 small.tsv -o small.rules
grep host small.rules
dustpan learn -q --json --certify large.tsv -o large.rules 2>json
tr ',' '\n' <json | grep certified

echo "== a line of a shop by itself: half of the voters against a rule"
{ shop 1400; awk 'BEGIN { for (i = 2; i <= 1400; i += 2) print "other" i "\thttp://shop.example/item/" i "?sid=x" i }'; } >wrong.tsv
dustpan learn -q --certify wrong.tsv | grep -c '^drop'

echo "== any number of threads, any order"
for n in 1 4; do dustpan learn -q --certify --threads $n large.tsv | cksum; done | uniq | wc -l
sort -r large.tsv | dustpan learn -q --certify - | cmp - large.rules && echo same

echo "== a change ends it"
printf 'dustpan-rules 1\nhost other.example\ndrop ?x\n' >other.rules
dustpan rules merge large.rules other.rules | grep host
id=$(echo 'http://shop.example/item/1?sid=1' | dustpan apply -q --explain -r large.rules | cut -f 2)
t dustpan rules off large.rules "$id"
grep host large.rules

echo "== what it cannot do"
t dustpan learn --certify --accept paper large.tsv
t dustpan learn --certify --min-precision 1 large.tsv
t dustpan learn --certify --confidence 2 large.tsv
t dustpan learn --confidence .9 large.tsv

echo
echo "== the order of parameters is not written either where nothing is certified"
awk 'BEGIN { print "url\tdigest"; for (i = 1; i <= 17; i++) { print "http://order.example/p" i "?a=1&b=2\tc" i
    print "http://order.example/p" i "?b=2&a=1\t" (i <= 14 ? "c" : "d") i }
    for (i = 1; i <= 40; i++) print "http://order.example/q" i "\tq" i }' >order.tsv
dustpan learn -q order.tsv
dustpan learn -q --certify order.tsv
