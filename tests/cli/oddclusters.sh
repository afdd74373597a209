# dustpan learn --method tree, rewrite and duster on clusters that are odd: what they write, and that they end well.
. "$ROOT/tests/cli/common"

echo "only http://a.com/" | tr ' ' '\t' >one
awk 'BEGIN { for (i = 0; i < 2000; i++) printf "p%d\thttp://a.com/%d?x=%d\n", i, i % 50, i }' >single
awk 'BEGIN { for (i = 0; i < 4000; i++) printf "all\thttp://a.com/%d/%d?x=%d\n", i % 7, i, i * i }' >giant
awk 'BEGIN { for (i = 0; i < 60; i++) printf "p%d\thttp://a.com/x/%d\np%d\thttp://www.b.org/x/%d\n", i, i, i, i }' >hosts
# Each URL stands in two clusters: they contradict each other.
awk 'BEGIN { for (i = 0; i < 400; i++) {
    printf "p%d\thttp://a.com/%d?sid=%d\n", i % 40, i % 40, i
    printf "q%d\thttp://a.com/%d?sid=%d\n", i % 39, i % 40, i } }' >torn
plant --urls 20000 --hosts 1 --seed 3 --clusters crowd

for input in one single giant hosts torn crowd; do
    for method in tree rewrite duster; do
        rm -f rules
        dustpan learn -q --method $method --format clusters -o rules $input
        echo "$input, $method: exit $?, $(grep -vc '^#\|^dustpan-rules\|^host ' rules) rules" |
            sed '/^crowd/s/[1-9][0-9]* rules/some rules/'
        dustpan rules check rules
    done
done
echo "== across hosts"
dustpan learn -q --method tree --format clusters hosts | grep -v '^#'
