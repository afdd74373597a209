# plant: the same bytes for the same options, counts near what was asked, a truth that is true, a scorer that can tell.
. "$ROOT/tests/cli/common"
fields() { grep -v '^#' "$2" | cut -f "$1"; }
different() { sort -u | wc -l | tr -d ' '; }

# near WHAT GOT WANTED PERCENT
near() { awk -v w="$1" -v a="$2" -v b="$3" -v p="$4" 'BEGIN {
    d = 100 * (a - b) / b; print w ": " (d <= p && d >= -p ? "within " p " % of " b : a " is not near " b) }'; }

# Every page one key, every key one page: pages, keys and pairs of both are equally many.
true_truth() {
    plant "$@" --pages pages.tsv --truth truth.rules
    dustpan rules check truth.rules >check.txt || cat check.txt
    fields 2 pages.tsv | dustpan apply --quiet -r truth.rules >keys
    fields 1 pages.tsv | paste - keys | sort -u >pairs
    a=$(cut -f 1 pairs | different) b=$(cut -f 2 pairs | different) c=$(different <pairs)
    if [ "$a" = "$b" ] && [ "$b" = "$c" ]; then echo true; else echo "plant $*: $a pages, $b keys, $c pairs"; fi
}

echo "== options"
t plant --version
plant --help | grep -c -e --
t plant --urls 0
t plant --noise 2
t plant --only slug,plug
t plant --preset www
t plant --colour red
t plant --urls
t plant 7
t plant --lines /nowhere/x

echo
echo "== version 1 is these bytes: whoever changes them makes it another version"
plant --all a --urls 5000 --hosts 20 --seed 7 --noise .02 --missing .2 --size-jitter 30
plant --all h --urls 5000 --hosts 20 --seed 7 --hard --crawl 1000
md5sum a.* h.* | cut -c 1-8,33-
plant --lines - --urls 3 --hosts 1 | tail -n 2

echo
echo "== same options, same bytes, whatever is asked for at once"
plant --clusters b.tsv --urls 5000 --hosts 20 --seed 7 --noise .02 --missing .2 --size-jitter 30
cmp a.clusters.tsv b.tsv && echo same
plant --clean b.tsv --urls 5000 --hosts 20 --seed 8 --missing .2
cmp -s a.clean.tsv b.tsv || echo "another seed, other bytes"

echo
echo "== kinds of web software: only where they are named"
for seed in 1 2 3; do true_truth --only software,plain,pagination,parameter-set --urls 4000 --hosts 20 --seed $seed; done

echo
echo "== counts"
for preset in "sigir17 --redundant .307" "sigir17 --redundant .06" "kdd08 --urls 50000 --contents 11626 --hosts 20"; do
    # shellcheck disable=SC2086  # several words
    plant --preset $preset --clean c.tsv --lines c.urls
    echo "$preset: $(fields 1 c.urls | different) URLs"
    case $preset in *.307) want=13860 ;; *.06) want=18800 ;; *) want=11626 ;; esac
    near contents "$(fields 1 c.tsv | different)" $want 2
done
plant --singletons .8 --clean c.tsv --urls 30000
near "singletons in 1000" "$(fields 1 c.tsv | sort | uniq -c | awk '$1 == 1 { n++ } END { print int(1000 * n / NR) }')" 800 2
plant --noise .1 --clusters c.tsv --clean d.tsv --urls 30000
near "wrong labels in 1000" "$(paste c.tsv d.tsv | awk '$1 != $3 { n++ } END { print 1000 * n / NR }')" 100 8
plant --truth c.rules --hosts 300 && grep '^host ' c.rules | different
plant --missing .99 --singletons 0 --clean c.tsv --urls 30000
near "contents, nearly all duplicates missing" "$(fields 1 c.tsv | different)" 29500 3

echo
echo "== equal contents have equal sizes and sketches; a log holds every URL"
plant --clean c.tsv --list l.tsv --log l.log --urls 3000 --hosts 1
fields 2,3,4 l.tsv | grep '^200' >l.facts
fields 1 c.tsv | paste - l.facts | sort -u | cut -f 1 | uniq -d | wc -l | tr -d ' '
echo "sizes are not names: $([ "$(cut -f 2 l.facts | different)" -lt "$(cut -f 3 l.facts | different)" ] && echo yes)"
grep -c ' 404 512 ' l.log
sed -n 's/.*"GET \([^ ]*\) .*" 200 .*/\1/p' l.log | sort -u >l.paths
fields 1 l.tsv | grep -v '~gone' | sed 's|^[a-z]*://[^/]*||' | sort -u | comm -23 - l.paths | wc -l | tr -d ' '

echo
echo "== the truth is true"
for seed in 1 2 3 4 5 6; do
    true_truth --urls 10000 --hosts 56 --seed $seed
    true_truth --urls 10000 --hosts 56 --seed $seed --hard --singletons .8 --missing .5
done
true_truth --urls 20000 --hosts 1 --seed 9 --crawl 5000 --singletons 0

echo
echo "== score"
plant --truth t.rules --decoys t.decoys --urls 20000 --hosts 28 --seed 5
plant --truth h.rules --decoys h.decoys --urls 20000 --hosts 20 --seed 5 --hard
printf 'dustpan-rules 1\n' >none.rules
printf 'dustpan-rules 1\nhost any\ndrop ?*\n/{**} => /\n' >drop.rules
summary() { grep -e recall -e precision -e 'decoys fallen' -e 'good merges'; }
for rules in t.rules none.rules drop.rules; do
    echo "$rules"
    plant score --truth t.rules --decoys t.decoys --rules $rules --urls 20000 --seed 2 | summary
done
echo "hard"
plant score --truth h.rules --rules h.rules --urls 20000 --seed 2 | summary
plant score --truth h.rules --rules h.rules --urls 20000 --seed 2 --json | tr ',{' '\n\n' | grep -e recall -e '"f1"' -e fallen
# One planted rule less, one wrong rule more: both are found and named.
host=$(sed -n 's/^host \([^,]*\).*/\1/p' t.rules | head -n 1)
sed '/query-to-path/d' t.rules >less.rules
printf 'host %s\n/{a}/{b} => /{a}/x\n' "$host" >>less.rules
plant score --truth t.rules --rules less.rules --urls 20000 >less.txt
awk '/^missed/ { on = 1 } on && /=>/ { n++ } END { print (n > 3 ? "missed rules are listed" : n) }' less.txt
grep -c '/{a}/{b} => /{a}/x' less.txt
t plant score --truth t.rules --rules none.rules --urls 1000 --fail-under recall=.5 | grep exit
t plant score --truth none.rules --rules none.rules
t plant score --truth t.rules
t plant score --truth t.rules --rules missing.rules
printf 'dustpan-rules 1\nhost a.com\nfold case pth\n' >bad.rules
t plant score --truth t.rules --rules bad.rules
sed 's/^# plant 1 /# plant 99 /' t.rules >old.rules
t plant score --truth old.rules --rules t.rules
