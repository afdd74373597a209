# dustpan validate on a labelled set: directions, refinement, pairs, what is absent, undecided; options and errors.
. "$ROOT/tests/cli/common"

for i in $(seq 1 40); do
    printf '%s\thttp://a.com/d%s/\n%s\thttp://a.com/d%s/index.html\n' "d$i" "$i" "d$i" "$i"
    printf '%s\thttp://a.com/s?id=%s&sid=1\n%s\thttp://a.com/s?id=%s&sid=2\n' "s$i" "$i" "s$i" "$i"
    printf '%s\thttp://a.com/x?id=%s\n%s\thttp://a.com/x\n' "x$i" "$i" "x0"
    printf '%s\thttp://a.com/soft/%s?v=1\nsoft\thttp://a.com/soft/%s\n' soft "$i" "$i"
done >clusters.tsv

cat >likely.rules <<'END'
dustpan-rules 1
host a.com
likely sub "/$" -> "/index.html$"                            [p=.8 n=3 neg=1 by=list seen=2026-01-01]   # turned
likely sub "d1/$" -> "d1/index.html$"    # a case of it
likely erase ?sid
drop ?sid                                # by pairs: no URL without it is known
drop ?id on /x                           # false
likely drop ?v on /soft/{n}              # one content
likely drop ?nowhere
off drop ?tested
pin drop ?id on /s
host b.com off
drop ?void
host any
likely sub "d2/index.html$" -> "d2/$"    # another host line: tested
END
t dustpan validate -r likely.rules --offline clusters.tsv
t dustpan validate -q -r likely.rules --offline clusters.tsv --absent negative --tests 20 --epsilon .1 -o out.rules
cat out.rules
ls
echo "== another list, another seed"
grep -v 'd[0-9]/' clusters.tsv | cut -f 2 >urls
t dustpan validate -q -r likely.rules --offline clusters.tsv --urls urls --seed 2 --min-tests 5 --shingles 2
echo "== JSON"
dustpan validate -q --json -r likely.rules --offline clusters.tsv --tests 2 --min-tests 1 |
    python3 -c 'import json, sys
j = json.load(sys.stdin)
for r in j["rules"]: print(r["verdict"], r["rule"], [(t["of"], t["holds"], len(t["evidence"])) for t in r["tests"]])
print({k: v for k, v in j.items() if k != "rules"})
print(j["rules"][4]["tests"][0]["evidence"][0])'
dustpan validate -q --json -r likely.rules --offline clusters.tsv >a
shuf --random-source="$ROOT/Makefile" clusters.tsv >shuffled.tsv
dustpan validate -q --json -r likely.rules --offline shuffled.tsv >b
cmp a b && echo "the order of the input does not matter"
echo "== errors"
t dustpan validate
t dustpan validate -r likely.rules
t dustpan validate -r likely.rules --urls urls --rate 0
t dustpan validate -r likely.rules --urls urls --rate 1.2345
t dustpan validate -r likely.rules --urls urls --tests 0
t dustpan validate -r likely.rules --urls urls --user-agent "$(printf 'a\nb')"
t dustpan validate -r likely.rules --urls absent.txt
t dustpan validate -r absent.rules --urls urls
t dustpan validate -r likely.rules --urls urls --cache /proc/none
printf 'dustpan-rules 1\nhost a.com\nsub "/$" -> "/x$"\nsub "/x$" -> "/$"\n' >loop.rules
t dustpan validate -r loop.rules --offline clusters.tsv
printf 'dustpan-rules 1\nhost a.com\n' >empty.rules
t dustpan validate -r empty.rules --urls urls
printf 'no url\nhttp://a.com/\n' >odd
t dustpan validate -q -r empty.rules --urls odd --format tsv --columns url
