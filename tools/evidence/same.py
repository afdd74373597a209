#!/usr/bin/env python3
"""same.py - how well `dustpan cluster` finds out of raw crawls which pages are the same.

    tools/evidence/same.py FOLDER [NAME...] [--dustpan build/dustpan] [--alone]

FOLDER holds a folder per application, as tests/apps/run writes them. For each, crawl.warc.gz and echo.warc.gz (--alone: not that)
are clustered and compared with truth.tsv, by pairs of URLs that both know:

    precision   of the pairs that cluster puts together, those that truth does
    recall      of the pairs that truth puts together, those that cluster does

A line per application, with seconds of processor time. Exit status 1 when one has precision below .999 or recall below .95.
SPDX-License-Identifier: Apache-2.0
"""
import argparse
import collections
import os
import resource
import subprocess
import sys

LEAST = {"precision": 0.999, "recall": 0.95}


def pairs(sizes):
    return sum(n * (n - 1) // 2 for n in sizes)


def read(lines):
    return {url: cluster for cluster, url in (line.rstrip("\n").split("\t", 1) for line in lines)}


def score(found, truth):
    both = [u for u in truth if u in found]
    together = pairs(collections.Counter((truth[u], found[u]) for u in both).values())
    in_truth = pairs(collections.Counter(truth[u] for u in both).values())
    in_found = pairs(collections.Counter(found[u] for u in both).values())
    return {"urls": len(both), "pairs": in_truth, "precision": together / in_found if in_found else 1.0,
            "recall": together / in_truth if in_truth else 1.0}


def cluster(dustpan, files):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run([dustpan, "cluster", "-q", "--keep-soft-errors", *files], stdout=subprocess.PIPE, check=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return read(out.splitlines()), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("folder")
    p.add_argument("name", nargs="*")
    p.add_argument("--dustpan", default="build/dustpan")
    p.add_argument("--alone", action="store_true", help="without the second fetches")
    o = p.parse_args()
    names = o.name or sorted(n for n in os.listdir(o.folder) if os.path.exists(os.path.join(o.folder, n, "truth.tsv")))
    print(f"{'application':<12} {'URLs':>6} {'pairs':>8} {'precision':>9} {'recall':>7} {'CPU s':>6}")
    status = 0
    for name in names:
        at = os.path.join(o.folder, name)
        files = [os.path.join(at, f) for f in ("crawl.warc.gz", "echo.warc.gz")[:1 if o.alone else 2]]
        with open(os.path.join(at, "truth.tsv"), encoding="utf-8") as f:
            truth = read(f)
        found, seconds = cluster(o.dustpan, files)
        got = score(found, truth)
        short = [what for what, least in LEAST.items() if got[what] < least]
        status |= bool(short)
        print(f"{name:<12} {got['urls']:>6} {got['pairs']:>8} {got['precision']:>9.4f} {got['recall']:>7.4f} {seconds:>6.2f}"
              f"{'   short: ' + ', '.join(short) if short else ''}", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
