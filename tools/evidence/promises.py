#!/usr/bin/env python3
"""promises.py - does --min-precision hold on real sites?

    BUILD=build tools/evidence/promises.py [FOLDER]       (make evidence-promises LIVE=FOLDER; SPLITS=10: fewer)

Sets: the labelled ones of ../shared/data, and the crawls of real web applications that tests/apps/run wrote to FOLDER, if it is given. Each is divided in two
thirty times, by page; of an application the first part of the crawl (three to six tenths) is a further split each, judged on the rest. Rules are
learned on one part and judged on the other. A promise is kept where at most 1 - P of the merges are wrong; a split with fewer than 100 merges may have
one that is. What stage 0 merges before any rule fires, rightly or wrongly, is no rule's: it is counted apart. `worst` is the largest share of wrong
merges of a split, `saved` the mean share of fetches saved of those possible.

Behind it the picture of reliability: rules of all lists by their p, and how many of the pages that vote on them are against. A rule is
judged in its place in the list: by itself it may do what a rule before it prevents.

SPDX-License-Identifier: Apache-2.0
"""
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import typing

from sets import OWNERS, REAL

BUILD = os.environ.get("BUILD", "build")
DATA = os.environ.get("DATA", "../shared/data")
SPLITS = int(os.environ.get("SPLITS", "30"))
PROMISES = (".9", ".95", ".99")
FIRST = (.3, .4, .5, .6)
CLASSES = (.9, .95, .99, .995, .998, .9995, 1.01)


def call(*command, check=True):
    return subprocess.run([BUILD + "/" + command[0], *command[1:]], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=check, encoding="utf-8").stdout


def divide(source, split, work):
    """The two parts of a split: by page, or along the crawl."""
    if split < SPLITS:
        call("dustpan", "split", "--quiet", "--test", "0.5", "--seed", str(split + 21), "-o", work + "/part", source)
        return work + "/part.train.tsv", work + "/part.test.tsv"
    with open(source, encoding="utf-8", errors="surrogateescape") as f:
        lines = f.readlines()
    cut = int(len(lines) * FIRST[split - SPLITS])
    parts = work + "/first.tsv", work + "/rest.tsv"
    for path, part in zip(parts, (lines[:cut], lines[cut:])):
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as f:
            f.writelines(part)
    return parts


def one(task):
    name, source, split, promise = task
    with tempfile.TemporaryDirectory() as work:
        train, test = divide(source, split, work)
        owners = ()
        if name in OWNERS:
            with open(work + "/owners", "w", encoding="utf-8") as f:
                f.write(OWNERS[name])
            owners = ("--same-owner", work + "/owners")
        call("dustpan", "learn", "--quiet", "--threads", "1", *owners, "--min-precision", promise, "-o", work + "/rules", train)
        e = json.loads(call("dustpan", "eval", "--json", "-r", work + "/rules", test))
        audit = json.loads(call("dustpan", "audit", "--quiet", "--json", "-r", work + "/rules", test, check=False))
    possible, before = e["urls"] - e["clusters"], e["baselines"]["stage0"]
    bad, good = (e[k] - before[k] for k in ("bad_merges", "good_merges"))
    return name, promise, Split(bad, bad + good, e["good_merges"] / possible if possible else 1, before["bad_merges"]), list(reliability(audit))


class Split(typing.NamedTuple):
    """What the rules merge, and how much of it wrongly; the share of fetches saved; wrong merges of stage 0."""
    bad: int
    merges: int
    saved: float
    before: int

    def keeps(self, promise):
        return self.bad <= (1 - float(promise)) * self.merges or (self.merges < 100 and self.bad <= 1)


def reliability(audit):
    """Of each rule that pages have voted on: p, pages for it, pages against it, with all other rules in force."""
    for rule in audit["rules"]:
        if rule["for"] + rule["against"]:
            yield rule["promise"], rule["for"], rule["against"]


def picture(rules):
    print("\nReliability: rules by their p, and the share of the pages that voted against them in their place in the list\n")
    print("%-18s %6s %8s %10s %10s %16s" % ("p", "rules", "votes", "promised", "measured", "none against"))
    for low, high in zip(CLASSES, CLASSES[1:]):
        v = [r for r in rules if low <= r[0] < high]
        votes, bad = sum(g + b for _, g, b in v), sum(b for _, _, b in v)
        if votes:
            promised = sum((1 - p) * (g + b) for p, g, b in v) / votes
            print("%-18s %6d %8d %9.2f%% %9.2f%% %15.1f%%" % ("%.4f to %.4f" % (low, min(high, 1)), len(v), votes, 100 * promised,
                                                         100 * bad / votes, 100 * sum(1 for r in v if not r[2]) / len(v)))


def tasks(live):
    for name, path in REAL.items():
        source = os.path.join(DATA, path)
        if not os.path.exists(source):
            print("%s is absent, passed over" % source)
            continue
        for split in range(SPLITS):
            for promise in PROMISES:
                yield name, source, split, promise
    for name in sorted(os.listdir(live)) if live else ():
        source = os.path.join(live, name, "truth.tsv")
        if os.path.exists(source):
            for split in range(SPLITS + len(FIRST)):
                for promise in PROMISES:
                    yield name, source, split, promise


def main():
    rows, rules = {}, []
    order = {"redirects-mdn": 0, "redirects-githubdocs": 1, "networkx": 2} # the slow ones first
    work = sorted(tasks(sys.argv[1] if len(sys.argv) > 1 else None), key=lambda t: order.get(t[0], 3))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, promise, split, each in pool.map(one, work):
            rules += each
            rows.setdefault(name, {}).setdefault(promise, []).append(split)
    print("%-22s" % "" + "".join("%27s" % ("--min-precision " + p) for p in PROMISES))
    print("%-22s" % "set" + "%9s %8s %8s" % ("kept", "worst", "saved") * len(PROMISES))
    total = {p: (0, 0, 0) for p in PROMISES}
    for name in sorted(rows):
        line = "%-22s" % name
        for p in PROMISES:
            v = rows[name][p]
            kept, saved = sum(s.keeps(p) for s in v), sum(s.saved for s in v) / len(v)
            total[p] = [a + b for a, b in zip(total[p], (kept, len(v), saved))]
            line += "%5d/%-3d %7.2f%% %7.1f%%" % (kept, len(v), 100 * max(s.bad / s.merges if s.merges else 0 for s in v), 100 * saved)
        print(line.rstrip())
    print("%-22s" % "of all splits" + "".join("%8.1f%% %17.1f%%" % (100 * total[p][0] / max(1, total[p][1]), 100 * total[p][2] / max(1, len(rows)))
                                              for p in PROMISES))
    before = {name: sum(s.before for s in rows[name][PROMISES[0]]) for name in sorted(rows)}
    print("wrong merges of stage 0, in all splits: " + (", ".join("%s %d" % x for x in before.items() if x[1]) or "none"))
    picture(rules)


main()
