# Control characters in URLs, rules, lists and names of files: none reaches a terminal; JSON stays JSON.
. "$ROOT/tests/cli/common"
esc=$(printf '\033')
url="http://a.com/$(printf '\377')$esc[31m?sid=1&x=2"
name="no$esc[31mfile
dustpan: all is well"

# Run a command, show what it says and whether there is a control character in it.
look() {
    "$@" >said 2>&1
    status=$?
    cat -v said
    echo "exit $status; $(tr -d '\n\t\40-\176\200-\377' <said | wc -c) control characters"
}
# The same, without what it says.
count() {
    look "$@" | tail -n 1
}
printf 'dustpan-rules 1\nhost any\ndrop ?sid\n' >a.rules
printf 'dustpan-rules 1\nhost any\ndrop ?sid,x\n' >b.rules
printf '%s\n' "$url" >urls
printf 'cluster\turl\n%s1\t%s\n%s1\thttp://a.com/z\nq\tno %s URL\n' "$esc" "$url" "$esc" "$esc" >c.tsv

echo "== explain"
look dustpan explain -r a.rules "$url"
look dustpan explain -r a.rules "$url" http://a.com/
echo
echo "== rules diff --urls"
look dustpan rules diff --urls urls a.rules b.rules
look dustpan rules diff --urls urls --examples raw a.rules b.rules
echo
echo "== rules import"
printf '||a.com^$removeparam=/%s[32m(/\n||a%s.com^$removeparam=x\n' "$esc" "$esc" >list
look dustpan rules import --from adguard list
echo
echo "== names of files, verbs and options"
look dustpan apply -r "$name" urls
look dustpan learn "$name"
look dustpan learn --state "$name/x" c.tsv
look dustpan "$name"
look dustpan apply "--$name"
look dustpan apply -r a.rules --memory "$name" urls
echo
echo "== rules and records"
printf 'dustpan-rules 1\nhost any\ndrop ?%s[31m\n# %s\nfoo%s\n' "$esc" "$esc" "$esc" >bad.rules
look dustpan rules check bad.rules
look dustpan rules show bad.rules
count dustpan apply -r a.rules c.tsv -o keys
count dustpan eval -r a.rules c.tsv
count dustpan audit -r a.rules c.tsv
echo
echo "== JSON"
cat >valid.py <<'END'
import json, sys
text = sys.stdin.buffer.read().decode("utf-8")
value = json.loads(text)
print("valid;", sum(c < " " or "\x7f" <= c < "\xa0" for c in text.replace("\n", "")), "control characters;",
      ascii(value.get("url", "")))
END
dustpan explain --json -r a.rules "$url" | python3 valid.py
dustpan explain --json -r a.rules "http://a.com/$(printf '\302\233')" | python3 valid.py
dustpan apply --json -r a.rules urls 2>/dev/null | python3 valid.py
dustpan rules diff --json --urls urls a.rules b.rules | python3 valid.py
dustpan eval --json -r a.rules c.tsv 2>/dev/null | python3 valid.py
dustpan audit --json -r a.rules c.tsv 2>/dev/null | python3 valid.py
printf '{"url":"http://a.com/\\udcff","cluster":"1"}\n' | dustpan apply --json -r a.rules --format jsonl 2>/dev/null |
    python3 valid.py
