# dustpan apply on records: every format keeps its columns and gets the key, by content or by name.
. "$ROOT/tests/cli/common"
time='[17/May/2015:10:05:03 +0000]'

cat >pages.tsv <<'END'
#url	status	title
http://www.example.com/a/index.html?sid=1	200	A page
http://www.example.com/a/	200	The same
# a comment

nothing	200	No URL
http://www.example.com/b?sid=3	404	-
END
printf '1\thttp://example.com/x?sid=1\n1\thttp://example.com/x\n2\thttp://example.com/y\n' >clusters.tsv
cat >pages.jsonl <<'END'
{"url": "http://www.example.com/a/index.html?sid=1", "status": 200, "nested": {"url": 1} }
{"status":200,"url":"http:\/\/www.example.com\/a\/"}
{"url":"http://www.example.com/q\"\u00e9","dustpan_key":"old","more":[1,2]}
{}
{"url":"http://www.example.com/a"
END
cat >access.log <<END
h1 - - $time "GET /a/index.html?sid=1 HTTP/1.1" 200 5120 "-" "Mozilla \"x\""
h2 - - $time "GET /a/ HTTP/1.1" 200 5120 "-" "Mozilla"
h2 - - $time "-" 408 - "-" "-"
h2 - - $time "GET http://other.com/ HTTP/1.1" 404 - "-" "-"
h3 - - $time "POST /b HTTP/1.1" 302 - "-" "-"
END
sed 's/^/www.example.com:443 /' access.log >vhost.log
cat >iis.log <<'END'
#Software: Microsoft Internet Information Services 8.5
#Fields: date time cs-method cs-uri-stem cs-uri-query s-port sc-status
2015-05-17 10:05:03 GET /a/index.html sid=1 80 200
2015-05-17 10:05:03 GET /a/ - 80 200
END
cat >index.cdx <<'END'
 CDX N b a m s k r M S V g
- 20150517100503 filedesc://x.arc arc/filedesc - D - - 17 0 f
com,example)/a/index.html?sid=1 20150517100503 http://www.example.com/a/index.html?sid=1 text/html 200 D - - 17 0 f
com,example)/a/ 20150517100503 http://www.example.com/a/ text/html 200 D - - 17 0 f
END
sed '1d' index.cdx >bare.cdx
cat >index.cdxj <<'END'
com,example)/a/index.html?sid=1 20150517100503 {"url": "http://www.example.com/a/index.html?sid=1", "mime": "text/html"}
com,example)/a/ 20150517100503 {"url": "http://www.example.com/a/"}
END
cat >crawl.log <<'END'
2015-05-17T10:05:03.532Z     1         59 dns:example.com P http://example.com/ text/dns #017 20071227125127759+115 - - -
2015-05-17T10:05:03.532Z   200         59 http://www.example.com/a/index.html?sid=1 L - text/html #017 20071227125127759+115 - - -
END
printf 'WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n' >archive.warc
for url in 'http://www.example.com/a/index.html?sid=1' http://www.example.com/a/; do
    printf 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nContent-Length: 19\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\r\n\r\n' "$url"
done >>archive.warc
body='{"Envelope":{"WARC-Header-Metadata":{"WARC-Type":"response","WARC-Target-URI":"http://www.example.com/a/?sid=1"}}}'
printf 'WARC/1.0\r\nWARC-Type: metadata\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n' ${#body} "$body" >archive.wat

for file in pages.tsv clusters.tsv pages.jsonl vhost.log index.cdx bare.cdx index.cdxj crawl.log archive.warc archive.wat; do
    t dustpan apply -r site.rules $file
done
for file in access.log iis.log; do
    t dustpan apply -r site.rules --base-url http://www.example.com/ $file
done

echo
echo "== the first record of each key; lines that are none stay"
for file in pages.tsv pages.jsonl vhost.log index.cdx archive.warc; do
    t dustpan apply -q -r site.rules --unique $file
done

echo
echo "== other forms, ids, objects, redirects, counts"
t dustpan apply -q -r site.rules --form surt clusters.tsv
t dustpan apply -q -r site.rules --form fetch --unique clusters.tsv
for file in pages.tsv pages.jsonl index.cdx archive.warc; do
    t dustpan apply -q -r site.rules --explain $file
done
t dustpan apply -q -r site.rules --json pages.tsv | sed 's/"set":"[0-9a-f]*"/"set":"..."/'
t dustpan apply -q -r site.rules --source http://example.com/x --unique clusters.tsv
t dustpan apply -q -r site.rules --counts counts clusters.tsv pages.tsv -o /dev/null
cut -f 1,2 counts

echo
echo "== by name: columns, a log format"
printf 'x\thttp://www.example.com/a?sid=1\t200\n' >plain.tsv
t dustpan apply -q -r site.rules --columns -,url,status plain.tsv
t dustpan apply -q -r site.rules --format clusters plain.tsv
t dustpan apply -q -r site.rules --format tsv pages.tsv
t dustpan apply -q -r site.rules --format urls clusters.tsv
printf 'h1|https|www.example.com|/a/index.html?sid=1|200\n' >own.log
t dustpan apply -q -r site.rules --log-format '$remote_addr|$scheme|$host|$request_uri|$status' own.log
printf 'www.example.com:443 "GET /a/index.html?sid=1 HTTP/1.1" 200\n' >own.log
t dustpan apply -q -r site.rules --log-format '%v:%p "%r" %>s' own.log

echo
echo "== several files, each in its format, compressed or not; standard input"
gzip -c pages.jsonl >pages
zstd -q -c index.cdxj >index
t dustpan apply -r site.rules urls clusters.tsv pages urls index
t dustpan apply -q -r site.rules --unique urls pages.tsv urls
t dustpan apply -q -r site.rules - index <pages.tsv
for n in 1 2 5; do
    dustpan apply -q -r site.rules --threads $n urls pages.tsv urls archive.warc urls >out.$n
done
cmp out.1 out.2 && cmp out.1 out.5 && echo "any number of threads says the same"

echo
echo "== keys of a file with keys"
dustpan apply -q -r site.rules pages.jsonl >once
dustpan apply -q -r site.rules once >twice
cmp once twice && echo "JSON lines are the same again"

echo
echo "== each line at once"
mkfifo ask answer
dustpan apply -q -r site.rules --line-buffered <ask >answer &
exec 3>ask 4<answer
for i in 1 2 3; do
    echo "{\"url\":\"http://example.com/$i?sid=$i\"}" >&3
    read -r line <&4
    echo "$line"
done
exec 3>&-
wait $!
echo "exit $?"
exec 4<&-
