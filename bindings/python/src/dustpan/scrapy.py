"""For Scrapy: requests are duplicates when their keys are, and a crawl records what `dustpan learn` needs.

    REQUEST_FINGERPRINTER_CLASS = "dustpan.scrapy.RequestFingerprinter"
    DUSTPAN_RULES = ["site.rules"]

    SPIDER_MIDDLEWARES = {"dustpan.scrapy.Recorder": 10}
    DUSTPAN_RECORDS = "records.jsonl"

Either can be used without the other. docs/scrapy.md is the manual.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import hashlib
import json
import os
from datetime import datetime, timezone
from typing import Any, Optional
from urllib.parse import urljoin
from weakref import WeakKeyDictionary

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy.settings import BaseSettings
from scrapy.utils.job import job_dir

from dustpan._c import UsageError, encode
from dustpan.content import record
from dustpan.engine import Engine

SET_FILE = "dustpan.set"  # in JOBDIR: the id of the rule set that its fingerprints were made with
_REDIRECTS = (301, 302, 303, 307, 308)


class RequestFingerprinter:
    """Fingerprints of method, key and body: URLs of one key are fetched once. The URL that is fetched is never changed.

    Settings: ``DUSTPAN_RULES``, one or more rule files, text or compiled; ``DUSTPAN_REKEY``, True to go on in a JOBDIR
    that was begun with other rules, where pages may then be fetched once more.
    """

    def __init__(self, settings: BaseSettings) -> None:
        paths = settings.getlist("DUSTPAN_RULES")
        if not paths:
            raise UsageError("DUSTPAN_RULES names no rule file")
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

    def _name(self, request: Request) -> str:
        if request.meta.get("verbatim_url"):
            return request.url
        key = self.engine.key(request.url)
        # Where a URL redirects to another of the same key, that one holds the page: it is followed, once.
        if any(self.engine.key(url) == key for url in request.meta.get("redirect_urls", ())):
            return f"redirected {request.url}"
        return key


def _hold_job(folder: str, set_id: str, rekey: bool) -> None:
    """Refuse a JOBDIR whose fingerprints are of another set; else write down which it is."""
    path = os.path.join(folder, SET_FILE)
    try:
        with open(path) as f:
            before: Optional[str] = f.read().strip()
    except FileNotFoundError:
        before = "none" if os.path.exists(os.path.join(folder, "requests.seen")) else None
    if before not in (None, set_id) and not rekey:
        raise UsageError(f"JOBDIR {folder} was begun with rule set {before}, DUSTPAN_RULES are set {set_id}: begin "
                         "another JOBDIR, use the old rules, or set DUSTPAN_REKEY = True and have pages fetched again")
    with open(path, "w") as f:
        f.write(set_id + "\n")


class Recorder:
    """Spider middleware that writes a line of JSON for each page and each redirect, for ``dustpan learn``.

    Setting: ``DUSTPAN_RECORDS``, a file; it is appended to. In SPIDER_MIDDLEWARES it stands before HttpErrorMiddleware
    (50), so that pages that are errors are seen, too.
    """

    def __init__(self, path: str) -> None:
        self._file = open(path, "ab")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Recorder:
        path = crawler.settings.get("DUSTPAN_RECORDS")
        if not path:
            raise NotConfigured("DUSTPAN_RECORDS names no file")
        recorder = cls(path)
        # Redirects never come to a spider, and their targets do not when they are duplicates.
        crawler.signals.connect(recorder.redirected, signal=signals.response_downloaded)
        crawler.signals.connect(recorder.close, signal=signals.spider_closed)
        return recorder

    def process_spider_input(self, response: Response, spider: Any = None) -> None:
        if response.request is not None and response.request.method == "GET":
            header = response.headers.to_string()
            self._write(record(response.url, response.body, header, status=response.status, time=_now()))

    def redirected(self, response: Response, request: Request) -> None:
        to = response.headers.get("Location")
        if response.status in _REDIRECTS and to and request.method == "GET":
            target = urljoin(request.url, to.decode("utf-8", "surrogateescape"))
            self._write({"url": request.url, "status": response.status, "target": target, "time": _now()})

    def close(self) -> None:
        self._file.close()

    def _write(self, known: Any) -> None:
        self._file.write(encode(json.dumps(known, ensure_ascii=False)) + b"\n")


def _now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
