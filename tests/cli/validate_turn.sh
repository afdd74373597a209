# Figure 5 of DustBuster: a template is tested in the other direction, too; what refines a rule that holds is removed, whatever
# its kind and its host line.
. "$ROOT/tests/cli/common"

for i in $(seq 40); do
    printf 'd%d\thttp://a.com/d%d/\nd%d\thttp://a.com/d%d/index.html\ne%d\thttp://a.com/e%d/index.html\n' $i $i $i $i $i $i
    printf 'w%d\thttp://c.com/w%d\nw%d\thttp://www.c.com/w%d\nv%d\thttp://www.c.com/v%d\n' $i $i $i $i $i $i
    printf 't%d\thttp://a.com/t/t%d\nt%d\thttp://a.com/t/t%d/print\n' $i $i $i $i
done >dirs.tsv
cat >dirs.rules <<'END'
dustpan-rules 1
host a.com
likely /{**}/index.html => /{**}/
likely /t/t{n:int}/print => /t/t{n}
likely /{a}/{b}/print => /{b}
host c.com, www.c.com
likely http://www.c.com/{**} => http://c.com/{**}
END
echo "== only the side that makes URLs longer is valid: some pages have no short form"
dustpan validate -q -r dirs.rules --offline dirs.tsv --absent negative -o out.rules
cat out.rules

echo "== five rules on one parameter, and more of a page under another host line"
for i in $(seq 30); do
    for s in 1 2 3; do printf 'p%d\thttp://b.com/p?id=%d&sid=%d\n' $i $i $s; done
    printf 'p%d\thttp://b.com/p?id=%d\nq%d\thttp://b.com/q%d/\nq%d\thttp://b.com/q%d/index.html\n' $i $i $i $i $i $i
    printf 'r%d\thttp://d.com/r?id=%d&sid=1\nr%d\thttp://d.com/r?id=%d\n' $i $i $i $i
done >sid.tsv
cat >sid.rules <<'END'
dustpan-rules 1
host b.com
drop ?sid
likely set ?sid=1
likely erase ?sid
likely sub "&sid=2$" -> "$"
likely sub "&sid=3" -> "&sid=2"
likely /p?id={a}&sid={b} => /p?id={a}
likely drop ?sid,ref
likely sub "7&sid=2$" -> "7$"
/{**}/index.html => /{**}/
host b.com, www.b.com
drop ?sid on /p
host *.d.com, d.com
drop ?sid
host d.com
likely sub "&sid=1$" -> "$"
host any
likely sub "/q1/index.html$" -> "/q1/$"
END
dustpan validate -q -r sid.rules --offline sid.tsv -o out.rules
cat out.rules

echo "== a special case that nothing is known of does not stay beside the broader rule that was turned: they would undo each other"
for i in $(seq 12); do
    page=$([ "$i" -gt 3 ] && echo "$i" || echo "fa-$i")
    printf 'v%d\thttp://a.com/n%d/y/%s\nv%d\thttp://a.com/n%d.5/x/%s\n' "$i" "$i" "$page" "$i" "$i" "$page"
done >versions.tsv
grep -v '\.5' versions.tsv | cut -f 2 >old
printf '%s\n' 'dustpan-rules 1' 'host a.com' 'likely sub ".5/x/fa-" -> "/y/fa-"' 'likely sub ".5/x/" -> "/y/"' >versions.rules
t dustpan validate --quiet -r versions.rules --urls old --offline versions.tsv -o turned.rules
cat turned.rules
t dustpan rules check turned.rules

echo "== a rule whose other side stands in the first one is never turned: it would fire on what it has made"
sed 's#/y/#/x/#' versions.tsv >same.tsv
sed 's#/y/#/x/#' old >same
printf '%s\n' 'dustpan-rules 1' 'host a.com' 'likely sub ".5/x/" -> "/x/"' >same.rules
dustpan validate -r same.rules --urls same --offline same.tsv -o turned.rules
t grep -v '^#' turned.rules
