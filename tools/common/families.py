#!/usr/bin/env python3
"""families.py - parameters that may be dropped on sites that have nothing to do with each other, learned from data.

    families.py [--dustpan FILE] [--rules] FILE...    clusters (cluster TAB url, perhaps gzipped); anything else is
                                                      read by `dustpan cluster`: CDX, crawl logs, WARC
    families.py --seen urls.txt.gz FILE...            lists of URLs: which names are used, not what they do

A site is a registrable domain, nearly: the last two labels, or three under co.uk and the like; an address is its own.
For a name p of a site:

    vote for       two URLs that differ in p alone (its value, or its presence) show the same page
    vote against   they show different pages

one vote a group of such URLs, however many it has. Names with the same beginning up to "_" are also taken together
("utm_*": all of them at once) where a site has two of them. A site speaks for a name when it has votes for it and at
most one in twenty against, else against it; where it has none it says nothing.

A family *holds* when at least two sites speak for it and none against it, also when any one of the sites is held out:
for each site that judged it, the others alone foretell what it says. A name whose family holds is not named beside it.

Table: name, sites seen, sites for, sites against, votes for, votes against, sites foretold when held out, holds, sites.
--rules: a rule file of those that hold; `sites=` and `against=` are what `dustpan learn --common FILE` goes by.
SPDX-License-Identifier: Apache-2.0
"""
import argparse
import collections
import gzip
import re
import subprocess
import sys
from urllib.parse import urlsplit

WRITABLE = re.compile(r"[A-Za-z0-9_.~-][A-Za-z0-9_.~:%-]*\*?$")


def lines(path):
    with gzip.open(path, "rt", errors="replace") if path.endswith(".gz") else open(path, errors="replace") as f:
        yield from (line.rstrip("\n") for line in f)


def site_of(netloc):
    host = netloc.rpartition("@")[2].lower().split(":")[0]
    labels = host.split(".")
    if labels[-1].isdigit():
        return host
    return ".".join(labels[-3 if len(labels) > 2 and len(labels[-2]) <= 3 and len(labels[-1]) == 2 else -2:])


def records(path, dustpan):
    """(cluster, url) of a file."""
    first = next((line for line in lines(path) if not line.startswith("#")), "")
    if "\t" in first and "://" in first.split("\t")[1]:
        rows = lines(path)
    else:
        rows = subprocess.run([dustpan, "cluster", "--quiet", path], stdout=subprocess.PIPE, text=True,
                              errors="replace", check=False).stdout.splitlines()
    for row in rows:
        cluster, _, url = row.partition("\t")
        if url and not row.startswith("#"):
            yield path + "\t" + cluster, url.split("\t")[0]


def parse(url):
    """(site, URL without its query, pairs); None: no URL."""
    try:
        parts = urlsplit(url if "://" in url else "http://" + url)
    except ValueError:
        return None
    if not parts.netloc:
        return None
    return site_of(parts.netloc), parts.netloc.lower() + parts.path, [p for p in re.split("[&;]", parts.query) if p]


def name_of(pair):
    return pair.partition("=")[0]


def family_of(name):
    """utm_source -> utm_*"""
    head, underscore, _ = name.partition("_")
    return head + "_*" if head and underscore else None


def fits(name, family):
    return name.startswith(family[:-1]) if family.endswith("_*") else name == family


class Votes:
    """What each site says of each name."""

    def __init__(self):
        self.seen = collections.defaultdict(set)      # name -> sites
        self.sites = collections.defaultdict(list)    # site -> (cluster, URL without query, pairs)

    def see(self, url):
        got = parse(url)
        for name in {name_of(p) for p in got[2]} if got else ():
            self.seen[name].add(got[0])

    def add(self, cluster, url):
        got = parse(url)
        if got:
            self.see(url)
            self.sites[got[0]].append((cluster, got[1], got[2]))

    def of_site(self, site):
        """name -> [groups for, groups against]"""
        names = {name_of(p) for _, _, pairs in self.sites[site] for p in pairs}
        heads = collections.Counter(family_of(n) for n in names if family_of(n))
        families = {f for f, n in heads.items() if n >= 2}
        for f in families:
            self.seen[f].add(site)
        groups = collections.defaultdict(dict)        # (name, URL without it) -> whole URL -> cluster
        plain = {base + "?" + "&".join(pairs): cluster for cluster, base, pairs in self.sites[site]}
        for cluster, base, pairs in self.sites[site]:
            held = {name_of(p) for p in pairs}
            for name in held | {family_of(n) for n in held if family_of(n) in families}:
                rest = base + "?" + "&".join(p for p in pairs if not fits(name_of(p), name))
                groups[name, rest][base + "?" + "&".join(pairs)] = cluster
        votes = collections.defaultdict(lambda: [0, 0])
        for (name, rest), forms in groups.items():
            clusters = list(forms.values()) + ([plain[rest]] if rest in plain else [])
            if len(clusters) > 1:
                votes[name][0] += max(collections.Counter(clusters).values()) > 1
                votes[name][1] += len(set(clusters)) > 1
        return votes

    def all(self):
        """name -> site -> [for, against]"""
        out = collections.defaultdict(dict)
        for site in sorted(self.sites):
            for name, v in self.of_site(site).items():
                out[name][site] = v
        return out


def speaks_for(v):
    return v[0] > 0 and v[1] * 20 <= v[0] + v[1]


def holds(by_site):
    return sum(speaks_for(v) for v in by_site.values()) >= 2 and all(speaks_for(v) for v in by_site.values())


def foretold(by_site):
    """Sites of which the others alone say what they say: for it, none against, or against."""
    n = 0
    for site, own in by_site.items():
        others = [speaks_for(v) for s, v in by_site.items() if s != site]
        n += bool(others) and all(others) == speaks_for(own)
    return n


def print_rules(votes, command):
    print("dustpan-rules 1")
    print("# " + command)
    print("# Parameters that could be dropped without losing a page on every site that judged them, two or more;")
    print("# each site was held out in turn, and the others foretold it.")
    print("host any")
    good = sorted(n for n, v in votes.items() if holds(v) and foretold(v) == len(v) and WRITABLE.match(n))
    for name in good:
        if family_of(name) in good and not name.endswith("*"):
            continue
        v = votes[name].values()
        print(f"drop ?{name} [n={sum(x[0] for x in v)} neg={sum(x[1] for x in v)} sites={len(v)} against=0]")


def print_table(votes, seen):
    print("name\tseen\tfor\tagainst\tvotes_for\tvotes_against\tforetold\tholds\tsites")
    for name in sorted(seen, key=lambda n: (-len(votes.get(n, {})), -len(seen[n]), n)):
        v = votes.get(name, {})
        if not v and len(seen[name]) < 2:
            continue
        good = sum(speaks_for(x) for x in v.values())
        print(name, len(seen[name]), good, len(v) - good, sum(x[0] for x in v.values()),
              sum(x[1] for x in v.values()), foretold(v), "yes" if holds(v) else "no", ",".join(sorted(v)), sep="\t")


def main():
    p = argparse.ArgumentParser(description="parameters that may be dropped on unrelated sites")
    p.add_argument("--dustpan", default="build/dustpan")
    p.add_argument("--rules", action="store_true", help="a rule file, not a table")
    p.add_argument("--seen", action="append", default=[], help="a list of URLs")
    p.add_argument("files", nargs="+")
    o = p.parse_args()
    all_votes = Votes()
    for path in o.files:
        for cluster, url in records(path, o.dustpan):
            all_votes.add(cluster, url)
    for path in o.seen:
        for url in lines(path):
            all_votes.see(url)
    votes = all_votes.all()
    if o.rules:
        print_rules(votes, "families.py " + " ".join(sys.argv[1:]))
    else:
        print_table(votes, all_votes.seen)


if __name__ == "__main__":
    main()
