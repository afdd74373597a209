# dustpan apply --explore, audit --explore: some of what rules hide is fetched, and tells when a rule becomes wrong.
. "$ROOT/tests/cli/common"
cat >shop.rules <<'END'
dustpan-rules 1
host shop.example
drop ?sid                                                    [p=.998 n=212 neg=0 by=text]
drop ?view                                                   [p=.995 n=90 neg=0 by=text]
END
for i in $(seq 1 200); do
    echo "http://shop.example/$((i % 20))?sid=$i"
    echo "http://shop.example/$((i % 20))"
done >found
t dustpan apply -r shop.rules --unique --explore .05 found
dustpan apply -q -r shop.rules --unique --explore .05 found >once
dustpan apply -q -r shop.rules --unique --explore .05 --threads 3 found | cmp - once
dustpan apply -q -r shop.rules --unique --explore .05 --seen seen found | cmp - once
t dustpan apply -r shop.rules --unique --explore .05 --seen seen found
dustpan apply -q -r shop.rules --unique --explore .05 --salt other found | grep '	' | cmp - once | cut -d' ' -f3
dustpan apply -q -r shop.rules --unique --explore 1 found | grep -c '	'

echo
echo "== records"
sed 's/$/\t200/; 1s/^/url\tstatus\n/' found >found.tsv
dustpan apply -q -r shop.rules --unique --explore .05 --explain found.tsv | sed -n '1,2p;/other$/p;/f06c$/p' | head -5
sed 's/.*/{"url":"&"}/' found >found.jsonl
dustpan apply -q -r shop.rules --unique --explore .05 found.jsonl | sed -n '1p;/\["/p' | head -4
dustpan apply -q -r shop.rules --unique --explore .05 --json found | sed -n '1p;/probe/p' | head -3

echo
echo "== what makes no sense"
t dustpan apply -r shop.rules --explore .05 found
t dustpan apply -r shop.rules --unique --form key --explore .05 found
t dustpan apply -r shop.rules --unique --salt x found
t dustpan apply -r shop.rules --unique --explore 5 found

echo
echo "== a site whose parameter view becomes meaningful on the third day"
# 60 pages a day, each found under 40 URLs; from day 3 on view chooses between two pages.
find_urls() {
    awk -v day="$1" 'BEGIN { for (page = 1; page <= 60; page++) for (i = 1; i <= 40; i++)
        printf "http://shop.example/%d-%d?sid=%d&view=%s\n", day, page, i * 7 + day, i % 2 ? "front" : "back" }'
}
# As a crawler does: the URLs of standard input, and what they show.
fetch() {
    awk -F'\t' -v day="$1" '{ split($1, part, /[?&=]/)
        printf "%s\t%s%s\t2026-11-%02dT08:00:00Z\n", $1, part[1], day < 3 ? "" : part[5], day }'
}
printf 'url\tdigest\ttime\n' >records.tsv
for day in 1 2 3; do
    find_urls $day >"found.$day"
    dustpan apply -r shop.rules --unique --seen days --remember --explore .03 "found.$day" 2>said | fetch $day >>records.tsv
    head -1 said
    t dustpan audit -r shop.rules --explore .03 --noise 0 -o new.rules records.tsv | tee verdicts
done
cat new.rules
t dustpan audit -q -r shop.rules --explore .03 --noise 0 --confidence .9 --json records.tsv
t dustpan audit -q -r shop.rules --explore .03 --salt other records.tsv | tail -8
t dustpan audit -r shop.rules --salt x records.tsv
t dustpan audit -r shop.rules --explore .01 --confidence 1 records.tsv

echo
echo "== rollback: what the broken rule had hidden is fetched now, and no page is lost"
for day in 1 2 3; do fetch $day <"found.$day"; done | cut -f2 | sort -u >pages
echo "pages lost: $(cut -f2 records.tsv | sort -u | comm -13 - pages | wc -l)"
cat found.[123] >found.all
cut -f1 records.tsv | sed 1d >fetched
broken=$(sed -n 's/^\([0-9a-f]*\) .*broken$/\1/p' verdicts)
t dustpan seen --rollback "$broken" days -o again
dustpan apply -r new.rules --unique --seen days --rekey again 2>said | sort >fetch-now
head -1 said
echo "-- with lists of all that was found and fetched in place of --remember, the same but for what probes have fetched"
dustpan apply -q -r new.rules --unique --seen new.seen fetched >/dev/null
dustpan apply -q -r new.rules --unique --seen new.seen found.all | sed 's/?.*view/?view/' | sort >by-lists
sed 's/?.*view/?view/' fetch-now | sort | comm -13 - by-lists | wc -l
fetch 3 <fetch-now | grep /3- >>records.tsv
echo "pages lost: $(cut -f2 records.tsv | sort -u | comm -13 - pages | wc -l)"

echo
echo "== the first URL of a key was answered with an error, or with a redirect; then no page was fetched in the place of the others"
awk 'BEGIN { print "url\tstatus\tdigest"; for (i = 1; i <= 300; i++) { u = "http://shop.example/" i "?sid="
    print u 1 "\t404\t"; print u 2 "\t200\tc" i; print u 3 "\t200\tc" i } }' >errors.tsv
t dustpan audit -q -r shop.rules --explore 1 errors.tsv
sed 's/404/301/' errors.tsv >moved.tsv
t dustpan audit -q -r shop.rules --explore 1 moved.tsv

echo
echo "== a bound below the promise breaks a rule, and its own votes are no excuse"
awk 'BEGIN { print "url\tdigest"; for (i = 1; i <= 3000; i++) { u = "http://shop.example/" i
    print u "\tc" i; print u "?sid=1\t" (i % 25 ? "c" : "d") i } }' >wrong.tsv
t dustpan audit -q -r shop.rules --explore 1 wrong.tsv

echo
echo "== records in any order, where they have times; and what cannot be compared"
awk 'BEGIN { print "url\tdigest\ttime"; for (i = 1; i <= 100; i++) for (k = 1; k <= 3; k++)
    printf "http://shop.example/%d?sid=%d\tc%d\t2026-11-%02dT08:00:00Z\n", i, k, i, k }' >days.tsv
{ sed 1q days.tsv; sed 1d days.tsv | sort -t"$(printf '\t')" -k2,2r -k1,1r; } >mixed.tsv
dustpan audit -q -r shop.rules --explore .3 days.tsv >in-order
dustpan audit -q -r shop.rules --explore .3 mixed.tsv | cmp - in-order && grep -A2 '^[0-9]* probe' in-order
grep -v 2026-11-01 days.tsv | dustpan audit -q -r shop.rules --explore .3 | grep -A2 '^[0-9]* probe'
dustpan audit -q -r shop.rules --explore .0001 --salt wrong days.tsv | tail -2

echo
echo "== the rules as apply used them"
sed 's/^drop ?view/likely &/; s/]/ seen=2026-01-01]/' shop.rules >likely.rules
for with in --with-likely '--min-precision .997' '--expire 2026-06-01' '--with-likely --expire 10d'; do
    # shellcheck disable=SC2086  # words
    dustpan apply -q -r likely.rules --unique --explore .1 $with found.1 | fetch 1 >body
    { printf 'url\tdigest\ttime\n'; cat body; } >used.tsv
    # shellcheck disable=SC2086
    echo "$with: $(grep -c '	' body) records, $(dustpan apply -q -r likely.rules --unique --explore .1 $with found.1 | grep -c '	') probes written;" \
        "found again: $(dustpan audit -q -r likely.rules --explore .1 $with used.tsv | grep '^[0-9]* probe')"
done
t dustpan audit -r likely.rules --with-likely used.tsv
t dustpan audit -r likely.rules --expire 90d used.tsv
t dustpan audit -q -r likely.rules --explore .1 --expire soon used.tsv
