# URLs of one XXH3, which anybody can make: none hides another, and none makes another slow.
. "$ROOT/tests/cli/common"
printf 'dustpan-rules 1\nhost any\ndrop ?sid\n' >any.rules
python3 "$ROOT/tests/support/collide.py" 2000 >same.txt

echo "== every one of them is a key"
t sh -c 'dustpan apply -q -r any.rules --unique same.txt | wc -l'
t sh -c 'dustpan apply -q -r any.rules --unique --memory 64K same.txt same.txt | wc -l'
t sh -c 'dustpan apply -q -r any.rules --unique --seen seen same.txt | wc -l'
t sh -c 'dustpan apply -q -r any.rules --unique --seen seen same.txt | wc -l'
