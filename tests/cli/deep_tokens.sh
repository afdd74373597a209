# Deep tokens are keys of every URL: a class of pairs may hold several patterns, and some values that fit none.
. "$ROOT/tests/cli/common"

pages() { # FORMAT SAME: 40 values, print and view under each; SAME: they are one page
    for i in $(seq 40); do
        # shellcheck disable=SC2059
        value=$(printf "$1" $((10000 + i * 7919 % 90000)) $((100 + i)))
        printf '%s\thttp://a.com/%s/print\n%s%s\thttp://a.com/%s/view\n' "$value" "$value" "$value" "$([ "$2" = yes ] || echo v)" "$value"
    done
}
learn() { # NAME CLAIM OPTION...
    local name=$1
    echo "$2"
    shift 2
    rm -f x.rules
    dustpan learn -q --method tree --accept paper "$@" -o x.rules "$name.tsv"
    sed -n '/^host/,$ { /^host/d; s/  *\[.*//; p }' x.rules
}

sku=cat-%d-sku-B%d.html sort=cat-%d-sort-p%d.html
{ pages $sku yes; pages $sort yes; pages x%dy%d no; } >two.tsv
learn two 'two patterns are right, another kind of value is not'

{ pages $sku yes; pages $sort yes; } >right.tsv
learn right 'nothing speaks against what is more general, but nothing speaks for it'

{
    pages tt%d%d yes; pages nm%d%d no
    printf 'odd\thttp://a.com/nm424242/print\nodd\thttp://a.com/nm424242/view\n'
} >odd.tsv
learn odd 'one pair that is labelled wrongly does not hide the pattern of the others'

{
    pages tt%d%d yes
    for w in about terms; do printf '%s\thttp://a.com/%s/print\n%s\thttp://a.com/%s/view\n' $w $w $w $w; done
} >unlike.tsv
learn unlike 'nor do two values that have no pattern'

for i in $(seq 40); do
    n=$((10000 + i * 7919 % 90000)) m=$((10000 + i * 6007 % 90000))
    printf 'd%d\thttp://a.com/q/dog-%d.html\nd%d\thttp://a.com/v-%d\n' $i $n $i $n
    [ $i -gt 12 ] || printf 'c%d\thttp://a.com/q/cat-big-%d.html\nc%d\thttp://a.com/v-%d\n' $i $m $i $m
done >end.tsv
learn end 'counted from the end (j), the numbers of both patterns are one key of 52 values' --wild 45
