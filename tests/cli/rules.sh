# dustpan rules: check, show, fmt, diff, merge, compile, on, off; every exit status.
. "$ROOT/tests/cli/common"
cat >bad.rules <<'END'
dustpan-rules 1
host a.com
fold case pth
drop ?b
END
cat >odd.rules <<'END'
dustpan-rules 1
host a.com
/{x} => /y{x}
drop ?a
drop ?a on /b
END
cat >new.rules <<'END'
dustpan-rules 1
host example.com, www.example.com
order any
keep ?lang
drop ?sid,utm_*,ref                                          [p=.998 n=212 neg=0 by=text]
/{**}/index.html => /{**}/                                   [p=.996 n=88 neg=0 by=text]
END

echo "== check"
t dustpan rules check site.rules
t dustpan rules check bad.rules
t dustpan rules check odd.rules
t dustpan rules check site.rules bad.rules missing.rules
t dustpan rules check bad.rules --json
t dustpan rules check - <bad.rules

echo
echo "== show"
t dustpan rules show site.rules
t dustpan rules show site.rules --json
t dustpan rules show bad.rules

echo
echo "== fmt"
printf 'dustpan-rules 1\nhost   b.com,a.com\n  drop   ?x   [n=1   p=.5] # why\n# end\n' >loose.rules
t dustpan rules fmt loose.rules
t dustpan rules fmt loose.rules -o loose.rules
t dustpan rules fmt loose.rules -o -
dustpan rules fmt site.rules >1 && dustpan rules fmt 1 >2 && cmp 1 2 && echo "twice is once"

echo
echo "== diff"
t dustpan rules diff site.rules site.rules
t dustpan rules diff site.rules new.rules
t dustpan rules diff site.rules new.rules --json
t dustpan rules diff site.rules missing.rules
printf '%s\n' 'http://me:pw@example.com/?ref=secret&p=1' 'http://example.com/?ref=2' 'http://example.com/' \
    'http://b.com/?fbclid=3' 'nothing' >list
t dustpan rules diff site.rules new.rules --urls list
t dustpan rules diff site.rules new.rules --urls list --examples raw
t dustpan rules diff site.rules new.rules --urls list --json
t dustpan rules diff site.rules site.rules --urls list
t dustpan rules diff site.rules new.rules --urls missing

echo
echo "== merge"
t dustpan rules merge site.rules new.rules
t dustpan rules merge site.rules new.rules -o merged.rules
t dustpan rules check merged.rules

echo
echo "== off, on"
id=$(echo 'http://example.com/?sid=1' | dustpan apply -q --explain -r site.rules | cut -f 2)
cp site.rules mine.rules
t dustpan rules off mine.rules "$id"
grep sid mine.rules
t dustpan rules on mine.rules "$id" -o -
t dustpan rules on mine.rules "$id"
dustpan rules fmt site.rules | cmp - mine.rules && echo "as before"
t dustpan rules off mine.rules ffffffff
t dustpan rules off mine.rules xyz
t dustpan rules off missing.rules "$id"

echo
echo "== compile"
t dustpan rules compile site.rules -o site.dpc
t dustpan rules fmt site.dpc
t dustpan rules off site.dpc "$id"
t dustpan rules off site.dpc "$id" -o off.rules
t dustpan rules compile bad.rules -o bad.dpc
find . -name '*.tmp' -o -name bad.dpc
