# what only other sites say of a URL has no vote: they neither delete a rule, nor confine it, nor make one
. "$ROOT/tests/cli/common"

# A site with a session: 200 pages, each with ?sid and without.
victim() {
    awk 'BEGIN {
        for (i = 1; i <= 200; i++) {
            print "https://victim.com/a/" i "\tdigest" i "\t5000\t200\t-\t-"
            print "https://victim.com/a/" i "?sid=" i * 7 "\tdigest" i "\t5000\t200\t-\t-"
        }
    }'
}

# outsider HOW N: another site leads to N URLs of victim.com that nobody has fetched
outsider() {
    awk -v how="$1" -v n="$2" 'BEGIN {
        for (i = 0; i < n; i++) {
            to = "https://victim.com/a/" int(i / 2) + 1 "?sid=x" i
            if (how == "redirect")
                print "https://attacker.net/r/" i "\t-\t0\t301\t" to "\t-"
            else # a page of its own, or a copy of one of the other site
                print "https://attacker.net/r/" i "\t" (how == "copy" ? "digest" int(i / 2) + 1 : "own" i) "\t5000\t200\t-\t" to
        }
    }'
}

head='# url	digest	size	status	target	canonical'
rules_of() { grep -v '^#' learned.rules | awk -v host="host $1" '/^host/ { in_it = $0 == host } in_it'; }

echo "== alone"
{ echo "$head"; victim; } >alone.tsv
rm -f learned.rules
dustpan learn -q -o learned.rules alone.tsv
rules_of victim.com | tee want

for how in redirect canonical copy; do
    for n in 20 200; do
        { echo "$head"; outsider $how $n; victim; } >crawl.tsv
        rm -f learned.rules
        dustpan learn -q -o learned.rules crawl.tsv
        rules_of victim.com >found
        echo "$how from $n pages: $(cmp -s want found && echo the same || cat found)"
    done
done

echo
echo "== by other methods, and where sites are hosts"
for options in '--method tree' '--method rewrite' '--method duster' '--method dust' '--site host' '--site domain'; do
    # shellcheck disable=SC2086
    rm -f learned.rules
    dustpan learn -q $options -o learned.rules alone.tsv
    rules_of victim.com >want
    # shellcheck disable=SC2086
    rm -f learned.rules
    dustpan learn -q $options -o learned.rules crawl.tsv
    rules_of victim.com >found
    echo "$options: $(wc -l <want) lines, $(cmp -s want found && echo the same || cat found)"
done

echo
echo "== copies that name URLs which nobody has fetched make no rule"
{
    echo "$head"
    awk 'BEGIN {
        for (i = 1; i <= 200; i++)
            print "https://victim.com/list/" i "\tdigest" i "\t5000\t200\t-\t-"
        for (i = 1; i <= 100; i++)
            print "https://attacker.net/" i "x\tdigest" i "\t5000\t200\t-\thttps://victim.com/list/" i "?page=" i + 1
    }'
} >crawl.tsv
rm -f learned.rules
dustpan learn -q -o learned.rules crawl.tsv
rules_of victim.com

echo
echo "== a sample is drawn of what the site itself says"
{ echo "$head"; victim; outsider redirect 3000; } >crawl.tsv
rm -f learned.rules
dustpan learn -o learned.rules --site-sample 1000 crawl.tsv 2>&1 | grep -c sample
rules_of victim.com

echo
echo "== what the site itself says of URLs that nobody has fetched counts as before"
awk 'BEGIN {
    print "# url\tdigest\tsize\tstatus\ttarget\tcanonical"
    for (i = 1; i <= 40; i++)
        print "https://victim.com/old/" i "\t-\t0\t301\thttps://victim.com/new/" i "\t-"
}' >crawl.tsv
rm -f learned.rules
dustpan learn -q -o learned.rules crawl.tsv
rules_of victim.com
