# dustpan apply --unique --seen: keys over runs and processes; kill -9 loses nothing.
. "$ROOT/tests/cli/common"
t dustpan apply -r site.rules --unique --seen seen urls
t dustpan apply -r site.rules --unique --seen seen urls
printf 'http://www.example.com/new?sid=1\nhttp://www.example.com/a/index.html?sid=7\n' >more
t dustpan apply -q -r site.rules --unique --seen seen --form surt --explain more
t dustpan apply -q -r site.rules --unique --seen seen --json more

echo
echo "== records"
printf 'url\tstatus\nhttp://example.com/r?sid=1\t200\nhttp://example.com/r?sid=2\t200\n# a comment\nhttp://example.com/r\t404\n' >rec.tsv
t dustpan apply -r site.rules --unique --seen seen rec.tsv
t dustpan apply -r site.rules --unique --seen seen rec.tsv
t dustpan apply -r site.rules --unique rec.tsv

echo
echo "== redirects: a target with the key of its source is followed once, over runs"
printf '%s\n' http://www.example.com/r2 https://example.com/r2 https://example.com/s2 >targets
t dustpan apply -q -r site.rules --source http://www.example.com/r2 --unique --seen redirects targets
t dustpan apply -q -r site.rules --source http://www.example.com/r2 --unique --seen redirects targets

echo
echo "== other rules"
printf 'dustpan-rules 1\nhost any\ndrop ?fbclid\n/r => /q\n' >other.rules
t dustpan apply -r other.rules --unique --seen seen more
t dustpan apply -q -r other.rules --unique --seen seen --rekey more
echo http://example.com/q | t dustpan apply -r other.rules --unique --seen seen
t dustpan apply -r site.rules --unique --seen seen more

echo
echo "== what makes no sense"
t dustpan apply -r site.rules --seen seen urls
t dustpan apply -r site.rules --unique --seen seen -o keys urls
t dustpan apply -r site.rules --rekey urls
t dustpan apply -r site.rules --unique --seen urls urls
t dustpan apply -r site.rules --unique --seen nowhere/seen urls

echo
echo "== two processes: each key once in all"
seq 1 40000 | sed 's|.*|http://example.com/&?sid=&|' >many
sort -r many >backwards
dustpan apply -q -r site.rules --unique --seen both many >one &
dustpan apply -q -r site.rules --unique --seen both backwards >two
wait
cat one two | sort | uniq -c | awk '{ n[$1]++ } END { for (k in n) print n[k] " keys " k " times" }'

echo
echo "== kill -9, again and again: nothing is lost, and what comes twice was not committed"
: >out
for i in 1 2 3 4 5 6; do
    sh -c 'while read -r line; do echo "$line"; done' <many | dustpan apply -q -r site.rules --unique --seen killed --line-buffered >>out &
    pid=$!
    sleep ".$((i * 13 % 7 + 1))"
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
done
dustpan apply -q -r site.rules --unique --seen killed many >>out
sort -u out | wc -l
dustpan apply -q -r site.rules --unique --seen killed many | wc -l
