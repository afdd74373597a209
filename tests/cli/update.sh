# learn --state and --update: learned in two parts is learned at once; what people decided stays; without a state the
# rules that there are are counted.
. "$ROOT/tests/cli/common"
plant --urls 3000 --hosts 6 --seed 5 --clusters all.tsv
head -n 1 all.tsv >a.tsv && cp a.tsv b.tsv
tail -n +2 all.tsv | awk 'NR % 3' >>a.tsv
tail -n +2 all.tsv | awk 'NR % 3 == 0' >>b.tsv
learn() {
    dustpan learn --method tree "$@"
}

echo "== in two parts"
learn -q -o all.rules all.tsv
learn -q --state state -o two.rules a.tsv
cmp -s two.rules all.rules || echo "a part alone gives other rules"
learn -q --state state --update -o two.rules b.tsv && cmp two.rules all.rules && echo same
learn --state state --update -o two.rules b.tsv 2>&1 | grep state
cmp two.rules all.rules && echo same
learn -q --memory 2M --tmp . --state state -o again.rules b.tsv
learn -q --memory 2M --tmp . --state state --update -o again.rules a.tsv && cmp again.rules all.rules && echo same
ls -A | grep -e '^dustpan-'

echo
echo "== pin and off stay, what has changed is said"
rule=$(awk '/\[p=/ { print NR; exit }' two.rules)
text=$(sed -n "${rule}s/ *\[.*//p" two.rules)
sed "${rule}s/^/off /; \$a host hand.example\npin drop ?mine" two.rules >kept.rules
learn --state state --update -o kept.rules b.tsv 2>&1 | grep -e 'as before'
grep -cF "off $text" kept.rules
grep -A 1 hand.example kept.rules
dustpan rules check kept.rules
sed '$a host old.example\ndrop ?gone [p=.99 n=50 neg=0 by=text]' two.rules >gone.rules
learn --state state --update -o gone.rules b.tsv 2>&1 | grep -e removed
cmp gone.rules all.rules && echo same

echo
echo "== without a state"
cat >old.rules <<'END'
dustpan-rules 1
host a.com
drop ?sid                                                    [p=.998 n=212 neg=0 by=text]
drop ?page                                                   [p=.99 n=40 neg=0 by=text]
pin drop ?id
END
awk 'BEGIN { print "cluster\turl"
    for (i = 0; i < 60; i++) {
        for (k = 0; k < 2; k++) print "s" i "\thttp://a.com/" i "?sid=" i * 7 + k
        for (k = 0; k < 3; k++) print "p" i "-" k "\thttp://a.com/list" i "?page=" k
    } }' >new.tsv
t learn --update -o old.rules new.tsv
cat old.rules
t learn --update new.tsv

echo
echo "== what is no state"
echo "this is a text" >text
t learn --state text a.tsv
t learn --state nowhere/state a.tsv
