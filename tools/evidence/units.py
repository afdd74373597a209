#!/usr/bin/env python3
"""units.py [SIZE...] - the neural translator by the number of its units, on one real site; 512 are published.

    tools/evidence/units.py 64 128 512            (make evidence-units SIZES="64 128 512")
    SITE=live-dokuwiki SPLIT=2 LIMIT=3600 THREADS=4 tools/evidence/units.py 512

Half of the clusters of SITE (redirects-sqldocs) are learned, the other half is crawled (methods.py). The network alone answers.
All sizes are trained side by side, with THREADS (4, the most that one network can use) each, for at most LIMIT seconds (480).
What they have come to is kept in $BUILD/units; the same command again goes on from there. A row is printed when a size has
ended or its time is up, with the epochs and seconds of all runs together; `end` says which: `yes` when 30 epochs (or 400 in all)
have brought nothing better. How each is doing goes to standard error, once a minute.
SPDX-License-Identifier: Apache-2.0
"""
import concurrent.futures
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from methods import BUILD, halves, owners, simulate

SITE, SPLIT = os.environ.get("SITE", "redirects-sqldocs"), os.environ.get("SPLIT", "1")
LIMIT = float(os.environ.get("LIMIT", "480"))
THREADS = os.environ.get("THREADS", "4")
SAID = re.compile(r"training epochs of .* loss ([\d.]+), held-out F1 ([\d.]+): (\d+) of")


def train(size, kept, learned, work, start):
    """Go on with the model kept.model until it is finished (True) or the time is up."""
    rules = os.path.join(work, "rules")
    command = [os.path.join(BUILD, "dustpan"), "learn", "--progress", "--threads", THREADS, "--method", "seq2seq", "--accept", "paper",
               "--answers", "network", "--hidden", size, "--model", kept + ".model", "-o", rules, *owners(SITE, work), learned]
    with open(kept + ".log", "a+", encoding="utf-8") as log:
        at = log.tell()
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log)
        told = start
        while run.poll() is None:
            time.sleep(1)
            now = time.time()
            if now - start >= LIMIT:
                run.terminate()
                run.wait()
            if now - told >= 60:
                told = now
                print("%s units, %.0f s: %s" % (size, now - start, progress(kept, at) or "has not ended an epoch"), file=sys.stderr, flush=True)
    if run.returncode not in (0, -signal.SIGTERM):
        sys.exit("%s units: learn ended with %d, see %s.log" % (size, run.returncode, kept))
    return run.returncode == 0


def progress(kept, at=0):
    """What its log says last, from there on."""
    with open(kept + ".log", encoding="utf-8") as log:
        log.seek(at)
        said = SAID.findall(log.read())
    return "epoch %s, loss %s, held-out F1 %s" % (said[-1][2], said[-1][0], said[-1][1]) if said else ""


def row(size):
    kept = os.path.join(BUILD, "units", "%s-%s-%s" % (SITE, SPLIT, size))
    seconds, ended = json.load(open(kept + ".json")) if os.path.exists(kept + ".json") else (0, False)
    with tempfile.TemporaryDirectory() as work:
        learned, crawled = halves(SITE, SPLIT, work)
        if not ended:
            start = time.time()
            ended = train(size, kept, learned, work, start)
            seconds += time.time() - start
            with open(kept + ".json", "w", encoding="ascii") as f:
                json.dump([seconds, ended], f)
        if not os.path.exists(kept + ".model"):
            return "%-20s %5s %s" % (SITE, size, "no epoch in %.0f s" % seconds)
        figures = simulate(kept + ".model", crawled, work)
        return "%-20s %5s %6.3f %6.3f %6.3f %6d %8.0f %4s  %s" % (SITE, size, *figures[:4], seconds, "yes" if ended else "no", progress(kept))


def main():
    sizes = sys.argv[1:] or ["64", "128", "512"]
    os.makedirs(os.path.join(BUILD, "units"), exist_ok=True)
    print("%-20s %5s %6s %6s %6s %6s %8s %4s  %s" % ("site", "units", "prec", "rec", "F1", "lost", "seconds", "end", "last"), flush=True)
    with concurrent.futures.ThreadPoolExecutor(len(sizes)) as pool:
        for done in concurrent.futures.as_completed([pool.submit(row, size) for size in sizes]):
            print(done.result(), flush=True)


main()
