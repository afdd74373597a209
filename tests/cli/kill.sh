# kill -9 during apply -o: no FILE, or the old one, and a rerun gives what an undisturbed run gives. SIGTERM and
# SIGHUP leave no file aside either.
. "$ROOT/tests/cli/common"
mkfifo pipe

# Start apply on a pipe that does not end, feed it some lines, wait until its file aside holds the answers.
begin() {
    dustpan apply -q -r site.rules --line-buffered -o keys <pipe &
    pid=$!
    exec 3>pipe
    cat urls >&3
    i=0
    until [ -n "$(find . -name '.keys.*.tmp' -size +0)" ] || [ $i -ge 100 ]; do
        sleep .1
        i=$((i + 1))
    done
}

end() {
    kill "-$1" $pid
    exec 3>&-
    wait $pid 2>/dev/null
    echo "$1: exit $?"
    cat keys 2>/dev/null || echo "no keys"
    find . -name '.keys.*' | wc -l
}

begin
end KILL
rm -f .keys.*
begin
end TERM
echo old >keys
begin
end KILL
rm -f .keys.*
begin
end HUP
t dustpan apply -q -r site.rules urls -o keys
dustpan apply -q -r site.rules urls | cmp - keys && echo "a rerun gives the same"
ls -A

echo
echo "== rules merge"
mkfifo more
echo old >merged.rules
dustpan rules merge -o merged.rules site.rules more &
pid=$!
exec 3>more
printf 'dustpan-rules 1\nhost a.com\n' >&3
sleep .2
kill -KILL $pid
exec 3>&-
wait $pid 2>/dev/null
echo "exit $?"
cat merged.rules
printf 'dustpan-rules 1\nhost a.com\ndrop ?x\n' >more.rules
dustpan rules merge -o merged.rules site.rules more.rules
dustpan rules merge site.rules more.rules | cmp - merged.rules && echo "a rerun gives the same"
find . -name '.merged*' | wc -l
