# Seen-sets and states that were cut short or changed: told, with exit status 2, whatever LMDB would have made of them.
. "$ROOT/tests/cli/common"

# put FILE PLACE: some bytes at a place
put() {
    printf '\377\001\000\377\200\377\377\377\017' | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

awk 'BEGIN { for (i = 0; i < 3000; i++) print "http://example.com/" i * 7919 % 10007 "/" i "?sid=" i }' >many
awk 'BEGIN { print "cluster\turl"; for (i = 0; i < 3000; i++) print int(i / 2) "\thttp://a.com/" int(i / 2) "?s=" i }' >a.tsv
printf 'cluster\turl\nq\thttp://a.com/q\n' >b.tsv
dustpan apply -q -r site.rules --unique --seen good.seen many >keys
dustpan learn -q --state good.state a.tsv -o rules
stat -c '%a %n' good.seen good.seen-lock good.state good.state-lock

# The same files, damaged in one way: each names itself.
try() {
    dustpan apply -q -r site.rules --unique --seen bad.seen many
    echo "exit $?"
    rm -f rules
    dustpan learn -q --state bad.state --update b.tsv -o rules
    echo "exit $?"
    rm -f rules
    dustpan learn -q --state bad.state b.tsv -o rules
    echo "exit $?"
}
begin() {
    rm -f bad.*
    cp good.seen bad.seen
    cp good.state bad.state
    echo
    echo "== $1"
}

begin "cut short"
truncate -s 20000 bad.seen
truncate -s 20000 bad.state
try
begin "cut within the first page"
truncate -s 3000 bad.seen
truncate -s 3000 bad.state
try
begin "first pages changed"
put bad.seen 40
put bad.state 4136
try
begin "the head of a page changed"
for page in 2 3 4 5 6 7 8 9 10 11 12; do
    rm -f bad.*
    cp good.seen bad.seen
    cp good.state bad.state
    put bad.seen $((page * 4096 + 8))
    put bad.state $((page * 4096 + 8))
    try 2>/dev/null
done | sort -u # 0: a page that nobody needs
begin "another's"
cp good.seen bad.state
cp good.state bad.seen
try
begin "nothing was done to them"
try
