# dustpan rules export and import: what is written and what is refused; keys as the other tools make them.
. "$ROOT/tests/cli/common"
cat >hard.rules <<'END'
dustpan-rules 1
host www.example.com, example.com
drop ?sid,utm_*
/{**}/index.html => /{**}/
/{slug}/dp/{asin} => /dp/{asin}
/a/{n:int}-{s}.html => /a/{n}
/b/{s}.html => /b/{s}
/t/tt{n:int}/x{y=1|2|33} => /t/{n}/{y}
likely drop ?view
off /{a}/print => /{a}
pin http://www.example.com/{**} => https://example.com/{**}
/x/{a} => /{a}/y
fold case path
host *.example.org, example.org
drop ?PHPSESSID,q
host any
drop ?fbclid,ref_src
/{**}/default.htm => /{**}/
drop ?xsid on /a/{**}
drop ?SID unless /{**}/shop unless /x/{a}
drop ?b if =1
drop ?a if = on /{**}/tt{n:int}
END
t dustpan rules export --to sed hard.rules
for target in nutch stormcrawler heritrix duplicate-url-discarder pywb nginx clean-param json; do
    t dustpan rules export --to $target -o $target.out hard.rules
done
t head -n 12 nutch.out
t cat duplicate-url-discarder.out clean-param.out
t head -n 5 pywb.out

echo
echo "== refused"
cat >no.rules <<'END'
dustpan-rules 1
host a.com:8080
drop ?x
host a.com
order any
keep ?lang
drop ?lang,sid
drop ?a on /x/{**}?b=1
drop ;jsessionid
drop ?LastView if =
erase ?e
set ?s=1
fold case query
sub "/story?id=" -> "/story_"
/?title={t} => /wiki/{t}
/{a}/{b}/default.aspx => /{a|lower}/{b}/default.aspx
/friends-{x} => /friends-*
/same/{x}/{x} => /same/{x}
/m/{**} => /{**}
END
t dustpan rules export --to sed no.rules
t dustpan rules export --to emacs hard.rules
t dustpan rules export hard.rules

echo
echo "== keys by others, and ours by what was not refused"
python3 "$ROOT/tests/exchange/urls.py" 7 4000 >raw
printf 'dustpan-rules 1\nhost nowhere.invalid\ndrop ?x\n' >none.rules
dustpan apply -q -r none.rules raw >all.urls
grep -v ';' all.urls >amp.urls
grep -v '[?].*[A-Z]' amp.urls >lower.urls
compare() { # TARGET URLS COMMAND...
    target=$1 urls=$2
    shift 2
    dustpan rules export --to "$target" hard.rules >file 2>refused
    ids=$(sed -n 's/^dustpan: [^:]*:[0-9]*: rule \([0-9a-f]\{8\}\) skipped: .*/\1/p' refused)
    cp hard.rules subset.rules
    # shellcheck disable=SC2086  # ids are words
    [ -z "$ids" ] || dustpan rules off -o subset.rules hard.rules $ids
    dustpan apply -q -r subset.rules "$urls" >ours
    "$@" <"$urls" >theirs
    [ "$target" != pywb ] || { python3 "$ROOT/tests/exchange/as_tool.py" pywb-key <ours >key && mv key ours; }
    echo "$target: $(paste ours theirs | awk -F '\t' '$1 != $2' | wc -l) of $(wc -l <theirs) differ, $(paste ours "$urls" | awk -F '\t' '$1 != $2' | wc -l | awk '{ print ($1 > 300) ? "many" : "few" }') changed"
}
compare sed all.urls env LC_ALL=C sed -E -f file
for target in nutch stormcrawler heritrix json; do
    compare $target all.urls python3 "$ROOT/tests/exchange/as_tool.py" $target file
done
grep -v '/a[?]' amp.urls >folder.urls
for target in clean-param duplicate-url-discarder; do
    [ $target = clean-param ] && urls=folder.urls || urls=amp.urls
    compare $target $urls python3 "$ROOT/tests/exchange/as_tool.py" $target file
done
# Its patterns take www-shop.a.com for www.shop.a.com.
cp hard.rules saved.rules
printf 'dustpan-rules 1\nhost shop.a.com\ndrop ?s\nhost *.deep.a.com, deep.a.com, wwwxdeep.a.com\ndrop ?s\nhost a.com\ndrop ?s\n' >hard.rules
for host in shop.a.com www.shop.a.com www-shop.a.com www1shop.a.com deep.a.com www.deep.a.com x.deep.a.com wwwxdeep.a.com wwwydeep.a.com a.com www.a.com www-a.com; do
    echo "http://$host/?s=1&t=2"
done >hosts.urls
compare duplicate-url-discarder hosts.urls python3 "$ROOT/tests/exchange/as_tool.py" duplicate-url-discarder file
grep -c '[?]t=2' theirs
mv saved.rules hard.rules
compare pywb lower.urls python3 "$ROOT/tests/exchange/as_tool.py" pywb file
compare nginx all.urls python3 "$ROOT/tests/exchange/as_nginx.py" file

echo
echo "== import"
cat >clearurls.json <<'END'
{"providers": {
  "shop": {"urlPattern": "^https?:\\/\\/(?:[a-z0-9-]+\\.)*?shop\\.example", "completeProvider": false,
    "rules": ["sid", "ref_.*", "p[fd]_rd", "a\\.b"],
    "rawRules": ["\\/ref=[^/?]*"], "exceptions": ["^https?:\\/\\/shop\\.example\\/cart"]},
  "many": {"urlPattern": "^https?:\\/\\/(?:[a-z0-9-]+\\.)*?many(?:\\.[a-z]{2,}){1,}", "rules": ["x"]},
  "globalRules": {"urlPattern": ".*", "rules": ["gclid", "(?:%3F)?utm(?:_[a-z_]*)?", "(?:%3F)?mc_(?:eid|cid)"]},
  "two": {"urlPattern": "^https?:\\/\\/(?:[a-z0-9-]+\\.)*?(two\\.example|three.example)", "rules": ["ref[_-]?", "x+"]},
  "path": {"urlPattern": "^https?:\\/\\/two\\.example\\/x", "rules": ["y"]}}}
END
cat >adguard.txt <<'END'
[Adblock Plus 2.0]
! a comment
$removeparam=fbclid
||shop.example^$removeparam=sid
||shop.example^$removeparam=/^trk_/
||shop.example/cart$removeparam=x
@@||bank.example^$removeparam
$removeparam
$removeparam=/utm_[a-z]+/
$removeparam=ref,domain=a.com
||ads.example^
$removeparam=a b
||open.example$removeparam=end
||any.*$removeparam=tld
$removeparam=/^(p|q)=/
$removeparam=/^(k|l)_/,domain=b.com|c.com
$removeparam=ref,domain=~d.com
$removeparam=ref,image
@@||bank.example^$removeparam=fbclid
END
cat >robots.txt <<'END'
# robots.txt of shop.example, www.shop.example
User-agent: Yandex
Clean-param: sid&ref
clean-param: s /forum/
Clean-param: a,b
END
cat >discarder.json <<'END'
[{"args": ["sid", "ref"], "order": 100, "processor": "queryRemoval", "urlPattern": {"include": ["shop.example"]}},
 {"args": ["q"], "order": 100, "processor": "queryRemoval", "urlPattern": {"include": ["a.com/"], "exclude": ["www.a.com/"]}},
 {"args": ["id"], "order": 100, "processor": "queryRemovalExcept", "urlPattern": {"include": ["b.com"]}},
 {"args": ["z"], "order": 100, "processor": "queryRemoval", "urlPattern": {"include": ["b.com/x*"]}},
 {"args": ["gclid"], "order": 100, "processor": "queryRemoval", "urlPattern": {"include": [""]}}]
END
t dustpan rules import --from clearurls clearurls.json
t dustpan rules import --from adguard adguard.txt
t dustpan rules import --from clean-param robots.txt
t dustpan rules import --from duplicate-url-discarder discarder.json
t dustpan rules import --from clearurls robots.txt
echo 'Clean-param: x' | t dustpan rules import --from clean-param
t dustpan rules import --from emacs robots.txt
t dustpan rules import robots.txt

echo
echo "== import, export, import: the same rules"
for from in clearurls:clearurls.json adguard:adguard.txt clean-param:robots.txt duplicate-url-discarder:discarder.json; do
    dustpan rules import --from "${from%%:*}" "${from#*:}" -o one.rules 2>/dev/null
    for by in clean-param duplicate-url-discarder; do
        dustpan rules export --with-likely --to $by one.rules -o there 2>refused
        ids=$(sed -n 's/^dustpan: [^:]*:[0-9]*: rule \([0-9a-f]\{8\}\) skipped: .*/\1/p' refused)
        cp one.rules common.rules
        # shellcheck disable=SC2086  # ids are words
        [ -z "$ids" ] || dustpan rules off -o common.rules one.rules $ids
        dustpan rules import --from $by there -o two.rules 2>/dev/null
        for f in common two; do # what they do, whoever said it
            sed 's/ *\[.*//; s/  *#.*//' $f.rules | grep -v '^#\|^off' >$f.plain
            printf '%s\n' http://shop.example/ http://www.shop.example/ http://x.shop.example/ http://a.com/ http://www.a.com/ http://c.net/ http://x.b.com/ |
                sed 's/$/?sid=1\&ref=2\&q=3\&gclid=4\&a.b=5\&ref_x=6\&fbclid=7\&trk_1=8\&id=9/' |
                dustpan apply -q --with-likely -r $f.rules >$f.keys
        done
        diff common.keys two.keys && echo "${from%%:*} by $by: the same"
    done
done
