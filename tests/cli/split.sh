# dustpan split: two files by cluster, whole or not at all.
. "$ROOT/tests/cli/common"
awk 'BEGIN { for (i = 0; i < 40; i++) { printf "c%d\thttp://a.com/%d\n", i, i; if (i % 4 == 0) printf "c%d\thttp://a.com/%d?s=1\n", i, i }
             print "only\thttp://only.com/" }' >all.tsv
t dustpan split all.tsv -o half
sort half.train.tsv half.test.tsv >both
sort all.tsv | cmp - both && echo "every line is in one of them"
cut -f 1 half.train.tsv | sort -u >clusters
cut -f 1 half.test.tsv | sort -u | comm -12 - clusters | wc -l
grep only half.train.tsv
dustpan split - -o again <all.tsv
cmp half.test.tsv again.test.tsv && cmp half.train.tsv again.train.tsv && echo "the same again"
dustpan split all.tsv -o other --seed 1
cmp -s half.test.tsv other.test.tsv || echo "another seed, another half"
t dustpan split all.tsv -o none --test 0
t dustpan split all.tsv -o most --test 1 -q
wc -l <most.train.tsv

echo
echo "== whole or not at all"
mkdir work
cp all.tsv work
cd work || exit 2
find . -type f >../before
printf 'http://a.com/\n' >list
t dustpan split list -o x
t dustpan split nowhere -o x
t dustpan split all.tsv -o nowhere/x
t dustpan split all.tsv
t dustpan split all.tsv -o x --test 2
mkdir y.test.tsv
t dustpan split all.tsv -o y
rm -r y.test.tsv list
find . -type f | diff ../before - && echo "nothing is left"
cd .. || exit 2

echo
echo "== what is said"
printf 'A\thttp://a.com/\nno tab\nB\tnonsense\nC\thttp://a.com/c\n' >odd.tsv
t dustpan split odd.tsv --format clusters -o odd
t dustpan split odd.tsv --format clusters --strict -o strict
printf '{"url":"http://a.com/","cluster":"x\\ty"}\n{"url":"http://a.com/a","cluster":"z"}\n' >tab.jsonl
t dustpan split tab.jsonl -o tab

echo
echo "== a URL that one file names and another shows"
printf 'A\thttp://a.com/1\nB\thttp://a.com/2\n' >named.tsv
printf '{"url":"http://a.com/%d","digest":"d%d","size":900}\n' 1 1 2 1 3 3 >shown.jsonl
for order in "named.tsv shown.jsonl" "shown.jsonl named.tsv"; do
    # shellcheck disable=SC2086  # two files
    dustpan split -q -o mixed $order
    sort mixed.train.tsv mixed.test.tsv
done
