"""crawl.py - fetch an application that listens on loopback, as a crawler and as visitors.

The application is called http://NAME.test/; every request goes to 127.0.0.1 and its port, with that name as Host, so that the
URLs do not depend on the port, and nothing but loopback can be reached.

    Site       one connection a thread; get(url) gives a Response
    discover   follow links, feeds, GET forms, redirects and rel=canonical: every second URL comes from the queue (breadth
               first), the others are of the URL shape that was fetched least
    refetch    the same URLs once more, in the same order
    visit      visitors who click on links of fetched pages
    Archive    responses as WARC, requests as access log (combined format)
SPDX-License-Identifier: Apache-2.0
"""
import base64
import collections
import gzip
import hashlib
import http.client
import random
import re
import socket
import threading
import time
import urllib.parse
import uuid

import page

ADDRESS = "127.0.0.1"
AGENT = "dustpan-apps/1 (crawler; loopback only)"
BROWSERS = ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15")
LARGEST = 2 << 20    # bytes of a body; larger ones are not followed up
TIMEOUT = 30         # seconds for one response
HOPS = 6             # redirects that are followed
WORKERS = 3
REDIRECTS = (301, 302, 303, 307, 308)

Response = collections.namedtuple("Response", "url when status reason headers body")


def header(response, name):
    return next((v for k, v in response.headers if k.lower() == name), "")


def kind_of(response):
    return header(response, "content-type").partition(";")[0].strip().lower()


class Site:
    """An application by its host name; the port is the one it listens at."""

    def __init__(self, host, port):
        self.host, self.port = host, port
        self.local = threading.local()

    def has(self, url):
        return url.startswith(f"http://{self.host}/")

    def get(self, url, **headers):
        """Fetch one URL; OSError or http.client.HTTPException when it does not answer twice."""
        for last in (False, True):
            try:
                return self._get(url, headers)
            except (OSError, http.client.HTTPException):
                self.local.connection = None
                if last:
                    raise

    def _get(self, url, headers):
        c = getattr(self.local, "connection", None)
        if c is None:
            c = self.local.connection = http.client.HTTPConnection(ADDRESS, self.port, timeout=TIMEOUT)
        target = url[len(f"http://{self.host}"):]
        when = time.time()
        c.putrequest("GET", target, skip_host=True, skip_accept_encoding=True)
        sent = {"Host": self.host, "User-Agent": AGENT, "Accept": "text/html,application/xml;q=0.9,*/*;q=0.8", **headers}
        for name, value in sent.items():
            c.putheader(name, value)
        c.endheaders()
        # Servers that send header and body apart wait for our acknowledgement between them: 40 ms, but for this.
        c.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
        r = c.getresponse()
        body = r.read(LARGEST + 1)
        if not r.isclosed() or r.will_close:
            c.close()
            self.local.connection = None
        return Response(url, when, r.status, r.reason, r.getheaders(), body)


def clean(url):
    """A link as it is sent: no fragment, no bytes that cannot stand in a request."""
    url = url.partition("#")[0]
    return urllib.parse.quote(url, safe="!#$%&'()*+,/:;=?@[]~|^\\`{}\"<>").replace('"', "%22").replace("<", "%3C").replace(">", "%3E")


def shape(url):
    """A URL with its values taken out: what kind of page it asks for."""
    path, _, query = url.split("/", 3)[3].partition("?")
    path = re.sub(r";\w+=[^/?]*", ";session", path)
    segments = path.split("/")
    out = []
    for i, s in enumerate(segments):
        if i == 0 and re.fullmatch(r"[a-z]{1,12}", s):
            out.append(s)
        else:
            ending = re.search(r"\.[a-z]{1,5}$", s)
            digits = "0" if re.search(r"\d", s) else "a"
            out.append((digits if s else "") + (ending.group() if ending else ""))
    return "/".join(out) + "?" + "&".join(sorted({p.partition("=")[0] for p in re.split("[&;]", query)}))


class Frontier:
    """URLs to fetch: a queue, and the same URLs by shape."""

    def __init__(self):
        self.known, self.given = set(), set()
        self.queue = collections.deque()
        self.shapes, self.fetched = {}, collections.Counter()
        self.turn = 0

    def add(self, url, soon=False):
        if url in self.known:
            return
        self.known.add(url)
        (self.queue.appendleft if soon else self.queue.append)(url)
        self.shapes.setdefault(shape(url), collections.deque()).append(url)

    def _from_queue(self):
        while self.queue:
            url = self.queue.popleft()
            if url not in self.given:
                return url
        return None

    def _from_shapes(self):
        while self.shapes:
            least = min(self.shapes, key=lambda s: self.fetched[s])
            urls = self.shapes[least]
            while urls:
                url = urls.popleft()
                if url not in self.given:
                    return url
            del self.shapes[least]
        return None

    def next(self):
        self.turn += 1
        url = self._from_queue() if self.turn % 2 else self._from_shapes()
        if url:
            self.given.add(url)
            self.fetched[shape(url)] += 1
        return url


class Archive:
    """A WARC file, one gzip member a record; and an access log beside it."""

    def __init__(self, warc, log=None):
        self.warc = open(warc, "wb")
        self.log = open(log, "w", encoding="utf-8") if log else None
        self.lock = threading.Lock()
        self._write("warcinfo", {}, b"software: dustpan tests/apps\r\nformat: WARC File Format 1.0\r\n", "application/warc-fields",
                    time.time())

    def _write(self, kind, fields, block, mime, when):
        head = [("WARC-Type", kind), *fields.items(), ("WARC-Date", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when))),
                ("WARC-Record-ID", f"<urn:uuid:{uuid.uuid4()}>"), ("Content-Type", mime), ("Content-Length", str(len(block)))]
        text = "WARC/1.0\r\n" + "".join(f"{k}: {v}\r\n" for k, v in head) + "\r\n"
        member = gzip.compress(text.encode() + block + b"\r\n\r\n", 6)
        with self.lock:
            self.warc.write(member)

    def response(self, r):
        dropped = ("transfer-encoding", "connection", "keep-alive", "content-length")
        lines = [f"HTTP/1.1 {r.status} {r.reason}"] + [f"{k}: {v}" for k, v in r.headers if k.lower() not in dropped]
        lines.append(f"Content-Length: {len(r.body)}")
        block = "\r\n".join(lines).encode("utf-8", "replace") + b"\r\n\r\n" + r.body
        digest = base64.b32encode(hashlib.sha1(r.body).digest()).decode()
        self._write("response", {"WARC-Target-URI": r.url, "WARC-Payload-Digest": f"sha1:{digest}"}, block,
                    "application/http; msgtype=response", r.when)

    def request(self, r, address=ADDRESS, agent=AGENT, referrer="-"):
        target = "/" + r.url.split("/", 3)[3]
        when = time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime(r.when))
        with self.lock:
            print(f'{address} - - [{when}] "GET {target} HTTP/1.1" {r.status} {len(r.body)} "{referrer}" "{agent}"', file=self.log)

    def close(self):
        self.warc.close()
        if self.log:
            self.log.close()


def in_threads(work, workers=WORKERS):
    """Run `work` in several threads; what one of them raises is raised."""
    raised = []

    def run():
        try:
            work()
        except BaseException as e:  # handed on below
            raised.append(e)

    threads = [threading.Thread(target=run, daemon=True) for _ in range(workers)]
    for t in threads:
        t.start()
    for t in threads:
        while t.is_alive():
            t.join(.2)
    if raised:
        raise raised[0]


class Crawl:
    """What was fetched: order, links of each page, how many URLs did not answer."""

    def __init__(self):
        self.urls, self.links, self.failed = [], {}, 0


def discover(site, archive, seeds, avoid, most, seconds):
    """Crawl until `most` URLs or `seconds` are spent, or nothing is left. `avoid`: what is never asked for."""
    frontier, crawl, lock = Frontier(), Crawl(), threading.Lock()
    busy = [0]
    for seed in seeds:
        frontier.add(f"http://{site.host}{seed}")
    end = time.monotonic() + seconds

    def take():
        with lock:
            if len(crawl.urls) >= most or time.monotonic() > end:
                return None
            url = frontier.next() or frontier.next()
            if url:
                busy[0] += 1
                crawl.urls.append(url)
                return url
            return "" if busy[0] else None

    def follow(r):
        if r.status in REDIRECTS:
            return [urllib.parse.urljoin(r.url, header(r, "location"))]
        if r.status != 200 or len(r.body) > LARGEST:
            return []
        kind = kind_of(r)
        tree = page.parse(header(r, "content-type"), r.body) if page.is_html(kind) else None
        return page.links(r.url, kind, tree, r.body)

    def fetch(url):
        try:
            r = site.get(url)
        except (OSError, http.client.HTTPException):
            crawl.failed += 1
            return
        archive.response(r)
        archive.request(r)
        found = [clean(u) for u in follow(r)]
        found = [u for u in found if site.has(u) and len(u) < 2000 and not avoid.search(u)]
        with lock:
            crawl.links[url] = found
            for u in found:
                frontier.add(u, soon=r.status != 200)

    def work():
        while (url := take()) is not None:
            if not url:
                time.sleep(.01)
                continue
            try:
                fetch(url)
            finally:
                with lock:
                    busy[0] -= 1

    in_threads(work)
    return crawl


def refetch(site, urls, archive=None, each=None, workers=1, seconds=600):
    """Fetch the URLs once more, begun in their order; how many were left when time was up.

    `workers`: how many at once. Threads of a server that wait for each other while the clock stands still wait long, so those get
    one. `each` gets every URL with its response after redirects, None where there was no answer; several threads call it.
    """
    end = time.monotonic() + seconds
    lock, waiting = threading.Lock(), collections.deque(urls)

    def fetch(asked):
        url, r = asked, None
        try:
            for _ in range(HOPS):
                r = site.get(url)
                if archive and url == asked:
                    archive.response(r)
                if r.status not in REDIRECTS or not each:
                    break
                url = clean(urllib.parse.urljoin(url, header(r, "location")))
                if not site.has(url):
                    break
        except (OSError, http.client.HTTPException):
            r = None
        if each:
            each(asked, r)

    def work():
        while time.monotonic() < end:
            with lock:
                if not waiting:
                    return
                url = waiting.popleft()
            fetch(url)

    in_threads(work, workers)
    return len(waiting)


def visit(site, archive, crawl, visitors=6, clicks=25):
    """Visitors, each with a browser and an address of loopback, click from page to page; the log alone gets to know."""
    fetched = set(crawl.urls)
    rng = random.Random(1)
    for v in range(visitors):
        agent, address, at, referrer = rng.choice(BROWSERS), f"127.0.1.{v + 1}", crawl.urls[0], "-"
        for _ in range(clicks):
            try:
                r = site.get(at, **{"User-Agent": agent})
            except (OSError, http.client.HTTPException):
                break
            archive.request(r, address, agent, referrer)
            onward = [u for u in crawl.links.get(at, ()) if u in fetched]
            referrer, at = at, rng.choice(onward) if onward and rng.random() < .9 else rng.choice(crawl.urls[:50])
