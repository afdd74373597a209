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
