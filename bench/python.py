#!/usr/bin/env python3
"""python.py - keys of the URLs of a file through the Python package, and what others make of the same URLs.

    python.py WHAT NAME ITEMS URLS [RULES]      one row of bench/run; items are URLs

    key keys arrow     dustpan: URL by URL, a list, a column of Arrow; with the rules of the file, else the common ones
    seen               fresh or not, by a file of keys (dustpan.Seen), batches of 16,384
    w3lib              w3lib.url.canonicalize_url, what Scrapy compares URLs by
    courlan            courlan.clean_url
    discarder          duplicate-url-discarder with the common rules, as far as it has words for them

Run by the virtual environment of bindings/python/venv.sh. URLs are str, but in a column. Times are without reading the
file and loading rules; the peak is that of the process, URLs and answers with it.
SPDX-License-Identifier: Apache-2.0
"""
import json
import logging
import os
import resource
import sys
import tempfile
import time

import dustpan


def dustpan_engine(rules):
    return dustpan.Engine.load(rules[0]) if rules else dustpan.Engine(dustpan.Rules.common())


def by_key(urls, rules):
    key = dustpan_engine(rules).key
    return lambda: [key(url) for url in urls]


def by_list(urls, rules):
    engine = dustpan_engine(rules)
    return lambda: engine.keys(urls)


def by_column(urls, rules):
    import pyarrow

    engine, column = dustpan_engine(rules), pyarrow.array(urls)
    return lambda: engine.keys_arrow(column)


def by_seen(urls, rules):
    folder = tempfile.TemporaryDirectory()
    engine = dustpan_engine(rules)

    def run():
        with folder, dustpan.Seen(os.path.join(folder.name, "seen"), engine) as seen:
            return [fresh for i in range(0, len(urls), 16384) for fresh in seen.add(urls[i:i + 16384])]

    return run


def by_w3lib(urls, rules):
    from w3lib.url import canonicalize_url

    return lambda: [canonicalize_url(url) for url in urls]


def by_courlan(urls, rules):
    from courlan import clean_url

    return lambda: [clean_url(url) for url in urls]


def by_discarder(urls, rules):
    from duplicate_url_discarder.url_canonicalizer import UrlCanonicalizer

    names = []
    for rule in dustpan.Rules.common():
        if rule.text.startswith("drop ?"):
            names += rule.text[len("drop ?"):].split(",")
    # It has no wildcards: those that Urchin defined.
    names = [name for name in names if "*" not in name]
    names += ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as f:
        json.dump([{"order": 100, "processor": "queryRemoval", "urlPattern": {"include": []}, "args": names}], f)
        f.flush()
        process = UrlCanonicalizer([f.name]).process_url
    logging.disable()  # it tries to fetch the public-suffix list, and says at length when it cannot
    process(urls[0])
    return lambda: [process(url) for url in urls]


WHAT = {"key": by_key, "keys": by_list, "arrow": by_column, "seen": by_seen, "w3lib": by_w3lib, "courlan": by_courlan,
        "discarder": by_discarder}


def main(what, name, items, path, *rules):
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        urls = [line.rstrip("\n") for line, _ in zip(f, range(int(items)))]
    run = WHAT[what](urls, rules)
    wall, cpu = time.monotonic(), time.process_time()
    answers = run()
    wall, cpu = time.monotonic() - wall, time.process_time() - cpu
    assert len(answers) == len(urls)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
    print(f"{name}\t{len(urls)}\t{int(wall * 1e9)}\t{int(cpu * 1e9)}\t{peak}\t0")


main(*sys.argv[1:])
