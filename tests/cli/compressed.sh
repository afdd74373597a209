# Input is gzip, zstd or bzip2 by content, not by name; broken data is an error that names the file.
. "$ROOT/tests/cli/common"
i=0
while [ $i -lt 3000 ]; do echo "http://example.com/$i?sid=$i&page=$((i * 7919 % 10007))"; i=$((i + 1)); done >list
dustpan apply -q -r site.rules list >want
cat list list >twice
dustpan apply -q -r site.rules twice >want2
for tool in gzip zstd bzip2; do
    $tool -c list >packed 2>/dev/null
    dustpan apply -q -r site.rules packed >got && cmp want got && echo "$tool: read"
    dustpan apply -q -r site.rules <packed >got && cmp want got && echo "$tool: read from standard input"
    cat packed packed >two
    dustpan apply -q -r site.rules two >got && cmp want2 got && echo "$tool: two in one"
    head -c 5000 packed >cut.txt
    dustpan apply -q -r site.rules cut.txt >got
    echo "$tool: cut, exit $?"
    head -c "$(wc -c <got)" want | cmp - got
    { cat packed; echo garbage; } >garbage
    dustpan apply -q -r site.rules garbage >got
    echo "$tool: garbage, exit $?"
    { head -c 4000 packed; echo "these bytes are wrong"; tail -c +4023 packed; } >changed
    dustpan apply -q -r site.rules changed >got
    echo "$tool: changed, exit $?"
    dustpan apply -q -r site.rules changed -o whole
    echo "$tool: changed, exit $?"
    dustpan learn -q changed >/dev/null
    echo "$tool: changed, learn: exit $?"
    ls whole 2>&1
    : | $tool -c >nothing 2>/dev/null
    dustpan apply -r site.rules nothing
    echo "$tool: nothing, exit $?"
done
find . -name '*.tmp'
cp list list.gz
dustpan apply -q -r site.rules list.gz >got && cmp want got && echo "plain, whatever its name"
