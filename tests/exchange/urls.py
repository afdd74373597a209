#!/usr/bin/env python3
"""urls.py - URLs that are hard on regular expressions: parameters in paths, '?' in values, names that begin alike.

    urls.py SEED COUNT >urls
SPDX-License-Identifier: Apache-2.0
"""
import random
import sys

HOSTS = ["www.example.com", "example.com", "www.example.org", "example.org", "a.b.example.org", "other.net",
         "www.example.com:8080", "user:pw@example.com", "example.com.evil.net", "xexample.org"]
SEGMENTS = ["a", "b", "x", "dp", "index.html", "default.htm", "tt12", "t", "x1", "x33", "q.html", "..html", "...html",
            ".html", "12-ab.html", "loop", "print", "shop", "", "sid=1", "a;sid=2", "a&sid=3", "%2Fa", "A.HTML"]
NAMES = ["sid", "utm_source", "utm_", "PHPSESSID", "q", "fbclid", "ref_src", "sid2", "xsid", "SID", "a", "b", "utm",
         "sid*", "%73id"]
VALUES = ["", "=", "=1", "=a?sid=1", "==", "=x%20y", "=*"]

r = random.Random(int(sys.argv[1]))
for _ in range(int(sys.argv[2])):
    query = ""
    for i in range(r.choice([0, 1, 1, 2, 3, 4, 6])):
        query += ("&" if i and r.random() < .85 else ";" if i else "?") + r.choice(NAMES) + r.choice(VALUES)
    path = "/".join(r.choice(SEGMENTS) for _ in range(r.choice([1, 1, 2, 3, 4])))
    print(r.choice(["http", "http", "https"]) + "://" + r.choice(HOSTS) + "/" + path + query)
