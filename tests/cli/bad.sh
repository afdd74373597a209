# Bad input and output: a clear message, exit 2, nothing half-written.
. "$ROOT/tests/cli/common"
echo "== input"
t dustpan apply -r site.rules missing
t dustpan apply -r site.rules .
t dustpan apply -r site.rules <.
t dustpan apply -r site.rules urls missing -o keys

echo
echo "== rules"
printf 'dustpan-rules 1\nhost a.com\nfold case pth\n' >typo.rules
printf 'dustpan-rules 1\nhost a.com\n/{x} => /y{x}\n' >loop.rules
: >empty.rules
t dustpan apply -r typo.rules urls
t dustpan apply -r loop.rules urls
t dustpan apply -r empty.rules urls
t dustpan apply -r missing.rules urls
t dustpan apply -r . urls
t dustpan apply -r site.rules -r typo.rules urls
t dustpan explain -r typo.rules a.com
t dustpan rules fmt typo.rules -o typo.rules
t cat typo.rules

echo
echo "== compiled rules, cut or changed in any place"
dustpan rules compile site.rules -o good.dpc
size=$(wc -c <good.dpc)
refused=0
tried=0
at=0
while [ $at -lt "$size" ]; do
    head -c $at good.dpc >cut.dpc
    { head -c $at good.dpc; printf '\377\376'; tail -c +$((at + 3)) good.dpc; } >changed.dpc
    for file in cut.dpc changed.dpc; do
        cmp -s good.dpc $file && continue
        dustpan apply -q -r $file urls >out 2>message
        [ $? = 2 ] && [ -s message ] && ! grep -q -i sanitizer message && refused=$((refused + 1))
        tried=$((tried + 1))
    done
    at=$((at + size / 40))
done
[ $refused = $tried ] && echo "all refused" || echo "$refused of $tried refused"
head -c 100 good.dpc >cut.dpc
t dustpan apply -q -r cut.dpc urls
t dustpan apply -q -r site.rules -r cut.dpc urls
t dustpan rules fmt cut.dpc

echo
echo "== output"
t dustpan apply -q -r site.rules urls -o missing/keys
t dustpan apply -q -r site.rules urls -o .
t dustpan apply -q -r site.rules urls -o /dev/full
t dustpan apply -q -r site.rules urls --counts missing/counts -o keys
t dustpan apply -q -r site.rules urls --counts /dev/full -o keys
t dustpan rules compile site.rules -o missing/rules
t dustpan rules fmt site.rules -o missing/rules
t dustpan rules merge site.rules -o /dev/full
dustpan apply -q -r site.rules urls >/dev/full
echo "exit $?"
dustpan explain -r site.rules a.com/ >/dev/full
echo "exit $?"
dustpan rules show site.rules >/dev/full
echo "exit $?"
dustpan --help >/dev/full
echo "exit $?"
dustpan --version >/dev/full
echo "exit $?"
dustpan apply --help >/dev/full
echo "exit $?"
echo "old" >keys
t dustpan apply -q -r site.rules urls missing -o keys
cat keys
ls -A
