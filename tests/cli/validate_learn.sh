# dustpan learn --validate in one command, against nginx: from a plain list to active rules. True ones are found and hold,
# false friends (parallel sub-sites) are found and fall; the server's own log says how they were looked at.
. "$ROOT/tests/servers/common"
mkdir site
start_nginx 127.0.0.1 site
python3 "$ROOT/tests/servers/site.py" site "http://127.0.0.1:$nginx" >urls

dustpan learn --method dust --validate --rate 400 --allow-private -o out.rules urls 2>say
echo "exit $?"
sed -e 's/: [0-9]* requests/: N requests/' -e 's/at most [0-9]*/at most N/' say
echo "== rules"
sed "s/:$nginx/:PORT/g" out.rules
echo "== the server's log: asked twice, forbidden by robots.txt, robots.txt"
awk '{ print $3 }' nginx.log | sort | uniq -d
awk '$3 ~ "^/private/"' nginx.log | wc -l
awk '$3 == "/robots.txt"' nginx.log | wc -l
asked=$(wc -l <nginx.log)
[ "$asked" -gt 300 ] || echo "only $asked requests"
grep -q "^dustpan: $asked requests" say || { echo "the log has $asked requests:" && cat say; }
echo "== what the rules make of the list"
sort -u urls | wc -l
dustpan apply -q -r out.rules urls | sort -u | wc -l
echo "== a budget: what could not be tested stays likely"
: >nginx.log
dustpan learn -q --method dust --validate --rate 400 --allow-private --max-fetches 20 -o few.rules urls
echo "exit $?, $(wc -l <nginx.log) requests, $(grep -c '^likely' few.rules) likely"
echo "== without --allow-private nothing is asked"
: >nginx.log
dustpan learn -q --method dust --validate --rate 400 -o none.rules urls
echo "exit $?, $(wc -l <nginx.log) requests, $(grep -c '^likely' none.rules) likely"
ls
