# rules that merge versions, dates, languages, page numbers or ids say so, and learn shows by which votes they are there
. "$ROOT/tests/cli/common"

# Pages in two languages that are not translated yet, pages with dates, and lists with small numbers.
awk 'BEGIN {
    for (n = 10; n <= 80; n++) {
        print n "\thttp://a.example/en/page" n
        print n "\thttp://a.example/de/page" n
        print "s" n "\thttp://a.example/item/" n "?rev=2026-01-" n
        print "s" n "\thttp://a.example/item/" n
        print "s" n "\thttp://a.example/item/" n "?rev=2026-02-" n
        print "t" n "\thttp://a.example/list/" n "?view=" n
        print "t" n "\thttp://a.example/list/" n
    }
}' >a.tsv
t dustpan learn -o a.rules a.tsv
cat a.rules
dustpan learn -q --json a.tsv 2>json >rules
sed 's/.*\("guarded":[^]]*]\).*/\1/' json

echo "== the attribute stays when the rules are counted again"
dustpan learn -q --update -o a.rules a.tsv
grep -o 'guard=[a-z]*' a.rules

echo "== several sites: the hosts are named; the first five are shown"
for site in a b c d e f; do sed "s/a.example/$site.example/; s/^/$site/" a.tsv; done >six.tsv
dustpan learn -o six.rules six.tsv 2>&1 | sed -n '/merge URLs/,/more/p'

echo "== what is allowed is not guarded"
dustpan learn -q --allow lang a.tsv
