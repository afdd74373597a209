# learn and report from access logs alone: what each kind of line says, and what no output may hold.
. "$ROOT/tests/cli/common"

# pages HOW: a log of 40 pages of different sizes, each under three URLs. HOW sets variables for page i (j: 0 to 2, the URL): path,
# status, size, method, referer, more (what stands behind the line).
pages() {
    awk -v how="$1" 'BEGIN {
        for (i = 1; i <= 40; i++)
            for (j = 0; j < 3; j++) {
                path = "/p/" (i * 37) % 101 (j ? "?sid=" 1000 * j + i * i : "")
                size = 5000 + (i * 7919) % 4001
                status = 200; method = "GET"; referer = "-"; more = ""
                client = "198.51.100." (3 * i + j) % 250
                if (how == "gone" && j == 0) { status = 404; size = 300 }
                if (how == "etag") more = sprintf(" \"%x-%x\"", j * 4096 + i, size)
                if (how == "one etag") more = sprintf(" W/\"%x-%x%s\"", i, size, j == 1 ? "-gzip" : "")
                if (how == "type") more = " \"" (j ? "application/json" : "text/html; charset=utf-8") "\""
                if (how == "pictures") path = "/p/" i ".png" (j ? "?sid=" j * i : "")
                if (how == "one page" && i > 5) path = "/p/" i ".png" (j ? "?sid=" j * i : "")
                if (how == "one page" && i <= 5) size += 100 * j
                if (how == "linked") referer = "http://shop.example/p/" i
                if (how == "guessed" && j == 0) referer = "http://shop.example/"
                if (how == "elsewhere") referer = "http://spam.example/p/" i
                if (how == "index") path = "/p" (i * 37) % 101 (j ? "/index.html" : "/")
                if (how == "slash") path = "/p" (i * 37) % 101 (j ? "/" : "")
                if (how == "slash" && i > 36) { path = substr("/robots.txt/s/a.css/i/b.png", 1 + 11 * (i % 2), 11 - 3 * (i % 2)); size = 300 }
                if (how == "html") path = "/p" (i * 37) % 101 (j ? ".html" : "")
                if (how == "scripts") path = "/talk/t" 3 * i + j "/js/reveal.js"
                if (how == "scripts") size = 5000
                if (how == "shown") { path = "/find?q=" i * i substr("&v=1&w=22", 1, 4 * j + (j == 2)); size += j ? 9 + 14 * (j - 1) : 0 }
                if (how == "values" && j) { path = "/find?q=" i * i "&n=" (j > 1 ? "option" : "file"); size += (2 + i % 2) * (j > 1 ? 6 : 4) + 1 }
                if (how == "values" && !j) path = "/find?q=" i * i "&n="
                if (how == "chooses") { path = "/find?q=" i * i (j ? "&a=" 8 + j : ""); size += j > 1 ? 3000 + 37 * i : 134 * j }
                if (how == "targets" && j) { to = "/p/" i * i substr("/ab/cd", 1, 3 * j); path = "/login?next=" to; n = length(to); size = 9000 + 2 * n + 2 * gsub("/", "", to) }
                if (how == "words" && j) { path = "/find?q=" i * i j; size = 9000 + 2 * length(path) }
                if (how ~ "order") { path = "/list/" i * i (j ? "?sort=" (j > 1 ? "price" : "name") : ""); size += (how == "orders of cut lists" && j > 1) * (3000 + 37 * i) }
                if (how == "part of a page") { path = "/find?q=" i * i (j ? "&v=" j : ""); size += 300 * j }
                if (how == "versions") path = (j ? "/docs/" j + 9 ".0" : "/manual") "/p" (i * 37) % 101
                if (how == "ids") path = "/file/" (j == 1 ? "f76630a26efe" : j ? "f337aa961666" : "new") "/p" (i * 37) % 101
                if (how == "ids" && !j) size += 3000
                if (how == "few") path = i > 7 ? "/p/" 3 * i + j : "/" (j ? "rev" : "changeset") "/a" substr("x4yt9zk", i) (j > 1 ? "/x" : "")
                if (how == "few" && (i > 7 || j > 1)) size += 37 * (3 * i + j)
                if (how == "redirect" && j) { status = 301; size = 162; path = "/p/" (i * 37) % 101 "/"; client = "198.51.100." i % 250 }
                if (how == "redirect" && j == 2) { status = 200; size = 5000 + (i * 7919) % 4001; path = "/p/" (i * 37) % 101 }
                line = "%s - - [18/Nov/2026:10:%02d:%02d +0000] \"%s %s HTTP/1.1\" %d %s \"%s\" \"Mozilla/5.0\"%s\n"
                printf line, client, i, 2 * j, method, path, status, size, referer, more
                if (how == "cut") printf line, client, i, 50, "GET", path, 206, int(size / 3), referer, more
                if (how == "cut") printf line, client, i, 51, "GET", path, 200, int(size / (3 + j)), referer, more
                if (how == "cut") printf line, client, i, 52, "GET", path, 200, size, referer, more
                if (how == "cut") printf line, client, i, 53, "HEAD", path, 200, 0, referer, more
                if (how == "unchanged") printf line, client, i, 54, "GET", path, 304, 0, referer, more
            }
    }'
}

# The rules of a log, without what is above them.
rules() {
    dustpan learn -q --base-url http://shop.example "$@" -o - | grep -v '^#\|^dustpan-rules\|^host'
}

with='%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i" '
for how in plain gone cut unchanged pictures 'one page' linked guessed elsewhere redirect index slash html scripts shown values chooses targets words orders 'orders of cut lists' 'part of a page' versions ids few; do
    echo "== $how"
    pages "$how" >"$how.log"
    rules "$how.log"
done
for how in etag 'one etag'; do
    echo "== $how"
    pages "$how" >"$how.log"
    rules --log-format "$with%{ETag}o" "$how.log"
done
echo "== type"
pages type >type.log
rules --log-format "$with\"%{Content-Type}o\"" type.log

echo
echo "== an answer that nothing has changed is a request for a page"
dustpan learn --json --base-url http://shop.example unchanged.log 2>&1 >/dev/null | grep -o '"records":[0-9]*\|"not_pages":[0-9]*\|"urls":[0-9]*'

echo
echo "== rotated, compressed, in any order, of several hosts"
pages plain | sed 's/^/shop.example:80 /' >all.log
pages linked | sed 's/^/other.example:443 /' >>all.log
head -n 100 all.log | gzip >a.log.2.gz
sed -n 101,170p all.log | bzip2 >a.log.1.bz2
tail -n +171 all.log >a.log
dustpan learn -q all.log -o whole.rules
dustpan learn -q a.log a.log.1.bz2 a.log.2.gz -o parts.rules
dustpan learn -q --threads 1 a.log.2.gz a.log a.log.1.bz2 -o turned.rules
cmp parts.rules turned.rules && cmp whole.rules parts.rules && grep -v '^#' parts.rules

echo
echo "== who has asked stands nowhere"
mkdir out
for log in *.log; do
    dustpan learn --base-url http://shop.example "$log" --state "out/$log.state" -o "out/$log.rules" 2>"out/$log.said"
    dustpan report --base-url http://shop.example "$log" -o "out/$log.html" 2>>"out/$log.said"
    dustpan report --json --base-url http://shop.example "$log" -o "out/$log.json" 2>>"out/$log.said"
done
printf '198.51.100.9 - - nonsense\n2001:db8::9 - - [x] "GET /\n' >odd.log
dustpan learn --base-url http://shop.example odd.log -o out/odd.rules 2>out/odd.said
dustpan learn --format clf --base-url http://shop.example plain.log odd.log -o out/odd.rules 2>>out/odd.said
cat out/odd.said
dustpan learn --method dust -q --base-url http://shop.example plain.log --state out/dust.state -o out/dust.rules
grep -r -l '198\.51\.100\|2001:db8' out && echo "an address!"
find out -type f | wc -l
