# What ./quickstart shows after the build. Learning may become better: numbers and rules are not compared, but bounded.
DUSTPAN=$(command -v dustpan) sh "$ROOT/examples/quickstart.sh" "$PWD/out" >shown
echo "exit $?"
sed "s|$PWD/||g; s|[^ ]*/dustpan \([a-z]\)|dustpan \1|" shown | awk '
    /^[1-4]\. / { part = substr($0, 1, 1) }
    part == 2 && /^     / { next }
    part == 3 && /^(     |  -> )/ { next }
    part == 4 && /^(Of|Saved|Lost|Crawlers)/ { gsub(/[0-9][0-9.,]*/, "N") }
    { print }' | cat -s

echo "== what is promised"
rules=$(grep -c -e '=> ' -e '^drop' out/learned.rules)
saved=$(sed -n 's/^Saved: *\([0-9]*\).*/\1/p' shown)
lost=$(sed -n 's/^Lost: *\([0-9]*\).*/\1/p' shown)
[ "$rules" -ge 10 ] && [ "$saved" -ge 55 ] && [ "$lost" = 0 ] || grep -A 9 '^4\.' shown
[ "$(wc -l <out/keys.txt)" = "$(wc -l <out/unseen.txt)" ] && echo "each unseen URL has a key"
grep -c '<h1>' out/report.html

# The same where words are unknown and the kinds of duplicates rarer.
plant --urls 20000 --hosts 12 --seed 11 --clusters planted.tsv
dustpan split --quiet planted.tsv --test .5 -o planted
dustpan learn --quiet planted.train.tsv -o planted.rules
dustpan eval -r planted.rules planted.test.tsv 2>/dev/null | sed -n 's/^planted.rules: .* possible; /planted: /p'
