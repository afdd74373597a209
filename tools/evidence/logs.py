#!/usr/bin/env python3
"""logs.py - what is learned from an access log alone, and how much of it is right?

    logs.py FOLDER [NAME...]        the logs that tests/apps/run wrote to FOLDER/NAME/, against truth.tsv beside them

    rules     likely rules with p of .9 or more; of these, right: nine of ten merges are of one page, each rule alone, or, where it
              merges nothing alone, by what the file does with and without it
    below     those with a smaller p, and how many of them are right
    found     per cent of the avoidable URLs (URLs less pages) that the rules of .9 or more avoid; `truth` is what `auto` finds
              when it is told which pages are the same; `lost`: pages that are never fetched
    hits      the same in requests: those for URLs of a page that are not its most requested one
    equal     per cent of the avoidable URLs whose page has exactly the size that another URL of the page has
    dust      the same of `--method dust`, the list of DustBuster: rules, of these right, found, lost. These logs have one client,
              and of one client `dust` believes a third at most: it finds little here

Then planted shops, sessions, campaigns and slugs, with pages whose sizes differ by up to N bytes.
SPDX-License-Identifier: Apache-2.0
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

from benchmark import finished

LEAST = .9


def run(args, *words):
    return subprocess.run([args.dustpan, *words], capture_output=True, text=True, check=False)


def measure(args, rules, truth, *options):
    out = run(args, "eval", "-q", "--json", "--with-likely", "--by-rule", *options, "-r", rules, truth)
    return json.loads(out.stdout) if out.stdout else None


def learn(args, out, *words):
    run(args, "learn", "-q", *words, "-o", out)
    if not os.path.exists(out):
        with open(out, "w", encoding="utf-8") as f:
            f.write("dustpan-rules 1\n")


def p_of(rule):
    found = re.search(r"\[p=([.\d]+)", rule)
    return float(found[1]) if found else 1


def is_right(args, whole, one, rules, truth, room):
    """Whether nine of ten of its merges are right; None: it merges nothing."""
    good, bad = one["good_merges"], one["bad_merges"]
    if not good + bad:
        text = one["rule"].split(" [")[0].split()
        rest = os.path.join(room, "rest.rules")
        with open(rules, encoding="utf-8") as f, open(rest, "w", encoding="utf-8") as to:
            to.writelines(line for line in f if line.split(" [")[0].split() != text)
        without = measure(args, rest, truth)
        good, bad = (whole[k] - without[k] for k in ("good_merges", "bad_merges"))
    return None if good <= 0 and bad <= 0 else good >= LEAST * (good + bad)


def judge(args, rules, truth, room, tenths=None):
    whole, sure = measure(args, rules, truth), measure(args, rules, truth, "--min-precision", str(LEAST))
    count = collections.Counter()
    for one in whole["by_rule"]:
        p, right = p_of(one["rule"]), is_right(args, whole, one, rules, truth, room)
        if right is None:
            continue
        side = "sure" if p >= LEAST else "below"
        count[side] += 1
        count[side + "_right"] += right
        if tenths is not None:
            tenths[min(int(p * 10), 9)][right] += 1
    avoidable = sure["urls"] - sure["clusters"]
    return count, sure["good_merges"], avoidable, sure["lost"]


def per_cent(part, of):
    return f"{100 * part / of:.1f}" if of else "-"


def sizes_of(log, host):
    """The sizes of each URL, of answers with a page, and how often they came."""
    sizes = collections.defaultdict(collections.Counter)
    with open(log, encoding="utf-8", errors="replace") as f:
        for line in f:
            found = re.match(r'\S+ [^"]*"GET (\S+) [^"]*" 200 (\d+)', line)
            if found:
                sizes[host + found[1]][found[2]] += 1
    return sizes


def pages_of(truth):
    with open(truth, encoding="utf-8") as f:
        return [tuple(line.rstrip("\n").split("\t")[:2]) for line in f]


def equal_sizes(sizes, pages):
    """How many URLs have the usual size of another one of their page."""
    seen, equal = set(), 0
    for page, url in pages:
        if url in sizes:
            size = sizes[url].most_common(1)[0][0]
            equal += (page, size) in seen
            seen.add((page, size))
    return equal


def wasted(hits, pages, keys):
    """Requests for pages by other keys than the one by which each is requested most."""
    of_page = collections.defaultdict(collections.Counter)
    for (page, url), key in zip(pages, keys):
        of_page[page][key] += hits.get(url, 0)
    return sum(sum(n.values()) - max(n.values()) for n in of_page.values())


def found_hits(args, rules, sizes, pages):
    """Requests for URLs of a page that are not its most requested one: how many rules make requests for that one, of how many."""
    hits = {url: sum(n.values()) for url, n in sizes.items()}
    urls = [url for _, url in pages]
    out = subprocess.run([args.dustpan, "apply", "-q", "--format", "urls", "--with-likely", "--min-precision", str(LEAST), "-r", rules],
                         input="\n".join(urls), capture_output=True, text=True, check=True).stdout
    all_of_them = wasted(hits, pages, urls)
    return all_of_them - wasted(hits, pages, out.split("\n")), all_of_them


def applications(args, room):
    tenths, total = collections.defaultdict(lambda: [0, 0]), collections.Counter()
    print(f"{'':10} {'rules':>6} {'right':>6} {'below':>6} {'right':>6} {'found':>6} {'hits':>6} {'truth':>6} {'equal':>6} {'lost':>5}   "
          f"{'dust':>5} {'right':>6} {'found':>6} {'lost':>5}")
    for name in finished(args):
        folder = os.path.join(args.folder, name)
        truth, log = os.path.join(folder, "truth.tsv"), os.path.join(folder, "access.log")
        file = [os.path.join(room, name + end) for end in (".rules", ".truth", ".dust")]
        host = ["--base-url", f"http://{name}.test"]
        sizes, pages = sizes_of(log, host[1]), pages_of(truth)
        learn(args, file[0], *host, log)
        learn(args, file[1], truth)
        learn(args, file[2], "--method", "dust", *host, log)
        count, good, avoidable, lost = judge(args, file[0], truth, room, tenths)
        known = measure(args, file[1], truth)["good_merges"]
        dust, dust_good, _, dust_lost = judge(args, file[2], truth, room)
        hits, all_hits = found_hits(args, file[0], sizes, pages)
        equal = equal_sizes(sizes, pages)
        total.update(good=good, avoidable=avoidable, hits=hits, all_hits=all_hits, known=known, equal=equal)
        print(f"{name:10} {count['sure']:6} {count['sure_right']:6} {count['below']:6} {count['below_right']:6} "
              f"{per_cent(good, avoidable):>6} {per_cent(hits, all_hits):>6} {per_cent(known, avoidable):>6} {per_cent(equal, avoidable):>6} "
              f"{lost:5}   {dust['sure'] + dust['below']:5} {dust['sure_right'] + dust['below_right']:6} "
              f"{per_cent(dust_good, avoidable):>6} {dust_lost:5}", flush=True)
    of = total["avoidable"]
    print(f"{'together':38} {per_cent(total['good'], of):>6} {per_cent(total['hits'], total['all_hits']):>6} "
          f"{per_cent(total['known'], of):>6} {per_cent(total['equal'], of):>6}")
    print("\nrules by p, all applications: right of all")
    for tenth in sorted(tenths):
        wrong, right = tenths[tenth]
        print(f"  {tenth / 10:.1f} to {(tenth + 1) / 10:.1f}   {right} of {right + wrong}")


def shops(args, room):
    kinds = "parameter-set,session-in-context,slug,plain,pagination"
    print(f"\nplanted shops, 30000 URLs\n{'bytes':>10} {'seed':>5} {'rules':>6} {'sub':>4} {'right':>6} {'found':>6} {'lost':>5}")
    for jitter in (0, 1, 3, 8):
        for seed in range(1, args.shops + 1):
            log, truth, rules = (os.path.join(room, f"shop{jitter}-{seed}{end}") for end in (".log", ".tsv", ".rules"))
            subprocess.run([args.plant, "--urls", "30000", "--hosts", "1", "--seed", str(seed), "--size-jitter",
                            str(jitter), "--only", kinds, "--log", log, "--clean", truth], check=True)
            with open(truth, encoding="utf-8") as f:
                url = next(line for line in f if not line.startswith(("#", "cluster"))).split("\t")[1]
            learn(args, rules, "--base-url", re.match(r"\w+://[^/]+", url)[0], log)
            count, good, avoidable, lost = judge(args, rules, truth, room)
            with open(rules, encoding="utf-8") as f:
                subs = sum(line.startswith("likely sub ") for line in f)
            print(f"{jitter:10} {seed:5} {count['sure'] + count['below']:6} {subs:4} "
                  f"{count['sure_right'] + count['below_right']:6} {per_cent(good, avoidable):>6} {lost:5}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--dustpan", default="build/dustpan")
    parser.add_argument("--plant", default="build/plant")
    parser.add_argument("--shops", type=int, default=2, help="planted shops of each kind")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as room:
        applications(args, room)
        shops(args, room)


if __name__ == "__main__":
    sys.exit(main())
