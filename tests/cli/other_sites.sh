# what other sites say of a parameter carries a rule to sites that are too small to find it, and never against their votes
. "$ROOT/tests/cli/common"

# site NAME PAGES COPIES: so many pages, of which the first COPIES are there with another clk, too
site() {
    awk -v host="$1" -v pages="$2" -v copies="$3" 'BEGIN {
        for (i = 1; i <= pages; i++) {
            print host i "\thttp://" host "/item/" i * 37
            if (i <= copies)
                print host i "\thttp://" host "/item/" i * 37 "?clk=k" i * 7919 "x"
        }
    }'
}

for k in 1 2 3 4 5 6 7 8 9 10 11 12; do
    site "large$k.org" 30 20
done >large.tsv
site tiny.org 20 2 >tiny.tsv
# Here clk says which page is shown: twice by chance the same.
{
    site picky.org 20 2
    printf 'p1\thttp://picky.org/show?clk=one\np2\thttp://picky.org/show?clk=two\np3\thttp://picky.org/show?clk=three\n'
} >picky.tsv

# What is written for a host; precisions follow from the priors of the day.
rules_of() { grep -A 3 "^host $1" learned.rules | sed '/^$/d; s/p=\.99[0-9]*/p=.99/'; }

echo "== alone"
for name in tiny picky; do
    rm -f learned.rules
    dustpan learn -q -o learned.rules "$name.tsv"
    rules_of "$name.org"
done

echo
echo "== with other sites"
rm -f learned.rules
dustpan learn -q -o learned.rules large.tsv tiny.tsv picky.tsv
rules_of tiny.org
rules_of picky.org
grep -c '^drop ?clk' learned.rules
grep -c 'sites=' learned.rules

echo
echo "== the same in any order, on any number of threads"
dustpan learn -q -o other.rules --threads 3 picky.tsv tiny.tsv large.tsv
t cmp learned.rules other.rules

echo
echo "== with other sites, asked not to listen"
rm -f learned.rules
dustpan learn -q --common none -o learned.rules large.tsv tiny.tsv picky.tsv
rules_of tiny.org
rules_of picky.org

echo
echo "== by a pack that says how many sites it was learned from"
cat >pack.rules <<'END'
dustpan-rules 1
host any
drop ?clk [n=800 sites=40 against=0 by=digest]
END
for name in tiny picky; do
    rm -f learned.rules
    dustpan learn -q --common pack.rules -o learned.rules "$name.tsv"
    rules_of "$name.org"
done

echo
echo "== by one that does not, or of which as many say otherwise"
printf 'dustpan-rules 1\nhost any\ndrop ?clk\n' >pack.rules
rm -f learned.rules
dustpan learn -q --common pack.rules -o learned.rules tiny.tsv
rules_of tiny.org
printf 'dustpan-rules 1\nhost any\ndrop ?clk [n=800 sites=40 against=20]\n' >pack.rules
rm -f learned.rules
dustpan learn -q --common pack.rules -o learned.rules tiny.tsv
rules_of tiny.org
t dustpan learn -q --common nowhere.rules tiny.tsv 2>&1
