# dustpan explain: one URL, two URLs, every exit status.
. "$ROOT/tests/cli/common"
t dustpan explain -r site.rules 'http://www.example.com/a/index.html?sid=1'
t dustpan explain -r site.rules 'http://www.example.com/a/index.html?sid=1' --json
t dustpan explain -r site.rules 'http://www.example.com/k/dp/1?sid=1' --form fetch
t dustpan explain -r site.rules 'http://www.example.com/k/dp/1?sid=1' --form surt
t dustpan explain -r site.rules 'http://example.com/shop/x?view=1'
t dustpan explain -r site.rules 'http://example.com/shop/x?view=1' --with-likely
t dustpan explain -r site.rules 'http://example.com/shop/x?sid=1' --min-precision .999
t dustpan explain -r site.rules mailto:me
t dustpan explain -r site.rules http://www.example.com/a/index.html https://example.com/a/
t dustpan explain -r site.rules http://www.example.com/a/index.html https://example.com/b/
t dustpan explain -r site.rules http://www.example.com/a/index.html https://example.com/b/ --json
t dustpan explain -r missing.rules http://example.com/
dustpan rules compile site.rules -o site.dpc
t dustpan explain -r site.dpc 'http://www.example.com/a/index.html?sid=1'

echo
echo "== past the limit"
cat >count.rules <<'END'
dustpan-rules 1
host example.com
sub "_$" -> "-$"
sub "-$" -> ",$"
sub "-," -> ",_"
sub "_," -> "-_"
END
dustpan explain -r count.rules http://example.com/________________ | tail -n 3
echo "exit $?"
echo http://example.com/________________ | t dustpan apply -r count.rules --explain

echo
echo "== evidence: the certificate, votes by kind of URL, pairs"
cat >docs.rules <<'END'
dustpan-rules 1
host docs.example [cert=.99/.95 n=767 neg=1 pool=5994]
/b/{**} => /a/{**}      [p=.998 n=37 neg=0 by=digest]
drop ?sid               [p=.99 n=40 neg=0 by=text]
host other.example
drop ?sid
END
cat >docs.tsv <<'END'
url	cluster	mime
http://docs.example/a/img/logo	L	image/png
http://docs.example/b/img/logo	L	image/png
http://docs.example/a/img/dot.gif	D	-
http://docs.example/b/img/dot.gif	D	-
http://docs.example/a/conf.html	C1	text/html
http://docs.example/b/conf.html	C2	text/html
http://docs.example/a/x.html?sid=1&token=7	X	-
http://docs.example/a/x.html?sid=2&token=7	X	-
http://docs.example/12/y.html?sid=1	Y	-
http://docs.example/34/y.html?sid=1	Z	-
http://docs.example/b/new/v2.tgz	V	-
END
t dustpan explain -r docs.rules --records docs.tsv http://docs.example/b/conf.html http://docs.example/a/conf.html
t dustpan explain -r docs.rules --records docs.tsv http://docs.example/b/other/page?sid=1
t dustpan explain -r docs.rules --records docs.tsv --examples raw 'http://docs.example/a/x.html?sid=3&token=7' | tail -n 4
t dustpan explain -r docs.rules --records docs.tsv --json http://docs.example/b/conf.html
t dustpan explain -r docs.rules http://other.example/?sid=1 http://other.example/?sid=2
t dustpan explain -r docs.rules --records docs.tsv http://docs.example/c http://docs.example/c
t dustpan explain -r docs.rules --records docs.tsv --explore 1 --salt x http://docs.example/b/img/logo | grep probes
t dustpan explain -r docs.rules --explore 1 http://docs.example/c
t dustpan explain -r docs.rules --records docs.tsv --salt x http://docs.example/c
t dustpan explain -r docs.rules --records missing.tsv http://docs.example/c
t dustpan explain -r - --records - http://docs.example/c

echo
echo "== votes by kind of URL add up to what audit counts"
dustpan audit -q -r docs.rules --json docs.tsv >audit.json
dustpan explain -r docs.rules --records docs.tsv --json http://docs.example/b/x?sid=1 >explain.json
python3 - <<'END'
import json
votes = {r["rule"]: (r["for"], r["against"]) for r in json.load(open("audit.json"))["rules"]}
for e in json.load(open("explain.json"))["evidence"]:
    summed = tuple(sum(s[k] for s in e["strata"]) for k in ("for", "against"))
    print(e["rule"], summed, summed == votes[e["rule"]] == (e["for"], e["against"]))
END

echo
echo "== order any has a line of its own"
printf '%s\n' 'dustpan-rules 1' 'host o.example' 'order any' 'drop ?sid' >order.rules
t dustpan explain -r order.rules 'HTTP://o.example/x?b=1&sid=3&a=2'
t dustpan explain -r order.rules 'http://o.example/x?a=2&b=1'

echo
echo "== votes where two rules meet are shown under URLs that the rule changes"
printf '%s\n' 'dustpan-rules 1' 'host m.example' '/docs/{**} => /manual/{**}' '/manual/en/{**} => /manual/da/{**}' >meet.rules
for n in $(seq 10); do printf '%s\n' "p$n	http://m.example/docs/da/$n" "p$n	http://m.example/manual/en/$n"; done >meet.tsv
t dustpan explain -r meet.rules --records meet.tsv http://m.example/docs/da/1 http://m.example/manual/en/1
