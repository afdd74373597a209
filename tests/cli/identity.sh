# --identity: what tells pages apart, the same in every command; the rule file says it, and who uses another is told
. "$ROOT/tests/cli/common"

# The input calls ?sid=1 and ?sid=2 of an item one page, and so are their contents; /old/N has the name of item N but shows something else.
awk 'BEGIN {
    print "cluster\turl\tdigest\tsize"
    for (n = 1; n <= 80; n++) {
        print "p" n "\thttp://a.org/item/" n "\tsha1:" n "\t5000"
        print "p" n "\thttp://a.org/item/" n "?sid=" n "\tsha1:" n "\t5000"
        print "p" n "\thttp://a.org/old/" n "\tsha1:old" n "\t5000"
    }
}' >both.tsv
number() { grep -o "\"$1\":[0-9]*" "$2" | head -n 1 | cut -d : -f 2; }
identity() { grep -o '"identity":"[^"]*"' "$1" | head -n 1; }
printf '%s\n' 'dustpan-rules 1' 'host a.org' 'likely drop ?sid' 'likely /old/{n} => /item/{n}' >all.rules
for id in clusters content clusters,content; do
    echo "== $id"
    dustpan learn --identity $id --json both.tsv -o $id.rules 2>learned
    sed -n 's/.*\(identity=.*\)/\1/p' $id.rules
    grep -v '^#' $id.rules | sed 's/ *\[.*//'
    dustpan eval -q --identity $id --json -r $id.rules both.tsv >eval
    dustpan audit -q --identity $id --json -r $id.rules both.tsv >audit
    dustpan report -q --identity $id --json -r $id.rules both.tsv >report
    dustpan split -q --identity $id both.tsv -o part
    dustpan validate -q --identity $id --json -r all.rules --offline both.tsv >validate
    echo "learn $(identity learned) $(number clusters learned) pages, $(number known_fetched learned) fetches"
    echo "eval $(identity eval) $(number clusters eval) pages, $(number fetched eval) fetches"
    echo "audit $(identity audit) $(number clusters audit) pages, $(number broken audit) broken"
    echo "report $(identity report) $(number clusters report) pages"
    echo "validate $(identity validate) $(number kept validate) kept, $(number rejected validate) rejected"
    echo "split $(cat part.train.tsv part.test.tsv | grep -v '^#' | cut -f 1 | sort -u | wc -l) pages;" \
        "cluster $(dustpan cluster -q --identity $id both.tsv | grep -v '^#' | cut -f 1 | sort -u | wc -l)"
done

echo "== another one than the rules were learned with"
dustpan eval -r clusters.rules --identity content both.tsv 2>&1 >/dev/null | grep identity
dustpan audit -r clusters.rules --identity content both.tsv 2>&1 >/dev/null | grep identity
dustpan report -r clusters.rules --identity content both.tsv 2>&1 >/dev/null | grep identity
dustpan eval -r clusters.rules --identity clusters both.tsv 2>&1 >/dev/null | grep identity
dustpan rules fmt clusters.rules | dustpan audit -r - --identity content both.tsv 2>&1 >/dev/null | grep identity
t dustpan learn --identity text both.tsv
