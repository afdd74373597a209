# The papers' precision counts pairs (u, v) with r(u) = v: one wrong label among 99 URLs of a page is one pair, not the page.
. "$ROOT/tests/cli/common"

show() { # FILE RULE: precision, and the votes beside it
    printf 'dustpan-rules 1\nhost a.com\n%s\n' "$2" >x.rules
    dustpan eval -q --json --by-rule -r x.rules "$1" | python3 -c '
import json, sys
r = json.load(sys.stdin)["by_rule"][0]
print(sys.argv[1], "%.4f" % r["precision"], "for", r["for"], "against", r["against"])' "$2"
}

{
    printf 'p\thttp://a.com/p\n'
    for i in $(seq 99); do printf '%s\thttp://a.com/p?sid=%d\n' "$([ "$i" = 50 ] && echo other || echo p)" "$i"; done
} >with.tsv
grep sid with.tsv >without.tsv
show with.tsv 'drop ?sid'     # 98 of 99
show with.tsv 'erase ?sid'    # nobody asked for ?sid=*: the others stand for it
show without.tsv 'drop ?sid'  # nor for /p

# tree keeps such a rule, by the papers' test and with the precision of pairs
for p in $(seq 12); do
    printf 'p%d\thttp://a.com/p/%d\n' "$p" "$p"
    for i in $(seq 20); do printf '%s%d\thttp://a.com/p/%d?sid=%d\n' "$([ "$i" = 7 ] && echo other || echo p)" "$p" "$p" $((100 * p + i)); done
done >pages.tsv
dustpan learn -q --method tree --accept paper --min-precision .95 -o t.rules pages.tsv
grep sid t.rules | sed 's/ set=.*//'
