"""auto.py - what tools/evidence/auto.sh needs beside the command: rows, tables, labels shuffled, words renamed.

SPDX-License-Identifier: Apache-2.0
"""
import collections
import json
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile

from sets import OWNERS

MEDIAN = statistics.median
FOLDER = os.environ["FOLDER"]


def site_of(host):
    labels = host.split(".")
    return ".".join(labels[-3:] if labels[-2:] == ["co", "uk"] else labels[-2:])


def say(*command, **more):
    return subprocess.run([os.environ.get("BUILD", "build") + "/" + command[0], *command[1:]], **more)


def place(name, seed, half):
    return "%s/sets/%s.%s.%s.tsv" % (FOLDER, name, seed, half)


def owners_of(rules):
    """Domains that mirror each other, by planted rules: a line each, the one that stands for both first."""
    for line in rules:
        mirror = re.match(r"http://([^/]+)/\{\*\*\} => http://([^/]+)/\{\*\*\}.*# mirror", line)
        if mirror:
            yield "%s %s\n" % (mirror[2], mirror[1])


def make_set(name, seed, *source):
    """Divide a set by cluster; of a planted one, wrong labels are in the half alone that is learned from."""
    if os.path.exists(place(name, seed, "train")):
        return
    with tempfile.TemporaryDirectory(dir=FOLDER) as work:
        clean, noisy, prefix = work + "/clean", work + "/noisy", work + "/half"
        if source[0].startswith("--"):
            say("plant", "--seed", str(int(seed) + 100), "--clusters", noisy, "--clean", clean, "--truth", work + "/truth", *source, check=True)
            with open(work + "/truth") as f, open(place(name, seed, "owners"), "w") as out:
                out.writelines(owners_of(f))
            say("dustpan", "split", "--quiet", "--test", "0.5", "--seed", "1", "-o", prefix, clean, check=True)
            with open(prefix + ".train.tsv") as f:
                ours = {line.rstrip("\n").split("\t")[1] for line in f if not line.startswith("#")}
            with open(noisy) as f, open(prefix + ".train.tsv", "w") as out:
                out.writelines(line for line in f if "\t" in line and line.rstrip("\n").split("\t")[1] in ours)
        else:
            say("dustpan", "split", "--quiet", "--test", "0.5", "--seed", seed, "-o", prefix, source[0], check=True)
            with open(place(name, seed, "owners"), "w") as out:
                out.write(OWNERS.get(name, ""))
        os.rename(prefix + ".test.tsv", place(name, seed, "test"))
        os.rename(prefix + ".train.tsv", place(name, seed, "train"))


def make_changed(name, seed):
    """clean-shuffle, clean-rename: out of the set before the last '-'."""
    of, kind = name.rsplit("-", 1)
    for half in ("test", "train"):
        if os.path.exists(place(of, seed, half)):
            with open(place(of, seed, half)) as f, open(place(name, seed, half), "w") as out:
                {"shuffle": shuffle, "rename": rename}[kind](f, out, half)


def row_of(part, name, seed, method):
    return "%s/rows/%s.%s.%s.%s" % (FOLDER, part, name, seed, method)


def owners(name, seed):
    path = place(re.sub("-(shuffle|rename)$", "", name), seed, "owners")
    return ("--same-owner", path) if os.path.exists(path) and os.path.getsize(path) else ()


def run(part, name, seed, method, *options):
    """Learn on one half, score the other, keep one line; merges of sites for calibration."""
    row = row_of(part, name, seed, method)
    if os.path.exists(row):
        return
    if part == "honesty" and not os.path.exists(place(name, seed, "train")):
        make_changed(name, seed)
    if not os.path.exists(place(name, seed, "train")):
        return
    with tempfile.TemporaryDirectory(dir=FOLDER) as work:
        rules = work + "/rules"
        if method == "none":
            with open(rules, "w") as f:
                f.write("dustpan-rules 1\n")
        else:
            try:
                say("dustpan", "learn", "--quiet", "--threads", os.environ["THREADS"], *owners(name, seed), *options, "-o", rules, place(name, seed, "train"),
                    stderr=subprocess.DEVNULL, timeout=float(os.environ["LIMIT"]))
            except subprocess.TimeoutExpired:
                return
        if not os.path.exists(rules):
            return
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = round(used.ru_utime + used.ru_stime, 3)
        said = say("dustpan", "eval", "--json", "--by-host", "-r", rules, place(name, seed, "test"),
                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    e = json.loads(said)
    sites = collections.Counter(), collections.Counter()
    for h in e["hosts"]:
        sites[0][site_of(h["host"])] += h["good_merges"] + h["bad_merges"]
        sites[1][site_of(h["host"])] += h["bad_merges"]
    merges = ["%d:%d" % (sites[0][s], sites[1][s]) for s in sorted(sites[0])] if part == "calibration" else []
    with open(row + ".new", "w") as f:
        f.write("\t".join(map(str, [part, name, seed, method, e["f1"], e["reduction"], e["lost"], e["bad_merges"],
                                    e["rules"], seconds, ",".join(merges)])) + "\n")
    os.rename(row + ".new", row)


def shuffle(file, out, half):
    """Cluster ids of a train file dealt out anew."""
    lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    ids = [line[0] for line in lines]
    if half == "train":
        random.Random(1).shuffle(ids)
    for new, line in zip(ids, lines):
        print(new, line[1], sep="\t", file=out)


def rename(file, out, _):
    """Words of paths and queries get other letters: each changes places with a neighbour in the alphabet, so that lengths and
    classes stay, and nearly all of the order. Short words stay: languages are told by them."""
    word = re.compile(r"%[0-9A-Fa-f]{2}|[A-Za-z]+")
    other = str.maketrans("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "badcfehgjilknmporqtsvuxwzyBADCFEHGJILKNMPORQTSVUXWZY")

    def new(match):
        text = match.group()
        return text if text[0] == "%" or len(text) < 3 else text.translate(other)

    for line in file:
        if line.startswith("#"):
            continue
        cluster, url = line.rstrip("\n").split("\t")[:2]
        at = url.find("/", url.find("//") + 2)
        at = len(url) if at < 0 else at
        print(cluster, url[:at] + word.sub(new, url[at:]), sep="\t", file=out)


def calibrated(pi, merges):
    """The share of sites whose wrong merges stay within 1 - pi; a site with fewer than 100 merges may have one."""
    sites = [tuple(map(int, m.split(":"))) for m in merges.split(",") if m]
    fine = [bad <= (1 - pi) * n or (n < 100 and bad <= 1) for n, bad in sites]
    return len(fine), sum(fine) / len(fine), sum(b for _, b in sites), sum(n for n, _ in sites)


def tables():
    """What the cells on standard input have kept, as tables; those without a row by name."""
    rows = collections.defaultdict(lambda: collections.defaultdict(list))
    missing = []
    for line in sys.stdin:
        part, name, seed, method = line.split()[:4]
        if not os.path.exists(row_of(part, name, seed, method)):
            if os.path.exists(place(name, seed, "train")):
                missing.append(" ".join((part, name, seed, method)))
            continue
        with open(row_of(part, name, seed, method)) as file:
            f = file.read().rstrip("\n").split("\t")
        rows[f[0]][f[1], f[3]].append([float(x) for x in f[4:10]] + [f[10] if len(f) > 10 else "", f[2]])
    head = "%-22s %-20s %6s %6s %6s %6s %6s %7s  %s" % ("set", "method", "F1", "red.", "lost", "bad", "rules", "s", "runs")
    for part, title in (("methods", "Methods side by side"), ("honesty", "Labels shuffled, words renamed"),
                        ("ablation", "What each part is worth")):
        if not rows[part]:
            continue
        print("\n" + title + "\n\n" + head)
        for (name, method), v in sorted(rows[part].items()):
            m = [MEDIAN(x[i] for x in v) for i in range(6)]
            print("%-22s %-20s %6.4f %6.3f %6g %6g %6g %7.2f  %d" % (name, method, *m, len(v)))
    print("\nauto against the best of the papers' methods, on the seeds that both ran: remaining error, 1 - F1\n")
    print("%-22s %-10s %7s %7s %8s" % ("set", "best", "best", "auto", "removed"))
    for name in sorted({name for name, _ in rows["methods"]}):
        own = {x[7]: x[0] for x in rows["methods"].get((name, "auto"), [])}
        others = []
        for (other, method), v in rows["methods"].items():
            both = [x for x in v if x[7] in own]
            if other == name and both and not method.startswith("auto"):
                others.append((MEDIAN(x[0] for x in both), MEDIAN(own[x[7]] for x in both), method))
        if others:
            best, ours, method = max(others, key=lambda x: x[0] - x[1])
            removed = 100 * (1 - (1 - ours) / max(1 - best, 1e-9))
            print("%-22s %-10s %7.4f %7.4f %7.0f%%" % (name, method, 1 - best, 1 - ours, removed))
    print("\nPromises kept: share of planted sites whose wrong merges stay within 1 - pi\n")
    print("%-22s %5s %6s %7s %7s %8s" % ("set", "pi", "sites", "kept", "wrong", "merges"))
    for (name, pi), v in sorted(rows["calibration"].items()):
        print("%-22s %5s %6d %7.3f %7d %8d" % ((name, pi) + calibrated(float(pi), v[0][6])))
    for cell in missing:
        print("\nno row: " + cell, end="")
    print()


if __name__ == "__main__":
    {"set": make_set, "run": run, "tables": tables}[sys.argv[1]](*sys.argv[2:])
