# The scripts behind the papers' tables: a rule's false-positive rate is that on the test set, and one without pairs there has none (KDD
# 2008, Tables 6 and 7); pairs by targets, and what the first rules of a list match (WSDM 2010, Table 2 and Figure 3).
. "$ROOT/tests/cli/common"

part() { # FROM TO: ?a never matters, ?b does above 30, ?c is seen up to 30 alone
    for i in $(seq "$1" "$2"); do
        printf 'p%d\thttp://a.com/%d\np%d\thttp://a.com/%d?a=1\n' "$i" "$i" "$i" "$i"
        printf '%s%d\thttp://a.com/%d?b=1\n' "$([ "$i" -gt 30 ] && echo q || echo p)" "$i" "$i"
        [ "$i" -gt 30 ] || printf 'p%d\thttp://a.com/%d?c=1\n' "$i" "$i"
    done
}
part 1 30 >train.tsv
part 31 40 >test.tsv
cat train.tsv test.tsv >all.tsv
printf 'dustpan-rules 1\nhost a.com\ndrop ?a\ndrop ?b\ndrop ?c\n' >x.rules

for set in test train; do
    echo "by false-positive rate on $set"
    python3 "$ROOT/tools/tables/fpr.py" "$(command -v dustpan)" x.rules $set.tsv all.tsv
done
echo "pairs and coverage"
python3 "$ROOT/tools/tables/coverage.py" "$(command -v dustpan)" train.tsv all.tsv x.rules
