# sites that somebody puts up by the dozen teach others nothing: one vote a hosting domain, and no rule without a vote of the site's own
. "$ROOT/tests/cli/common"

# free DOMAINS: sites at these names, 8 pages each, on which ?color changes nothing
free() {
    for name in "$@"; do
        awk -v host="$name" 'BEGIN {
            for (i = 1; i <= 8; i++) {
                print host i "\thttps://" host "/p/" i
                print host i "\thttps://" host "/p/" i "?color=a" i
                print host i "\thttps://" host "/p/" i "?color=b" i
            }
        }'
    done
}

numbers=$(seq 1 40)
# shellcheck disable=SC2086
{
    free $(printf 'u%s.github.io ' $numbers) >hosted.tsv
    free $(printf 'u%s.example.org ' $numbers) >hosts.tsv
    free $(printf 'site%s.org ' $numbers) >owned.tsv
}

# The shop: ?color says which shoe is shown, ?utm says nothing. Of shoes there is one URL each.
awk 'BEGIN {
    split("red blue green", color, " ")
    for (i = 1; i <= 100; i++)
        print "v" i "\thttps://shop.victim.com/shoe/" i "?color=" color[i % 3 + 1]
    for (i = 1; i <= 20; i++) {
        print "w" i "\thttps://shop.victim.com/about/" i
        print "w" i "\thttps://shop.victim.com/about/" i "?utm=1"
    }
}' >shop.tsv

rules_of() { awk -v host="host $1" '/^host/ { in_it = $0 == host } in_it' learned.rules | sed 's/p=[.0-9]*/p=./'; }

echo "== forty free sites of one hosting domain"
dustpan learn -q -o learned.rules hosted.tsv shop.tsv
rules_of shop.victim.com
rules_of u7.github.io

echo
echo "== forty hosts of one domain, each learned as a site"
dustpan learn -q --site host -o learned.rules hosts.tsv shop.tsv
rules_of shop.victim.com
rules_of u7.example.org

echo
echo "== forty domains: nothing that fires"
dustpan learn -q -o learned.rules owned.tsv shop.tsv
rules_of shop.victim.com
printf 'https://shop.victim.com/shoe/1?color=red\n' | dustpan apply -q -r learned.rules

echo
echo "== free sites beside these add no vote but one"
dustpan learn -q -o learned.rules owned.tsv hosted.tsv shop.tsv
rules_of shop.victim.com

echo
echo "== a pack that was asked for speaks for who asked"
printf 'dustpan-rules 1\nhost any\ndrop ?color [n=800 sites=60 against=0 by=digest]\n' >pack.rules
dustpan learn -q --common pack.rules -o learned.rules shop.tsv
rules_of shop.victim.com
