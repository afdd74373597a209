#!/usr/bin/env python3
"""units.py [SIZE...] - the neural translator by the number of its units, on one real site; 512 are published.

    tools/evidence/units.py 64 128 512            (make evidence-units SIZES="64 128 512")
    SITE=live-dokuwiki SPLIT=2 SECONDS=480 THREADS=4 tools/evidence/units.py

Half of the clusters of SITE (redirects-sqldocs) are learned, the other half is crawled (methods.py). The network alone answers.
All sizes are trained at once, with THREADS (4, the most that one network can use) each. Each size runs to its end, or gets as
many epochs as fit into SECONDS (480), by the time that two epochs took; the column `epochs` says how many at most. `--accept
paper` trains a network twice, for the rules and for the file; only the second one is looked at.
SPDX-License-Identifier: Apache-2.0
"""
import concurrent.futures
import os
import sys
import tempfile
import time

from methods import call, halves, owners, simulate

SITE = os.environ.get("SITE", "redirects-sqldocs")
SECONDS = float(os.environ.get("SECONDS", "480"))
THREADS = os.environ.get("THREADS", "4")
EPOCHS, TRAININGS = 400, 2


def train(size, epochs, file, work):
    """Seconds that a training of at most `epochs` takes; the model is in work/model."""
    start = time.time()
    with open(work + "/rules", "w", encoding="ascii") as f:
        f.write("dustpan-rules 1\n")
    call("dustpan", "learn", "--quiet", "--threads", THREADS, "--method", "seq2seq", "--accept", "paper", "--answers", "network",
         "--hidden", size, "--epochs", str(epochs), "--model", work + "/model", "-o", work + "/rules", *owners(SITE, work), file)
    return time.time() - start


def row(size, start):
    with tempfile.TemporaryDirectory() as work:
        learned, crawled = halves(SITE, os.environ.get("SPLIT", "1"), work)
        once = train(size, 2, learned, work)
        os.remove(work + "/model")
        epochs = min(EPOCHS, int((SECONDS - (time.time() - start)) / once * 2))
        seconds = train(size, epochs, learned, work)
        figures = simulate(work + "/model", crawled, work)
        return "%-20s %5s %6.3f %6.3f %6.3f %6d %7d %8.1f %9.2f" % (SITE, size, *figures[:4], epochs, seconds, once / 2 / TRAININGS)


def main():
    sizes, start = sys.argv[1:] or ["64", "128", "512"], time.time()
    print("%-20s %5s %6s %6s %6s %6s %7s %8s %9s" % ("site", "units", "prec", "rec", "F1", "lost", "epochs", "seconds", "s/epoch"))
    with concurrent.futures.ThreadPoolExecutor(len(sizes)) as pool:
        for line in pool.map(lambda size: row(size, start), sizes):
            print(line, flush=True)


main()
