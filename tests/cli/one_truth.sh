# One truth: what learn takes for one page, eval, audit, report and split do, too; in every format, with every method.
. "$ROOT/tests/cli/common"

# A site with a session id, index.html, and a parameter that matters; each page in 300 words of its own.
cat >site.py <<'END'
import hashlib, json, sys
def page(n, noise):
    words = " ".join(hashlib.sha256(f"{n}.{i}".encode()).hexdigest()[:8] for i in range(300))
    return f"<title>Page {n}</title><!-- {noise} --><p>{words}</p>"
urls = []
for n in range(120):
    urls.append((n, f"http://shop.example/item/{n}/"))
    urls.append((n, f"http://shop.example/item/{n}/?sid={n * 7919 % 1000}"))
    if n % 2:
        urls.append((n, f"http://shop.example/item/{n}/index.html"))
    urls.append((f"{n}.de", f"http://shop.example/item/{n}/?lang=de"))
    if n % 3 == 0:  # tiny pages: equal ones are no evidence, different ones are against a rule
        urls.append((f"tiny{n % 2}", f"http://shop.example/ping/{n}"))
noise = sys.argv[1] == "warc"  # bytes differ there, texts do not
out = []
for i, (n, url) in enumerate(urls):
    tiny = str(n).startswith("tiny")
    body = f"ok {n}" if tiny else page(n, i if noise else 0)
    digest = hashlib.sha1(body.encode()).hexdigest()
    if sys.argv[1] == "tsv":
        out.append(f"{n}\t{url}\n")
    elif sys.argv[1] == "jsonl":
        out.append(json.dumps({"url": url, "digest": digest, "size": len(body), "status": 200, "mime": "text/html"}) + "\n")
    elif sys.argv[1] == "cdxj":
        host, path = url[len("http://"):].split("/", 1)
        key = ",".join(reversed(host.split("."))) + ")/" + path
        fields = {"url": url, "mime": "text/html", "status": "200", "digest": digest, "length": str(len(body))}
        out.append(f"{key} 202601010{i // 60:03d}{i % 60:02d} {json.dumps(fields)}\n")
    else:
        http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        head = (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
                f"WARC-Record-ID: <urn:uuid:{i:032x}>\r\nContent-Type: application/http; msgtype=response\r\n"
                f"Content-Length: {len(http)}\r\n\r\n")
        out.append(head + http + "\r\n\r\n")
if sys.argv[1] == "cdxj":
    out.sort()
sys.stdout.write("".join(out))
END

number() { grep -o "\"$1\":[0-9]*" "$2" | head -n 1 | cut -d : -f 2; }
for format in tsv jsonl cdxj warc; do
    python3 site.py $format >site.$format
    for method in auto tree rewrite dust; do
        dustpan learn --json --method $method site.$format -o site.rules 2>learned
        dustpan eval -q --json -r site.rules site.$format >eval
        dustpan audit -q -r site.rules site.$format >audit
        dustpan report -q --json -r site.rules site.$format >report
        broken=$(grep -cE '  (broken|doubtful)$' audit)
        echo "$format $method: $(number urls learned) URLs, $(number clusters learned) pages; eval" \
            "$(number clusters eval), lost $(number lost eval), fetched $(number fetched eval); report" \
            "$(number clusters report); broken $broken; learn saw $(number known_fetched learned)," \
            "$(sed -n 's/.*"identity":"\([^"]*\)".*/\1/p' eval)"
    done
    dustpan split -q -o part site.$format
    cat part.train.tsv part.test.tsv | cut -f 1 | sort -u | wc -l
done

# Pages with a clock, of which some were fetched under two spellings of one URL: what is hidden must not depend on who asks.
cat >clock.py <<'END'
import hashlib, sys
def record(i, url, n):
    words = " ".join(hashlib.sha256(f"{n}.{k}".encode()).hexdigest()[:8] for k in range(300))
    body = f"<title>Page {n}</title><p>{words}</p><p class=foot>Generated at {i // 3600 % 24:02}:{i // 60 % 60:02}:{i % 60:02}</p>"
    http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    head = (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-01T{i // 3600 % 24:02}:{i // 60 % 60:02}:{i % 60:02}Z\r\n"
            f"WARC-Record-ID: <urn:uuid:{i:032x}>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n")
    sys.stdout.write(head + http + "\r\n\r\n")
i = 0
for n in range(80):
    for url in [f"http://shop.example/item/{n}", f"http://shop.example/item/{n}?sid={n}"] + [f"http://shop.example:80/item/{n}"] * (n % 4 == 0):
        record(i := i + 37, url, n)
END
python3 clock.py >clock.warc
dustpan learn --json clock.warc -o site.rules 2>learned
dustpan eval -q --json -r site.rules clock.warc >eval
dustpan audit -q --json -r site.rules clock.warc >audit
dustpan report -q --json -r site.rules clock.warc >report
dustpan split -q -o part clock.warc
echo "clock: $(number rules learned) rule, $(number known_pages learned) pages, $(number known_fetched learned) fetched;" \
    "eval $(number clusters eval), $(number fetched eval), lost $(number lost eval);" \
    "audit $(number clusters audit), broken $(number broken audit); report $(number clusters report);" \
    "split $(cat part.train.tsv part.test.tsv | cut -f 1 | sort -u | wc -l);" \
    "cluster $(dustpan cluster -q clock.warc | grep -v '^#' | cut -f 1 | sort -u | wc -l)"
