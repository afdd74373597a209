#!/usr/bin/env python3
"""measure.py - what other sites bring to small ones: planted sites with shared parameters, learned with and without.

    measure.py [--dustpan build/dustpan] [--plant build/plant] >docs/results/common.txt

For each number of URLs a site, and each share of sites on which a shared name matters (a trap): 300 sites by `plant`
and decorate.py, their clusters divided in two by `dustpan split`, learned on one half with `--common none` and with what
other sites say, scored on the other half. Sums of three seeds. A merge is bad when it loses a page.
SPDX-License-Identifier: Apache-2.0
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def run(*args, **more):
    pipe = subprocess.PIPE
    return subprocess.run([str(a) for a in args], check=True, stdout=pipe, stderr=pipe, **more).stdout


def spoil(path, noise, seed):
    """Give a share of the URLs the cluster of another URL."""
    rng = random.Random(seed)
    with open(path, encoding="ascii") as f:
        rows = [line.split("\t", 1) for line in f if not line.startswith("#")]
    for i in range(1, len(rows)):
        if rng.random() < noise:
            rows[i][0] = rows[max(0, i - rng.randrange(1, 20))][0]
    with open(path, "w", encoding="ascii") as f:
        f.writelines("\t".join(r) for r in rows)


def one(o, folder, urls, trap, noise, seed):
    """(F1, good, bad, rules, carried rules) without and with."""
    path = os.path.join(folder, "set")
    planted = run(o.plant, "--urls", 2 * urls * o.sites, "--hosts", o.sites, "--host-zipf", 0, "--seed", seed,
                  "--clusters", "-")
    with open(path + ".tsv", "wb") as f:
        how = [sys.executable, os.path.join(HERE, "decorate.py"), "--seed", seed, "--trap", trap]
        f.write(run(*how, input=planted))
    run(o.dustpan, "split", path + ".tsv", "--test", ".5", "-o", path)
    spoil(path + ".train.tsv", noise, seed)
    result = []
    for how in ("none", ""):
        rules = f"{path}-{how}.rules"
        if os.path.exists(rules):       # learn keeps rules that are there when it finds none
            os.remove(rules)
        run(o.dustpan, "learn", "-q", *(["--common", how] if how else []), path + ".train.tsv", "-o", rules)
        got = json.loads(run(o.dustpan, "eval", "--json", "-r", rules, path + ".test.tsv"))
        with open(rules, encoding="ascii") as f:
            carried = sum(" sites=" in line and not line.startswith("likely") for line in f)
        result.append((got["f1"], got["good_merges"], got["bad_merges"], got["rules"], carried))
    return result


def main():
    p = argparse.ArgumentParser(description="what other sites bring to small ones")
    p.add_argument("--dustpan", default="build/dustpan")
    p.add_argument("--plant", default="build/plant")
    p.add_argument("--sites", type=int, default=300)
    o = p.parse_args()
    print("# tools/common/measure.py: 300 planted sites, six shared parameters, each on 40 % of them; seeds 1, 2, 3")
    print("\t".join(["urls", "traps", "noise", "f1 without", "f1 with", "good without", "good with", "bad without",
                     "bad with", "rules", "with", "carried"]))
    with tempfile.TemporaryDirectory() as folder:
        for urls in (20, 50, 100):
            for trap, noise in ((0, 0), (.05, 0), (.2, 0), (.05, .02)):
                got = [one(o, folder, urls, trap, noise, seed) for seed in (1, 2, 3)]
                before, after = ([sum(g[k][i] for g in got) for i in range(5)] for k in (0, 1))
                cells = [urls, trap, noise, f"{before[0] / 3:.4f}", f"{after[0] / 3:.4f}", before[1], after[1],
                         before[2], after[2], before[3], after[3], after[4]]
                print("\t".join(map(str, cells)), flush=True)


if __name__ == "__main__":
    main()
