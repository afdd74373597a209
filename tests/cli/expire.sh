# seen= and --expire: when a rule was last confirmed, and rules that nobody has confirmed for long. No clock is asked.
. "$ROOT/tests/cli/common"
echo "== learn dates rules by the newest record of their site, where records have times"
for i in $(seq 1 40); do
    for sid in 1 2; do
        printf 'http://a.com/%d?sid=%d\tA%d\t2026-03-%02dT10:00:00Z\n' "$i" "$sid" "$i" $((i % 28 + 1))
        printf 'http://b.net/%d?sid=%d\tB%d\t2026-09-%02dT10:00:00Z\n' "$i" "$sid" "$i" $((i % 28 + 1))
        printf 'http://c.org/%d?sid=%d\tC%d\t-\n' "$i" "$sid" "$i"
    done
done >rows
{ printf 'url\tdigest\ttime\n' && cat rows; } >crawl.tsv
dustpan learn -q crawl.tsv | grep -v '^#' | tee site.rules
awk '{ u = $1; sub(/^http:\/\/[a-z.]*/, "", u); split($3, t, /[-T]/)
    if ($2 ~ /^A/) printf "1.2.3.4 - - [%s/Mar/2026:10:00:00 +0000] \"GET %s HTTP/1.1\" 200 %d\n", t[3], u, 1000 + 7 * substr($2, 2) }' rows >access.log
dustpan learn -q --base-url http://a.com access.log | grep -v '^#'
dustpan learn -q --state state -o one.rules crawl.tsv
dustpan learn -q --state half -o half.rules <<END
$(sed -n '1p;2,100p' crawl.tsv)
END
sed -n '1p;101,$p' crawl.tsv >rest.tsv
dustpan learn -q --state half --update -o half.rules rest.tsv
cmp one.rules half.rules && echo "learned in two parts: the same"

echo
echo "== apply: a day, or days before the newest seen="
cat >urls <<'END'
http://a.com/1?sid=1
http://b.net/1?sid=1
http://c.org/1?sid=1
END
for when in 2026-03-28 2026-03-29 2026-09-28 2026-09-29 184d 183d 0d; do
    echo "-- $when: $(dustpan apply -q -r site.rules --expire $when urls | tr '\n' ' ')"
done
dustpan rules compile site.rules -o site.dpc
dustpan apply -q -r site.dpc --expire 183d urls
dustpan apply -q -r site.rules --json --expire 183d urls | sed 's/.*"set"/"set"/' | sort -u >new
dustpan apply -q -r site.rules --json urls | sed 's/.*"set"/"set"/' | sort -u | comm -12 - new | wc -l
cat >until.rules <<'END'
dustpan-rules 1
host a.com
drop ?a                                                      [until=2026-08-31]
drop ?b                                                      [p=.99 seen=2026-08-01]
pin drop ?c                                                  [p=.99 seen=2020-01-01 until=2020-01-01]
likely drop ?d                                               [p=.9 seen=2026-01-01]
END
for when in 2026-08-31 2026-09-01 31d; do
    echo "-- $when: $(echo 'http://a.com/?a=1&b=1&c=1&d=1' | dustpan apply -q -r until.rules --with-likely --expire $when)"
done

echo
echo "== audit: records confirm rules, and end those that they do not"
printf 'url\tdigest\ttime\nhttp://a.com/x\tX\t2026-11-02T08:00:00Z\nhttp://a.com/x?sid=7\tX\t2026-11-01T08:00:00Z\n' >new.tsv
t dustpan audit -r site.rules --expire 30d -o new.rules new.tsv
cat new.rules
t dustpan rules diff site.rules new.rules
cp site.rules recounted.rules
dustpan learn -q --update -o recounted.rules new.tsv
grep seen recounted.rules
sed 's/seen=2026-03-28/seen=2026-12-01/' site.rules >later.rules
dustpan rules merge site.rules later.rules | grep seen
dustpan rules merge later.rules site.rules | dustpan rules fmt | grep seen

echo
echo "== what makes no sense"
t dustpan apply -r site.rules --expire yesterday urls
t dustpan apply -r site.rules --expire 90 urls
t dustpan audit -r site.rules --expire 90d new.tsv
sed 's/seen=2026-03-28/seen=March/' site.rules >bad.rules
t dustpan apply -r bad.rules --expire 90d urls
