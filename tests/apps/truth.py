"""truth.py - which URLs show the same page: those whose visible text is equal while the clock stands still.

    Truth.add(url, response)     the response after redirects: a URL that redirects shows the page that it leads to
    Truth.write(path)            cluster<TAB>url, in the order of the URLs given

HTML is compared by its visible text (page.py), everything else and pages without text by their bytes, together with the kind of
document. Only what is answered with 200 in the end is a page. Patterns of `mask` are hidden first.
SPDX-License-Identifier: Apache-2.0
"""
import hashlib
import re

import crawl
import page


class Truth:
    def __init__(self, mask=()):
        self.mask = [(f"<{name}>", re.compile(pattern)) for name, pattern in mask]
        self.cluster = {}

    def content(self, response):
        """What is compared of a response; None where it is not a page."""
        if response is None or response.status != 200:
            return None
        kind = crawl.kind_of(response)
        text = ""
        if page.is_html(kind):
            tree = page.parse(crawl.header(response, "content-type"), response.body)
            text = page.visible(tree) if tree is not None else ""
            kind = "html"
        text = text or response.body.decode("latin-1")
        for name, pattern in self.mask:
            text = pattern.sub(name, text)
        return f"{kind}\n{text}"

    def name(self, response):
        content = self.content(response)
        return content and hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def add(self, url, response):
        name = self.name(response)
        if name:
            self.cluster[url] = name

    def write(self, path, urls):
        with open(path, "w", encoding="utf-8") as f:
            for url in urls:
                if url in self.cluster:
                    f.write(f"{self.cluster[url]}\t{url}\n")
