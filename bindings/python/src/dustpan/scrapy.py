"""For Scrapy: requests with the same key are duplicates, and a crawl records what `dustpan learn` needs.

    REQUEST_FINGERPRINTER_CLASS = "dustpan.scrapy.RequestFingerprinter"
    DUSTPAN_RULES = ["site.rules"]
    DUPEFILTER_CLASS = "dustpan.scrapy.DupeFilter"             # keeps seen keys on disk, not in memory
    DUSTPAN_EXPLORE = .01                                      # fetch 1 % of the duplicates, to test the rules
    DUSTPAN_REMEMBER = True                                    # for a rollback, should a rule turn out to be wrong

    SPIDER_MIDDLEWARES = {"dustpan.scrapy.Recorder": 10}
    DUSTPAN_RECORDS = "records.jsonl"                          # or crawl.warc.gz: whole pages
    DUSTPAN_ECHO = .01                                         # with a WARC: fetch 1 % of the URLs again

The recorder is useful by itself, too. docs/scrapy.md is the manual.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import gzip
import hashlib
import json
import os
import tempfile
import uuid
from collections import deque
from datetime import datetime, timezone
from http.client import responses as HTTP_STATUS
from time import monotonic
from typing import Any, Deque, Dict, List, Optional, Tuple
from urllib.parse import urljoin
from weakref import WeakKeyDictionary

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.dupefilters import RFPDupeFilter
from scrapy.exceptions import DontCloseSpider, NotConfigured
from scrapy.http import Response
from scrapy.settings import BaseSettings
from scrapy.utils.job import job_dir

from dustpan._c import UsageError, encode
from dustpan.content import record
from dustpan.engine import Engine
from dustpan.seen import Seen

SET_FILE = "dustpan.set"  # in JOBDIR: the id of the rule set that its fingerprints were made with
SEEN_FILE = "dustpan.seen"  # in JOBDIR: the keys that DupeFilter has seen
_BATCH = 1000  # keys that are written at a time
_REDIRECTS = (301, 302, 303, 307, 308)


class RequestFingerprinter:
    """Fingerprints of method, key and body: URLs with the same key are fetched once. The fetched URL is never changed.

    Settings: ``DUSTPAN_RULES``, one or more rule files, text or compiled; ``DUSTPAN_REKEY``, True to continue in a
    JOBDIR that was started with other rules.
    """

    def __init__(self, settings: BaseSettings) -> None:
        paths = settings.getlist("DUSTPAN_RULES")
        if not paths:
            raise UsageError("DUSTPAN_RULES is empty: set it to one or more rule files")
        self.engine = Engine.load(*paths)
        self._set = self.engine.set_id
        self._known: WeakKeyDictionary[Request, bytes] = WeakKeyDictionary()
        job = job_dir(settings)
        if job:
            _hold_job(job, self._set, settings.getbool("DUSTPAN_REKEY"))

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RequestFingerprinter:
        return cls(crawler.settings)

    def fingerprint(self, request: Request) -> bytes:
        known = self._known.get(request)
        if known is None:
            start = f"{self._set} {request.method} {self._name(request)}\0"
            known = self._known[request] = hashlib.sha1(encode(start) + request.body).digest()
        return known

    def is_plain(self, request: Request) -> bool:
        """Whether all that matters of it is the key of its URL."""
        return request.method == "GET" and not request.body and self._name(request) == self.engine.key(request.url)

    def _name(self, request: Request) -> str:
        if request.meta.get("verbatim_url"):
            return request.url
        key = self.engine.key(request.url)
        # Where a URL redirects to another of the same key, that one holds the page: it is followed, once.
        if any(self.engine.key(url) == key for url in request.meta.get("redirect_urls", ())):
            return f"redirected {request.url}"
        return key


def _share(settings: BaseSettings, name: str) -> float:
    share = settings.getfloat(name)
    if not 0 <= share <= 1:
        raise UsageError(f"{name} is {share}: it is a share of URLs, such as 0.01")
    return share


def _hold_job(folder: str, set_id: str, rekey: bool) -> None:
    """Refuse a JOBDIR whose fingerprints are of another set; else write down which it is."""
    path = os.path.join(folder, SET_FILE)
    try:
        with open(path) as f:
            before: Optional[str] = f.read().strip()
    except FileNotFoundError:
        before = "none" if os.path.exists(os.path.join(folder, "requests.seen")) else None
    if before not in (None, set_id) and not rekey:
        raise UsageError(f"JOBDIR {folder} was started with rule set {before}, but DUSTPAN_RULES are set {set_id}: use "
                         "another JOBDIR or the old rules, or set DUSTPAN_REKEY = True")
    with open(path, "w") as f:
        f.write(set_id + "\n")


class DupeFilter(RFPDupeFilter):
    """Duplicate filter that keeps its keys in a file (dustpan.Seen), so that they take no memory in a crawl of any
    size. With ``DUSTPAN_REKEY`` the keys of a job are converted to new rules.

    Settings: ``DUSTPAN_EXPLORE``, the share of the duplicates that are fetched all the same, to test the rules
    (``dustpan audit --explore``); ``request.meta["dustpan_probe"]`` of these has the ids of the rules. ``DUSTPAN_SALT``, a
    text that chooses other ones. ``DUSTPAN_REMEMBER``, True to remember the duplicates and the rules that made them so,
    for ``dustpan seen --rollback``.

    The file is in JOBDIR; without one it is removed after the crawl. Keys are written a thousand at a time; those that
    a killed crawl had not written are new again, and nothing is lost. For use with RequestFingerprinter.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> DupeFilter:
        fingerprinter = crawler.request_fingerprinter
        if not isinstance(fingerprinter, RequestFingerprinter):
            raise UsageError("dustpan.scrapy.DupeFilter needs REQUEST_FINGERPRINTER_CLASS = "
                             "'dustpan.scrapy.RequestFingerprinter'")
        new = cls(None, crawler.settings.getbool("DUPEFILTER_DEBUG"), fingerprinter=fingerprinter)
        new._start(fingerprinter, crawler.settings)
        return new

    def _start(self, keyed: RequestFingerprinter, settings: BaseSettings) -> None:
        folder, rekey = job_dir(settings), settings.getbool("DUSTPAN_REKEY")
        self._explore, self._salt = _share(settings, "DUSTPAN_EXPLORE"), str(settings.get("DUSTPAN_SALT", ""))
        self._keyed = keyed
        self._folder = None if folder else tempfile.TemporaryDirectory(prefix="dustpan-")
        path = os.path.join(folder or self._folder.name, SEEN_FILE)  # type: ignore[union-attr]
        self._seen = Seen(path, keyed.engine, rekey=rekey, remember=settings.getbool("DUSTPAN_REMEMBER"))
        self._new: Dict[str, Optional[str]] = {}  # keys, and the URLs that they are of
        self._left: List[Tuple[str, str]] = []  # the same of duplicates, where the file remembers them

    def request_seen(self, request: Request) -> bool:
        # A fingerprint is not a URL, so it is its own key.
        plain = self._keyed.is_plain(request)
        key = self._keyed.engine.key(request.url) if plain else self._keyed.fingerprint(request).hex()
        url = request.url if plain else None
        fresh = self._note(key, url)
        tag = self._keyed.engine.probe(request.url, self._explore, self._salt) if plain and self._explore else None
        first = tag is not None and self._note(tag.decode("utf-8", "surrogateescape"))
        if first and not fresh:
            steps = self._keyed.engine.explain(request.url).steps
            request.meta["dustpan_probe"] = [step.id[:8] for step in steps] or ["other"]
            request.meta["dont_cache"] = True  # the cache has the page of another URL with this fingerprint
        if not fresh and not first and url is not None and self._seen.remembers:
            self._left.append((key, url))
            if len(self._left) >= _BATCH:
                self._write()
        return not fresh and not first

    def _note(self, key: str, url: Optional[str] = None) -> bool:
        """Add a key; whether it is new."""
        if key in self._new or key in self._seen:
            return False
        self._new[key] = url
        if len(self._new) >= _BATCH:
            self._write()
        return True

    def _write(self) -> None:
        keys, urls = [*self._new, *(key for key, _ in self._left)], [*self._new.values(), *(url for _, url in self._left)]
        self._seen.add(keys, urls)
        self._seen.commit()
        self._new.clear()
        self._left.clear()

    def close(self, reason: str) -> None:
        self._write()
        self._seen.close()
        if self._folder:
            self._folder.cleanup()


class Recorder:
    """Spider middleware that writes a record for each page and each redirect, for ``dustpan learn``.

    Settings: ``DUSTPAN_RECORDS``, a file that is appended to: a WARC with whole pages if its name ends with .warc or
    .warc.gz, else one line of JSON for each record. ``DUSTPAN_ECHO``, the share of the URLs that are fetched a second
    time, from which `learn` knows what changes when nothing changes; it needs a WARC. ``DUSTPAN_ECHO_AFTER``, the
    seconds between the two, at least; 60.

    In SPIDER_MIDDLEWARES put it before HttpErrorMiddleware (50), so that it also gets error pages.
    """

    def __init__(self, path: str) -> None:
        self._file: _Records = _Archive(path) if path.endswith((".warc", ".warc.gz")) else _Lines(path)
        self._echoes: Optional[_Echoes] = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Recorder:
        path = crawler.settings.get("DUSTPAN_RECORDS")
        if not path:
            raise NotConfigured("DUSTPAN_RECORDS is not set: set it to a file")
        recorder = cls(path)
        share = crawler.settings.getfloat("DUSTPAN_ECHO")
        if share:
            if isinstance(recorder._file, _Lines):
                raise UsageError("DUSTPAN_ECHO needs whole pages: let DUSTPAN_RECORDS end with .warc.gz")
            recorder._echoes = _Echoes(crawler, share, crawler.settings.getfloat("DUSTPAN_ECHO_AFTER", 60))
            crawler.signals.connect(recorder._echoes.idle, signal=signals.spider_idle)
        # Redirects never come to a spider, and their targets do not when they are duplicates.
        crawler.signals.connect(recorder.redirected, signal=signals.response_downloaded)
        crawler.signals.connect(recorder.close, signal=signals.spider_closed)
        return recorder

    def process_spider_input(self, response: Response, spider: Any = None) -> None:
        if response.request is not None and response.request.method == "GET":
            self._file.page(response)
            if self._echoes:
                self._echoes.see(response)

    def redirected(self, response: Response, request: Request) -> None:
        to = response.headers.get("Location")
        if response.status in _REDIRECTS and to and request.method == "GET":
            self._file.redirect(request.url, response, to)

    def close(self) -> None:
        self._file.close()


class _Records:
    """A file of records that is appended to."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "ab")

    def page(self, response: Response) -> None:
        raise NotImplementedError

    def redirect(self, url: str, response: Response, to: bytes) -> None:
        raise NotImplementedError

    def close(self) -> None:
        self._file.close()


class _Lines(_Records):
    """One line of JSON for each."""

    def page(self, response: Response) -> None:
        header = response.headers.to_string()
        self._write(record(response.url, response.body, header, status=response.status, time=_now()))

    def redirect(self, url: str, response: Response, to: bytes) -> None:
        target = urljoin(url, to.decode("utf-8", "surrogateescape"))
        self._write({"url": url, "status": response.status, "target": target, "time": _now()})

    def _write(self, known: Any) -> None:
        self._file.write(encode(json.dumps(known, ensure_ascii=False)) + b"\n")


class _Archive(_Records):
    """A WARC file (1.0), one gzip member for each record. Bodies are written as Scrapy has decoded them."""

    _SENT = (b"content-encoding", b"content-length", b"transfer-encoding", b"connection", b"keep-alive")

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._packed = path.endswith(".gz")

    def page(self, response: Response) -> None:
        self._write(response.url, response, response.body)

    def redirect(self, url: str, response: Response, to: bytes) -> None:
        self._write(url, response, b"")

    def _write(self, url: str, response: Response, body: bytes) -> None:
        lines = [f"HTTP/1.1 {response.status} {HTTP_STATUS.get(response.status, '')}".encode()]
        for name, values in response.headers.items():
            if name.lower() not in self._SENT:
                lines += [name + b": " + value for value in values]
        lines.append(f"Content-Length: {len(body)}".encode())
        http = b"\r\n".join(lines) + b"\r\n\r\n" + body
        head = (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {_now()}\r\n"
                f"WARC-Record-ID: <urn:uuid:{uuid.uuid4()}>\r\nContent-Type: application/http; msgtype=response\r\n"
                f"Content-Length: {len(http)}\r\n\r\n")
        text = encode(head) + http + b"\r\n\r\n"
        self._file.write(gzip.compress(text, 6) if self._packed else text)


class _Echoes:
    """Pages that are fetched a second time, some time after the first, when there is nothing else to do.

    Which they are depends on their URLs alone, so that crawls of one site choose the same ones.
    """

    _META = ("cookiejar", "proxy", "download_slot", "download_timeout", "bindaddress")
    _PRIORITY = -1000

    def __init__(self, crawler: Crawler, share: float, after: float) -> None:
        if not 0 < share <= 1:
            raise UsageError(f"DUSTPAN_ECHO is {share}: it is the share of the URLs to fetch again, such as 0.01")
        self._crawler, self._below, self._after = crawler, share * 2 ** 64, after
        self._waiting: Deque[Tuple[float, Request]] = deque()

    def see(self, response: Response) -> None:
        """A page has come: is it to be fetched again? And has the time of another come?"""
        request = response.request
        assert request is not None
        number = int.from_bytes(hashlib.sha1(encode(response.url)).digest()[:8], "big")
        if response.status == 200 and number < self._below and "dustpan_echo" not in request.meta:
            meta = {name: request.meta[name] for name in self._META if name in request.meta}
            again = request.replace(url=response.url, callback=_ignore, errback=_ignore, dont_filter=True,
                                    priority=self._PRIORITY, cb_kwargs={},
                                    meta={**meta, "dont_cache": True, "dustpan_echo": True})
            self._waiting.append((monotonic() + self._after, again))
        self._send()

    def idle(self, spider: Any = None) -> None:
        """Nothing is left to fetch but what waits for its time; Scrapy asks again in a few seconds."""
        self._send()
        if self._waiting:
            raise DontCloseSpider

    def _send(self) -> None:
        while self._waiting and self._waiting[0][0] <= monotonic():
            self._crawler.engine.crawl(self._waiting.popleft()[1])


def _ignore(_: Any) -> None:
    """The recorder has seen it already."""


def _now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
