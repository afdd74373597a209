# dustpan apply: every option on plain lines.
. "$ROOT/tests/cli/common"
t dustpan apply -r site.rules urls
t dustpan apply -r site.rules --form fetch urls
t dustpan apply -r site.rules --form surt --quiet urls
t dustpan apply -r site.rules --unique urls
t dustpan apply -r site.rules --unique --form key --quiet urls
t dustpan apply -r site.rules --form url --explain --quiet urls
t dustpan apply -r site.rules --unique --json --quiet urls
t dustpan apply -r site.rules --explain --quiet urls
t dustpan apply -r site.rules --json --quiet urls
t dustpan apply -r site.rules --with-likely --quiet urls
t dustpan apply -r site.rules --min-precision .997 --explain --quiet urls
t dustpan apply -r site.rules --counts counts.tsv --quiet -o keys urls
t cat counts.tsv keys
t dustpan apply -r site.rules --strict urls
t dustpan apply -r site.rules --strict -o strict urls
t ls strict

echo
echo "== redirects"
printf '%s\n' http://www.example.com/r http://www.example.com/r?sid=9 'https://example.com/r' 'https://example.com/s' >targets
t dustpan apply -r site.rules --source http://www.example.com/r --quiet targets
t dustpan apply -r site.rules --source http://www.example.com/r --unique --quiet targets

echo
echo "== several rule files are one, the order counts"
printf 'dustpan-rules 1\nhost example.com\n/a => /b\n' >ab.rules
printf 'dustpan-rules 1\nhost example.com\n/a => /c\n' >ac.rules
echo http://example.com/a >a
t dustpan apply -q -r ab.rules -r ac.rules a
t dustpan apply -q -r ac.rules -r ab.rules a

echo
echo "== compiled rules say the same"
t dustpan rules compile ac.rules ab.rules -o acb
t dustpan apply -q -r acb a
t dustpan apply -q -r ab.rules -r acb a
dustpan rules compile site.rules -o site.dpc
for o in '' --with-likely '--min-precision .995' '--form fetch' --json; do
    # shellcheck disable=SC2086  # none to two words
    dustpan apply -q $o -r site.rules urls >1 && dustpan apply -q $o -r site.dpc urls >2 && cmp 1 2 && echo "same: $o"
done

echo
echo "== any number of threads says the same"
awk 'BEGIN { for (i = 0; i < 60000; i++) printf "http://www.example.com/p%d/index.html?sid=%d\n", i % 20000, i }' >many
wc -l <many
for o in '' --unique --explain; do
    for n in 1 2 5; do
        # shellcheck disable=SC2086  # none or one word
        dustpan apply -r site.rules $o --threads $n --counts counts.$n many >out.$n
    done
    cmp out.1 out.2 && cmp out.1 out.5 && cmp counts.1 counts.2 && cmp counts.1 counts.5 && echo "same: $o"
done

echo
echo "== lines: CR LF, no LF at the end, empty, not text, long"
printf 'http://example.com/a?sid=1\r\nhttp://example.com/b' | t dustpan apply -r site.rules
printf '\n\n' | t dustpan apply -r site.rules
printf 'http://example.com/\000\377\n' | t dustpan apply -r site.rules
: | t dustpan apply -r site.rules
{ printf 'http://example.com/'; head -c 3000000 /dev/zero | tr '\0' x; printf '?sid=1\nhttp://example.com/\n'; } >long
dustpan apply -r site.rules long | wc -c
printf 'a\nb\nc\nd\ne\nf\ng\nh\n' | t dustpan apply -r site.rules
t dustpan apply -q -r site.rules a - a <a

echo
echo "== each line at once: the answer comes before the next question"
mkfifo ask answer
dustpan apply -q -r site.rules --line-buffered <ask >answer &
exec 3>ask 4<answer
for i in 1 2 3; do
    echo "http://example.com/$i?sid=$i" >&3
    read -r line <&4
    echo "$line"
done
exec 3>&-
wait $!
echo "exit $?"
exec 4<&-

echo
echo "== progress when asked"
dustpan apply -q -r site.rules --progress urls >/dev/null
echo "exit $?"
