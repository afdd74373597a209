# dustpan eval: the example of docs/evaluation.md, every option, bad input, exit codes.
. "$ROOT/tests/cli/common"
# The example stands in the document; what it says is what is run here.
block() { awk -v name="<!-- $1 -->" '$0 == name { on = 1; next } on && /^```/ { if (++n == 2) exit; next } on' "$ROOT/docs/evaluation.md"; }
# shellcheck disable=SC2094  # the names are those of blocks
block shop.rules >shop.rules
# shellcheck disable=SC2094
block shop.tsv >shop.tsv
block output >want
dustpan eval -r shop.rules shop.tsv --by-rule >got
echo "exit $?"
diff want got && echo "docs/evaluation.md tells the truth"

echo
echo "== options"
printf 'dustpan-rules 1\n' >none.rules
t dustpan eval -r shop.rules shop.tsv --compare none.rules --by-host --lost 1
t dustpan eval -r shop.rules shop.tsv --json --lost 1 --by-rule --by-host
for table in dust kdd08 wsdm10 sigir17; do
    t dustpan eval -r shop.rules shop.tsv --table $table
done
t dustpan eval -r shop.rules shop.tsv --table kdd08 --compare none.rules --threads 2
t dustpan eval -r shop.rules -o out <shop.tsv
dustpan eval -r shop.rules shop.tsv --threads 1 | cmp - out && echo "the same on one thread"
dustpan eval -r shop.rules shop.tsv | cmp - out && echo "the same from standard input"
gzip -k shop.tsv
dustpan eval -r shop.rules shop.tsv.gz | cmp - out && echo "the same from gzip"
dustpan rules compile shop.rules -o shop.dpc
dustpan eval -r shop.dpc --json shop.tsv >json
dustpan eval -r shop.rules --json shop.tsv | cmp - json && echo "the same from compiled rules"

echo
echo "== what is no answer"
t dustpan eval -r shop.rules shop.tsv --fail-under f1=.5 --fail-under reduction=.2 -o /dev/null
t dustpan eval -r shop.rules shop.tsv --fail-under f1=.99 --fail-under recall=1 -o /dev/null
t dustpan eval -r shop.rules shop.tsv --fail-under lost=1
t dustpan eval -r shop.rules shop.tsv --fail-under f1
t dustpan eval shop.tsv
t dustpan eval -r shop.rules --lost 21 shop.tsv
t dustpan eval -r shop.rules --table x shop.tsv
t dustpan eval -r shop.rules nowhere.tsv
t dustpan eval -r nowhere.rules shop.tsv
t dustpan eval -r - <shop.tsv
printf 'http://a.com/\nhttp://b.com/\n' >list
t dustpan eval -r shop.rules list
: | t dustpan eval -r shop.rules --format clusters

echo
echo "== what is said"
printf 'A\thttp://a.com/1\nA\thttp://a.com/1?x\nB\thttp://a.com/1\nno tab\nC\tnonsense\n' >odd.tsv
t dustpan eval -r shop.rules --format clusters odd.tsv -o /dev/null
t dustpan eval -q -r shop.rules --format clusters odd.tsv -o /dev/null
t dustpan eval -r shop.rules --format clusters --strict odd.tsv -o /dev/null
printf 'url\tstatus\tdigest\nhttp://a.com/\t200\tX\nhttp://a.com/a\t404\tX\nhttp://a.com/b\t200\t-\n' >crawl.tsv
t dustpan eval -r shop.rules crawl.tsv -o /dev/null
