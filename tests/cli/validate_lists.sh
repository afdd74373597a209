# dustpan validate: a rule with a list of names or values passes only if each of them was tested.
. "$ROOT/tests/cli/common"
{
    printf 'cluster\turl\n'
    for i in $(seq 300); do
        printf 'p%s\thttp://a.com/p%s\np%s\thttp://a.com/p%s?ref=%s\n' "$i" "$i" "$i" "$i" "$i"
        printf 'p%s\thttp://a.com/en/p%s\np%s\thttp://a.com/p%s?sid=%s\n' "$i" "$i" "$i" "$i" "$i"
    done
    for i in 1 2 3; do
        printf 'red%s\thttp://a.com/p%s?color=red\nru%s\thttp://a.com/ru/p%s\n' "$i" "$i" "$i" "$i"
    done
} >pages.tsv
cat >likely.rules <<'EOF'
dustpan-rules 1
host a.com
likely drop ?color,ref
likely drop ?lang,sid
likely drop ?ref,sid
likely /{v=en|ru}/{x} => /{x}
EOF
t dustpan validate --offline pages.tsv -r likely.rules -o tested.rules
cat tested.rules
