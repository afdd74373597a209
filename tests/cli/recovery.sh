# our own learner on planted sites: the rules are found again, and promises are kept, with wrong labels and without
. "$ROOT/tests/cli/common"

# number NAME: the first field of that name in a JSON object
number() { tr ',{' '\n\n' | sed -n "s/^\"$1\"://p" | head -n 1; }

echo "== planted rules"
for noise in 0 .02; do
    plant --urls 6000 --hosts 6 --seed 5 --noise $noise --clusters planted.tsv --truth truth.rules
    dustpan learn -q -o learned.rules planted.tsv
    plant score --truth truth.rules --rules learned.rules --urls 20000 --fail-under recall=.9 --fail-under precision=.95 >score
    echo "noise $noise: $?"
done

echo
echo "== kinds of web software"
plant --urls 6000 --hosts 12 --seed 5 --only software,plain,pagination,parameter-set --clusters software.tsv --truth truth.rules
dustpan learn -q -o learned.rules software.tsv
plant score --truth truth.rules --rules learned.rules --urls 20000 --fail-under recall=.9 --fail-under precision=1 >score
echo "$?"

echo
echo "== promises: wrong merges of pages never seen stay within 1 - P"
plant --urls 6000 --hosts 12 --seed 9 --noise .02 --clusters noisy.tsv --clean clean.tsv
dustpan split -q --test 0.5 --seed 1 -o half clean.tsv
awk -F '\t' 'NR == FNR { in_half[$2]; next } $2 in in_half' half.train.tsv noisy.tsv >train.tsv
for promise in .8 .95 .99; do
    dustpan learn -q --min-precision $promise -o learned.rules train.tsv
    dustpan eval --json -r learned.rules half.test.tsv >said
    awk -v p=$promise -v good="$(number good_merges <said)" -v bad="$(number bad_merges <said)" \
        'BEGIN { print p ": " (good > 500 && bad <= (1 - p) * (good + bad) ? "kept" : "broken: " good " " bad) }'
done
