#!/usr/bin/env python3
"""certify.py - how often a certificate of `learn --certify` is wrong, where the truth is known.

    BUILD=build tools/evidence/certify.py [RUNS]          (make evidence-certify RUNS=1000)

Each run plants a site of its own, crawls a third of its pages, learns with --certify, and counts on the pages that were not crawled how precise the
rules are: as pages vote, against as many others as the certificate names. Violated: it is certified and less precise than it says. The promise is
that at most one run in twenty is, of all runs. On planted sites nearly all rules are right; so in "scattered" ones that share of the pages is taken
apart, without any regularity that could be learned: their lists are about as precise as promised, a little more or less, where a test is put to the
test. The last rows break an assumption on purpose: wrong labels, error pages under unlike URLs that pass as one page, a crawl that goes through the
site in order instead of at random.

SPDX-License-Identifier: Apache-2.0
"""
import concurrent.futures
import os
import random
import statistics
import subprocess
import sys
import tempfile

BUILD = os.environ.get("BUILD", "build")
URLS = 24000

# name, options of plant, of learn, what is done to the crawl
ROWS = [
    ("planted, .99", (), (), "random"),
    ("planted, .9", (), ("--min-precision", ".9"), "random"),
    ("hard, .99", ("--hard",), (), "random"),
    ("hard, .9", ("--hard",), ("--min-precision", ".9"), "random"),
    ("hard, rewrite, .9", ("--hard",), ("--min-precision", ".9", "--method", "rewrite"), "random"),
    ("0.5 % scattered, .99", (), (), .005),
    ("1 % scattered, .99", (), (), .01),
    ("1.5 % scattered, .99", (), (), .015),
    ("3 % scattered, .99", (), (), .03),
    ("5 % scattered, .99", (), (), .05),
    ("3 % scattered, .95", (), ("--min-precision", ".95"), .03),
    ("6 % scattered, .95", (), ("--min-precision", ".95"), .06),
    ("12 % scattered, .95", (), ("--min-precision", ".95"), .12),
    ("20 % scattered, .95", (), ("--min-precision", ".95"), .20),
    ("2 % wrong labels, .99", ("--hard", "--noise", ".02"), (), "random"),
    ("2 % wrong labels, .95", ("--hard", "--noise", ".02"), ("--min-precision", ".95"), "random"),
    ("error pages, .99", ("--hard",), (), "errors"),
    ("crawl in order, .99", ("--hard",), (), "order"),
    ("crawl in order, .9", ("--hard",), ("--min-precision", ".9"), "order"),
]


def call(*command, text=None):
    return subprocess.run([BUILD + "/" + command[0], *command[1:]], input=text, capture_output=True, check=True,
                          encoding="utf-8", errors="surrogateescape").stdout


def read(path):
    pages = {}
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        for line in f:
            if not line.startswith("#") and "\t" in line:
                page, url = line.rstrip("\n").split("\t")
                pages.setdefault(page, []).append(url)
    return pages


def scatter(pages, share, chance):
    """Take some pages of two or more URLs apart: one URL of each becomes a page of its own."""
    out = {}
    for page in sorted(pages):
        urls = list(pages[page])
        if len(urls) > 1 and chance.random() < share:
            out[page + "-apart"] = [urls.pop(chance.randrange(len(urls)))]
        out[page] = urls
    return out


def precision(rules, pages, pool, chance):
    """The share of voting pages whose vote is good, against `pool` other pages."""
    order = sorted(pages)
    chance.shuffle(order)
    block, voters = order[:pool], order[pool:]
    urls = [(page, url) for page in order for url in pages[page]]
    keys = call("dustpan", "apply", "-q", "-r", rules, text="\n".join(url for _, url in urls) + "\n").splitlines()
    of = {}
    taken = set()
    members = set(block)
    for (page, _), key in zip(urls, keys):
        of.setdefault(page, []).append(key)
        if page in members:
            taken.add(key)
    bad = sum(1 for page in voters if any(key in taken for key in of[page]))
    good = sum(1 for page in voters
               if len(set(of[page])) < len(set(pages[page])) and not any(key in taken for key in of[page]))
    return good / (good + bad) if good + bad else 1


def certificate(path):
    """Pages that the certificates of a file were tried against; 0: there is none."""
    pool = 0
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        for line in f:
            if line.startswith("host ") and "cert=" in line:
                pool = int(line.split("pool=")[1].split("]")[0].split()[0])
    return pool


def one(task):
    row, seed = task
    name, planting, learning, how = row
    chance = random.Random(seed)
    promised = float(learning[1]) if learning else .99
    with tempfile.TemporaryDirectory() as work:
        call("plant", "--urls", str(URLS), "--hosts", "1", "--seed", str(seed), *planting, "--clusters",
             work + "/seen", "--clean", work + "/true")
        truth, seen = read(work + "/true"), read(work + "/seen")
        if isinstance(how, float):
            truth = seen = scatter(truth, how, chance)
        order = sorted(truth)
        if how == "order":
            order.sort(key=lambda page: truth[page][0])
        else:
            chance.shuffle(order)
        crawled = set(order[:len(order) // 3])
        urls = {url for page in crawled for url in truth[page]}
        lines = ["%s\t%s" % (page, url) for page in sorted(seen) for url in seen[page] if url in urls]
        if how == "errors": # one page in fifty answers with the same text
            gone = set(chance.sample(sorted(crawled), len(crawled) // 50))
            lines = ["%s\t%s" % ("gone" if page in gone else page, url) for page in sorted(crawled)
                     for url in truth[page]]
        with open(work + "/crawl", "w", encoding="utf-8", errors="surrogateescape") as f:
            f.write("\n".join(lines) + "\n")
        call("dustpan", "learn", "-q", "--certify", "--site", "domain", "--threads", "1", *learning, "-o", work + "/rules",
             work + "/crawl")
        pool = certificate(work + "/rules")
        if not pool:
            return None
        fresh = {page: urls for page, urls in truth.items() if page not in crawled}
        return precision(work + "/rules", fresh, min(pool, len(fresh) // 2), chance), promised


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print("%-24s %6s %10s %9s %7s %8s %8s" % ("", "runs", "certified", "violated", "share", "median", "least"))
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for row in ROWS:
            given = [x for x in pool.map(one, ((row, 1000 + seed) for seed in range(runs)), chunksize=4) if x]
            violated = sum(1 for got, promised in given if got < promised)
            values = [got for got, _ in given] or [1]
            print("%-24s %6d %10d %9d %6.1f%% %8.4f %8.4f" % (row[0], runs, len(given), violated, 100 * violated / runs,
                                                             statistics.median(values), min(values)), flush=True)


if __name__ == "__main__":
    main()
