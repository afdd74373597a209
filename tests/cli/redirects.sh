# dustpan rules export --to nginx-redirect, apache-redirect, robots: what is refused, and where real servers send requests.
. "$ROOT/tests/cli/common"
cat >site.rules <<'EOF'
dustpan-rules 1
host localhost
drop ?sid,utm_* [p=.999 n=20 neg=0 by=text]
/{**}/index.html => /{**}/ [p=.999 n=20 neg=0 by=redirect]
/{slug}/dp/{asin} => /dp/{asin}
/x/{a} => /z/{a} [p=.999 n=20 neg=0 by=size]
pin /y/{a} => /z/{a} [p=.999 n=20 neg=0 by=canonical]
drop ?ref [p=.999 n=20 neg=0 by=digest]
erase ?t
EOF
cat >urls <<'EOF'
http://localhost/
http://localhost/a?sid=1
http://localhost/a?x=1&sid=2&y=%2F&utm_a=3
http://localhost/b/index.html?sid=1
http://localhost/b/index.html
http://localhost/red-shoe/dp/B0K1?utm_x=y
http://localhost/x/1
http://localhost/y/1?ref=2
http://localhost/a?t=1
http://localhost/%20a/index.html?q=a+b%26c
EOF
grep -v 'by=size\|erase' site.rules >subset.rules
dustpan apply -q -r subset.rules urls >keys
for server in nginx apache; do
    t dustpan rules export --to $server-redirect -o $server.conf site.rules
    # Where there is no Apache, only what is refused is compared.
    if [ $server = nginx ] || [ -x /usr/sbin/apache2 ]; then
        python3 "$ROOT/tests/exchange/as_redirect.py" $server $server.conf <urls >targets
    else
        cp keys targets
    fi
    paste keys targets | awk -F '\t' '$1 != $2' | wc -l
    echo "of $(wc -l <targets) differ"
done
t dustpan rules export --to robots site.rules

echo
echo "== canonical-csv: a table of patterns, by Python"
t dustpan rules export --to canonical-csv -o canonical.csv site.rules
head -n 3 canonical.csv
cat >as_csv.py <<'EOF'
import csv, re, sys
rows = [(re.compile(row["pattern"]), re.sub(r"\$(\d)", r"\\\1", row["canonical"])) for row in csv.DictReader(open(sys.argv[1]))]
for url in sys.stdin:
    url = url.rstrip("\n")
    for pattern, canonical in rows:
        url = pattern.sub(canonical, url, count=1)
    print(url)
EOF
python3 as_csv.py canonical.csv <urls >by_csv
grep -v 'erase' site.rules >whole.rules
dustpan apply -q -r whole.rules urls | diff - by_csv && echo "the keys of the same rules"

echo
echo "== conditions: what the servers can say of the path, and robots.txt of some of it"
cat >some.rules <<'EOF'
dustpan-rules 1
host localhost
/{**}/index.html => /{**}/ unless /keep/{**}
drop ?a on /x/{**}
drop ?b unless /cart/{**} unless /{**}/edit
drop ?c if =1
drop ?d if = on /page.php
drop ?e on /{**}/list
drop ?f on /x/{**}?g=1
drop ?h on /{x}/y
EOF
cat >urls <<'EOF'
http://localhost/x?a=1
http://localhost/x/?a=1
http://localhost/x/y/z?q=1&a=1&b=2
http://localhost/xy?a=1
http://localhost/y/x/?a=1
http://localhost/?b=1
http://localhost/cart?b=1
http://localhost/cart/1?b=1&c=1
http://localhost/cart1?b=1
http://localhost/a/edit?b=1
http://localhost/a/edit/?b=1
http://localhost/a?c=1&c=2&c=11&c&c=&c=1
http://localhost/a?c=1
http://localhost/page.php?d=&e=
http://localhost/page.php?d&d=1
http://localhost/page.php5?d=
http://localhost/list?e=1
http://localhost/a/b/list?e=1&d=
http://localhost/lists?e=1
http://localhost/keep/index.html
http://localhost/keep/a/index.html?b=1
http://localhost/kept/index.html?b=1&c=1
http://localhost/x/y?f=1&g=1&h=1
http://localhost/x/y/?h=1
EOF
grep -v '?f' some.rules >subset.rules
dustpan apply -q -r subset.rules urls >keys
for server in nginx apache; do
    t dustpan rules export --to $server-redirect -o $server.conf some.rules
    if [ $server = nginx ] || [ -x /usr/sbin/apache2 ]; then
        python3 "$ROOT/tests/exchange/as_redirect.py" $server $server.conf <urls >targets
    else
        cp keys targets
    fi
    paste keys targets | awk -F '\t' '$1 != $2'
    paste targets urls | awk -F '\t' '$1 != $2' | wc -l
    echo "of $(wc -l <targets) are redirected"
done
t dustpan rules export --to robots some.rules
t dustpan rules export --to clean-param some.rules
# RFC 9309: a line fits what begins with it; '*' is any text, '$' the end.
cat >robots.py <<'EOF'
import re, sys
lines = [re.escape(line[10:].strip()).replace(r"\*", ".*").replace(r"\$", "$") for line in open("robots.txt") if line.startswith("Disallow: ")]
for url in sys.stdin:
    path = url.rstrip("\n")[len("http://localhost"):]
    print(any(re.match(line, path) for line in lines))
EOF
dustpan rules export --to robots some.rules >robots.txt 2>/dev/null
python3 robots.py <urls >forbidden
grep -v 'unless\|?f\|{x}\|=>' some.rules >subset.rules
dustpan apply -q -r subset.rules urls | paste - urls | awk -F '\t' '{ print $1 != $2 ? "True" : "False" }' | diff - forbidden && echo "what the same rules change"

echo
echo "== redirects that follow one another; forms stay where they are sent to; a proxy in front"
cat >chain.rules <<'EOF'
dustpan-rules 1
host localhost
/{a}/current/{**} => /{a}/2.4/{**}
/docs/2.4/{**} => /manual/{**}
/old/{q=Activities|signup}/{**} => /{q}/{**}
drop ?sid
drop ?jd on /manual/{**}
/{**}/junk/{y} => /{**}/{y}
/x/{a} => /y/{a}
/y/{a} => /x/{a}
host localhost, www.localhost
//www.localhost/{**} => //localhost/{**}
EOF
cat >urls <<'EOF'
http://localhost/docs/current/a/b?sid=1&x=2
http://localhost/docs/current/current/current?jd=1
http://localhost/docs/2.4/current/a
http://localhost/old/signup/current/a?sid=1
http://localhost/old/signupp/a
http://localhost/a/junk/junk/b
http://localhost/x/1
http://www.localhost/docs/current/x?sid=2
EOF
grep -v '^/y' chain.rules >subset.rules
dustpan apply -q -r subset.rules urls >keys
head -n 2 urls >two
for server in nginx apache; do
    t dustpan rules export --to $server-redirect -o $server.conf chain.rules
    if [ $server = nginx ] || [ -x /usr/sbin/apache2 ]; then
        python3 "$ROOT/tests/exchange/as_redirect.py" $server $server.conf <urls >targets
        python3 "$ROOT/tests/exchange/as_redirect.py" $server $server.conf POST <two >posted
        python3 "$ROOT/tests/exchange/as_redirect.py" $server $server.conf HEAD X-Forwarded-Proto:https <two >behind
    else
        cp keys targets
        cp two posted
        sed 's|^http:|https:|;2q' keys >behind
    fi
    diff keys targets && echo "the keys"
    diff two posted && echo "POST: not redirected"
    cat behind
done

echo
echo "== what may be secret is not exported, and likely rules by their precision"
cat >secret.rules <<'EOF'
dustpan-rules 1
host localhost
drop ?token if =abcdef0123456789
drop ?email if =alice.smith%40example.org
drop ?q if =203.0.113.77
/s;jsessionid=ABCDEF0123/{a} => /{a}
drop ;jsessionid
likely drop ?a [p=.95]
likely drop ?b [p=.57]
EOF
t dustpan rules export --to robots secret.rules
t dustpan rules export --to robots --examples raw --with-likely --min-precision .9 secret.rules
