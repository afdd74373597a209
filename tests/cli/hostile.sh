# URLs made to take learn for ever: what is done for one is bounded in bytes, runs and parameters.
. "$ROOT/tests/cli/common"
# twenty KIND: pages of two URLs whose last segment is made of 6,000 random pieces
twenty() {
    awk -v kind="$1" 'BEGIN {
        srand(7)
        for (page = 0; page < 10; page++)
            for (twice = 0; twice < 2; twice++) {
                url = ""
                for (i = 0; i < 6000; i++) {
                    r = int(rand() * 4)
                    if (kind == "digits") url = url substr("abab", r + 1, 1) (r % 2 + 1)
                    if (kind == "words") url = url substr("abcd", r + 1, 1) "-"
                    if (kind == "path-parameters") url = url ";k" i "=" r
                }
                printf "%d\thttps://h.example/p%s/%d\n", page, url, page
            }
    }'
}
for kind in digits words path-parameters; do
    twenty $kind >$kind.tsv
    for method in auto tree rewrite duster dust; do
        timeout 60 dustpan learn -q --method $method $kind.tsv -o out.rules || echo "$method, $kind: $?"
    done
    echo "$kind: done"
done
awk 'BEGIN { for (page = 0; page < 60; page++) for (host = 0; host < 500; host++) printf "%d\thttps://h%d.h.example/p%d\n", page, host, page }' >hosts.tsv
timeout 60 dustpan learn -q --method rewrite hosts.tsv -o out.rules || echo "rewrite, hosts: $?"
echo "hosts: done"
awk 'BEGIN {
    srand(7)
    for (page = 0; page < 15; page++)
        for (u = 0; u < 10; u++) {
            url = ""
            for (i = 0; i < 58; i++) url = url substr("ab", int(rand() * 2) + 1, 1) int(rand() * 2)
            printf "%d\thttps://h.example/%s_%d\n", page, url, page
        }
}' >alignment.tsv
timeout 60 dustpan learn -q --method duster alignment.tsv -o none.rules || echo "duster, alignment: $?"
echo "alignment: done"

echo
echo "== a line of more than 16 MiB"
printf 'dustpan-rules 1\nhost any\ndrop ?sid\n' >any.rules
{ echo http://a.com/; head -c 20000000 /dev/zero | tr '\0' a; } | gzip -1 >long.gz
t dustpan apply -q -r any.rules long.gz
t dustpan learn -q --format urls long.gz
