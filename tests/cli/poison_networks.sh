# a network does not lead from one owner's domain to another's: rules that it proposes are likely at most, and a model file has
# no such translations; of one owner the first domain leads, whatever the length of its name
. "$ROOT/tests/cli/common"

awk 'BEGIN {
    for (i = 0; i < 200; i++) {
        for (k = 0; k < 2; k++) {
            host = k ? "a.net" : "victim.com"
            print "q" i "\thttp://" host "/q/" 1000 + i
            print "q" i "\thttp://" host "/questions/" 1000 + i "/title-" 7 * i
        }
    }
}' >clusters.tsv
printf '%s\n' http://victim.com/questions/77/never-seen http://a.net/questions/77/never-seen >new
learn() {
    rm -f m
    dustpan learn -q --method seq2seq --hidden 24 --epochs 12 --model m -o site.rules "$@" clusters.tsv
    grep -v '^#' site.rules | sed 's/p=[.0-9]* //; s/  */ /g'
    dustpan apply -q --model m new
}
echo "== two owners"
learn
echo "== one owner"
echo 'victim.com a.net' >owners
learn --same-owner owners
