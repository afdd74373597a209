#!/usr/bin/env python3
"""methods.py - every learner on the same sites, in the shape of Table 2 of Xu et al. 2017.

    tools/evidence/methods.py            (make evidence-seq2seq)
    JOBS=16 SPLITS=1,2 SITES=live-docs tools/evidence/methods.py

Planted sites of 20,000 pages in crawl order with the duplicate rates of the paper, one for each seed: the first 15,000 are
learned from, the last 5,000 are crawled. Real ones from ../shared/data have no order: half of the clusters is learned, the
other half crawled, divided anew for each seed. `-near` are the clusters by sketches. Precision, recall and F1 are those of the
crawl simulation, `lost` are clusters of which no page is fetched; means over the splits, which the last column counts.

RA and DTA are the paper's baselines: rewrite and tree with every rule whose false-positive rate is at most .10. Keys of the
neural translator: (table) the table of majorities alone, (network) the network alone, (both) as `learn --model` leaves them;
`seq2seq` is the rules made of them. A cell that took longer than LIMIT seconds has no row; the last column tells.
SPDX-License-Identifier: Apache-2.0
"""
import collections
import concurrent.futures
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

from sets import OWNERS

BUILD = os.environ.get("BUILD", "build")
DATA = os.environ.get("DATA", "../shared/data")
LIMIT = float(os.environ.get("LIMIT", "1800"))
SPLITS = os.environ.get("SPLITS", "1,2,3,4,5").split(",")
PLANTED = (".307", ".174", ".261", ".060", ".019")
REAL = ("live-docs", "live-docs-near", "live-dokuwiki", "live-dokuwiki-near", "redirects-sqldocs", "redirects-githubdocs", "redirects-mdn")
RULES = {
    "keepall": None, "RA": ("rewrite", "--accept", "paper", "--max-fpr", ".10"), "DTA": ("tree", "--accept", "paper", "--min-precision", ".90"),
    "rewrite": ("rewrite",), "tree": ("tree",), "duster": ("duster",), "dust": ("dust",), "auto": ("auto",),
}
ANSWERS = ("table", "both", "network")
METHODS = (*RULES, "seq2seq", *("(%s)" % a for a in ANSWERS))


def call(program, *args, **more):
    return subprocess.run([os.path.join(BUILD, program), *args], check=True, stderr=subprocess.DEVNULL, **more)


def halves(site, seed, work):
    """The file to learn from and the file to crawl; None where the data is absent."""
    train, test = work + "/half.train.tsv", work + "/half.test.tsv"
    if site.startswith("planted"):
        number = str(PLANTED.index(site.split()[1]) + 1 + 10 * (int(seed) - 1))
        call("plant", "--preset", "sigir17", "--redundant", site.split()[1], "--seed", number, "--clusters", work + "/all")
        with open(work + "/all", encoding="utf-8") as f:
            lines = [line for line in f if not line.startswith("#")]
        for path, part in ((train, lines[:15000]), (test, lines[-5000:])):
            with open(path, "w", encoding="utf-8") as out:
                out.writelines(part)
        return train, test
    name, near, _ = site.partition("-near")
    file = "%s/%s/clusters%s.tsv.gz" % (DATA, name, near)
    if not os.path.exists(file):
        return None
    call("dustpan", "split", "--quiet", "--test", "0.5", "--seed", seed, "-o", work + "/half", file)
    return train, test


def owners(site, work):
    """The option that names domains of one owner, where there are any: no method merges them without a word."""
    pairs = OWNERS.get(site.replace("-near", ""))
    if not pairs:
        return ()
    with open(work + "/owners", "w", encoding="ascii") as f:
        f.write(pairs)
    return "--same-owner", work + "/owners"


def score(rules, test):
    said = json.loads(call("dustpan", "eval", "--json", "-r", rules, test, stdout=subprocess.PIPE).stdout)
    return [said[k] for k in ("precision", "recall", "f1", "lost", "rules")]


def simulate(model, test, work):
    """The crawl simulation on what is no rule file: a page is fetched when its key is new."""
    with open(test, "rb") as f:
        rows = [line.rstrip(b"\n").split(b"\t")[:2] for line in f if not line.startswith(b"#")]
    with open(work + "/urls", "wb") as f:
        f.writelines(url + b"\n" for _, url in rows)
    keys = call("dustpan", "apply", "--quiet", "--threads", "1", "--format", "urls", "--model", model, work + "/urls", stdout=subprocess.PIPE).stdout
    first = {}
    for (cluster, _), key in zip(rows, keys.split(b"\n")):
        first.setdefault(key, cluster)
    clusters, covered = {cluster for cluster, _ in rows}, set(first.values())
    p, r = len(covered) / len(first), len(covered) / len(clusters)
    return [p, r, 2 * p * r / (p + r), len(clusters) - len(covered), 0]


def cell(site, seed, what):
    """[(method, figures, seconds)] of one site, split and learner."""
    with tempfile.TemporaryDirectory() as work:
        files = halves(site, seed, work)
        if not files:
            return None
        train, test = files
        rules, model = work + "/rules", work + "/model"
        with open(rules, "w", encoding="ascii") as f:
            f.write("dustpan-rules 1\n")
        neural = what in ANSWERS
        learn = ["learn", "--quiet", "--threads", "1", "-o", rules, *owners(site, work)]
        if neural:
            learn += ["--method", "seq2seq", "--model", model, "--answers", what]
        elif RULES[what]:
            learn += ["--method", *RULES[what]]
        start = time.time()
        if neural or RULES[what]:
            call("dustpan", *learn, train, timeout=LIMIT)
        seconds = time.time() - start
        rows = []
        if what == "both" or not neural:
            rows.append(("seq2seq" if neural else what, score(rules, test), seconds))
        if neural and os.path.exists(model):
            rows.append(("(%s)" % what, simulate(model, test, work), seconds))
        return rows


def main():
    sites = os.environ.get("SITES", "").split(",") if os.environ.get("SITES") else [*("planted " + r for r in PLANTED), *REAL]
    found, absent = collections.defaultdict(list), set()
    jobs = [(site, seed, what) for what in (*ANSWERS, *RULES) for seed in SPLITS for site in sites]
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "1"))) as pool:
        waiting = {pool.submit(cell, *job): job for job in jobs}
        for done in concurrent.futures.as_completed(waiting):
            site = waiting[done][0]
            try:
                rows = done.result()
            except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as e:
                print("%s %s %s: no row (%s)" % (*waiting[done], type(e).__name__), file=sys.stderr)
                continue
            if rows is None:
                absent.add(site)
            for method, figures, seconds in rows or ():
                found[site, method].append((*figures, seconds))
                print("%s, split %s, %s: F1 %.3f, %.0f s" % (*waiting[done][:2], method, figures[2], seconds), file=sys.stderr)
    print("%-22s %-10s %6s %6s %6s %7s %6s %7s %7s" % ("site", "method", "prec", "rec", "F1", "lost", "rules", "seconds", "splits"))
    for site in sites:
        if site in absent:
            print("%s: not there, passed over" % site)
        for method in METHODS:
            rows = found[site, method]
            if rows:
                print("%-22s %-10s %6.3f %6.3f %6.3f %7.1f %6.1f %7.1f %7d" % (site, method, *map(statistics.mean, zip(*rows)), len(rows)))


if __name__ == "__main__":
    main()
