# Along a crawl: rules learned on the first part, measured on the rest, in two steps and in one.
. "$ROOT/tests/cli/common"

# A site whose login page is reached from everywhere, and whose items have a session id every now and then.
awk 'BEGIN { for (i = 0; i < 400; i++) {
    printf "item%d\thttp://shop.example/item/%d\n", i, i
    if (i % 3 == 0) printf "item%d\thttp://shop.example/item/%d?sid=%d\n", i, i, i * 7919 % 1000
    if (i % 2 == 0) printf "login\thttp://shop.example/login?return=/item/%d\n", i } }' >crawl.tsv

echo "== two steps"
t dustpan learn --first .5 crawl.tsv -o half.rules
t dustpan eval --crawl --by-host -r half.rules crawl.tsv
t dustpan eval --crawl --share .9 -r half.rules crawl.tsv --json --compare half.rules
t dustpan eval --crawl -r half.rules crawl.tsv --fail-under avoided=200 -o out.txt

echo
echo "== one step"
t dustpan learn --crawl-eval crawl.tsv -o one.rules
cmp half.rules one.rules && echo "the same rules"
head -n "$(($(wc -l <crawl.tsv) / 2))" crawl.tsv | dustpan learn -q -o head.rules
grep -v '^#' head.rules >head.plain
grep -v '^#' half.rules | cmp - head.plain && echo "the same rules as from the first lines"
split -n l/3 crawl.tsv part.
dustpan learn -q --first .5 part.* -o parts.rules
cmp half.rules parts.rules && echo "the same rules from several files"
dustpan learn --json --crawl-eval crawl.tsv -o one.rules 2>&1 | grep -c '^{.*}$'

echo
echo "== by time"
awk -F '\t' '{ printf "%s\t%s\t%d\n", $1, $2, 2000 - NR }' crawl.tsv >timed.tsv
t dustpan eval --crawl --order time --columns cluster,url,time -r half.rules timed.tsv

echo
echo "== what makes no sense"
t dustpan learn --crawl-eval -o x.rules <crawl.tsv
t dustpan learn --first .5 -o x.rules <crawl.tsv
t dustpan learn --first 2 crawl.tsv
t dustpan learn --crawl-eval --state s.db crawl.tsv
t dustpan eval --crawl --by-rule -r half.rules crawl.tsv
t dustpan eval --crawl --order size -r half.rules crawl.tsv
