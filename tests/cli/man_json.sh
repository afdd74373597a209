# The JSON OUTPUT of each man page has the fields that the command prints, and no others.
. "$ROOT/tests/cli/common"
cp "$ROOT/examples/crawl.tsv" "$ROOT/examples/access.log" .

cat >fields.py <<'END'
"""fields.py PAGE FILE...: what the JSON objects in the files have and PAGE does not describe, and the reverse."""
import json, re, sys

def walk(value, found):
    if isinstance(value, dict):
        found.update(value)
        value = value.values()
    if isinstance(value, list) or not isinstance(value, (str, int, float, type(None))):
        for v in value:
            walk(v, found)

printed, items, mentioned, on = set(), set(), set(), False
for name in sys.argv[2:]:
    text = open(name).read()
    for start in re.finditer(r"^[^{]*(?=\{\")", text, re.M):  # an object begins a line, or follows a message
        try:
            walk(json.JSONDecoder().raw_decode(text, start.end())[0], printed)
        except json.JSONDecodeError as e:
            sys.exit(f"{name}: {e}")
for line in open(sys.argv[1]):
    if line.startswith(".Sh "):
        on = line.strip() == ".Sh JSON OUTPUT"
    if on and re.match(r"\.(It )?Va ", line):
        names = set(re.findall(r"[a-z][a-z0-9_]*", line.replace(".It", "").replace("Va", "")))
        mentioned |= names
        if line.startswith(".It"):
            items |= names
page = sys.argv[1].rsplit("/", 1)[-1]
for name in sorted(printed - mentioned):
    print(f"{page}: {name} is not described")
for name in sorted(items - printed):
    print(f"{page}: {name} is described and not printed")
print(f"{page}: {len(printed)} fields")
END
fields() { # VERB FILE...
    verb=$1
    shift
    python3 fields.py "$ROOT/man/dustpan-$verb.1" "$@"
}

# A URL that is still changing after 64 rewrites: these count in binary.
cat >count.rules <<'END'
dustpan-rules 1
host any
sub "_$" -> "-$"
sub "-$" -> ",$"
sub "-," -> ",_"
sub "_," -> "-_"
END
dustpan apply -q -r site.rules --json urls >1
echo http://a.com/________________ | dustpan apply -q -r count.rules --json >2
fields apply 1 2

for form in key fetch surt; do
    dustpan explain -r site.rules --json --form $form http://www.example.com/a/index.html?sid=1
done >1
dustpan explain -r site.rules --json http://example.com/?a=1 http://example.com/?a=2 >2
printf 'dustpan-rules 1\nhost shop.example.com [cert=.99/.95 n=767 neg=1 pool=5994]\ndrop ?sid [p=.99 n=9 neg=0 by=text]\n' >cert.rules
dustpan explain -r cert.rules --json --records crawl.tsv --explore .5 https://shop.example.com/dp/4708?sid=1 >3
fields explain 1 2 3

cat >wrong.rules <<'END'
dustpan-rules 1
host shop.example.com
drop ?sid                                                    [p=.998 n=212 neg=0 by=text]
drop ?page
END
dustpan audit -q -r wrong.rules --explore .5 --json crawl.tsv >1
fields audit 1

dustpan eval -q -r wrong.rules --compare site.rules --json --by-host --by-rule crawl.tsv >1
dustpan eval -q -r wrong.rules --json --table sigir17 crawl.tsv >2
dustpan eval -q -r wrong.rules --compare site.rules --json --by-host --crawl crawl.tsv >3
fields eval 1 2 3

dustpan learn -q --json crawl.tsv >rules 2>1
head -n 2 crawl.tsv | dustpan learn -q --json >rules 2>2
dustpan learn -q --json --certify crawl.tsv >rules 2>3
fields learn 1 2 3

printf 'http://shop.example.com/?sid=1\nhttp://shop.example.com/\n' | dustpan apply -q -r wrong.rules --unique --seen seen --remember >1
dustpan seen --json seen >1
dustpan seen --json --rollback 1e0c8f4a --rollback "$(dustpan seen seen | sed -n 's/.*by \([0-9a-f]*\).*/\1/p')" -q seen >2
fields seen 1 2

dustpan report -q -r wrong.rules --json --base-url https://shop.example.com crawl.tsv access.log >1
fields report 1
dustpan review -q --json wrong.rules crawl.tsv >1
fields review 1

awk 'BEGIN { for (i = 0; i < 30; i++) printf "http://a.com/%c%c/%d\t%s\n", 97 + i % 26, 97 + i * 7 % 26, i, i < 8 ? "SOFT" : "D" i }' >soft
dustpan cluster --columns url,digest --soft-urls 5 --keep-soft-errors --json soft >1 2>2
fields cluster 1 2

sed 's/^drop ?fbclid/&\ndrop ?fbclid/; s/p=.998/p=.9/' site.rules >other.rules
dustpan rules check --json other.rules >1
dustpan rules show --json site.rules >2
dustpan rules diff --json site.rules other.rules >3
dustpan rules diff --json site.rules wrong.rules --urls urls >4
fields rules 1 2 3 4

# A case of another rule, a rule that fails, and one that cannot be tested.
cat >tried.rules <<'END'
dustpan-rules 1
host a.com
sub "/x/" -> "/y/"
sub "a.com/x/" -> "a.com/y/"
likely drop ?p
off drop ?q
END
awk 'BEGIN { for (i = 0; i < 20; i++) printf "%d http://a.com/x/%d\n%d http://a.com/y/%d\n%d http://a.com/z%d?p=1\n%d http://a.com/z%d\n", i, i, i, i, 100 + i, i, 200 + i, i }' |
    tr ' ' '\t' >truth
dustpan validate -q -r tried.rules --offline truth --json >1
dustpan validate -q -r site.rules --offline truth --json >2
echo http://127.0.0.1:1/ | dustpan validate -q --echo 1 -o echo.warc.gz --json >3 # nobody is asked
fields validate 1 2 3
