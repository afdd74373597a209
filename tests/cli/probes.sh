# dustpan apply --explore: some of what rules hide is fetched, the same for all threads and processes.
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
