# What changes when nothing changes: a clock, a counter, a token, a cart, random products, the newest posts, the excerpts of a
# search; and pages of hardly any text, which must not become equal to each other.
. "$ROOT/tests/cli/common"

cat >site.py <<'END'
import hashlib, random, sys
def words(seed, n):
    return " ".join(hashlib.sha256(f"{seed}.{i}".encode()).hexdigest()[:6].translate(str.maketrans("0123456789", "ghijklmnop")) for i in range(n))
kind, echo, seconds, visits = sys.argv[1], len(sys.argv) > 2, 0, 1000
rng = random.Random(2 if echo else 1)
def fetch(url, n):
    global seconds, visits
    seconds += 1 + rng.randrange(5)
    visits += 1 + rng.randrange(3)
    minutes = 30 if echo else 0
    clock = f"{10 + (minutes * 60 + seconds) // 3600:02d}:{(minutes * 60 + seconds) // 60 % 60:02d}:{seconds % 60:02d}"
    body = f"<title>{n}</title><div class=nav>Home Shop Help</div>"
    if n == "tiny":
        body += f"<p class=ping>{rng.getrandbits(64):016x}</p>"
    elif str(n).startswith("word"):
        body += f"<p class=ping>{words(n, 1)}</p>"
    else:
        body += f"<h1>{words(n, 3)}</h1><p>{words(n, 200)}</p><p>Posted on 3 May 2024, item {n}</p>"
    if kind == "clock":
        body += f"<div class=foot>It is {clock}, 16 Nov 2026</div>"
    if kind == "counter":
        body += f"<div class=foot>Visit number {visits}, thank you</div>"
    if kind == "token":
        body += f"<div class=foot>Ticket {rng.getrandbits(128):032x}</div>"
    if kind == "cart":
        body += f"<div class=cart>{rng.randrange(9)} items in your cart</div>"
    if kind == "random":
        body += "<ul class=more>" + "".join(f"<li>{words(rng.randrange(30), 3)}" for _ in range(3)) + "</ul>"
    if kind == "recent":
        newest = seconds // 30 + (100 if echo else 0)
        body += "<div class=side><h3>Recent posts</h3><ul>" + "".join(f"<li><a href=/post/{k}>{words(k, 4)}</a>" for k in range(newest, newest - 5, -1)) + "</ul></div>"
    if kind == "excerpt":
        body += f"<p class=found>{words(rng.random(), 3)} <b class=term>{rng.choice(['Oak', 'oak', 'oak,'])}</b> {words(rng.random(), 3)} <b class=term>{rng.choice(['oak', 'OAK'])}</b></p>"
    body += "<div class=foot2>All rights reserved</div>"
    http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{body}"
    sys.stdout.write(f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-16T{clock}Z\r\n"
                     f"Content-Length: {len(http)}\r\n\r\n{http}\r\n\r\n")
urls = [(f"http://shop.example/item/{n}{more}", n) for n in range(40) for more in ("", "?sid=a", "?sid=b")]
urls += [(f"http://shop.example/ping/{n}", "tiny") for n in range(10)]
urls += [(f"http://shop.example/word/{n}", f"word{n}") for n in range(10)]
for url, n in urls[::9] if echo else urls:
    fetch(url, n)
END

for kind in clock counter token cart random recent excerpt; do
    python3 site.py $kind >crawl.warc
    python3 site.py $kind again >again.warc
    echo "== $kind"
    t dustpan cluster -o alone.tsv crawl.warc
    t dustpan cluster -o both.tsv crawl.warc again.warc
    dustpan cluster -q -t 1 again.warc crawl.warc | sort >turned.tsv
    sort both.tsv | cmp - turned.tsv
    dustpan learn -q --json -o site.rules crawl.warc again.warc 2>/dev/null
    dustpan eval -q --json -r site.rules crawl.warc again.warc | grep -oE '"(clusters|lost)":[0-9]+' | head -n 2
done

echo "== explain"
t dustpan cluster --explain http://shop.example/item/7 'http://shop.example/item/7?sid=a' crawl.warc
t dustpan cluster --explain http://shop.example/item/7 'http://shop.example/item/7?sid=a' crawl.warc again.warc
t dustpan cluster --explain --json http://shop.example/item/7 http://shop.example/item/8 crawl.warc again.warc
t dustpan cluster --explain http://shop.example/item/7 http://shop.example/item/7 crawl.warc
t dustpan cluster --explain http://shop.example/item/7 http://shop.example/none crawl.warc
t dustpan cluster --explain http://shop.example/item/7
