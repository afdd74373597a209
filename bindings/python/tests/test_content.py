"""record(). SPDX-License-Identifier: Apache-2.0"""
import dustpan
from dustpan import learn, record

PAGE = ("<html><head><title>Page {0}</title></head>"
        "<body><p>All about {0}: {1}</p><a href='/p?id={0}&sid={2}'>again</a></body>")
HEADER = b"Content-Type: text/html\r\n"


def page(i, sid):
    text = " ".join(f"word{(i * 31 + k) % 997}" for k in range(60))
    body = PAGE.format(i, text, sid).encode()
    return record(f"http://a.com/p?id={i}&sid={sid}", body, HEADER, status=200, time="2024-01-01")


def test_a_page_is_a_record():
    one, same, other = page(1, "x"), page(1, "y"), page(2, "x")
    assert set(one) == {"url", "status", "time", "size", "digest", "title", "sketch", "simhash", "cluster"}
    assert one["digest"] != same["digest"] and one["digest"].startswith("sha1:") and len(one["digest"]) == 37
    assert one["cluster"] == same["cluster"] != other["cluster"] and one["sketch"] == same["sketch"]
    assert record("http://a.com/", b"", status=301, target="http://a.com/x") == {
        "url": "http://a.com/", "status": 301, "target": "http://a.com/x", "size": 0}
    assert record(b"http://a.com/\xff", b"\x89PNG\r\n\x1a\n")["url"] == "http://a.com/\udcff"


def test_records_of_pages_teach_rules():
    pages = [page(i, f"{i * 7 + k:05x}") for i in range(120) for k in range(3)]
    rules = learn(pages).rules
    assert [rule.text for rule in rules] == ["drop ?sid"] and rules[0].attributes["by"] == "text"
    assert dustpan.Engine(rules).same("http://a.com/p?id=9&sid=1", "http://a.com/p?id=9")
