# learn says what is saved of what is possible, in what the duplicates differ that no rule merges, and why there is no rule
. "$ROOT/tests/cli/common"

# Pages under /item/N, their print version, a view that holds on half of them only, and one odd copy.
awk 'BEGIN {
    for (n = 1; n <= 60; n++) {
        print n "\thttp://shop.example/item/" n
        print n "\thttp://shop.example/item/" n "?sid=" n * 7
        print n "\thttp://shop.example/" (n % 2 ? "view" : "show") "/" n * 31 "/of-" n
        print "other" n "\thttp://shop.example/" (n % 2 ? "show" : "view") "/" n * 31 "/of-" n
    }
    print "7\thttp://shop.example/seven?token=secret"
}' >shop.tsv
t dustpan learn -o shop.rules shop.tsv
dustpan learn -q --json shop.tsv 2>json >rules
sed 's/.*\("known_urls.*\),"evidence.*/\1/' json
dustpan eval -q -r shop.rules shop.tsv | grep shop.rules | sed "s| (set .*||"

echo "== on any number of threads"
for n in 1 4; do dustpan learn -t $n shop.tsv 2>&1 >rules | sed 1,3d | cksum; done | uniq | wc -l

echo "== why there is no rule"
printf '%s\n' http://a.org/1 http://a.org/2 >urls
t dustpan learn urls -o none.rules
printf '%s\n' 'cluster	url' '1	http://a.org/1' '2	http://a.org/2' >all-different.tsv
t dustpan learn all-different.tsv -o none.rules
printf '%s\n' 'cluster	url' '1	http://a.org/1' '1	http://a.org/2' '2	http://a.org/3' >few.tsv
t dustpan learn few.tsv -o none.rules
printf 'url\tstatus\n%s\n' 'http://a.org/1	404' >errors.tsv
t dustpan learn errors.tsv -o none.rules
: >nothing
t dustpan learn nothing -o none.rules
