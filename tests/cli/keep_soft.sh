# learn --keep-soft-errors: one content under many unlike URLs is a page as all others, as in the papers.
. "$ROOT/tests/cli/common"

for i in $(seq 40); do
    w=$(printf 'page%d' "$i" | md5sum | tr -dc 'a-z' | head -c 7)
    printf 'gone\thttp://a.com/%s%d/%s?x%d=%s\np%d\thttp://a.com/p%d\n' "$w" "$i" "$w" "$i" "$w" "$i" "$i"
done >pages.tsv
for how in '' --keep-soft-errors; do
    # shellcheck disable=SC2086
    dustpan learn --json --method rewrite --accept paper $how -o x.rules pages.tsv 2>&1 >/dev/null | grep -o '"soft_errors":[0-9]*'
done
