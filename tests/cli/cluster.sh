# dustpan cluster: every option, on columns and on an archive; what is left out; bad input.
. "$ROOT/tests/cli/common"

# An archive out of "url type body" lines.
archive() {
    while IFS='|' read -r url type body; do
        { printf 'HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n' "$type" && printf '%s' "$body"; } >http
        printf 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nContent-Length: %d\r\n\r\n' "$url" "$(wc -c <http)"
        cat http
        printf '\r\n\r\n'
    done
}

cat >pages.tsv <<'END'
url	status	bytes	sha1	mime	title	simhash	sketch
http://a.com/	200	9000	aa	text/html	Home	00000000000000ff	0000000000000001,0000000000000002,0000000000000003,0000000000000004
http://a.com/index.html	200	9000	aa	text/html	Home	00000000000000ff	0000000000000001,0000000000000002,0000000000000003,0000000000000004
http://www.a.com/	200	9010	bb	text/html	Home	00000000000000fe	0000000000000001,0000000000000002,0000000000000003,0000000000000009
http://a.com/about	200	7000	cc	text/html	About	00000000000000f8	0000000000000001,0000000000000007,0000000000000003,0000000000000008
http://a.com/gone	404	9000	aa	text/html	Home	00000000000000ff	-
http://a.com/dot.gif	200	43	dd	image/gif	-	-	-
http://a.com/dot2.gif	200	43	dd	image/gif	-	-	-
http://a.com/raw	200	9000	aa	text/plain	-	-	-
mailto:me@a.com	200	9000	aa	-	-	-	-
http://a.com/about	200	7000	cc	text/html	About	00000000000000f8	-
END
echo "== columns"
t dustpan cluster pages.tsv
t dustpan cluster --shingles 2 -q pages.tsv
t dustpan cluster --simhash 1 -q pages.tsv
t dustpan cluster --simhash 8 -q pages.tsv
t dustpan cluster --simhash 8 --same-title -q pages.tsv
t dustpan cluster --any-status --min-size 0 pages.tsv
t dustpan cluster --json -q pages.tsv
t dustpan cluster -q -o out.tsv pages.tsv
t cat out.tsv

echo
echo "== the order of the input does not matter, but for the order of the lines"
{ head -n 1 pages.tsv && tail -n +2 pages.tsv | sort -r; } >turned.tsv
dustpan cluster -q --simhash 3 pages.tsv | sort >1
dustpan cluster -q --simhash 3 turned.tsv | sort >2
cmp 1 2 && wc -l <1

echo
echo "== an archive"
archive <<'END' >site.warc
http://a.com/1|text/html; charset=utf-8|<title>T</title><p>It is <b>10:31:07</b> here, <a href=/>home</a>
http://a.com/2|text/html|<title>T</title><div>It is 10:31:07 here, home</div><script>var x = 1</script>
http://a.com/3|text/html|<title>T</title><p>It is 11:59:00 here, home
http://a.com/4|text/plain|It is 10:31:07 here, home
http://a.com/5|text/html|<title>U</title><p>It is 10:31:07 here, home
http://a.com/6|text/html|<!-- nothing to see -->
END
t dustpan cluster site.warc
t dustpan cluster --mask -q site.warc
t dustpan cluster --same-title -q site.warc
gzip -c site.warc | t dustpan cluster --shingles 4 --mask -q
t dustpan cluster -q pages.tsv site.warc

echo
echo "== clusters that the input names"
printf 'home\thttp://a.com/\nhome\thttp://a.com/index.html\nother\thttp://a.com/x\n' >clusters.tsv
t dustpan cluster --columns cluster,url clusters.tsv
printf 'cluster\turl\tdigest\nhome\thttp://a.com/\tx\n\thttp://a.com/y\tx\n' >some.tsv
t dustpan cluster -q some.tsv
t dustpan cluster -q --relabel some.tsv

echo
echo "== soft errors"
awk 'BEGIN {
    print "url\tdigest"
    for (i = 0; i < 100; i++) {
        printf "http://a.com/item/%d?token=s3cret%d\tpage%d\n", i, i, i
        if (i % 4 == 0) printf "http://a.com/%d/%d.html\tsorry\n", i * 7, i
        if (i % 4 == 1) printf "http://a.com/view?sid=%d\tview\n", i
    }
}' >soft.tsv
dustpan cluster soft.tsv >out
echo "exit $?"
wc -l <out
grep -c view out
grep html out
dustpan cluster --soft-urls 30 soft.tsv | grep -c html
dustpan cluster --soft-share .2 soft.tsv | grep -c html
dustpan cluster --keep-soft-errors -q soft.tsv | grep html | head -n 2
dustpan cluster --keep-soft-errors --json -q soft.tsv | grep html | head -n 1
sed 's|/\([0-9]*\)\.html|/\1.html?token=s3cret\1|' soft.tsv >secret.tsv
dustpan cluster --json secret.tsv 2>&1 >/dev/null
dustpan cluster --examples raw secret.tsv 2>&1 >/dev/null

echo
echo "== bad input"
t dustpan cluster nowhere.tsv
t dustpan cluster urls
printf 'url\tstatus\nhttp://a.com/\t200\n' | t dustpan cluster
printf 'url\tstatus\tdigest\nhttp://a.com/\tx\ty\nhttp://a.com/1\t200\ty\n' >bad.tsv
t dustpan cluster bad.tsv
t dustpan cluster --strict bad.tsv
t dustpan cluster --format frobnicate bad.tsv
t dustpan cluster --columns url,frobnicate bad.tsv
gzip -c site.warc | head -c 300 >short.warc.gz
t dustpan cluster short.warc.gz
: | t dustpan cluster
t dustpan cluster -o nowhere/out pages.tsv
t dustpan cluster --shingles 5 pages.tsv
t dustpan cluster --simhash 9 pages.tsv
t dustpan cluster --soft-share 2 pages.tsv
t dustpan cluster --frobnicate
dustpan cluster -q pages.tsv >/dev/full
echo "exit $?"
