#!/usr/bin/env python3
"""dust_kinds.py DUSTPAN [LIVE] - Figure 12 of Bar-Yossef et al. 2006: what kind the duplicates of a log are, and what rules leave.

    site        the crawls in LIVE (what `make evidence-live` wrote), and site-networkx of ../shared/data
    duplicates  of the URLs of a page in the test log all but one; pages are the same by truth.tsv, else by `dustpan cluster`
    rules       not met again, because rules learned from the training log (with sizes, then tested by --offline) give one key
    images      of those that are left: by MIME type
    soft        pages that `cluster --keep-soft-errors` marks: empty results, errors with status 200
    files       the same bytes as another URL of the test log
    other       the same page in other bytes

Either log has half of the URLs of a site, chosen at random. Shares are of the duplicates, in percent; wrong: clusters of which
the rules lose a page. In the paper, on an academic site: rules 47.1, images 25.7, files 17.9, soft 7.5, other 1.8.
SPDX-License-Identifier: Apache-2.0
"""
import collections
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile

DUSTPAN, LIVE = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
CDX = os.path.join(os.environ.get("DATA", "../shared/data"), "site-networkx/index.cdxj.gz")
KINDS = ("rules", "images", "soft", "files", "other")

# What is known of a URL: its page, the size and digest of the bytes, whether they are an image.
Page = collections.namedtuple("Page", "size digest image")


def run(*arguments):
    return subprocess.run([DUSTPAN, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout.decode()


def from_warc(path):
    """{URL: Page} of the pages with status 200, the first of each URL."""
    found = {}
    with gzip.open(path) as f:
        while True:
            line = f.readline()
            if not line:
                return found
            if not line.startswith(b"WARC/"):
                continue
            head = {}
            while line.strip():
                name, _, value = line.decode("utf-8", "replace").partition(":")
                head[name.lower()] = value.strip()
                line = f.readline()
            body = f.read(int(head.get("content-length", 0)))
            if head.get("warc-type") != "response":
                continue
            http, _, page = body.partition(b"\r\n\r\n")
            if b" 200 " in http.split(b"\r\n", 1)[0] + b" ":
                image = b"\ncontent-type: image/" in http.lower()
                found.setdefault(head["warc-target-uri"], Page(len(page), head.get("warc-payload-digest", ""), image))


def from_cdx(path):
    found = {}
    with gzip.open(path, "rt") as f:
        for line in f:
            said = json.loads(line.split(" ", 2)[2])
            if said["status"] == "200":
                found.setdefault(said["url"], Page(said.get("length", "-"), said.get("digest", ""), said.get("mime", "").startswith("image/")))
    return found


def divide(urls):
    """Two logs of half of the URLs each, by chance."""
    urls = sorted(urls)
    random.Random(1).shuffle(urls)
    return urls[:len(urls) // 2], urls[len(urls) // 2:]


def keys_of(rules, urls):
    said = subprocess.run([DUSTPAN, "apply", "-q", "--format", "urls", "-r", rules], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          input="".join(u + "\n" for u in urls).encode(), check=True).stdout.decode()
    return dict(zip(urls, said.split("\n")))


def learn(work, pages, train, labels):
    """Rules that hold, of those likely by the training log."""
    log, likely, rules, known = (os.path.join(work, n) for n in ("log.tsv", "likely.rules", "held.rules", "labels.tsv"))
    with open(log, "w", encoding="utf-8") as f:
        f.write("url\tstatus\tsize\n")
        f.writelines(f"{u}\t200\t{pages[u].size}\n" for u in train)
    with open(known, "w", encoding="utf-8") as f:
        f.writelines(f"{cluster}\t{u}\n" for u, (cluster, _) in labels.items())
    for path in likely, rules:
        with open(path, "w", encoding="ascii") as f:
            f.write("dustpan-rules 1\n")
    run("learn", "-q", "--method", "dust", "--accept", "paper", "-o", likely, log)
    run("validate", "-q", "-r", likely, "--urls", log, "--offline", known, "-o", rules)
    return rules


def kinds_of(pages, labels, key, test):
    """How many duplicates of each kind the test log has, and how many clusters lose a page."""
    count, cluster, owner = collections.Counter(), collections.defaultdict(list), collections.defaultdict(set)
    for url in test:
        if url in labels:
            cluster[labels[url][0]].append(url)
            owner[key[url]].add(labels[url][0])
    for urls in cluster.values():
        first = {key[u]: u for u in reversed(urls)}  # one URL a key
        count["rules"] += len(urls) - len(first)
        some = list(first.values())
        left = len(some) - 1
        if pages[some[0]].image:
            count["images"] += left
        elif labels[some[0]][1]:
            count["soft"] += left
        else:
            digests = len({pages[u].digest for u in some})
            count["files"] += len(some) - digests
            count["other"] += digests - 1
    return count, sum(len(o) - 1 for o in owner.values())


def labels_of(path, pages):
    """{URL: (cluster, whether it is a soft error)}"""
    labels, truth = {}, os.path.join(os.path.dirname(path), "truth.tsv")
    for line in run("cluster", "-q", "--keep-soft-errors", "--json", path).splitlines():
        said = json.loads(line)
        if said["url"] in pages:
            labels[said["url"]] = said["cluster"], said.get("soft_error", False)
    if os.path.exists(truth):
        with open(truth, encoding="utf-8") as f:
            for line in f:
                cluster, _, url = line.rstrip("\n").partition("\t")
                if url in pages:
                    labels[url] = cluster, labels.get(url, ("", False))[1]
    return labels


def row(name, path, pages):
    with tempfile.TemporaryDirectory() as work:
        labels = labels_of(path, pages)
        train, test = divide(pages)
        rules = learn(work, pages, train, labels)
        count, wrong = kinds_of(pages, labels, keys_of(rules, test), test)
        with open(rules, encoding="utf-8") as f:
            kept = sum("[" in line and not line.startswith(("off ", "likely ")) for line in f)
        total = sum(count.values())
        print("%-14s %7d %7d %6d" % (name, len(test), total, kept) +
              "".join(" %7.1f" % (100 * count[k] / max(1, total)) for k in KINDS) + " %6d" % wrong, flush=True)
        return count


def main():
    print("%-14s %7s %7s %6s" % ("site", "URLs", "dupl.", "rules") + "".join(" %7s" % k for k in KINDS) + " %6s" % "wrong", flush=True)
    rows = []
    for name in sorted(os.listdir(LIVE)) if LIVE else ():
        path = os.path.join(LIVE, name, "crawl.warc.gz")
        if os.path.exists(path):
            rows.append(row(name, path, from_warc(path)))
    if os.path.exists(CDX):
        rows.append(row("site-networkx", CDX, from_cdx(CDX)))
    else:
        print("site-networkx: not there, passed over")
    total = sum(sum(r.values()) for r in rows)
    if total:
        print("%-14s %7s %7d %6s" % ("all", "", total, "") + "".join(" %7.1f" % (100 * sum(r[k] for r in rows) / total) for k in KINDS))


if __name__ == "__main__":
    main()
