# nobody moves somebody else's pages to a domain of his own: rules that lead to another domain need the word of the one they rewrite
. "$ROOT/tests/cli/common"

head='# url	digest	size	status	target	canonical'

# pages HOST FROM TO [CANONICAL-HOST]: these pages on a host, each perhaps naming that on another one
pages() {
    awk -v host="$1" -v from="$2" -v to="$3" -v other="${4-}" 'BEGIN {
        for (i = from; i <= to; i++)
            print "https://" host "/article/" i "\tdigest" i "\t5000\t200\t-\t" (other ? "https://" other "/article/" i : "-")
    }'
}

# moved HOST FROM TO OTHER: the same, redirected
moved() {
    awk -v host="$1" -v from="$2" -v to="$3" -v other="$4" 'BEGIN {
        for (i = from; i <= to; i++)
            print "https://" host "/article/" i "\t-\t0\t301\thttps://" other "/article/" i "\t-"
    }'
}

# learn OPTIONS: from standard input, without precisions
learn() {
    { echo "$head"; cat; } >crawl.tsv
    rm -f learned.rules
    dustpan learn -q "$@" -o learned.rules crawl.tsv
    grep -v '^#\|^dustpan' learned.rules | sed 's/p=[.0-9]* //; s/  */ /g'
}

echo "== 8 of 300 pages copied, under a shorter name and under a longer one"
{ pages victim.com 1 300; pages a.net 1 8; } | learn
{ pages victim.com 1 300; pages a.very-long-name.net 1 8; } | learn

echo
echo "== the same by other methods: nothing that fires"
for method in tree rewrite duster dust; do
    { pages victim.com 1 300; pages a.net 1 8; } | learn --method $method | grep -v '^host\|^likely'
    { pages victim.com 1 300; pages a.net 1 8; } | learn --method $method --accept paper | grep '^[^lh].*//a.net'
done

echo
echo "== all pages copied, and some more: the copy is likely at most, and URLs keep their keys"
{ pages victim.com 1 60; pages a.net 1 90; } | learn
{ pages victim.com 1 60; pages a.net 1 60; } | cut -f 1 | dustpan apply -q --unique -r learned.rules | wc -l

echo
echo "== the copy names itself canonical, and leads to the victim with some pages"
{ pages victim.com 1 60; pages a.net 1 30 a.net; moved a.net 31 40 victim.com; } | learn

echo
echo "== a site that has moved: whatever its name, fetched there or not"
{ moved old.com 1 40 new-and-longer.com; pages new-and-longer.com 1 60; } | learn
{ moved old-and-longer.com 1 40 new.com; pages new.com 1 60; } | learn
moved old.com 1 40 new.com | learn
{ moved old.com 1 40 new.com; pages new.com 1 60; } | learn --method tree

echo
echo "== half of it has moved: too little for all of it"
{ moved old.com 1 30 new.com; pages old.com 101 130; pages new.com 1 30; } | learn

echo
echo "== a mirror that names the original, and one that only some pages of do"
{ pages mirror.net 1 40 victim.com; pages victim.com 1 60; } | learn
{ pages mirror.net 1 15 victim.com; pages mirror.net 16 40; pages victim.com 1 60; } | learn

echo
echo "== both are ours: the first one leads"
printf '# what is ours\nvictim.com, mirror.net\n' >owners
{ pages mirror.net 1 40; pages victim.com 1 40; } | learn --same-owner owners
printf 'mirror.net victim.com\n' >owners
{ pages mirror.net 1 40; pages victim.com 1 40; } | learn --same-owner owners
printf 'mirror.net\nmirror.net a.net\n' >owners
t dustpan learn --same-owner owners crawl.tsv

echo
echo "== nobody teaches rules by showing the same pages"
{
    pages victim.com 1 60
    pages a.net 1 60
    awk 'BEGIN { for (i = 1; i <= 60; i++) print "https://a.net/article/" i "?color=" i "\tdigest" i "\t5000\t200\t-\t-" }'
    awk 'BEGIN { for (i = 1; i <= 60; i++) print "https://victim.com/shoe?color=" i "\tshoe" i "\t5000\t200\t-\t-" }'
} | learn --site linked

echo
echo "== nor deletes them: the same with ?sid, which matters where the copies are"
{
    pages victim.com 1 60
    awk 'BEGIN { for (i = 1; i <= 60; i++) print "https://victim.com/article/" i "?sid=" i "\tdigest" i "\t5000\t200\t-\t-" }'
    pages a.net 1 60
    awk 'BEGIN { for (i = 1; i <= 600; i++) print "https://a.net/article/" i % 60 + 1 "?sid=" i "\tother" i "\t5000\t200\t-\t-" }'
} | learn

echo
echo "== a circle of two domains is not written"
{ moved a.com 1 30 b.com; moved b.com 31 60 a.com; } | learn
