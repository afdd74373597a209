"""Scrapy: fingerprints, job folders, records; and a real crawl of a real site, before and after learning.

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import dustpan

scrapy = pytest.importorskip("scrapy")
from scrapy.settings import Settings  # noqa: E402

from dustpan.scrapy import DupeFilter, Recorder, RequestFingerprinter  # noqa: E402

CRAWL = Path(__file__).parent / "crawl"
RULES = "dustpan-rules 1\nhost a.com\ndrop ?sid\n/{x}/ => /{x}\n"


@pytest.fixture
def settings(tmp_path):
    (tmp_path / "a.rules").write_text(RULES)
    return Settings({"DUSTPAN_RULES": [str(tmp_path / "a.rules")], "JOBDIR": str(tmp_path / "job")})


def test_fingerprints_are_of_keys(settings):
    fingerprint = RequestFingerprinter(settings).fingerprint
    request = scrapy.Request("http://a.com/x?sid=1")
    assert fingerprint(request) == fingerprint(scrapy.Request("http://a.com/x?sid=2")) == fingerprint(request)
    assert len(fingerprint(request)) == 20 and request.url == "http://a.com/x?sid=1"
    others = [scrapy.Request("http://a.com/y"), scrapy.Request("http://a.com/x", method="POST"),
              scrapy.Request("http://a.com/x", method="POST", body="1"),
              scrapy.Request("http://a.com/x?sid=1", meta={"verbatim_url": True})]
    assert len({fingerprint(r) for r in [request, *others]}) == 5


def test_a_redirect_to_its_own_key_is_followed_once(settings):
    fingerprint = RequestFingerprinter(settings).fingerprint
    source = scrapy.Request("http://a.com/x")
    target = scrapy.Request("http://a.com/x/", meta={"redirect_urls": ["http://a.com/x"]})
    another = scrapy.Request("http://a.com/x/", meta={"redirect_urls": ["http://a.com/x?sid=1"]})
    assert fingerprint(source) != fingerprint(target) == fingerprint(another)
    assert fingerprint(scrapy.Request("http://a.com/x/")) == fingerprint(source)
    elsewhere = scrapy.Request("http://a.com/y", meta={"redirect_urls": ["http://a.com/x"]})
    assert fingerprint(elsewhere) == fingerprint(scrapy.Request("http://a.com/y"))


def test_a_job_keeps_to_its_rules(settings, tmp_path):
    first = RequestFingerprinter(settings)
    assert (tmp_path / "job" / "dustpan.set").read_text() == first.engine.set_id + "\n"
    RequestFingerprinter(settings)
    (tmp_path / "a.rules").write_text(RULES + "# a comment changes nothing\n")
    RequestFingerprinter(settings)
    (tmp_path / "a.rules").write_text(RULES + "drop ?x\n")
    with pytest.raises(dustpan.UsageError, match=first.engine.set_id):
        RequestFingerprinter(settings)
    settings.set("DUSTPAN_REKEY", True)
    again = RequestFingerprinter(settings)
    settings.set("DUSTPAN_REKEY", False)
    assert RequestFingerprinter(settings).engine.set_id == again.engine.set_id != first.engine.set_id
    request = scrapy.Request("http://a.com/z")
    assert first.fingerprint(request) != again.fingerprint(request)


def test_a_job_begun_without_rules_is_refused(settings, tmp_path):
    (tmp_path / "job").mkdir()
    (tmp_path / "job" / "requests.seen").write_bytes(b"")
    with pytest.raises(dustpan.UsageError, match="rule set none"):
        RequestFingerprinter(settings)


def test_rules_must_be_named():
    with pytest.raises(dustpan.UsageError, match="DUSTPAN_RULES"):
        RequestFingerprinter(Settings())


def dupe_filter(settings):
    """As a crawler makes it, after its fingerprinter."""
    crawler = SimpleNamespace(settings=settings, request_fingerprinter=RequestFingerprinter(settings))
    return DupeFilter.from_crawler(crawler)


def test_seen_keys_stay_with_the_job(settings, tmp_path):
    first = dupe_filter(settings)
    assert not first.request_seen(scrapy.Request("http://a.com/x?sid=1"))
    assert first.request_seen(scrapy.Request("http://a.com/x?sid=2"))
    assert not first.request_seen(scrapy.Request("http://a.com/x", method="POST"))
    assert not first.request_seen(scrapy.Request("http://a.com/x/", meta={"redirect_urls": ["http://a.com/x"]}))
    assert [first.request_seen(scrapy.Request(f"http://a.com/{i}?b=1")) for i in range(2500)] == [False] * 2500
    first.close("finished")
    again = dupe_filter(settings)
    assert [again.request_seen(scrapy.Request(f"http://a.com/{i}?b=1&sid=3")) for i in range(2500)] == [True] * 2500
    assert again.request_seen(scrapy.Request("http://a.com/x", method="POST"))
    assert not again.request_seen(scrapy.Request("http://a.com/new"))
    again.close("finished")
    (tmp_path / "a.rules").write_text(RULES + "drop ?b\n")
    with pytest.raises(dustpan.UsageError):
        dupe_filter(settings)
    settings.set("DUSTPAN_REKEY", True)
    new = dupe_filter(settings)
    assert new.request_seen(scrapy.Request("http://a.com/7?b=2"))
    assert new.request_seen(scrapy.Request("http://a.com/new"))
    assert not new.request_seen(scrapy.Request("http://a.com/newer"))
    new.close("finished")


def test_some_duplicates_are_fetched_once(settings):
    settings.set("DUSTPAN_EXPLORE", .05)
    urls = [f"http://a.com/{i % 100}?sid={i}" for i in range(2000)]
    counts = []
    for _ in range(2):
        some = dupe_filter(settings)
        requests = [scrapy.Request(url) for url in urls]
        passed = [request for request in requests if not some.request_seen(request)]
        probes = [request for request in passed if "dustpan_probe" in request.meta]
        counts.append((len(passed), len(probes)))
        some.close("finished")
        assert {tuple(request.meta["dustpan_probe"]) for request in probes} <= {("e563fd0e",)}
        assert all(request.meta["dont_cache"] for request in probes)
        assert not set(request.url for request in probes) & set(urls[:100])
    (passed, probes), again = counts
    assert passed == 100 + probes and 60 < probes < 130 and again == (0, 0)
    settings.set("DUSTPAN_SALT", "other")
    other = dupe_filter(settings)
    assert 60 < sum(not other.request_seen(scrapy.Request(url)) for url in urls) < 130
    other.close("finished")
    settings.set("DUSTPAN_EXPLORE", 2)
    with pytest.raises(dustpan.UsageError):
        dupe_filter(settings)


def test_without_a_job_the_file_goes_away(settings):
    settings.set("JOBDIR", None)
    seen = dupe_filter(settings)
    folder = Path(seen._folder.name)
    assert not seen.request_seen(scrapy.Request("http://a.com/x"))
    assert (folder / "dustpan.seen").exists()
    seen.close("finished")
    assert not folder.exists()


def test_only_answers_to_get_are_recorded(tmp_path):
    path = tmp_path / "records.jsonl"
    recorder = Recorder(str(path))
    for method in "GET", "POST":
        request = scrapy.Request("http://a.com/x", method=method)
        recorder.process_spider_input(scrapy.http.HtmlResponse("http://a.com/x", body=b"<p>text", request=request))
        moved = scrapy.http.Response("http://a.com/x", status=301, headers={"Location": "y?a=\xe4".encode("latin-1")})
        recorder.redirected(moved, request)
    recorder.close()
    page, redirect = [json.loads(line) for line in path.read_bytes().decode("utf-8", "surrogateescape").splitlines()]
    assert (page["url"], page["status"]) == ("http://a.com/x", 200) and "cluster" in page
    assert (redirect["status"], redirect["target"]) == (301, "http://a.com/y?a=\udce4")
    assert dustpan.learn(path, strict=True).summary["redirects"] == 1


# ---- a real crawl --------------------------------------------------------------------------------------------


@pytest.fixture
def site(tmp_path, request):
    """The site, served by nginx; its origin. The parameter is what each page shows at its end."""
    if not shutil.which("nginx"):
        pytest.skip("nginx is not installed")
    subprocess.run([sys.executable, str(CRAWL / "site.py"), str(tmp_path / "site")], check=True)
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    text = (CRAWL / "nginx.conf").read_text()
    user = "user root;" if os.getuid() == 0 else ""
    foot = getattr(request, "param", "")
    for name, value in ("DIR", str(tmp_path)), ("PORT", str(port)), ("USER", user), ("FOOT", foot):
        text = text.replace(f"@{name}@", value)
    (tmp_path / "nginx.conf").write_text(text)
    server = subprocess.Popen(["nginx", "-p", tmp_path, "-c", tmp_path / "nginx.conf", "-e", tmp_path / "error.log"])
    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def crawl(folder, name, start, **settings):
    """Crawl all; the requests that the server saw, and the titles of the pages that came."""
    log, pages = folder / "access.log", folder / f"{name}.jsonl"
    before = len(log.read_text().splitlines()) if log.exists() else 0
    options = {"LOG_LEVEL": "WARNING", "TELNETCONSOLE_ENABLED": False, "CONCURRENT_REQUESTS": 32,
               "CONCURRENT_REQUESTS_PER_DOMAIN": 32, "DOWNLOAD_DELAY": 0, **settings}
    words = [word for option in options.items() for word in ("-s", "{}={}".format(*option))]
    scrapy = [sys.executable, "-m", "scrapy", "runspider", CRAWL / "spider.py"]
    subprocess.run([*scrapy, "-a", f"start={start}", "-o", pages, *words], cwd=folder, check=True, timeout=120)
    requests = log.read_text().splitlines()[before:]
    assert not [line for line in requests if line[:3] not in ("200", "301")]
    return len(requests), {json.loads(line)["title"] for line in pages.open()}


def test_crawl_learn_crawl_again(site, tmp_path, command, capsys):
    recorder = {"SPIDER_MIDDLEWARES": json.dumps({"dustpan.scrapy.Recorder": 10}), "DUSTPAN_RECORDS": "records.jsonl"}
    requests, titles = crawl(tmp_path, "first", f"{site}/", **recorder)
    (tmp_path / "site.rules").write_bytes(command("learn", "--quiet", tmp_path / "records.jsonl"))
    rules = dustpan.Rules.load(tmp_path / "site.rules")
    # Again, with the rules; interrupted once.
    keyed = {"REQUEST_FINGERPRINTER_CLASS": "dustpan.scrapy.RequestFingerprinter", "DUSTPAN_RULES": "site.rules",
             "DUPEFILTER_CLASS": "dustpan.scrapy.DupeFilter", "JOBDIR": "job"}
    before, some = crawl(tmp_path, "second", f"{site}/", **keyed, CLOSESPIDER_PAGECOUNT=40)
    after, others = crawl(tmp_path, "third", f"{site}/", **keyed)
    fewer, again = before + after, some | others
    assert some < titles and before < fewer
    with capsys.disabled():
        print(f"\ncrawl of {len(titles)} pages: {requests} requests; {len(rules)} rules learned; again: {fewer} "
              f"requests, {100 * (requests - fewer) / requests:.1f} % saved, {len(titles - again)} pages lost")
    assert len(titles) == 1 + 1 + 3 + 4 + 60 + 60
    assert titles == again
    assert fewer < requests / 2


FRESH = "<p class=tip>Tip: $tip</p><p class=now>Now: $time_local</p><p class=token>$request_id</p>"


@pytest.mark.parametrize("site", [FRESH], indirect=True)
def test_some_pages_are_fetched_twice(site, tmp_path, command):
    """Pages that show a random line are different under every URL, until some were fetched twice."""
    recorder = {"SPIDER_MIDDLEWARES": json.dumps({"dustpan.scrapy.Recorder": 10})}
    once, titles = crawl(tmp_path, "once", f"{site}/", **recorder, DUSTPAN_RECORDS="once.warc.gz")
    seen = (tmp_path / "access.log").read_text().splitlines()
    twice, again = crawl(tmp_path, "twice", f"{site}/", **recorder, DUSTPAN_RECORDS="twice.warc.gz", DUSTPAN_ECHO=.1,
                         DUSTPAN_ECHO_AFTER=2, HTTPCACHE_ENABLED=True)
    asked = (tmp_path / "access.log").read_text().splitlines()[len(seen):]
    assert titles == again
    repeated = {line for line in asked if asked.count(line) > 1}
    assert .02 * len(asked) < len(repeated) < .2 * len(asked)
    assert len(asked) == len(set(asked)) + len(repeated)  # none a third time
    alone = dustpan.learn(tmp_path / "once.warc.gz")
    both = dustpan.learn(tmp_path / "twice.warc.gz")
    assert both.summary["known_pages"] == 129 < alone.summary["known_pages"]
    assert both.summary["known_reduction"] > .9 * both.summary["known_best_reduction"]
    assert both.summary["known_reduction"] > alone.summary["known_reduction"] + .2


def test_pages_of_an_archive_come_back(tmp_path, command):
    path = tmp_path / "crawl.warc.gz"
    recorder = Recorder(str(path))
    text = b"<title>T</title>" + b"<p>one page of many words</p>" * 40
    for url in "http://a.com/x?sid=1", "http://a.com/x?sid=2":
        headers = {"Content-Type": "text/html", "Content-Encoding": "gzip", "Content-Length": "7"}
        request = scrapy.Request(url)
        recorder.process_spider_input(scrapy.http.HtmlResponse(url, body=text, headers=headers, request=request))
    moved = scrapy.http.Response("http://a.com/y", status=301, headers={"Location": "/x?a=\xe4".encode("latin-1")})
    recorder.redirected(moved, scrapy.Request("http://a.com/y"))
    recorder.close()
    found = dustpan.learn(path, strict=True).summary
    assert (found["records"], found["redirects"], found["known_urls"], found["known_pages"]) == (3, 1, 2, 1)


def test_echoes_need_pages_and_a_share(tmp_path):
    def start(**settings):
        signals = SimpleNamespace(connect=lambda *a, **k: None)
        return Recorder.from_crawler(SimpleNamespace(settings=Settings(settings), signals=signals))
    path = str(tmp_path / "records")
    with pytest.raises(dustpan.UsageError, match="warc.gz"):
        start(DUSTPAN_RECORDS=path + ".jsonl", DUSTPAN_ECHO=.01)
    with pytest.raises(dustpan.UsageError, match="share"):
        start(DUSTPAN_RECORDS=path + ".warc.gz", DUSTPAN_ECHO=2)
    start(DUSTPAN_RECORDS=path + ".warc.gz", DUSTPAN_ECHO=.01).close()
    with pytest.raises(scrapy.exceptions.NotConfigured):
        start(DUSTPAN_ECHO=.01)
