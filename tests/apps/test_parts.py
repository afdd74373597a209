"""test_parts.py - the crawler's parts on pages that were made up: links, forms, visible text, order, truth.

    /usr/bin/python3 tests/apps/test_parts.py        prints nothing but the claims that hold
SPDX-License-Identifier: Apache-2.0
"""
import sys

sys.dont_write_bytecode = True

import crawl  # noqa: E402
import page  # noqa: E402
from truth import Truth  # noqa: E402

HTML = b"""<html><head><title>T</title><link rel="canonical" href="/c"><link rel="stylesheet" href="/s.css"></head><body>
<a href="a?x=1#top">One</a><b>two</b> <script>no()</script><p hidden>no</p><p style="display: none">no</p><p>three</p>
<form action="/find"><input name="q"><input type="hidden" name="h" value="1"><select name="o"><option>x<option>y</select></form>
<form method="post" action="/post"><input name="q"></form></body></html>"""


def response(url, body, kind="text/html", status=200):
    return crawl.Response(url, 0, status, "OK", [("Content-Type", kind)], body)


def claim(what, holds):
    print(what if holds else f"NOT: {what}")


tree = page.parse("text/html", HTML)
links = page.links("http://a.test/d/", "text/html", tree, HTML)
claim("visible text leaves out title, scripts and what is hidden", page.visible(tree) == "Onetwo three x y")
claim("links are resolved, canonical ones too, style sheets are not", links[:2] == ["http://a.test/c", "http://a.test/d/a?x=1#top"])
claim("forms with GET are sent with defaults and each choice, others are not",
      "http://a.test/find?q=&h=1&o=y" in links and "http://a.test/find?q=file&h=1&o=x" in links and not any("post" in u for u in links))
feed = b"<rss><item><link>http://a.test/f?a=1&amp;b=2</link></item></rss>"
claim("links of feeds are found", page.links("http://a.test/", "application/rss+xml", None, feed) == ["http://a.test/f?a=1&b=2"])
claim("only the site itself is fetched", [crawl.Site("a.test", 1).has(u) for u in (
    "http://a.test/x", "http://b.test/", "https://a.test/", "http://a.test.evil/", "http://a.test@b.test/")] == [True] + [False] * 4)
claim("shapes have no values", crawl.shape("http://a.test/t/12/x-3.html?b=1&a=2") == crawl.shape("http://a.test/t/7/yy-1.html?a=&b="))

frontier = crawl.Frontier()
for u in [f"http://a.test/list?page={i}" for i in range(9)] + ["http://a.test/item/1"]:
    frontier.add(u)
claim("rare shapes come early", "http://a.test/item/1" in [frontier.next() for _ in range(4)])
claim("no URL is given twice", len({frontier.next() for _ in range(6)}) == 6 and not frontier.next() and not frontier.next())

truth = Truth((("seconds", r"in [\d.]+ s"),))
for url, body, kind, status in (("1", b"<p>A in 1.2 s", "text/html", 200), ("2", b"<div>A\n in 3 s</div>", "text/html", 200),
                                ("3", b"<p>B", "text/html", 200), ("4", b"<p>B", "text/plain", 200), ("5", b"<p>A", "text/html", 404)):
    truth.add(url, response(url, body, kind, status))
claim("equal text is one page, after what is hidden by name", truth.cluster["1"] == truth.cluster["2"] != truth.cluster["3"])
claim("documents of another kind are other pages", truth.cluster["3"] != truth.cluster["4"])
claim("errors are not pages", "5" not in truth.cluster)
