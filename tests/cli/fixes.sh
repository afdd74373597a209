# dustpan report: what to fix, for the owner of a site. What can be pasted, which URL is kept, who asked, files in any order.
. "$ROOT/tests/cli/common"
cat >site.rules <<'END'
dustpan-rules 1
host localhost
drop ?sid [p=.99 n=9 neg=0]
drop ?utm_* [p=.95 n=4 neg=1]
/{**}/index.html => /{**}/ [p=.9995 n=30 neg=0]
/{**}/{x}.htm => /{**}/{x} [p=.9 n=3 neg=0]
erase ?t [p=.9 n=3 neg=0]
END
# hit N DAY CLIENT AGENT REFERRER URL
hit() {
    seq 0 $(($1 - 1)) | while read -r minute; do
        printf 'localhost:80 %s - - [%02d/Nov/2026:23:%02d:00 +0000] "GET %s HTTP/1.1" 200 1000 "%s" "%s"\n' "$3" "$2" "$minute" "$6" "$5" "$4"
    done
}
bot='Mozilla/5.0 (compatible; Googlebot/2.1)'
people='Mozilla/5.0 (X11) Firefox/140.0'
{
    hit 50 18 192.0.2.1 "$bot" - '/a?utm_source=mail'
    hit 6 19 192.0.2.1 "$bot" - /a
    hit 1 18 192.0.2.1 "$bot" - '/post-20?utm_source=ads&sid=1'
    hit 2 18 192.0.2.1 "$bot" - '/post-20?sid=9f86d081884c7d659a2f'
    hit 9 18 192.0.2.1 "$bot" - '/in?token=9f86d081884c7d659a2f&sid=7'
    hit 2 18 192.0.2.1 "$bot" - '/in?token=9f86d081884c7d659a2f'
    hit 4 19 192.0.2.1 "$bot" - '/b/index.html'
    hit 5 19 192.0.2.1 "$bot" - '/b/'
    hit 7 19 192.0.2.1 "$bot" - '/c.htm'
    hit 1 19 192.0.2.1 "$bot" - '/c'
    hit 3 19 192.0.2.1 "$bot" - '/d?t=1'
    hit 4 19 192.0.2.1 "$bot" - '/d?t=2'
    hit 25 19 192.0.2.2 "$people" /a /a
    hit 1 19 192.0.2.3 - - '/a?utm_source=mail'
    hit 1 19 192.0.2.3 - - /a
} >access.log
cat >part.py <<'END'
import html, re, sys
page = open(sys.argv[1], encoding="utf-8").read()
fixes = page[page.index('<section id="fixes"'):page.index('<section id="hosts"')]
if len(sys.argv) > 2:
    print(html.unescape(re.search("aria-label=\"" + re.escape(sys.argv[2]) + "[^>]*><pre[^>]*>(.*?)</pre>", fixes, re.S)[1]), end="")
else:
    fixes = re.sub("<details>.*?</details>", "", fixes, flags=re.S)
    fixes = re.sub("</code><code", "</code> -> <code", fixes)
    print(html.unescape(re.sub("<[^>]*>", "", re.sub("</?(p|li|h2|h3)>", "\n", fixes))))
END
json() { python3 -c "import json, sys; d = json.load(sys.stdin); $1"; }

t dustpan report -r site.rules access.log -o page.html
echo
echo "== the section"
python3 part.py page.html | grep -v '^ *$'

echo
echo "== what is shown can be pasted: the block of redirects is that of rules export, and nginx and Apache take it"
grep -c '%0A' page.html
grep -v '\.htm =>\|erase' site.rules | sed 's/^drop/pin drop/; s|^/|pin /|' >moves.rules
for server in nginx Apache; do
    target=$(echo $server | tr A-Z a-z)
    python3 part.py page.html "301, $server" >$target.conf
    dustpan rules export --to $target-redirect moves.rules 2>/dev/null | diff $target.conf - && echo "what rules export writes"
    printf 'http://localhost%s\n' '/a?utm_source=mail' /a '/b/index.html?sid=2' /c.htm >urls
    if [ $server = nginx ] || [ -x /usr/sbin/apache2 ]; then
        python3 "$ROOT/tests/exchange/as_redirect.py" $target $target.conf <urls
    else
        dustpan apply -q -r moves.rules urls
    fi
done
python3 part.py page.html 'robots.txt, Clean-param'

echo
echo "== crawlers and days count the same"
dustpan report -q --json -r site.rules access.log >data.json
json 'bots = [t for t in d["traffic"] if t["crawler"]]
for name in ("hits", "bytes"): print(name, sum(t[name] for t in bots), sum(t[name] for t in d["days"]))
print("wasted", sum(t["duplicate_hits"] for t in bots), sum(t["duplicates"] for t in d["days"]))
print([(t["agent"], t["hits"], t["duplicate_hits"]) for t in d["traffic"]])' <data.json
grep -o 'Day (UTC)' page.html

echo
echo "== the order of the files does not matter"
lists() {
    for i in $(seq "$1" "$2"); do
        hit 1 "$3" 192.0.2.7 "$people" - "/list/$i"
        hit 1 "$3" 192.0.2.9 "$4" - "/list/$i?sid=$i"
    done
}
{ lists 1 7 18 bingbot && cat access.log; } >one.log
{ lists 8 30 19 "$bot" && sed 's/Googlebot/bingbot/; s/192.0.2.1/192.0.2.5/' access.log | tac; } >two.log
dustpan report -q -r site.rules one.log two.log -o 12.html
dustpan report -q -r site.rules two.log one.log -o 21.html
cmp 12.html 21.html && echo "the same with rules"
dustpan report -q one.log two.log -o 12.html
dustpan report -q two.log one.log -o 21.html
cmp 12.html 21.html && echo "the same without"
dustpan report -q --json -r site.rules one.log two.log | json 'print([(t["agent"], t["hits"]) for t in d["traffic"]])'

echo
echo "== several hosts"
printf 'dustpan-rules 1\nhost localhost\ndrop ?sid\nhost a.example\ndrop ?sid\n' >hosts.rules
{ cat access.log; sed 's/localhost/a.example/' access.log; } >hosts.log
dustpan report -q -r hosts.rules hosts.log -o hosts.html
python3 part.py hosts.html | grep '^drop'
python3 part.py hosts.html 'robots.txt, Clean-param'
python3 part.py hosts.html '301, nginx' | grep -c 'a\\.example'

echo
echo "== likely rules that are not used"
sed 's/^drop/likely drop/; s|^/|likely /|; s/^erase/likely erase/' site.rules >likely.rules
t dustpan report -r likely.rules access.log -o likely.html
t dustpan report -r likely.rules --with-likely --min-precision .95 access.log -o likely.html
sed 's/<[^>]*>//g' likely.html | grep -o '[^.]*only likely[^.]*\.[^.]*\.' | head -n 1
sed 's/<[^>]*>//g' likely.html | grep -o 'Not used in this report[^.]*'
grep -c 'learned\.rules\|urls\.txt' likely.html 12.html

echo
echo "== standard input"
t dustpan report <access.log
t dustpan report - <access.log
