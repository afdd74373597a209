# The page to review rules in: what it embeds, exit codes, the same bytes for the same input.
. "$ROOT/tests/cli/common"
cat >site.rules <<'EOF'
dustpan-rules 1
host shop.example [cert=.99/.95 n=400 pool=900]
drop ?sid,utm_*                                              [p=.99 n=30 neg=0 by=text]
likely erase ?token on /cart/{**} unless /cart/pay/{**}      [p=.8 n=4 neg=1 by=size]
off /{a}/print => /{a}                                       [p=.97 n=40 neg=1]
drop ?page if =1
drop ;jsessionid
only ?id on /{a}/list
set ?lang=en
fold case path
sub "//" -> "/"
EOF
for i in 1 2 3 4 5; do
    printf 'a%s\thttp://shop.example/x/p%s?sid=7\na%s\thttp://shop.example/x/p%s\na%s\thttp://shop.example/x/P%s?utm_a=1&lang=de\n' $i $i $i $i $i $i
    printf 'b%s\thttp://shop.example/p%s/print\nc%s\thttp://shop.example/p%s\n' $i $i $i $i
done >records.tsv
t dustpan review site.rules records.tsv -o review.html
dustpan review -q site.rules records.tsv >2
cmp review.html 2 && echo "the same bytes"
dustpan review -q --json site.rules records.tsv >1
python3 - <<'EOF'
import json
d = json.load(open("1"))
for r in d["rules"]:
    print(r["id"], r["state"], "line", r["line"], "loss", r["expected_loss"], "fired", r["fired"], "for", r["for"], "against", r["against"])
    print("   ", r["words"])
    print("    sections", [(d["sections"][s], n) for s, n in r["sections"]], "wrong", len(r["wrong"]))
print({k: v if not isinstance(v, list) else len(v) for k, v in d["sample"].items()})
print(d["file"].split("\n")[d["rules"][1]["line"]])
EOF
echo
echo "== a sample, no labels, nothing to read"
dustpan review -q --json --sample 6 site.rules records.tsv | grep -o '"urls":[0-9]*,"of":[0-9]*'
cut -f2 records.tsv >urls
dustpan review -q --json site.rules urls | grep -o '"labelled":[a-z]*'
t dustpan review site.rules /dev/null
t dustpan review
t dustpan review nothing.rules urls
t dustpan review - <site.rules
t dustpan review --sample 100001 site.rules urls
