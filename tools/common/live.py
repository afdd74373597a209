#!/usr/bin/env python3
"""live.py - what other applications bring to a small part of one: leave one application out, learn with and without the others.

    live.py [--dustpan build/dustpan] FOLDER >docs/results/common-live.txt      FOLDER: what tests/apps/run wrote

For each application, 20, 50 and 100 of its URLs (whole pages, chosen at random) are learned from in three ways, and the rules
are scored on all its other pages; sums of --seeds choices, all applications.

    alone     --common none
    pack      --common FILE with the families that hold on the other applications (families.py --rules)
    others    one run over the small part and everything that is known of the other applications: the priors, and what
              other sites say of a parameter, are learned from them
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
WAYS = ("alone", "pack", "others")


def run(*args):
    pipe = subprocess.PIPE
    return subprocess.run([str(a) for a in args], check=True, stdout=pipe, stderr=pipe).stdout


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        return [line for line in f if "\t" in line]


def write(path, rows):
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as f:
        f.writelines(rows)
    return path


def divide(rows, n, seed):
    """(whole pages, at random, with about n URLs; the rest)"""
    pages = {}
    for row in rows:
        pages.setdefault(row.partition("\t")[0], []).append(row)
    names = sorted(pages)
    random.Random(seed).shuffle(names)
    small = set()
    for name in names:
        if sum(len(pages[p]) for p in small) >= n:
            break
        if len(pages[name]) <= n // 2:      # one page is not the part
            small.add(name)
    return [r for r in rows if r.partition("\t")[0] in small], [r for r in rows if r.partition("\t")[0] not in small]


def score(o, rules, test):
    said = json.loads(run(o.dustpan, "eval", "-q", "--json", "-r", rules, test))
    possible = said["urls"] - said["clusters"]
    return [possible, possible - (said["fetched"] - said["covered"]), said["lost"], said["bad_merges"], said["rules"]]


def one(o, folder, app, truths, n, seed):
    """way -> [possible, saved, lost, bad, rules]"""
    train, test = divide(read(truths[app]), n, seed)
    small, rest = write(os.path.join(folder, "small.tsv"), train), write(os.path.join(folder, "rest.tsv"), test)
    others = [path for name, path in truths.items() if name != app]
    pack, rules = os.path.join(folder, f"{app}.pack"), os.path.join(folder, "rules")
    if not os.path.exists(pack):
        write(pack, run(sys.executable, os.path.join(HERE, "families.py"), "--rules", *others).decode())
    how = {"alone": ["--common", "none", small], "pack": ["--common", pack, small], "others": [small, *others]}
    out = {}
    for way in WAYS:
        if os.path.exists(rules):       # learn keeps rules that are there when it finds none
            os.remove(rules)
        run(o.dustpan, "learn", "-q", "--threads", "1", "-o", rules, *how[way])
        out[way] = score(o, rules, rest)
    return out


def main():
    p = argparse.ArgumentParser(description="what other applications bring to a small part of one")
    p.add_argument("--dustpan", default="build/dustpan")
    p.add_argument("--seeds", type=int, default=5)
    p.add_argument("folder")
    o = p.parse_args()
    truths = {name: os.path.join(o.folder, name, "truth.tsv") for name in sorted(os.listdir(o.folder))
              if os.path.exists(os.path.join(o.folder, name, "about.json"))}
    print(f"{len(truths)} applications: {', '.join(truths)}\n")
    print(f"{'URLs':>4}  {'application':<12}" + "".join(f"{way + ' saved':>13}{'lost':>6}{'bad':>6}" for way in WAYS))
    with tempfile.TemporaryDirectory() as folder:
        for n in (20, 50, 100):
            total = {way: [0] * 5 for way in WAYS}
            for app in truths:
                mine = {way: [0] * 5 for way in WAYS}
                for seed in range(1, o.seeds + 1):
                    for way, got in one(o, folder, app, truths, n, seed).items():
                        mine[way] = [a + b for a, b in zip(mine[way], got)]
                print_row(n, app, mine)
                total = {way: [a + b for a, b in zip(total[way], mine[way])] for way in WAYS}
            print_row(n, "all", total)
            print(flush=True)


def print_row(n, name, by_way):
    cells = (f"{100 * v[1] / max(1, v[0]):12.1f}%{v[2]:6d}{v[3]:6d}" for v in (by_way[w] for w in WAYS))
    print(f"{n:>4}  {name:<12}" + "".join(cells))


if __name__ == "__main__":
    main()
