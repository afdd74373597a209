# learn --state S --update twice at the same time: the second waits, and no record is lost.
. "$ROOT/tests/cli/common"

# records HOST COUNT: pages of a host, each with a URL beside it
records() {
    awk -v h="$1" -v n="$2" 'BEGIN { print "# cluster\turl"
        for (i = 0; i < n; i++) {
            print h i "\thttps://" h ".example/p/" i
            print h i "\thttps://" h ".example/p/" i "?sid=" i * 7
        } }'
}

# Wait until the state is locked, or the file that is named has something in it.
await() {
    i=0
    until if [ "$1" = state ]; then ! flock -n state true; else [ -s "$1" ]; fi || [ $i -ge 200 ]; do
        sleep .05
        i=$((i + 1))
    done
}

records base 60 >base.tsv
records aaaa 60 >a.tsv
records bbbb 60 >b.tsv
mkfifo slow
dustpan learn -q base.tsv a.tsv b.tsv -o all.rules

echo "== one after another"
dustpan learn -q --state state base.tsv -o out.rules
dustpan learn -q --state state --update slow -o out.rules &
first=$!
exec 3>slow
await state
dustpan learn --state state --update b.tsv -o out.rules 2>said 3>&- &
second=$!
await said
cat said
cat a.tsv >&3
exec 3>&-
wait $first
echo "first: exit $?"
wait $second
echo "second: exit $?"
cmp out.rules all.rules && echo "all records are there"
dustpan learn --state state --update a.tsv -o out.rules 2>&1 | grep state

echo
echo "== the first is killed"
dustpan learn -q --state state base.tsv -o out.rules
dustpan learn -q --state state --update slow -o out.rules &
first=$!
exec 3>slow
await state
: >said
dustpan learn --state state --update b.tsv -o out.rules 2>said 3>&- &
second=$!
await said
head -n 1 said
kill -KILL $first
exec 3>&-
wait $first 2>/dev/null
wait $second
echo "second: exit $?"
dustpan learn -q --state state --update a.tsv -o out.rules && cmp out.rules all.rules && echo "all records are there"

echo
echo "== what cannot be locked"
mkdir folder
t dustpan learn --state folder a.tsv
