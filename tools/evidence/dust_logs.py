#!/usr/bin/env python3
"""dust_logs.py BUILD - what Bar-Yossef et al. 2006 show beside their tables, on planted sites.

A site's URLs, whose sizes are known, are divided into five logs by chance.

  stability     rules found in each of four logs; those found in all four; those in any
  four to one   learned from four logs, validated against the pages of the fifth, applied to the fifth (6.6)
  three logs    learned from one log, validated on a second, applied to a third
  Figure 9(b)   share of valid rules among the first k: by sketches that agree in 4 of 4 shingles, and in 2 of 4 with epsilon 10 %
  Figure 10     by N: rules kept, how many of them are kept with N = 100, too, and how many labels call valid; rules that were
                tested, pairs compared, pages fetched

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import random
import subprocess
import sys
import tempfile

BUILD = sys.argv[1] if len(sys.argv) > 1 else "build"
DUSTPAN = os.path.join(BUILD, "dustpan")


def run(*arguments):
    return subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout.decode()


def rules_of(path):
    """Each rule with its host line, and its line."""
    host, found = "", {}
    for line in open(path):
        if line.startswith("host "):
            host = line.strip()
        elif line.strip() and not line.startswith(("#", "dustpan-rules", "order", "keep")):
            found[host + " " + line.split("[")[0].replace("likely ", "").strip()] = line
    return found


def learn(inputs, out, *options):
    if os.path.exists(out):
        os.remove(out)
    run(DUSTPAN, "learn", "-q", "--method", "dust", "--accept", "paper", *options, "-o", out, *inputs)
    return rules_of(out) if os.path.exists(out) else {}


def validate(rules, urls, labels, out, tests=100):
    text = run(DUSTPAN, "validate", "-q", "--json", "-r", rules, "--urls", urls, "--offline", labels, "--tests", str(tests), "-o", out)
    return json.loads(text)


def score(rules, labels):
    return json.loads(run(DUSTPAN, "eval", "-q", "--json", "-r", rules, labels))


def valid_ids(rules, labels):
    """Rules of which labels know something, and whether at most 5 % of their pairs are wrong."""
    found = json.loads(run(DUSTPAN, "eval", "-q", "--json", "--with-likely", "--by-rule", "-r", rules, labels))["by_rule"]
    return [(r["id"][:8], r["pairs"] > 0 and r["fpr_collide"] <= .05) for r in found]


def cut(path, folder, name, parts, seed):
    """The lines of a file in `parts` files, by chance."""
    chance = random.Random(seed)
    lines = open(path).read().splitlines(True)
    head = [line for line in lines if line.startswith("#")]
    out = [list(head) for _ in range(parts)]
    for line in lines:
        if not line.startswith("#"):
            out[chance.randrange(parts)].append(line)
    names = []
    for i, some in enumerate(out):
        names.append(os.path.join(folder, f"{name}{i}.tsv"))
        open(names[-1], "w").writelines(some)
    return names


def labels_of(urls, labels, out):
    """The lines of `labels` whose URLs stand in the list `urls`."""
    here = {part for line in open(urls) for part in line.rstrip("\n").split("\t") if part.startswith("http")}
    with open(out, "w") as file:
        file.writelines(line for line in open(labels) if line.startswith("#") or line.rstrip("\n").split("\t")[-1] in here)


def precision(found, k):
    return sum(good for _, good in found[:k]) / min(k, len(found)) if found else 0


def site(seed, folder):
    data, labels = os.path.join(folder, "list.tsv"), os.path.join(folder, "clean.tsv")
    run(os.path.join(BUILD, "plant"), "--urls", "20000", "--hosts", "1", "--seed", str(seed), "--list", data, "--clean", labels)
    logs = cut(data, folder, "log", 5, seed)
    rules, out = os.path.join(folder, "x.rules"), os.path.join(folder, "y.rules")
    each = [set(learn([log], rules, "--shingles", "0")) for log in logs[:4]]
    print(f"planted, {seed}: stability: {', '.join(str(len(e)) for e in each)} rules in the logs, "
          f"{len(set.intersection(*each))} in all four, {len(set.union(*each))} in any")
    fifth, third = os.path.join(folder, "fifth.tsv"), os.path.join(folder, "third.tsv")
    labels_of(logs[4], labels, fifth)
    labels_of(logs[2], labels, third)
    found = learn(logs[:4], rules, "--shingles", "0")
    said = validate(rules, logs[4], labels, out)
    after = score(out, fifth)
    print(f"  four to one: {len(found)} rules, {said['kept'] + said['turned']} hold, reduction of the fifth log {after['reduction']:.4f} "
          f"of {after['best_reduction']:.4f}, lost {after['lost']}")
    found = learn(logs[:1], rules, "--shingles", "0")
    said = validate(rules, logs[1], labels, out)
    after = score(out, third)
    print(f"  three logs: {len(found)} rules, {said['kept'] + said['turned']} hold, reduction of the third {after['reduction']:.4f} "
          f"of {after['best_reduction']:.4f}, lost {after['lost']}")
    for shingles, epsilon in ("4", ".05"), ("2", ".1"):
        learn([data], rules, "--ignore-sizes", "--shingles", shingles, "--epsilon", epsilon)
        ids = valid_ids(rules, labels)
        print(f"  Figure 9(b): {shingles} of 4 shingles: {len(ids)} rules, " +
              ", ".join(f"@{k} {precision(ids, k):.2f}" for k in (10, 20, 50, 100) if k <= len(ids)))
    learn([data], rules, "--shingles", "0", "--ignore-sizes")
    good = dict(valid_ids(rules, labels))
    said = {n: validate(rules, data, labels, f"{out}{n}", n) for n in (5, 10, 20, 40, 60, 100)}
    kept = {n: {r["id"] for r in s["rules"] if r["verdict"] in ("kept", "turned")} for n, s in said.items()}
    for n, s in said.items():
        tested = sum(bool(r["tests"]) for r in s["rules"])
        pairs = sum(t["same"] + t["different"] for r in s["rules"] for t in r["tests"])
        pages = {e[side] for r in s["rules"] for t in r["tests"] for e in t["evidence"]
                 if e["finding"] in ("same", "different") for side in ("u", "v")}
        right = sum(good.get(i[:8], False) for i in kept[n])
        after = score(f"{out}{n}", labels)
        print(f"  Figure 10: N = {n:3}: {len(kept[n])} rules kept, {len(kept[n] & kept[100])} of these with N = 100, {right} valid; "
              f"of {len(s['rules'])} rules {tested} tested, {s['refined']} covered, {pairs} pairs compared, {len(pages)} pages fetched; "
              f"reduction {after['reduction']:.4f}, lost {after['lost']}")


with tempfile.TemporaryDirectory() as temporary:
    for number in (1, 2, 3):
        site(number, temporary)
