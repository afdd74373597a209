# learn --tmp in a folder that all may write to, such as /tmp: what another user has planted there is neither resumed nor
# written to, and no link is followed. As root: it plays two users.
. "$ROOT/tests/cli/common"
if [ "$(id -u)" != 0 ]; then
    echo "SKIP: needs root, to play two users"
    exit 77
fi
plant --urls 12000 --hosts 60 --seed 3 --clusters sites.tsv
cp "$(command -v dustpan)" program # where it was built others may not go
mkdir shared out
chmod 1777 shared
chmod 755 . program
chmod 644 sites.tsv
chown 12345 out
# as USER COMMAND...
as() {
    user=$1
    shift
    setpriv --reuid "$user" --regid "$user" --clear-groups "$@"
}
learn() {
    as 12345 ./program learn -q --method tree --memory 2M --threads 1 --tmp shared -o out/out.rules sites.tsv
}
# Learn, and say whether the rules are right.
victim() {
    rm -f out/out.rules
    learn && cmp out/out.rules whole.rules && echo same
}
./program learn -q --method tree sites.tsv -o whole.rules

echo "== the folder of a run that was killed: its name, and what is in it"
# Not through as(): the process to be killed must be the one that is started.
setpriv --reuid 12345 --regid 12345 --clear-groups ./program learn -q --method tree --memory 2M --threads 1 --tmp shared \
    -o out/out.rules sites.tsv &
pid=$!
i=0
until [ -n "$(find shared -name 1282)" ] || [ $i -ge 400 ]; do
    sleep .05
    i=$((i + 1))
done
kill -KILL $pid
wait $pid 2>/dev/null
name=$(ls shared)
echo "$name" | sed 's/[0-9a-f]\{16\}$/HASH/'
stat -c '%a %u' "shared/$name"
mv "shared/$name" killed

echo
echo "== links to a file of the victim's"
echo precious >precious
chmod 600 precious
chown 12345 precious
as 65534 mkdir "shared/$name"
as 65534 touch "shared/$name/lock"
as 65534 chmod 666 "shared/$name/lock"
for file in 0000 0001 0002 0003; do
    as 65534 ln -s "$PWD/precious" "shared/$name/$file"
done
victim
head -c 9 precious
find shared -type l | wc -l
rm -r "shared/$name"

echo
echo "== work files with nothing in them, ready to be resumed"
cp -r killed "shared/$name"
for file in "shared/$name"/0*; do
    : >"$file"
done
chown -R 65534 "shared/$name"
chmod -R a+rwX "shared/$name"
victim
find shared -name 1000 | wc -l
rm -r "shared/$name"

echo
echo "== a link to a folder of the victim's"
cp -r killed mine
echo precious >mine/0000
chown -R 12345 mine
as 65534 ln -s "$PWD/mine" "shared/$name"
victim
cat mine/0000
rm "shared/$name"

echo
echo "== his own folder is resumed, and nothing is left"
cp -r killed "shared/$name"
chown -R 12345 "shared/$name"
victim
ls -A shared
