# dustpan report: the data, exactly; the page, by what it must hold; options, bad input, exit codes.
. "$ROOT/tests/cli/common"
block() { awk -v name="<!-- $1 -->" '$0 == name { on = 1; next } on && /^```/ { if (++n == 2) exit; next } on' "$ROOT/docs/evaluation.md"; }
# shellcheck disable=SC2094  # the names are those of blocks
block shop.rules | sed 's|^drop ?sid$|&  [p=.99 n=9 neg=0]|; s|^drop ?page$|&  [p=.9 n=3 neg=1]|' >shop.rules
# shellcheck disable=SC2094
block shop.tsv >shop.tsv
cat >shop.log <<'END'
shop.example:80 1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] "GET /chair HTTP/1.1" 200 10 "-" "Mozilla/5.0 (compatible; Googlebot/2.1)"
shop.example:80 1.2.3.4 - - [01/Jan/2026:00:00:01 +0000] "GET /chair?sid=1 HTTP/1.1" 200 10 "-" "Mozilla/5.0 (compatible; Googlebot/2.1)"
shop.example:80 1.2.3.4 - - [01/Jan/2026:00:00:02 +0000] "GET /chair HTTP/1.1" 304 - "-" "Mozilla/5.0 (compatible; Googlebot/2.1)"
shop.example:80 1.2.3.4 - - [01/Jan/2026:00:00:03 +0000] "GET /sofa?sid=8 HTTP/1.1" 200 10 "-" "SomeBot/1"
shop.example:80 1.2.3.4 - - [01/Jan/2026:00:00:04 +0000] "GET /gone HTTP/1.1" 404 10 "-" "SomeBot/1"
shop.example:80 1.2.3.4 - - [01/Jan/2026:00:00:05 +0000] "GET /about HTTP/1.1" 200 10 "-" "Mozilla/5.0 (X11) Firefox/121.0"
END

t dustpan report -r shop.rules shop.tsv --json
t dustpan report -r shop.rules shop.tsv shop.log --json --families 1 --hosts 0 --lost 0 --min-precision .95
t dustpan report -r shop.rules shop.log --json --examples raw
t dustpan report -r shop.rules shop.tsv -o page.html

echo
echo "== the page"
grep -o '<h1>.*</h1>' page.html
grep -c 'Content-Security-Policy' page.html
grep -c "$PWD" page.html
# But for where the name of its tags is defined, nothing points outside.
grep -o -E '(src|href|url\()="?[^ >]*' page.html | sort | uniq -c
dustpan report -q -r shop.rules shop.tsv | cmp - page.html && echo "the same on standard output"
dustpan report -q -r shop.rules <shop.tsv | cmp - page.html && echo "the same from standard input"
dustpan rules compile shop.rules -o shop.dpc
dustpan report -q -r shop.dpc shop.tsv | sed 's/shop\.dpc/shop.rules/g' | cmp - page.html && echo "the same from compiled rules"

echo
echo "== what is no answer"
t dustpan report
t dustpan report -r shop.rules --lost 21 shop.tsv
t dustpan report -r shop.rules --hosts 10001 shop.tsv
t dustpan report -r shop.rules nowhere.tsv
t dustpan report -r nowhere.rules shop.tsv
t dustpan report -r - <shop.tsv
: | t dustpan report -r shop.rules --format clusters
t dustpan report -r shop.rules shop.tsv -o /nowhere/page.html

echo
echo "== what is said"
printf 'A\thttp://a.com/1\nA\thttp://a.com/1?x\nB\thttp://a.com/1\nno tab\nC\tnonsense\n' >odd.tsv
t dustpan report -r shop.rules --format clusters odd.tsv -o odd.html
t dustpan report -r shop.rules --format clusters --strict odd.tsv -o odd.html

echo
echo "== without rules: they are learned, and the worst patterns are listed"
cp "$ROOT/tests/golden/auto/log/input.tsv" log.tsv
t dustpan report log.tsv -o log.html

echo
echo "== what validate has found"
printf 'dustpan-rules 1\nhost a.com\ndrop ?x [p=.99 n=5 neg=0 by=text,fetch]\noff drop ?y [n=1 neg=3 refuted=fetch]\nlikely drop ?z [n=4 neg=0 by=size]\n' >tested.rules
printf 'A\thttp://a.com/?x=1\nA\thttp://a.com/?x=2\nB\thttp://a.com/?z=1\n' >tested.tsv
dustpan report -q -r tested.rules tested.tsv -o tested.html
sed -n '/id="rules"/,$p' tested.html | grep -o '<code dir="ltr">drop[^<]*\|Test on live pages</dt><dd>[a-z]*\|[^>]*only likely[^<]*' | sed 's/.*>//'

echo
echo "== clients that are not what they say"
awk 'BEGIN {
    line = "%s - - [18/Nov/2026:10:00:%02d +0000] \"GET %s HTTP/1.1\" 200 %d \"%s\" \"%s\"\n"
    for (i = 0; i < 30; i++) {
        printf line, "192.0.2.1", i, "/p/" i, 5000 + i, "-", "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"
        printf line, "192.0.2.2", i, "/p/" i, 5000 + i, i ? "http://shop.example/" : "-", "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"
        printf line, "192.0.2.3", i, i == 9 ? "/a.css" : "/p/" i, 5000 + i, "-", "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0"
        printf line, "192.0.2.4", i, "/p/" i, 5000 + i, "-", i < 10 ? "Googlebot/2.1" : i < 20 ? "bingbot/2.0" : "Googlebot/2.1"
    }
}' >visitors.log
printf 'dustpan-rules 1\n' >no.rules
dustpan report -q --json -r no.rules --base-url http://shop.example visitors.log | sed -n '/"traffic"/,/\]/p'
dustpan report -q -r no.rules --base-url http://shop.example visitors.log | grep -c '192\.0\.2'
grep -v firefox -i visitors.log | cut -d '"' -f 1-6 --output-delimiter '"' | awk -F '"' '{ print $1 "\"" $2 "\"" $3 "\"-\" \"" $6 "\"" }' >unlinked.log
grep 192.0.2.1 visitors.log >>unlinked.log
echo "where nobody follows a link agents are believed, but for two names:"
dustpan report -q --json -r no.rules --base-url http://shop.example unlinked.log | sed -n '/"traffic"/,/\]/p'

echo
echo "== a rule that leads away from what most are asking for"
printf 'dustpan-rules 1\nhost shop.example\n/{**}/{x}.html => /{**}/{x}\n' >away.rules
printf 'hits\turl\n9\thttp://shop.example/a.html\n1\thttp://shop.example/a\n8\thttp://shop.example/b.html\n5\thttp://shop.example/c\n' >away.tsv
dustpan report -q --json -r away.rules --format tsv away.tsv | grep '"leads_away"'
dustpan report -q -r away.rules --format tsv away.tsv | grep -o 'Link to .*redirect\.' | sed 's/<[^>]*>//g'
