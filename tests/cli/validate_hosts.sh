# dustpan validate on many hosts at a time: each at its rate and one request at a time, all of them together faster.
. "$ROOT/tests/servers/common"
hosts='127.0.0.11 127.0.0.12 127.0.0.13 127.0.0.14 127.0.0.15 127.0.0.16'
mkdir site
start_nginx "$hosts" site
for host in $hosts; do
    python3 "$ROOT/tests/servers/site.py" site "http://$host:$nginx" | grep -e '/item' -e '/d1.*/index'
done >urls
printf '%s\n' 'dustpan-rules 1' 'host any' 'likely drop ?sid' 'host 127.0.0.11' 'likely sub "/index.html$" -> "/$"' >site.rules
dustpan validate -q -r site.rules --urls urls --tests 40 --rate 4 --parallel 6 --allow-private -o out.rules
echo "exit $?"
cat out.rules
awk '{ print $4 }' nginx.log | sort -u | tr '\n' ' '
echo
echo "asked twice:"
awk '{ print $4, $3 }' nginx.log | sort | uniq -d
echo "hosts with more than 6 requests in a second:"
for host in $hosts; do
    awk -v host="$host" '$4 == host { at[++n] = $1 } END {
        for (i = 1; i <= n; i++) { while (at[i] - at[from + 1] >= 1) from++; if (i - from > most) most = i - from }
        if (most > 6) print host, most }' nginx.log
done
echo "most requests in a second, of all hosts:"
awk '{ at[NR] = $1 } END {
    for (i = 1; i <= NR; i++) { while (at[i] - at[from + 1] >= 1) from++; if (i - from > most) most = i - from }
    print (most > 6 ? "more than one host allows" : most) }' nginx.log
echo "== one at a time"
: >nginx.log
dustpan validate -q -r site.rules --urls urls --tests 12 --rate 50 --parallel 1 --allow-private -o out.rules
echo "exit $?"
grep -c by=fetch out.rules
