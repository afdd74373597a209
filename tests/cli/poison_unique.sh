# under --unique a copy that is seen first does not hide the page: a learned rule that leads to another domain, which nobody
# vouches for, leaves out what was seen there and marks nothing
. "$ROOT/tests/cli/common"

for across in redirect canonical copies owner; do
    printf '%s\n' 'dustpan-rules 1' 'host any' 'drop ?sid' 'host a.net' \
        "//a.net/{**} => //victim.com/{**} [p=.99 n=40 neg=0 by=digest across=$across]" >$across.rules
done
sed 's/by=digest/by=redirect/' redirect.rules >fetched.rules
sed 's|^//a.net|pin &|' canonical.rules >pin.rules
cat >urls <<'END'
https://a.net/1?sid=1
https://a.net/1?sid=2
https://A.NET/1
https://victim.com/1
https://victim.com/1?sid=3
https://victim.com/2
https://a.net/2
https://www.victim.com/1
END
{ echo url; cat urls; } >records.tsv

for rules in redirect fetched canonical copies owner pin; do
    echo "== $rules: URLs to fetch, URLs as they were found, and records"
    dustpan apply -q -r $rules.rules --unique --form fetch urls
    dustpan apply -q -r $rules.rules --unique urls
    dustpan apply -q -r $rules.rules --unique --form key records.tsv
done

echo
echo "== the same by --json, --explain, records in SURT order, and compiled rules"
dustpan apply -q -r canonical.rules --unique --json urls | sed 's/,"rules.*//'
dustpan apply -q -r canonical.rules --unique --form fetch --explain urls
dustpan apply -q -r canonical.rules --unique --explain urls
dustpan apply -q -r canonical.rules --unique --form surt records.tsv
dustpan rules compile -o canonical.dpc canonical.rules
dustpan apply -q -r canonical.dpc --unique --form fetch urls

echo
echo "== keys are written once each: they are no copies"
dustpan apply -q -r canonical.rules --unique --form key urls
dustpan apply -q -r canonical.rules --unique --form surt urls

echo
echo "== over runs, in any order"
for order in 'copy page' 'page copy'; do
    rm -f seen seen-lock
    for step in $order copy page; do
        case $step in copy) grep -i a.net urls ;; page) grep victim urls ;; esac >part
        echo "$step:"
        dustpan apply -q -r canonical.rules --unique --seen seen --form fetch part
    done
    rm -f seen seen-lock
    for step in $order copy page; do
        case $step in copy) grep -i a.net urls ;; page) grep victim urls ;; esac >part
        echo "$step, as found:"
        dustpan apply -q -r canonical.rules --unique --seen seen part
    done
done
rm -f seen seen-lock
dustpan apply -q -r canonical.rules --unique --seen seen --form key records.tsv

echo
echo "== what a.net has redirected: its target is followed, and is victim.com's own"
rm -f seen seen-lock
printf '%s\n' https://a.net/1 https://a.net/1/ https://victim.com/1 >targets
dustpan apply -q -r canonical.rules --unique --source https://a.net/1 targets
for _ in 1 2; do dustpan apply -q -r canonical.rules --unique --seen seen --source https://a.net/1 targets; done
echo https://victim.com/1 | dustpan apply -q -r canonical.rules --unique --seen seen
echo "nowhere:"
rm -f seen seen-lock
echo https://elsewhere.com/ | dustpan apply -q -r canonical.rules --unique --seen seen --source https://a.net/1
echo https://victim.com/1 | dustpan apply -q -r canonical.rules --unique --seen seen

echo
echo "== keys of a.net under rules that came later"
rm -f seen seen-lock
printf '%s\n' 'dustpan-rules 1' 'host any' 'drop ?sid' >before.rules
printf '%s\n' https://a.net/1 https://a.net/3 | dustpan apply -q -r before.rules --unique --seen seen
for _ in 1 2; do
    printf '%s\n' https://victim.com/1 https://a.net/1?sid=4 https://a.net/3 |
        dustpan apply -q -r canonical.rules --unique --seen seen --rekey --form fetch
    echo -
done
dustpan apply -q -r before.rules --unique --seen seen --rekey --form fetch urls
