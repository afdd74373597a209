# The benchmark of docs/benchmark.md on a small made-up crawl: every input, a method of one's own.
. "$ROOT/tests/cli/common"

# A shop: items with a session id every now and then, a login page that is reached from everywhere, one dead link. The archive has the records in another order than the truth.
cat >make.py <<'END'
import gzip, os, sys
def record(url, status, body):
    http = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\n\r\n{body}".encode()
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\n"
    return (head + f"Content-Length: {len(http)}\r\n\r\n").encode() + http + b"\r\n\r\n"
def make(name):
    os.makedirs(f"live/{name}")
    rows, base = [], f"http://{name}.test"
    for i in range(300):
        rows.append((f"item{i}", f"{base}/item/{i}"))
        if i % 3 == 0: rows.append((f"item{i}", f"{base}/item/{i}?sid={i * 7919 % 1000}"))
        if i % 2 == 0: rows.append(("login", f"{base}/login?return=/item/{i}"))
    with open(f"live/{name}/truth.tsv", "w") as f:
        f.writelines(f"{c}\t{u}\n" for c, u in rows)
    pages = [(u, "200 OK", f"<p>{c} " + c * 200) for c, u in rows]
    pages.insert(10, (base + "/dead", "404 Not Found", "gone"))
    pages[20], pages[30] = pages[30], pages[20]
    for file, some in (("crawl", pages), ("echo", pages[::50])):
        with gzip.open(f"live/{name}/{file}.warc.gz", "wb") as f:
            f.write(b"".join(record(*p) for p in some))
    open(f"live/{name}/about.json", "w").write("{}")
make(sys.argv[1])
END
python3 make.py shop
mkdir live/started

# Rules that are wrong about `return` alone, as rules and as keys: both must get the same numbers.
printf 'dustpan-rules 1\nhost any\ndrop ?sid\n/item/{a} => /item/\n' >mine.rules
printf '#!/bin/sh\ncat >/dev/null\ncat mine.rules\n' >rules
printf '#!/bin/sh\nwc -l >>learned\ndustpan apply -q -r mine.rules "$URLS" | paste - "$URLS"\n' >keys
printf '#!/bin/sh\nsed "s/?.*//" "$URLS" | paste - "$URLS"\n' >strip
printf '#!/bin/sh\necho what is this\n' >wrong
chmod +x rules keys strip wrong
bench() { python3 "$ROOT/tools/evidence/benchmark.py" --dustpan "$(command -v dustpan)" "$@"; }

echo "== all of it, without seconds"
bench live --seeds 2 --inputs labels,raw,echo --methods tree,auto --method-command ./strip >all.out
echo "exit $?"
sed 's/ *[0-9]*\.[0-9][0-9]\b/ ./g; s/ *$//' all.out

echo
echo "== the methods are those of this build"
bench live --inputs labels --seeds 1 | awk '/^labels / { print $2 }' | sort -u | grep -c -x -e dust -e rewrite -e tree -e auto

echo
echo "== rules and keys"
bench live shop --inputs labels,raw --methods auto --method-command ./rules --method-command ./keys >own.out
echo "exit $?"
sed -n 's/ *[0-9]*\.[0-9][0-9]\b/ ./g; s/ *[0-9.]* \.  / /; s/^\(labels\|raw\) *\(rules\|keys\)  /\1 \2/p' own.out | tail -n 4 | tr -s ' '
sort -u learned

echo
echo "== what goes wrong"
bench live shop --inputs labels --seeds 1 --methods auto --method-command ./wrong --method-command ./absent | grep '^no row'
bench live --method-command auto=./strip
echo "exit $?"
bench live none
echo "exit $?"

echo
echo "== a small part of one application, with another one"
python3 make.py store
rmdir live/started
python3 "$ROOT/tools/common/live.py" --dustpan "$(command -v dustpan)" --seeds 1 live
echo "exit $?"
