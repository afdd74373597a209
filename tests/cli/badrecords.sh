# Records that cannot be read: counted with file, line and reason and exit 0; with --strict, or where nothing can be read, exit 2.
. "$ROOT/tests/cli/common"
time='[17/May/2015:10:05:03 +0000]'
cat >access.log <<END
h1 - - $time "GET /a HTTP/1.1" 200 5120 "-" "Mozilla"
h2 - - $time "-" 408 - "-" "-"
h3 - - $time "GET /b?sid=1 HTTP/1.1" 200 1 "-" "Mozilla"
h4 - - $time "GET /b HTTP/1.1" 200 1
h5 - - $time "GET /secret?token=12345 HTTP/1.1" OK 1 "-" "-"
h6 - - $time "GET http://b.com/?token=12345 HTTP/1.1" 200 1 "-" "-"
h7 - - $time "GET /c HTTP/1.1" 200 1 "-" "Mozilla"
h8 - - $time "GET /d HTTP/1.1" 200 1 "-" "Mozilla"
h9 - - $time "GET /e HTTP/1.1" 200 1 "-" "Mozilla"
END
for o in '' --strict '--format combined' '--quiet'; do
    # shellcheck disable=SC2086  # none to two words
    t dustpan apply -r site.rules --base-url http://example.com $o access.log
done
t dustpan apply -r site.rules --strict --base-url http://example.com access.log -o keys
t ls keys

echo
echo "== a log without hosts; an origin that is none"
t dustpan apply -r site.rules access.log
t dustpan apply -r site.rules --base-url example.com access.log

echo
echo "== the wrong format: what was seen, and what fits"
for format in clf cdx cdxj jsonl crawllog w3c warc tsv clusters; do
    t dustpan apply -r site.rules --base-url http://example.com --format $format access.log
done
cut -d ' ' -f 1-10 access.log >short.log
t dustpan apply -r site.rules --base-url http://example.com --format combined short.log
t dustpan apply -r site.rules --base-url http://example.com --log-format '%h|%r' access.log
t dustpan apply -r site.rules --format combind access.log
t dustpan apply -r site.rules --format bananas access.log

echo
echo "== columns that are missing, or unknown"
printf 'page\tstatus\nx\t200\n' >pages.tsv
t dustpan apply -r site.rules --format tsv pages.tsv
t dustpan apply -r site.rules --columns cluster,status pages.tsv
t dustpan apply -r site.rules --columns url,statsu pages.tsv
printf '#Fields: date time sc-status\n2015-05-17 10:05:03 200\n' >iis.log
t dustpan apply -r site.rules iis.log
printf ' CDX N b m s\nx 20150517100503 text/html 200\n' >index.cdx
t dustpan apply -r site.rules index.cdx
t dustpan apply -r site.rules --columns url --log-format %r pages.tsv
t dustpan apply -r site.rules --columns url --format cdx pages.tsv
t dustpan apply -r site.rules --log-format '%h %Z %r' pages.tsv
t dustpan apply -r site.rules --log-format '%h %s' pages.tsv

echo
echo "== compressed records that break off: what came before is used, and the loss is said"
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "{\"url\":\"http://example.com/%d?sid=%d\"}\n", i * 7919 % 10007, i }' >list
dustpan apply -q -r site.rules list >want
for tool in gzip zstd "bzip2 -1"; do
    $tool -c list >packed 2>/dev/null
    head -c $(($(wc -c <packed) * 3 / 4)) packed >cut
    dustpan apply -r site.rules cut >got 2>said
    echo "$tool: exit $?"
    sed 's/cut:[0-9]*:/cut:N:/; s/[0-9]* URLs, [0-9]* re/N URLs, N re/' said
    head -c "$(wc -c <got)" want | cmp - got && [ -s got ] && echo "$tool: a part of it"
    dustpan apply -q -r site.rules --strict cut >got 2>said
    echo "$tool: strict, exit $?"
    sed 's/cut:[0-9]*:/cut:N:/' said
done

echo
echo "== archives with a wrong length, garbage, a broken member"
record() {
    printf 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nContent-Length: %d\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\r\n\r\n' "$1" "$2"
}
{ record http://example.com/1 19; record http://example.com/2 25; record http://example.com/3 9; record http://example.com/4 19; } >wrong.warc
t dustpan apply -r site.rules wrong.warc
t dustpan apply -r site.rules --strict wrong.warc
{ record http://example.com/1 19; record http://example.com/2 99999; } >long.warc
t dustpan apply -r site.rules long.warc
{ record http://example.com/1 19; echo garbage; record http://example.com/2 19; } >garbage.warc
t dustpan apply -r site.rules garbage.warc
record http://example.com/1 19 | gzip >broken.warc
record http://example.com/2 19 | gzip >two
{ head -c 40 two; printf '\377\377\377\377'; tail -c +45 two; } >>broken.warc
record http://example.com/3 19 | gzip >>broken.warc
t dustpan apply -r site.rules broken.warc

echo
echo "== bytes that are no text"
printf '\177ELF\002\001\001\000more' >program
t dustpan learn -o x.rules program
t dustpan apply -r site.rules urls program
gzip -c program >program.gz
t dustpan apply -r site.rules --unique program.gz
t sh -c 'dustpan apply -r site.rules - <program'
t dustpan apply -q -r site.rules --format urls program | cat -v
awk 'BEGIN { for (i = 0; i < 200; i++) printf "%c", i % 8 ? 65 + i % 26 : 1 + i / 8 % 7 }' >no-zero
t dustpan apply -r site.rules no-zero
t dustpan learn no-zero
printf 'PAR1\025\004PAR1' >crawl.parquet
t dustpan cluster crawl.parquet
t dustpan apply -r site.rules crawl.parquet
