# dustpan seen --rollback: what a wrong rule has hidden comes back, and what was fetched stays seen.
. "$ROOT/tests/cli/common"
cat >shop.rules <<'END'
dustpan-rules 1
host shop.example
drop ?sid                                                    [p=.998 n=212 neg=0 by=text]
drop ?view                                                   [p=.995 n=90 neg=0 by=text]
END
sed 's/^drop ?view/off &/' shop.rules >new.rules
cat >found <<'END'
http://shop.example/x?view=2
http://shop.example/x
http://shop.example/x?sid=7#top
http://shop.example/x?view=2
http://shop.example/y
http://shop.example/y?sid=3
http://shop.example/y?sid=3
http://shop.example/z?sid=1
not a URL
not a URL
END
long=http://shop.example/$(printf 'l%.0s' $(seq 600))
printf '%s\n' "$long?view=1" "$long?view=2" >>found
short() { sed 's/l\{600\}/LONG/'; }
dustpan apply -q -r shop.rules --unique --seen seen --remember found | short
t dustpan seen seen | grep -v ^bytes
t dustpan seen --json seen | sed "s/\"bytes\":[0-9]*/\"bytes\":.../"
cp seen copy

echo
echo "== /x was fetched with view=2 alone: what only sid has hidden stays where it is"
dustpan seen --rollback 32a858d0 seen 2>said | short
cat said
t dustpan seen seen | grep -v ^bytes
echo "-- under the old rules its keys are seen no longer"
dustpan apply -q -r shop.rules --unique --seen seen found | short
echo "-- under the new ones, what was fetched is seen"
cp copy seen
dustpan seen -q --rollback 32a858d0 -o again seen
t dustpan apply -q -r new.rules --unique --seen seen again
dustpan apply -r new.rules --unique --seen seen --rekey again 2>said | short
head -1 said
dustpan apply -q -r new.rules --unique --seen seen found | short

echo
echo "== the same when the keys were converted first"
cp copy seen
dustpan apply -q -r new.rules --unique --seen seen --rekey found | short
dustpan seen -q --rollback 32a858d0 --json seen | short

echo
echo "== records, and redirects: the source was fetched, too"
printf 'url\tstatus\nhttp://shop.example/r?view=1\t200\nhttp://shop.example/r\t200\n' >rec.tsv
dustpan apply -q -r shop.rules --unique --seen records --remember rec.tsv
t dustpan seen --rollback 32a858d0 records
echo http://shop.example/s >targets
dustpan apply -q -r shop.rules --unique --seen redirects --remember --source 'http://shop.example/s?view=9' targets
echo http://shop.example/s?sid=1 | dustpan apply -q -r shop.rules --unique --seen redirects
t dustpan seen --rollback 32a858d0 redirects

echo
echo "== a domain whose pages another has copied: nothing of either is lost"
cat >copy.rules <<'END'
dustpan-rules 1
host a.net, victim.com
//a.net/{**} => //victim.com/{**}                            [p=.99 n=40 neg=0 by=text across=copies]
drop ?view                                                   [p=.99 n=40 neg=0 by=text]
END
printf '%s\n' 'http://victim.com/p?view=1' http://a.net/p http://victim.com/p | dustpan apply -q -r copy.rules --unique --seen mirror --remember
dustpan seen -q --rollback "$(dustpan explain -r copy.rules 'http://victim.com/?view=1' | sed -n '2s/ *\([0-9a-f]*\).*/\1/p')" mirror

echo
echo "== each URL once in the end, whoever is killed and whenever"
seq 1 3000 | sed 's|.*|http://shop.example/&?view=1\nhttp://shop.example/&?view=2\nhttp://shop.example/&?sid=4|' >many
for i in 1 2 3 4; do
    sh -c 'while read -r line; do echo "$line"; done' <many | dustpan apply -q -r shop.rules --unique --seen killed --remember --line-buffered >>fetched &
    pid=$!
    sleep ".$((i * 13 % 7 + 1))"
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
done
dustpan apply -q -r shop.rules --unique --seen killed many >>fetched
for i in 1 2 3; do
    dustpan seen -q --rollback 32a858d0 killed | sh -c 'while read -r line; do echo "$line"; done' >part &
    pid=$!
    sleep ".0$i"
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
done
wait
dustpan seen -q --rollback 32a858d0 killed >last
dustpan apply -q -r new.rules --unique --seen killed --rekey part last >>fetched
sed 's/?sid=4//' fetched | sort -u | wc -l

echo
echo "== what makes no sense"
dustpan apply -q -r shop.rules --unique --seen plain found >out
t dustpan apply -r shop.rules --unique --seen plain --remember found
t dustpan seen plain | grep -v ^bytes
t dustpan seen --rollback 32a858d0 plain
t dustpan seen --rollback 32a8 seen
t dustpan seen nowhere
t dustpan seen shop.rules
t dustpan seen
t dustpan apply -r shop.rules --remember found
