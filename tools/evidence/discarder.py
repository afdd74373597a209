#!/usr/bin/env python3
"""discarder.py - duplicate-url-discarder with all rules of duplicate-url-discarder-rules, as a method of benchmark.py.

    URLS=urls.txt discarder.py </dev/null >keys.tsv      needs both packages (PyPI); learns nothing

Writes key, TAB, URL. The rules are those it would use in a Scrapy project that names all rule files (RULE_PATHS).
SPDX-License-Identifier: Apache-2.0
"""
import os
import sys

from duplicate_url_discarder.url_canonicalizer import UrlCanonicalizer
from duplicate_url_discarder_rules import RULE_PATHS

key_of = UrlCanonicalizer(sorted(RULE_PATHS)).process_url
with open(os.environ["URLS"], encoding="utf-8", errors="surrogateescape") as f:
    for url in map(str.strip, f):
        sys.stdout.buffer.write(f"{key_of(url)}\t{url}\n".encode("utf-8", "surrogateescape"))
