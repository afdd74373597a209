#!/usr/bin/env python3
"""families.py - parameters that may be dropped on sites that have nothing to do with each other, learned from data.

    families.py FOLDER [CLUSTERS...] >families.tsv      FOLDER as ../shared/data; more files of cluster TAB url

Of each set of records `dustpan cluster` says which URLs show the same page (digests, texts); sets that come as clusters
are taken as they are. A site is a registrable domain, nearly: the last two labels. For a name p of a site:

    vote for       two URLs that differ in p alone (its value, or its presence) show the same page
    vote against   they show different pages

one vote a page, however many URLs it has. Names with the same beginning up to "_" are also taken together ("utm_*": all of
them at once) where a site has three of them. A name is *seen* on a site when some URL has it, *judged* where it has a vote.
A family holds when it is judged on at least two sites and has no more than one vote in twenty against it; it is then
held out: for each site that judged it, do the other sites alone say the same?

Columns: name, sites seen, sites judged, votes for, votes against, sites that agree when held out, sites.
SPDX-License-Identifier: Apache-2.0
"""
import collections
import glob
import gzip
import os
import subprocess
import sys
from urllib.parse import urlsplit

LABELLED = ["crawl-netarchive/*.cdx", "crawl-netarchive/crawl-*.log.gz", "crawl-netarchive/*.warc.gz", "cdx-archiveit-sfha/*.cdx",
            "cdxj-iana/*.cdxj", "cdxj-iana/*.warc.gz", "warc-archiveorg/*.warc.gz", "site-networkx/*.cdxj.gz",
            "live-dokuwiki/crawl.warc.gz"]
CLUSTERS = ["crawl-netarchive/clusters.tsv.gz", "live-docs/clusters.tsv.gz", "live-dokuwiki/clusters.tsv.gz",
            "redirects-*/clusters.tsv.gz", "urls-archived-hosts/*.silver.tsv.gz"]
LISTS = ["urls-mixed48k/urls.txt.gz", "urls-archived-hosts/*.txt.gz"]


def lines(path):
    with gzip.open(path, "rt", errors="replace") if path.endswith(".gz") else open(path, errors="replace") as f:
        yield from (line.rstrip("\n") for line in f)


def site_of(host):
    labels = host.lower().split(":")[0].split(".")
    return ".".join(labels[-3 if len(labels) > 2 and len(labels[-2]) <= 3 and len(labels[-1]) == 2 else -2:])


def read(folder, more, dustpan="build/dustpan"):
    """(cluster or None, url) of everything there is."""
    for pattern in LABELLED:
        for path in sorted(glob.glob(os.path.join(folder, pattern))):
            out = subprocess.run([dustpan, "cluster", "--quiet", path], stdout=subprocess.PIPE, text=True, errors="replace")
            for line in out.stdout.splitlines():
                cluster, _, url = line.partition("\t")
                yield path + cluster, url
    for pattern in CLUSTERS + more:
        for path in sorted(glob.glob(os.path.join(folder, pattern))):
            for line in lines(path):
                cluster, _, url = line.partition("\t")
                if not line.startswith("#") and url:
                    yield path + cluster, url
    for pattern in LISTS:
        for path in sorted(glob.glob(os.path.join(folder, pattern))):
            yield from ((None, url) for url in lines(path))


def pairs_of(query):
    return [p for p in query.replace(";", "&").split("&") if p]


def prefix_of(name):
    """utm_source -> utm_*"""
    head, underscore, _ = name.partition("_")
    return head + "_*" if head and underscore else None


def fits(name, family):
    return name.startswith(family[:-1]) if family.endswith("_*") else name == family


def main(folder, more):
    seen = collections.defaultdict(set)                          # name -> sites
    rests = collections.defaultdict(lambda: collections.defaultdict(dict))  # (site, name) -> URL without it -> form -> cluster
    plain = {}                                                   # URL -> cluster
    records, prefixes = [], collections.defaultdict(set)
    for cluster, url in read(folder, more):
        try:
            parts = urlsplit(url)
        except ValueError:
            continue
        if not parts.netloc:
            continue
        site = site_of(parts.netloc)
        base = f"{parts.netloc.lower()}{parts.path}"
        pairs = pairs_of(parts.query)
        for name in {p.partition("=")[0] for p in pairs} - {None}:
            if prefix_of(name):
                prefixes[site, prefix_of(name)].add(name)
        records.append((cluster, site, base, pairs))
    for cluster, site, base, pairs in records:
        if cluster is not None:
            plain.setdefault((site, base + "?" + "&".join(pairs)), cluster)
        names = {p.partition("=")[0] for p in pairs}
        names |= {prefix_of(n) for n in names if prefix_of(n) and len(prefixes[site, prefix_of(n)]) >= 3}
        for name in names:
            seen[name].add(site)
            if cluster is not None:
                rest = base + "?" + "&".join(p for p in pairs if not fits(p.partition("=")[0], name))
                rests[site, name][rest].setdefault("&".join(pairs), cluster)
    votes = collections.defaultdict(dict)                        # name -> site -> [for, against]
    for (site, name), groups in rests.items():
        good = bad = 0
        for rest, forms in groups.items():
            clusters = list(forms.values())
            if (site, rest) in plain:
                clusters.append(plain[site, rest])
            if len(clusters) < 2:
                continue
            most = collections.Counter(clusters).most_common(1)[0][1]
            good += most > 1
            bad += len(set(clusters)) > 1
        if good or bad:
            votes[name][site] = [good, bad]
    print("name\tseen\tjudged\tfor\tagainst\theld_out\tsites")
    for name in sorted(seen, key=lambda n: (-len(votes.get(n, {})), -len(seen[n]), n)):
        v = votes.get(name, {})
        if not v and len(seen[name]) < 2:
            continue
        good, bad = sum(g for g, _ in v.values()), sum(b for _, b in v.values())
        agree = sum(holds([w for s, w in v.items() if s != site]) == holds([own]) for site, own in v.items()) if len(v) > 1 else 0
        print(f"{name}\t{len(seen[name])}\t{len(v)}\t{good}\t{bad}\t{agree}\t{','.join(sorted(v))}")


def holds(v):
    good, bad = sum(g for g, _ in v), sum(b for _, b in v)
    return good > 0 and bad * 20 <= good + bad


if __name__ == "__main__":
    main(sys.argv[1], [os.path.abspath(path) for path in sys.argv[2:]])
