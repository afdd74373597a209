#!/usr/bin/env python3
"""tables/coverage.py DUSTPAN TRAIN ALL RULES... - Table 2 and Figure 3 of WSDM 2010.

Pairs: those that k = 1 and k = 3 targets of a cluster on a host give. Then, for each rule file, how many rules it has, and the
URLs that its first 10, 100, ... rules match together, those that match most first. A URL counts once for each rule.
SPDX-License-Identifier: Apache-2.0
"""
import collections
import json
import subprocess
import sys
import urllib.parse


def main():
    dustpan, train, both, *files = sys.argv[1:]
    size = collections.Counter()
    for line in open(train):
        if not line.startswith("#"):
            cluster, url = line.rstrip("\n").split("\t")[:2]
            size[cluster, urllib.parse.urlsplit(url).netloc] += 1
    for k in 1, 3:
        print(f"  pairs with {k} target{'s' * (k > 1)}: {sum(n - i for n in size.values() for i in range(1, k + 1) if n > i)}")
    for path in files:
        out = subprocess.run([dustpan, "eval", "-q", "--json", "--by-rule", "-r", path, both], stdout=subprocess.PIPE, check=True)
        covers = sorted((r["changes"] for r in json.loads(out.stdout)["by_rule"]), reverse=True)
        steps = [n for n in (10, 100, 1000, 10000, 100000) if n < len(covers)] + [len(covers)]
        print(f"  {path}: {len(covers)} rules; URLs matched by the first " + ", ".join(f"{n}: {sum(covers[:n])}" for n in steps))


main()
