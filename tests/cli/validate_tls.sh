# dustpan validate over TLS: HTTP/2 is negotiated, all requests go over one connection, and a certificate that nobody
# vouches for is refused. The server's own log says so.
. "$ROOT/tests/servers/common"
mkdir site
start_nginx 127.0.0.1 site tls
python3 "$ROOT/tests/servers/site.py" site "https://127.0.0.1:$nginx" >urls

cat >site.rules <<'END'
dustpan-rules 1
host 127.0.0.1
likely sub "/index.html$" -> "/$"
likely sub "/story?id=" -> "/story_"
likely /old/{f} => /docs/{f}
likely sub "/movies/" -> "/politics/"
END

dustpan validate -r site.rules --urls urls --tests 20 --rate 200 --allow-private --ca-file nginx.pem -o out.rules >report 2>&1
echo "exit $?"
grep -v -e '^      ' -e 'pairs* of pages compared' report | sed -e 's/^dustpan: [0-9]* requests.*/dustpan: N requests/' -e 's/at most [0-9]*/at most N/'
cat out.rules
echo "== the server's log: protocols, connections"
awk '{ print $5 }' nginx.log | sort -u
awk '{ print $6 }' nginx.log | sort -u | wc -l
[ "$(wc -l <nginx.log)" -gt 100 ] || echo "only $(wc -l <nginx.log) requests"
echo "== its certificate is not known"
: >nginx.log
dustpan validate -r site.rules --urls urls --tests 20 --rate 200 --retries 0 --allow-private -o none.rules >report 2>&1
echo "exit $?, $(wc -l <nginx.log) requests, $(grep -c '^likely' none.rules) likely"
sed -e 's/at most [0-9]*/at most N/' report
echo "== no such file"
dustpan validate -q -r site.rules --urls urls --allow-private --ca-file none.pem -o absent.rules 2>&1
echo "exit $?, $(wc -l <nginx.log) requests, $(ls absent.rules 2>/dev/null | wc -l) files"
