# dustpan audit: the example of docs/audit.md, every option, bad input, exit codes.
. "$ROOT/tests/cli/common"
# The example stands in the document; what it says is what is run here.
block() { awk -v name="<!-- $1 -->" '$0 == name { on = 1; next } on && /^```/ { if (++n == 2) exit; next } on' "$ROOT/docs/audit.md"; }
for name in shop.rules today.tsv output new.rules; do
    block $name >"$name"
done
dustpan audit -r shop.rules today.tsv -o got.rules >got
echo "exit $?"
diff output got && diff new.rules got.rules && echo "docs/audit.md tells the truth"

echo
echo "== options"
t dustpan audit -r shop.rules today.tsv --json --pairs 3
t dustpan audit -r shop.rules today.tsv --pairs 3 --examples raw --noise 0
t dustpan audit -r shop.rules today.tsv --pairs 0 --noise .3
t dustpan audit -r got.rules -q <today.tsv
t dustpan audit -r got.rules today.tsv -q -o again.rules
cmp got.rules again.rules && echo "nothing more to retire"
printf 'dustpan-rules 1\nhost shop.example\npin drop ?view  # by hand\n' >pinned.rules
t dustpan audit -r pinned.rules today.tsv -q -o again.rules
cmp pinned.rules again.rules && echo "pinned rules stay"
printf 'dustpan-rules 1\nhost shop.example\ndrop ?view  # why\nhost shop.example off\ndrop ?sid\n' >plain.rules
t dustpan audit -r plain.rules --promise .1 today.tsv
cut -f 1,2 today.tsv | dustpan audit -r plain.rules -o - >both
cat both
dustpan rules compile shop.rules -o shop.dpc
dustpan audit -r shop.dpc today.tsv | cmp - got && echo "the same from compiled rules"

echo
echo "== what is no answer"
t dustpan audit today.tsv
t dustpan audit -r shop.rules --pairs 4 today.tsv
t dustpan audit -r shop.rules --noise 2 today.tsv
t dustpan audit -r shop.rules nowhere.tsv
t dustpan audit -r nowhere.rules today.tsv
t dustpan audit -r - <today.tsv
t dustpan audit -r shop.rules today.tsv -q -o /nowhere/x
printf 'http://a.com/\nhttp://b.com/\n' >list
t dustpan audit -r shop.rules list

echo
echo "== what is said"
printf 'A\thttp://a.com/1\nA\thttp://a.com/1?x\nB\thttp://a.com/1\nno tab\nC\tnonsense\n' >odd.tsv
t dustpan audit -r shop.rules --format clusters odd.tsv
t dustpan audit -r shop.rules --format clusters --strict odd.tsv

echo
echo "== rules that are right, under labels that are wrong now and then; and three that are wrong"
for noise in 0 .02 .05; do
    plant --urls 20000 --hosts 14 --seed 7 --noise $noise --clusters site.tsv --truth right.rules
    echo "noise $noise: $(dustpan audit -r right.rules site.tsv -q | sed -n 3p)"
done
plant --urls 20000 --hosts 14 --seed 7 --noise .02 --clusters site.tsv --truth right.rules
(cat right.rules; sed -n 's/^host \([^ ,]*\).*/\1/p' right.rules | head -n 3 | sed 's|.*|host &\n/{a}/{b} => /{a}|') >some.rules
dustpan audit -r some.rules site.tsv -q -o less.rules | sed -n 3p
grep -c '^off /{a}/{b} => /{a}  # turned off' less.rules

echo
echo "== with the others in force: the second rule never sees what the first has taken away"
printf '%s\n' 'dustpan-rules 1' 'host a.org' '/shop/{id:int} => /shop-{id} [p=.99]' '/{any}/{id:int} => /x/{id} [p=.99]' >order.rules
for n in $(seq 40); do printf '%s\n' "s$n	http://a.org/shop/$n" "s$n	http://a.org/shop-$n" "b$n	http://a.org/blog/$n" "b$n	http://a.org/x/$n"; done >order.tsv
dustpan audit -q -r order.rules order.tsv
sed '3d' order.rules >alone.rules
dustpan audit -q -r alone.rules order.tsv | sed -n '/^rule/,$p'

echo
echo "== a rule that has nothing to do while another is in force is judged, too, once that is off"
printf '%s\n' 'dustpan-rules 1' 'host a.org' 'drop ?view [p=.99]' 'drop ?view,tab on /{a} [p=.99]' >behind.rules
for n in $(seq 60); do printf '%s\n' "c$n	http://a.org/p$n" "d$n	http://a.org/p$n?view=2"; done >behind.tsv
t dustpan audit -r behind.rules behind.tsv -o both.rules
cat both.rules
dustpan audit -q -r both.rules behind.tsv -o again.rules >/dev/null
cmp both.rules again.rules && echo "nothing more to retire"
