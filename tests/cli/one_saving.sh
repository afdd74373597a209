# One saving: in every format and with every method, what learn says of its rules and its input is what eval measures there, and
# audit finds nothing broken. The input has all that makes it hard: other spellings of a URL, records that come twice, redirects,
# errors, small pages, pages with a clock, and pages of which nothing is known.
. "$ROOT/tests/cli/common"

cat >site.py <<'END'
import csv, hashlib, io, json, sys
format = sys.argv[1]
def words(seed, n):
    return " ".join(hashlib.sha256(f"{seed}.{i}".encode()).hexdigest()[:8].translate(str.maketrans("0123456789", "ghijklmnop")) for i in range(n))
pages = []  # page, URL, status, where it leads
for n in range(70):
    item = f"http://shop.example/item/{n}/"
    pages += [(n, item, 200, ""), (n, f"{item}?sid={n * 7919 % 1000}", 200, ""), (f"{n}.de", f"{item}?lang=de", 200, "")]
    pages += [(n, f"{item}index.html", 200, "")] * (n % 2)
    pages += [(n, f"HTTP://Shop.example:80/item/{n}/", 200, "")] * (n % 5 == 0)  # what stage 0 makes one
    pages += [(n, item, 200, "")] * (n % 7 == 0)                                   # a record that comes twice
    pages += [("gone", f"{item}?sid=gone", 404, "")] * (n % 11 == 0)
    pages += [(n, f"{item}?go={n}", 302, item)] * (n % 9 == 0)
    pages += [(f"tiny{n % 2}", f"http://shop.example/ping/{n}", 200, "")] * (n % 3 == 0)
    pages += [(f"only{n}", f"HTTP://shop.example/ONLY/{n}", 200, "")] * (n % 13 == 0)
out, rows = [], []
for i, (n, url, status, to) in enumerate(pages):
    clock = f"{i // 3600 + 10:02}:{i // 60 % 60:02}:{i % 60:02}"
    stamp = "20261116" + clock.replace(":", "")
    body = f"ok {n}" if str(n).startswith("tiny") else f"<title>Page {n}</title><p>{words(n, 90)}</p>"
    if format == "warc":
        body += f"<p class=foot>Generated at {clock}</p>"
    digest = hashlib.sha1(body.encode()).hexdigest()
    record = {"url": url, "status": status, "size": len(body), "mime": "text/html"}
    if to:
        record["target"] = to
    path = url.split("://", 1)[1].split("/", 1)[1]
    if format == "tsv":
        out.append(f"{n}\t{url}\n")
    elif format == "csv":
        rows.append([n, url, status, to])
    elif format == "named":
        out.append(json.dumps(record | {"cluster": str(n)}) + "\n")
    elif format == "digests":
        out.append(json.dumps(record | {"digest": digest}) + "\n")
    elif format == "mixed":  # names for some, contents for others, nothing for a few
        out.append(json.dumps(record | ({"cluster": str(n)} if len(str(n)) == 2 else {"digest": digest} if i % 17 else {})) + "\n")
    elif format == "cdx":
        out.append(f"example,shop)/{path} {stamp} {url} text/html {status} {digest} {to or '-'} - {len(body)} 0 a.warc.gz\n")
    elif format == "cdxj":
        fields = {"url": url, "mime": "text/html", "status": str(status), "digest": digest, "length": str(len(body))}
        out.append(f"example,shop)/{path} {stamp} {json.dumps(fields)}\n")
    elif format == "crawllog":
        out.append(f"2026-11-16T{clock}.000Z {status:5} {len(body):10} {url} L - text/html #001 {stamp}000+1 sha1:{digest} - -\n")
    else:
        more = f"Location: {to}\r\n" if to else ""
        http = f"HTTP/1.1 {status} X\r\nContent-Type: text/html; charset=utf-8\r\n{more}\r\n{body}"
        out.append(f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-16T{clock}Z\r\nContent-Length: {len(http)}\r\n\r\n{http}\r\n\r\n")
if format == "csv":
    text = io.StringIO()
    csv.writer(text).writerows([["cluster", "url", "status", "target"], *rows])
    out = [text.getvalue()]
if format == "cdx":
    out.insert(0, " CDX N b a m s k r M S V g\n")
sys.stdout.write("".join(out))
END

cat >compare.py <<'END'
import json, sys
learned, measured, audited = (json.loads(open(f).read().strip().splitlines()[-1]) for f in ("learned", "eval", "audit"))
names = ("known_urls", "urls"), ("known_pages", "clusters"), ("known_fetched", "fetched"), ("known_reduction", "reduction"), ("known_best_reduction", "best_reduction"), ("identity", "identity")
wrong = [f"{a} is {learned[a]}, eval's {b} is {measured[b]}" for a, b in names if learned[a] != measured[b]]
wrong += [f"{r['verdict']}: {r['rule']}" for r in audited["rules"] if r["verdict"] in ("broken", "doubtful")]
wrong += [f"{measured['lost']} lost"] * (measured["lost"] > 0)
saved = "rules save something" if learned["known_fetched"] < learned["known_urls"] - 14 else "nothing is saved"
print(f"{sys.argv[1]}: {learned['known_urls']} URLs, {learned['known_pages']} pages; {saved};", "; ".join(wrong) or "one truth")
END

check() { # FORMAT METHOD [OPTION...]
    rm -f site.rules
    format=$1 method=$2
    shift 2
    dustpan learn -q --json --method $method "$@" -o site.rules "site.$format" 2>learned
    dustpan eval -q --json -r site.rules "site.$format" | tr -d '\n' >eval
    dustpan audit -q --json -r site.rules "site.$format" | tr -d '\n' >audit
    python3 compare.py "$format $method"
}

for format in tsv csv named digests mixed cdx cdxj crawllog warc; do
    python3 site.py $format >site.$format
    for method in auto dust rewrite tree duster; do
        check $format $method
    done
done
check named seq2seq --hidden 24 --epochs 20
check warc seq2seq --hidden 24 --epochs 20
