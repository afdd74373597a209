# learn --site-sample: a large site is learned from a sample and its rules are counted on all of it; the same from any
# order, threads and memory; nothing changes where all fits.
. "$ROOT/tests/cli/common"
plant --urls 12000 --hosts 2 --host-zipf 1 --seed 5 --clusters sites.tsv --truth truth.rules
mkdir tmp

echo "== all fits: as without a sample"
dustpan learn -q --site-sample 0 -o whole.rules sites.tsv
dustpan learn -q --site-sample 12000 sites.tsv | cmp - whole.rules && echo same

echo
echo "== a sample: the same planted rules, with counts of all URLs"
dustpan learn -o sampled.rules --site-sample 3000 sites.tsv 2>&1 | grep -E 'a sample|on 2 sites'
plant score --truth truth.rules --rules whole.rules | sed -n 2p
plant score --truth truth.rules --rules sampled.rules | sed -n 2p

echo
echo "== any order, threads and memory"
{ head -n 1 sites.tsv && tail -n +2 sites.tsv | sort -r; } >turned.tsv
dustpan learn -q --site-sample 3000 --threads 1 turned.tsv | cmp - sampled.rules && echo same
for method in auto tree; do
    dustpan learn -q --method $method --site-sample 3000 sites.tsv >in.rules
    dustpan learn -q --method $method --site-sample 3000 --memory 9M --tmp tmp --threads 3 turned.tsv |
        cmp - in.rules && echo same
done
ls -A tmp

echo
echo "== what it is not for"
dustpan learn -q --method dust --site-sample 10 sites.tsv >1.rules
dustpan learn -q --method dust sites.tsv | cmp - 1.rules && echo same
t dustpan learn --site-sample many sites.tsv
