# dustpan validate, killed again and again: it goes on where it stopped. The server's log says that no URL was asked for
# twice, and how many requests came in a second.
. "$ROOT/tests/servers/common"
mkdir site
start_nginx 127.0.0.4 site
python3 "$ROOT/tests/servers/site.py" site "http://127.0.0.4:$nginx" >urls
cat >site.rules <<'END'
dustpan-rules 1
host 127.0.0.4
likely sub "/index.html$" -> "/$"
likely sub "/movies/" -> "/politics/"
likely drop ?sid
END

validate() {
    exec "$DUSTPAN" validate -q -r site.rules --urls urls --tests 30 --rate 20 --allow-private -o out.rules
}

for lines in 12 30 55; do
    (validate) &
    pid=$!
    for _ in $(seq 300); do
        [ "$(wc -l <nginx.log)" -lt $lines ] || break
        sleep .05
    done
    kill -KILL $pid
    wait $pid 2>/dev/null
    echo "killed: $?, rules: $(find . -maxdepth 1 -name out.rules | wc -l), cache: $(ls out.rules.pages)"
done
(validate)
echo "exit $?, cache: $(find . -maxdepth 1 -name out.rules.pages | wc -l)"
sed 's/ *\[.*//' out.rules # a request that was under way at a kill counts as made: its page is unknown
echo "asked twice, robots.txt aside:"
awk '$3 != "/robots.txt" { print $3 }' nginx.log | sort | uniq -d
echo "most requests in a second, above 22:"
awk '{ at[NR] = $1 } END {
    for (i = 1; i <= NR; i++) { while (at[i] - at[from + 1] >= 1) from++; if (i - from > most) most = i - from }
    if (most > 22) print most }' nginx.log
echo "a second run at the same time:"
mkdir lock
printf '#!/bin/sh\nexec flock lock/pages sleep 20\n' >hold
sh hold &
holder=$!
for _ in $(seq 100); do [ -e lock/pages ] && ! flock -n lock/pages true && break; sleep .05; done
dustpan validate -q -r site.rules --urls urls --cache lock
echo "exit $?"
kill $holder
echo "a damaged cache:"
mkdir bad
echo "0123456789abcdef got what" >bad/pages
dustpan validate -q -r site.rules --urls urls --cache bad
echo "exit $?"
