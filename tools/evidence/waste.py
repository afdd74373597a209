#!/usr/bin/env python3
"""waste.py - how much of what a crawler wastes could rules avoid, and how much of that can be known in time?

    waste.py FOLDER [NAME...]        the crawls that tests/apps/run wrote to FOLDER/NAME/

Along the crawl, from labels (docs/benchmark.md): rules are learned from the first half of truth.tsv and meet the rest. Columns, in
per cent of the fetches of the second half that show nothing new:

    hand       rules of a person who has seen all of it (tests/apps/ideal/NAME.rules); none of them names a single page
    known      what `auto` learns when it is told the labels of the whole crawl, the second half included
    ceiling    the best of these, and of what an earlier `auto` learned so (NAME.learned.rules): as far as anybody has come
    learnable  the same without the rules that the first half knows little of: those that make URLs of fewer than 3 pages one there
               (rules about one page: of fewer than 10 URLs), with the others in force; no learner that keeps a promise of .99 has them
    now        what `auto` learns from the first half
    lost       pages that are never fetched, and how many there are to fetch
SPDX-License-Identifier: Apache-2.0
"""
import argparse
import collections
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

from benchmark import finished, read_tsv, write_tsv

IDEAL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "apps", "ideal")
LEAST_PAGES, LEAST_URLS = 3, 10
NO_RULE = re.compile(r"\s*(#|host\b|order\b|dustpan-rules\b|$)")


class Application:
    def __init__(self, dustpan, truth, work):
        self.dustpan, self.truth, self.work = dustpan, truth, work
        rows = read_tsv(truth)
        self.rows = rows[:len(rows) // 2]
        self.train = write_tsv(os.path.join(work, "train.tsv"), self.rows)

    def call(self, *args, text=None):
        done = subprocess.run([self.dustpan, *args], input=text, check=True, stdout=subprocess.PIPE)
        return done.stdout.decode("utf-8", "surrogateescape")

    def learn(self, records, name):
        path = os.path.join(self.work, name)
        self.call("learn", "-q", "--threads", "1", "-o", path, records)
        return path

    def score(self, rules):
        """(per cent avoided, pages lost, pages to fetch, avoidable fetches)"""
        said = json.loads(self.call("eval", "-q", "--json", "--crawl", "-r", rules, self.truth))
        return 100 * said["avoided"] / max(said["avoidable"], 1), said["lost"], said["needed"], said["avoidable"]

    def write(self, lines):
        path = os.path.join(self.work, "some.rules")
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(lines)
        return path

    def keys(self, lines):
        urls = "".join(url + "\n" for _, url in self.rows).encode("utf-8", "surrogateescape")
        return self.call("apply", "-q", "--form", "key", "-r", self.write(lines), text=urls).split("\n")

    def is_known(self, lines, i, keys):
        """Whether the first half speaks for line `i` often enough, with the others in force."""
        forms = collections.defaultdict(set)
        without = self.keys(lines[:i] + lines[i + 1:])
        for (page, _), form, key in zip(self.rows, without, keys):
            forms[page, key].add(form)
        several = {page: len(v) for (page, _), v in forms.items() if len(v) > 1}
        one_page = lines[i].startswith("erase") or "*" in re.sub(r"\{\*\*\}", "", lines[i].partition("=>")[2])
        return len(several) >= LEAST_PAGES or (one_page and max(several.values(), default=0) >= LEAST_URLS)

    def learnable(self, rules):
        with open(rules, encoding="utf-8") as f:
            lines = f.readlines()
        keys = self.keys(lines)
        return self.score(self.write([line for i, line in enumerate(lines) if NO_RULE.match(line) or self.is_known(lines, i, keys)]))


def measure(dustpan, truth, hand):
    with tempfile.TemporaryDirectory(prefix="dustpan-waste-") as work:
        app = Application(dustpan, truth, work)
        known = app.learn(truth, "known.rules")
        files = {"known": known, "hand": hand, "earlier": hand.replace(".rules", ".learned.rules")}
        files = {k: v for k, v in files.items() if os.path.exists(v)}
        scores = {k: app.score(v)[0] for k, v in files.items()}
        now, lost, pages, avoidable = app.score(app.learn(app.train, "now.rules"))
        learnable = max([app.learnable(v)[0] for v in files.values()] + [now])
        return {"avoidable": avoidable, "hand": scores.get("hand"), "known": scores["known"], "ceiling": max([*scores.values(), now]),
                "learnable": learnable, "now": now, "lost": lost, "pages": pages}


def main():
    p = argparse.ArgumentParser(description="what rules could avoid, what can be learned of it, and what is learned")
    p.add_argument("folder")
    p.add_argument("names", nargs="*", metavar="NAME")
    p.add_argument("--dustpan", default="build/dustpan")
    o = p.parse_args()
    columns = ("hand", "known", "ceiling", "learnable", "now")
    print(f"{'':<12}{'avoidable':>10}" + "".join(f"{c:>11}" for c in columns) + f"{'lost':>12}")
    results = []
    for name in finished(o):
        r = measure(o.dustpan, os.path.join(o.folder, name, "truth.tsv"), os.path.join(IDEAL, name + ".rules"))
        results.append(r)
        cells = "".join(f"{'-' if r[c] is None else f'{r[c]:.1f}':>11}" for c in columns)
        print(f"{name:<12}{r['avoidable']:>10}{cells}{r['lost']:>5} of {r['pages']}", flush=True)
    if results:
        medians = "".join(f"{statistics.median(r[c] for r in results):>11.1f}" for c in columns[2:])
        print(f"{'median':<12}{'':>10}{'':>22}{medians}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
