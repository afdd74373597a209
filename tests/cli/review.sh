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
dustpan rules show site.rules --json >shown
python3 - <<'EOF'
import json
d = json.load(open("1"))
for r in d["rules"]:
    print(r["id"], r["state"], "line", r["line"], "loss", r["expected_loss"], "fired", r["fired"], "for", r["for"], "against", r["against"])
    print("   ", r["words"])
    print("    sections", [(d["sections"][s], n) for s, n in r["sections"]], "wrong", len(r["wrong"]))
print({k: v if not isinstance(v, list) else len(v) for k, v in d["sample"].items()})
# Families made of these are those of rules show.
shown = json.load(open("shown"))
families = {}
for r in d["rules"]:
    f = families.setdefault(r["rule"], {"rule": r["rule"], "words": r["words"], "hosts": 0, "rules": 0, "active": 0, "likely": 0,
                                        "off": 0, "pin": 0, "n": 0, "neg": 0, "p": [], "risk": 0})
    e = {name: float(text) for name, text in r["evidence"].items() if name in ("p", "n", "neg", "save")}
    f["hosts"] += 1
    f["rules"] += 1
    f[r["state"]] += 1
    f["n"] += e.get("n", 0)
    f["neg"] += e.get("neg", 0)
    f["p"] += [e["p"]] if "p" in e else []
    f["risk"] += e.get("save", e.get("n", 0)) * (1 - e["p"]) if "p" in e and r["state"] != "off" else 0
for f in families.values():
    p = f.pop("p")
    f |= {"p_min": min(p, default=None), "p_mean": sum(p) / len(p) if p else None}
near = lambda a, b: a == b or isinstance(a, float) and abs(a - b) < 1e-6
same = len(families) == len(shown["families"]) and d["set"] == shown["set"] and all(
    f.keys() == families[f["rule"]].keys() and all(near(v, families[f["rule"]][k]) for k, v in f.items()) for f in shown["families"])
print("the same data as rules show" if same else [families, shown])
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
t dustpan review --serve site.rules
t dustpan review --serve site.rules - <urls
t dustpan review --serve site.rules urls -o review.html
t dustpan review --serve site.rules urls --json
t dustpan review --serve nothing.rules urls
t dustpan review --serve . urls
