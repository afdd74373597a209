# Figure 12 of DustBuster: duplicates of a little crawl, each kind known: 40 pages under two names each, an arrow in 20 folders,
# 30 searches without a result, a text that 12 people have in their folders.
# SPDX-License-Identifier: Apache-2.0
. "$ROOT/tests/cli/common"

mkdir -p live/site
python3 - <<'END' | gzip >live/site/crawl.warc.gz
import sys

def page(url, text, kind="text/html"):
    body = (text + " ").encode() * (60 if len(text) < 60 else 1)
    http = b"HTTP/1.1 200 OK\r\nContent-Type: " + kind.encode() + b"\r\n\r\n" + body
    head = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Payload-Digest: sha1:%032d\r\nContent-Length: %d\r\n\r\n"
    sys.stdout.buffer.write((head % (url, hash_of(body), len(http))).encode() + http + b"\r\n\r\n")

def hash_of(body):
    return int.from_bytes(body[:8], "big") * 1000003 + len(body)

for i in range(40):
    words = "page%d " % i + "of its own words " * (i + 5)
    page("http://a.com/d%d/" % i, words)
    page("http://a.com/d%d/index.html" % i, words)
for i in range(20):
    page("http://a.com/pictures%d/arrow%d.gif" % (i, i * 7), "GIF89a an arrow", "image/gif")
for i in range(30):
    page("http://a.com/%s%d/x%d?q%d=%d" % ("find" if i % 2 else "seek", i * i, i * 31, i, i * 17), "nothing was found for you today, sorry; " * 20)
for i in range(12):
    page("http://a.com/~user%d/paper.html" % i, "a paper by all of them " * 30)
END
DATA=none python3 "$ROOT/tools/evidence/dust_kinds.py" "$(command -v dustpan)" live | grep -v networkx
