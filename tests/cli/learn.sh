# dustpan learn: what it reads, writes and says; options; bad input.
. "$ROOT/tests/cli/common"

awk 'BEGIN {
    print "cluster\turl"
    for (i = 0; i < 80; i++) {
        printf "p%d\thttp://shop.example/item/%d\np%d\thttp://shop.example/item/%d?sid=%d\n", i, i, i, i, i * 37 % 101
        printf "q%d\thttp://shop.example/list?page=%d\n", i, i
    }
}' >shop.tsv

echo "== a rule file, and what it is worth"
t dustpan learn --method tree shop.tsv
t dustpan learn --method tree -q -o shop.rules shop.tsv
t dustpan rules check shop.rules
t dustpan learn --method tree -q --keep page,lang -o keep.rules shop.tsv
grep keep keep.rules
dustpan learn --method tree --json -q shop.tsv 2>&1 >/dev/null | tr ',' '\n' | grep -e held -e '"rules"' -e evidence

echo
echo "== evidence and its strength"
dustpan learn --method tree -q --labels near shop.tsv | grep -c '^likely'
dustpan learn --method tree -q --labels near --trust near shop.tsv | grep -c '^likely'
awk -F '\t' 'NR > 1 && /sid/ { split($2, u, "?"); print $2 "\t" u[1] }' shop.tsv >pairs.tsv
dustpan learn --method tree -q --format pairs pairs.tsv | grep -v '^#'
awk -F '\t' '{ print NR == 1 ? "url\tdigest" : $2 "\t" $1 }' shop.tsv | dustpan learn --method tree -q | grep -c by=digest

echo
echo "== the order of the input and the number of threads do not matter"
{ head -n 1 shop.tsv && tail -n +2 shop.tsv | sort -r; } >turned.tsv
dustpan learn --method tree -q --threads 4 turned.tsv | cmp - shop.rules && echo same
gzip -c shop.tsv | dustpan learn --method tree -q - | cmp - shop.rules && echo same
dustpan learn --method tree --site host -q shop.tsv | tail -n +3 >1
tail -n +3 shop.rules | cmp - 1 && echo same

echo
echo "== what the paper accepts"
dustpan learn --method tree --accept paper shop.tsv >/dev/null

echo
echo "== bad input"
t dustpan learn nowhere.tsv
: | t dustpan learn --method dust
printf 'x\tmailto:me\n' | t dustpan learn --method tree --format clusters
printf 'cluster\turl\nx\thttp://a.com/\n' | t dustpan learn --method tree
printf 'url\tstatus\nhttp://a.com/\tx\nhttp://a.com/1\t404\n' >bad.tsv
t dustpan learn --method dust bad.tsv
t dustpan learn --method dust --strict bad.tsv
t dustpan learn --method frobnicate shop.tsv 2>&1 | sed 's/expected .*, found/expected METHOD, found/'
t dustpan learn --method tree --MS 3 shop.tsv
t dustpan learn --min-precision 2 shop.tsv
t dustpan learn --keep 'a b' shop.tsv
t dustpan learn --trust magic shop.tsv
t dustpan learn --memory lots shop.tsv
t dustpan learn --validate <shop.tsv
t dustpan learn --method tree -q -o nowhere/out shop.tsv
dustpan learn --method tree -q shop.tsv >/dev/full
echo "exit $?"

echo
echo "== no rule: an old file with rules stays"
printf 'x\thttp://a.com/1\ny\thttp://a.com/2\n' >apart.tsv
cp shop.rules old.rules
t dustpan learn -o old.rules apart.tsv
cmp old.rules shop.rules && echo "as it was"
t dustpan learn -q -o none.rules apart.tsv
t dustpan learn -q -o none.rules apart.tsv
