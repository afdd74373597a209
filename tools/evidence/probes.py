#!/usr/bin/env python3
"""probes.py - a parameter becomes meaningful in the middle of a crawl: when do probes tell, and what is lost?

    BUILD=build tools/evidence/probes.py [RUNS]          (make evidence-probes RUNS=20)

A planted shop has ten new pages a day. Each is found under 40 URLs with a session id, and with view=front, view=back or no view at all. Up to a day
view changes nothing and `drop ?view` is right; from then on the three are three pages. A crawler fetches what `apply --unique --seen --remember
--explore .01` writes, and each day after the change the records of the whole crawl go through `audit --explore .01 -o`, which turns the rule off. Then
`seen --rollback` lists what the rules that are off now had hidden, and `apply --rekey` with the new rules writes what of it is to be fetched. Columns:
probes of the rule before the change; probes of the rule, wrong ones and days from the change to the day on which it is off (median and most over the
runs); pages hidden until then; pages still lost after the rollback; URLs that it lists, and those that are fetched; those that would be fetched if the
crawler had kept two lists of its own, of all that it found and of all that it fetched; runs in which `drop ?sid`, which stays right, was turned off,
too; bytes of the seen-set for each URL that it remembers, beyond those of one that remembers nothing (the mean URL has 49).

The last rows have no change: one page in a hundred (or five hundred) shows something else under each view, so that a rule that promises .99 is
better than it says. There `audit` runs each day for 50 days; it should hardly ever break the rule, and the bound should hold every day.

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

DUSTPAN = str(Path(os.environ.get("BUILD", "build")).resolve() / "dustpan")
RULES = """dustpan-rules 1
host shop.example
drop ?sid                                                    [p=.99 n=212 neg=0 by=text]
drop ?view                                                   [p=.99 n=90 neg=0 by=text]
"""
SHARE, PAGES, URLS, PATIENCE = ".01", 10, 40, 100
VIEWS = ("front", "back", "")


class Crawl:
    def __init__(self, folder, seed, shows):
        self.folder, self.random, self.shows, self.salt = Path(folder), random.Random(seed), shows, str(seed)
        self.found, self.fetched, self.truth = [], [], {}
        (self.folder / "site.rules").write_text(RULES)
        (self.folder / "records.tsv").write_text("url\tdigest\n")

    def run(self, *args, lines=(), ok=(0,)):
        done = subprocess.run([DUSTPAN, *args], input="".join(line + "\n" for line in lines), text=True, cwd=self.folder,
                              capture_output=True)
        if done.returncode not in ok:
            sys.exit(f"{args}: {done.stderr}")
        return done.stdout.splitlines()

    def days(self, first, count):
        """Find the URLs of some days and fetch what is to be fetched."""
        urls = []
        for day in range(first, first + count):
            for page in range(PAGES):
                for _ in range(URLS):
                    view = self.random.choice(VIEWS)
                    sid = self.random.getrandbits(32)
                    url = f"http://shop.example/{day}-{page}?sid={sid}" + (f"&view={view}" if view else "")
                    self.truth[url] = self.shows(day, page, view)
                    urls.append(url)
        self.found += urls
        self.fetch(self.run("apply", "-q", "-r", "site.rules", "--unique", "--seen", "seen", "--remember", "--explore", SHARE,
                            "--salt", self.salt, lines=urls))

    def fetch(self, lines):
        urls = [line.split("\t")[0] for line in lines]
        self.fetched += urls
        with open(self.folder / "records.tsv", "a") as f:
            f.writelines(f"{url}\t{self.truth[url]}\n" for url in urls)

    def audit(self):
        answer = self.run("audit", "-q", "-r", "site.rules", "--explore", SHARE, "--salt", self.salt, "--json", "-o", "new.rules",
                          "records.tsv", ok=(0, 1))
        told = json.loads("\n".join(answer))
        return told, {rule["rule"]: rule for rule in told["rules"]}

    def lost(self):
        return len({self.truth[url] for url in self.found} - {self.truth[url] for url in self.fetched})

    def roll_back(self, off):
        """Fetch what the rules that are off now had hidden; the URLs listed, those fetched, and those that two lists of the
        crawler's own would have it fetch: what was fetched is seen under the new rules, and all that was found and is not
        is fetched."""
        listed = self.run("seen", "-q", *(word for rule in off for word in ("--rollback", rule)), "seen")
        again = self.run("apply", "-q", "-r", "new.rules", "--unique", "--seen", "seen", "--rekey", lines=listed)
        self.run("apply", "-q", "-r", "new.rules", "--unique", "--seen", "lists", lines=self.fetched)
        lists = self.run("apply", "-q", "-r", "new.rules", "--unique", "--seen", "lists", lines=self.found)
        self.fetch(again)
        return len(listed), len(again), len(lists)

    def bytes(self):
        """Of the seen-set for each URL that it remembers, beyond those of one that remembers nothing."""
        self.run("apply", "-q", "-r", "site.rules", "--unique", "--seen", "plain", "--explore", SHARE, "--salt", self.salt,
                 lines=self.found)
        told, plain = (json.loads(self.run("seen", "--json", name)[0]) for name in ("seen", "plain"))
        return (told["bytes"] - plain["bytes"]) / told["hidden"]


def change(seed, before):
    """One crawl whose parameter becomes meaningful after so many days."""
    with tempfile.TemporaryDirectory() as folder:
        crawl = Crawl(folder, seed, lambda day, page, view: f"{day}-{page}" + (f"-{view}" if day >= before else ""))
        if before:
            crawl.days(0, before)
        _, rules = crawl.audit() if before else (None, {})
        old = rules["drop ?view"]["probes"]["right"] if before else 0
        for day in range(before, before + PATIENCE):
            crawl.days(day, 1)
            _, rules = crawl.audit()
            if rules["drop ?view"]["verdict"] == "broken":
                break
        else:
            sys.exit(f"seed {seed}: not found in {PATIENCE} days")
        probes = rules["drop ?view"]["probes"]
        hidden = crawl.lost()
        size = crawl.bytes()
        again = crawl.roll_back([rule["id"] for rule in rules.values() if rule["verdict"] == "broken"])
        return (old, probes["right"] + probes["wrong"] - old, probes["wrong"], day - before + 1, hidden, crawl.lost(), *again,
                rules["drop ?sid"]["verdict"] == "broken", size)


def steady(seed, one_in):
    """One crawl without a change: was the rule broken, and did the bound of all rules fail, on any of 50 days?"""
    odd = random.Random(seed * 7919)
    other = {(day, page): odd.randrange(one_in) == 0 for day in range(50) for page in range(PAGES)}
    broken = failed = False
    with tempfile.TemporaryDirectory() as folder:
        crawl = Crawl(folder, seed, lambda day, page, view: f"{day}-{page}" + (f"-{view}" if other[day, page] else ""))
        for day in range(50):
            crawl.days(day, 1)
            told, rules = crawl.audit()
            broken |= rules.get("drop ?view", {}).get("verdict") == "broken"
            # Of all URLs that are hidden so far, the share that shows the page that was fetched first.
            first, right, hidden = {}, 0, 0
            for url in crawl.found:
                key = url.split("?")[0]
                page = first.setdefault(key, crawl.truth[url])
                hidden += 1
                right += page == crawl.truth[url]
            share = (right - len(first)) / (hidden - len(first))
            failed |= not told["probes"]["least"] <= share <= told["probes"]["most"]
    return broken, failed


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print("                     probes   probes      wrong     days    hidden  lost after   listed  fetched  by lists  ?sid off    bytes")
    print("               runs  before   med max   med max  med max   med  max    rollback   median   median    median   in runs  per URL")
    for before, days, some in (("from the start", 0, runs), ("after 25 days", 25, runs), ("after 250 days", 250, max(1, runs // 4))):
        rows = [change(seed, days) for seed in range(1, some + 1)]
        old, probes, wrong, took, hidden, lost, listed, again, lists, innocent, size = zip(*rows)
        med = statistics.median_low
        print(f"{before:15}{some:4}{med(old):8}{med(probes):8}{max(probes):4}{med(wrong):6}{max(wrong):4}{med(took):5}{max(took):4}"
              f"{med(hidden):6}{max(hidden):5}{max(lost):12}{med(listed):9}{med(again):9}{med(lists):10}{sum(innocent):10}"
              f"{statistics.median(size):9.0f}", flush=True)
    print()
    for one_in in (100, 500):
        rows = [steady(seed, one_in) for seed in range(1, runs + 1)]
        print(f"1 page in {one_in} shows another page under each view: {runs} runs of 50 days, the rule ever broken in "
              f"{sum(b for b, _ in rows)}, a bound of 95 % ever wrong in {sum(f for _, f in rows)}", flush=True)


main()
