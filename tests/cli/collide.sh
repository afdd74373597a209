# URLs of one XXH3, which anybody can make: none hides another, and none makes another slow.
. "$ROOT/tests/cli/common"
printf 'dustpan-rules 1\nhost any\ndrop ?sid\n' >any.rules
python3 "$ROOT/tests/support/collide.py" 2000 >same.txt

echo "== every one of them is a key"
t sh -c 'dustpan apply -q -r any.rules --unique same.txt | wc -l'
t sh -c 'dustpan apply -q -r any.rules --unique --memory 64K same.txt same.txt | wc -l'
t sh -c 'dustpan apply -q -r any.rules --unique --seen seen same.txt | wc -l'
t sh -c 'dustpan apply -q -r any.rules --unique --seen seen same.txt | wc -l'

echo
echo "== learn, eval, cluster: all URLs of a site"
awk '{ print NR "\t" $0 }' same.txt >same.tsv
t sh -c 'dustpan learn same.tsv -o same.rules 2>&1 | grep "URLs on"'
t sh -c 'dustpan eval -q -r any.rules same.tsv | head -n 1'
awk 'BEGIN { print "url\tdigest" } { print $0 "\td" int((NR - 1) / 2) % 1000 }' same.txt same.txt >twice.tsv
t sh -c 'dustpan cluster -q twice.tsv | wc -l'

echo
echo "== a domain with the hash of another silences nobody"
evil=zs3f1ieugph77llfugl6eypq7p9nakthcl6az02tf48skot80getzps6nquy.com
awk -v evil=$evil 'BEGIN {
    for (i = 0; i < 40; i++) printf "e%d\thttps://%s/%d\n", i, evil, i
    for (i = 0; i < 200; i++) for (k = 0; k < 2; k++) printf "v%d\thttps://victim.com/p%d?sid=%d\n", i, i, 2 * i + k
}' >both.tsv
t sh -c 'dustpan learn -q both.tsv | grep -v "^#"'
t sh -c 'dustpan learn -q --site domain both.tsv | grep -v "^#"'
