# dustpan validate --echo against nginx: pages show the time, a token and a tip that changes with every request. A crawl of
# them alone gives no rule; with a few URLs fetched twice it does. Robots.txt, rate and resuming are read off the log.
. "$ROOT/tests/servers/common"
mkdir -p site/fresh site/fresh/hidden
printf 'User-agent: *\nDisallow: /fresh/hidden/\n' >site/robots.txt
start_nginx 127.0.0.21 site
origin="http://127.0.0.21:$nginx"

cat >site.py <<'END2'
import hashlib, os, sys, time, urllib.request
origin, made = sys.argv[1:]
def words(seed, n):
    return " ".join(hashlib.sha256(f"{seed}.{i}".encode()).hexdigest()[:6].translate(str.maketrans("0123456789", "ghijklmnop")) for i in range(n))
urls = [f"/fresh/p{n}{more}" for n in range(40) for more in ("", "?sid=a1", "?sid=b2")]
urls += [f"/fresh/hidden/h{n}" for n in range(20)]
for path in {u.partition("?")[0] for u in urls}:
    with open("site" + path + ".html", "w") as f:
        f.write(f"<html><head><title>{words(path, 2)}</title></head><body><h1>{words(path, 3)}</h1><p>{words(path, 120)}</p>"
                '<div class="tip">Tip: <!--#echo var="tip" --></div><p class="now">Now: <!--#echo var="date_local" --></p>'
                '<p class="token"><!--#echo var="request_id" --></p></body></html>\n')
def fetch(url):
    with urllib.request.urlopen(origin + url) as r:
        body = r.read().decode()
    http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}"
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    return (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {origin}{url}\r\nWARC-Date: {when}\r\n"
            f"Content-Length: {len(http)}\r\n\r\n{http}\r\n\r\n")
with open(made, "w", newline="") as f:
    for url in urls:
        f.write(fetch(url))
END2
python3 site.py "$origin" crawl.warc
plain() {
    sed "s/:$nginx/:PORT/g"
}

echo "== the crawl alone"
dustpan learn -o alone.rules crawl.warc 2>&1 | grep 'next:'
grep -c sid alone.rules

echo "== some URLs twice"
: >nginx.log
dustpan validate --echo 12 --echo-after 2 --rate 20 --allow-private -o echo.warc.gz crawl.warc 2>&1 | plain
echo "exit $?"
echo "left: $(find . -maxdepth 1 -name 'echo.warc.gz.*' | wc -l)"
echo "of the log: $(wc -l <nginx.log) requests, $(grep -c robots nginx.log) for robots.txt, $(grep -c hidden nginx.log) forbidden"
awk '$3 != "/robots.txt" { n[$3]++ } END { for (u in n) times[n[u]]++; for (t in times) print times[t], "URLs", t, "times" }' nginx.log
echo "seconds between two fetches of a URL, below 2:"
awk '$3 in at { if ($1 - at[$3] < 2) print $3 } { at[$3] = $1 }' nginx.log
echo "most requests in a second, above 22:"
awk '{ at[NR] = $1 } END {
    for (i = 1; i <= NR; i++) { while (at[i] - at[from + 1] >= 1) from++; if (i - from > most) most = i - from }
    if (most > 22) print most }' nginx.log
gzip -dc echo.warc.gz | grep -a -c '^WARC-Type: response'

echo "== both"
dustpan learn -o both.rules crawl.warc echo.warc.gz 2>&1 | grep -v 'kept out of learning' # which are depends on the port
sed 's/ *\[.*//' both.rules | grep -v '^#' | plain
dustpan audit -r both.rules crawl.warc echo.warc.gz 2>&1 | tail -n 2 | plain

echo "== the same seed chooses the same URLs, whatever the order; another seed others"
chosen() {
    gzip -dc "$1" | grep -a '^WARC-Target-URI' | sort -u | md5sum
}
dustpan validate --echo 5 --echo-after 0 --rate 50 --allow-private -q -o one.warc.gz crawl.warc
sed -n 's/^WARC-Target-URI: //p' crawl.warc | tr -d '\r' | sort -r >list
dustpan validate --echo 5 --echo-after 0 --rate 50 --allow-private -q -o two.warc.gz <list
dustpan validate --echo 5 --echo-after 0 --rate 50 --allow-private -q --seed 2 -o three.warc.gz --urls list
[ "$(chosen one.warc.gz)" = "$(chosen two.warc.gz)" ] && echo same
[ "$(chosen one.warc.gz)" = "$(chosen three.warc.gz)" ] || echo others

echo "== killed"
: >nginx.log
echo_again() {
    exec "$DUSTPAN" validate --echo 15 --echo-after 1 --rate 10 --allow-private -q -o killed.warc.gz crawl.warc
}
for lines in 5 20; do
    (echo_again) &
    pid=$!
    for _ in $(seq 300); do
        [ "$(wc -l <nginx.log)" -lt $lines ] || break
        sleep .05
    done
    kill -KILL $pid
    wait $pid 2>/dev/null
    : >killed.warc.gz.pages/first/.0123456789abcdef.warc.gz.1.0.tmp # it can be writing a page
    echo "killed, pages: $(find . -maxdepth 1 -name 'killed.*' | tr '\n' ' ')"
done
(echo_again)
echo "exit $?, left: $(find . -maxdepth 1 -name 'killed.*' | tr '\n' ' ')"
echo "asked a third time, robots.txt aside:"
awk '$3 != "/robots.txt" { n[$3]++ } END { for (u in n) if (n[u] > 2) print u, n[u] }' nginx.log
dustpan learn -q -o killed.rules crawl.warc killed.warc.gz && sed 's/ *\[.*//' killed.rules | grep -c '^drop ?sid'

echo "== redirects are followed, and a page is written once a round"
mkdir -p site/docs
cp site/fresh/p1.html site/docs/m1.html
printf '%s/old/m1.html\n%s/docs/m1.html\n' "$origin" "$origin" >moved
dustpan validate --echo 2 --echo-after 0 --rate 50 --allow-private -o moved.warc.gz moved 2>&1 | plain
gzip -dc moved.warc.gz | grep -a -e '^WARC-Target-URI' -e '^HTTP' | tr -d '\r' | plain

echo "== what cannot be fetched, and why"
status() {
    "$@" >out 2>&1
    echo "exit $?"
    plain <out
}
grep hidden list >hidden
status dustpan validate --echo 5 --rate 50 --allow-private -o none.warc.gz hidden
status dustpan validate --echo 5 --rate 50 -o none.warc.gz list
status dustpan validate --echo 5 --rate 50 --allow-private --echo-after 0 --max-fetches 4 -o none.warc.gz list
status dustpan validate --echo 5 --rate 50 --allow-private --echo-after 0 --json -o few.warc.gz --urls list
ls none.warc.gz* 2>/dev/null
status dustpan validate --echo 5 list
status dustpan validate --echo 5 -r both.rules -o none.warc.gz list
status dustpan validate -r both.rules list
