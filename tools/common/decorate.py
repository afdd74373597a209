#!/usr/bin/env python3
"""decorate.py - give planted sites parameters that have the same names on many of them.

    plant --urls 20000 --hosts 300 --host-zipf 0 --clusters - | decorate.py [--seed N] >clusters.tsv

`plant` draws every name anew for every site, so there is nothing that one site could tell another. Here each site gets
some of a few shared names (tracker N: one, or a group that comes together, t2_a, t2_b), on a part of its URLs, with
values that say nothing of the page; and some sites get a name that others drop and that decides here what is shown.

    for each site, with the chance SHARE: tracker N    some of its URLs have it; of some there is one more copy
    with the chance TRAP: tracker N is a trap here     pages ?tN=1, ?tN=2, ... of their own

Cluster, TAB, URL in and out. The same input and seed give the same output.
SPDX-License-Identifier: Apache-2.0
"""
import argparse
import random
import sys
from urllib.parse import urlsplit


def names_of(tracker):
    return [f"t{tracker}"] if tracker % 2 else [f"t{tracker}_{x}" for x in "abc"]


def add(url, names, rng):
    tail = "&".join(f"{n}={rng.randrange(16**6):x}" for n in names)
    return url + ("&" if "?" in url else "?") + tail


def decorate(rows, rng, trackers, share, trap, used):
    """The rows of one site, with its trackers."""
    held = [k for k in range(1, trackers + 1) if rng.random() < share]
    traps = [k for k in held if rng.random() < trap]
    held = [k for k in held if k not in traps]
    for cluster, url in rows:
        names = [n for k in held if rng.random() < used for n in names_of(k)]
        copy = [n for k in held if rng.random() < used / 2 for n in names_of(k)]
        yield cluster, add(url, names, rng) if names else url
        if copy:
            yield cluster, add(url, copy, rng)
    for k in traps:
        origin = "//".join(urlsplit(rows[0][1])[:2]).replace("http//", "http://").replace("https//", "https://")
        for item in range(max(2, len(rows) // 10)):
            for value in range(1, 4):
                tail = "&".join(f"{n}={value}" for n in names_of(k))
                yield f"trap{k}-{rows[0][0]}-{item}-{value}", f"{origin}/trap/{item}?{tail}"


def main():
    p = argparse.ArgumentParser(description="shared parameters for planted sites")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--trackers", type=int, default=6, help="shared names, or groups of names")
    p.add_argument("--share", type=float, default=.4, help="of the sites that have each")
    p.add_argument("--trap", type=float, default=.05, help="of those, on which it matters")
    p.add_argument("--used", type=float, default=.15, help="URLs of a site that have each")
    o = p.parse_args()
    sites = {}
    for line in sys.stdin:
        if line.startswith("#"):
            continue
        cluster, _, url = line.rstrip("\n").partition("\t")
        host = urlsplit(url).netloc.split(":")[0]
        sites.setdefault(".".join(host.split(".")[-2:]), []).append((cluster, url))
    for site in sorted(sites):
        rng = random.Random(f"{o.seed} {site}")
        for cluster, url in decorate(sites[site], rng, o.trackers, o.share, o.trap, o.used):
            print(f"{cluster}\t{url}")


if __name__ == "__main__":
    main()
