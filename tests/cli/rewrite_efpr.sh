# Filter_efpr as printed never generalizes a key with 1 / maxP values or fewer: the URL that a rule leads to matches its context and
# is explained by no pair. --unchanged skip is the other reading. Filter_ideal asks for the false-positive
# rate itself, that of the rule or of a more general one.
. "$ROOT/tests/cli/common"

for n in 13 20 21 25; do
    for p in $(seq 5); do
        for i in $(seq "$n"); do printf 'p%d\thttp://a.com/s%d-%d/dp/%d\n' "$p" "$i" "$p" "$p"; done
    done >slugs.tsv
    for how in "efpr --unchanged miss" "efpr --unchanged skip" ideal; do
        rm -f x.rules
        # shellcheck disable=SC2086
        dustpan learn -q --method rewrite --accept paper --filter $how -o x.rules slugs.tsv
        echo "$n slugs, $how: $(grep -o '^.* => [^ ]*' x.rules | tail -1)"
    done
done
