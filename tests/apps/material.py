"""material.py - real text that is on the machine: manual pages, package descriptions, changelogs.

    pages(200)        manual pages: name, section, title, paragraphs
    packages(500)     installed packages: name, section, version, summary, text, names it depends on
    changes(300)      entries of Debian changelogs: package, version, author, time, lines

What is taken is spread evenly over the sorted list of all there is, so that one machine always gives the same.
SPDX-License-Identifier: Apache-2.0
"""
import collections
import email.utils
import glob
import gzip
import os
import re
import subprocess

Page = collections.namedtuple("Page", "name section title paragraphs")
Package = collections.namedtuple("Package", "name section version size summary text depends")
Change = collections.namedtuple("Change", "package version author when lines")

WORDS = ("file option command format output library error default system kernel package memory network string value "
         "function signal socket thread process directory archive device table").split()


def spread(items, n):
    """At most `n` of the items, evenly spaced."""
    return items if len(items) <= n else [items[i * len(items) // n] for i in range(n)]


def _plain(text):
    """Roff escapes undone, as far as running text needs it."""
    text = re.sub(r"\\f(\[[^]]*\]|\(..|.)|\\s[-+]?\d|\\[&|^/,:%cd]|\\\*?\([lr]q", "", text)
    text = re.sub(r"\\\((aq|cq|oq)", "'", text).replace("\\-", "-").replace("\\e", "\\")
    text = re.sub(r"\\\(..|\\\[[^]]*\]|\\\*.", " ", text).replace("\\ ", " ").replace("\\", "")
    return re.sub(r'\s+', " ", text.replace('"', "")).strip()


def _paragraphs(source):
    """(heading, text) of a manual page, in its order."""
    heading, words = "", []
    for line in source.split("\n"):
        macro = re.match(r"[.'] ?([A-Za-z]+)\s*(.*)", line)
        if macro and macro.group(1) in ("SH", "SS", "PP", "P", "LP", "TP", "IP", "Sh", "Ss", "Pp", "It"):
            if words:
                yield heading, " ".join(words)
            words = []
            if macro.group(1).upper() in ("SH", "SS"):
                heading = _plain(macro.group(2)).capitalize()
            elif macro.group(1) in ("IP", "It"):
                words = [_plain(macro.group(2))]
        elif macro and macro.group(1) in ("B", "I", "BR", "IR", "RB", "RI", "BI", "IB", "Nm", "Fl", "Ar", "Xr", "Em"):
            words.append(_plain(macro.group(2)))
        elif line and line[0] not in ".'":
            words.append(_plain(line))
    if words:
        yield heading, " ".join(words)


def pages(n):
    """Manual pages in English, of 2 to 40 KB."""
    found = {}
    for path in sorted(glob.glob("/usr/share/man/man[1-8]/*.gz")):
        name = re.fullmatch(r"([A-Za-z][\w-]{1,40})\.([1-8])\w*\.gz", os.path.basename(path))
        if name and name.group(1) not in found and not os.path.islink(path) and os.path.getsize(path) > 700:
            found[name.group(1)] = (path, name.group(2))
    out = []
    for name, (path, section) in spread(sorted(found.items()), n * 3 // 2):
        with gzip.open(path) as f:
            source = f.read(200_000).decode("utf-8", "replace")
        texts = [(h, t) for h, t in _paragraphs(source) if len(t) > 20][:60]
        if len(texts) >= 4 and 2000 < len(source) < 40_000:
            title = next((t for h, t in texts if h == "Name"), f"{name} - {texts[0][1]}")
            out.append(Page(name, section, title[:100], texts))
    for p in packages(n) if len(out) < n else ():  # slim systems have no manual pages
        out.append(Page(p.name.replace("+", "x").replace(".", "-"), "7", f"{p.name} - {p.summary}"[:100], _parts(p.text)))
    return spread(out, n)


def _parts(text):
    """A description as (heading, text), a sentence each."""
    return [("Description", t) for t in re.split(r"(?<=[.:]) +|\n+", text) if t]


def packages(n):
    """Installed packages with a description."""
    form = "${Package}\t${Section}\t${Version}\t${Installed-Size}\t${Depends}\t${Description}\x01"
    listed = subprocess.run(["dpkg-query", "-W", "-f", form], capture_output=True, check=True).stdout
    out = []
    for entry in sorted(listed.decode("utf-8", "replace").split("\x01")):
        fields = entry.lstrip("\n").split("\t", 5)
        if len(fields) < 6:
            continue
        summary, _, text = fields[5].partition("\n")
        text = re.sub(r"\n (?=\S)", " ", "\n" + text).replace("\n .", "\n").strip()
        needs = re.findall(r"(?:^|, )([\w.+-]+)", fields[4])
        if len(text) > 40:
            out.append(Package(fields[0], fields[1].split("/")[-1], fields[2], int(fields[3] or 0), summary, text, needs))
    return spread(out, n)


def changes(n):
    """Entries of changelogs, the oldest first."""
    out = []
    files = sorted(glob.glob("/usr/share/doc/*/changelog.Debian.gz"))
    for path in spread([f for f in files if os.path.getsize(f) > 900], max(40, n // 6)):
        with gzip.open(path) as f:
            text = f.read(60_000).decode("utf-8", "replace")
        entry = r"^(\S+) \(([^)]+)\)[^\n]*\n(.*?)^ -- ([^<\n]+) <[^>\n]*>  (\w{3}, [^\n]+)"
        for package, version, body, author, date in re.findall(entry, text, re.M | re.S)[:12]:
            when = email.utils.parsedate_tz(date)
            lines = [re.sub(r"\s+", " ", x).strip() for x in re.split(r"^  [*\[] ?", body, flags=re.M)]
            lines = [x for x in lines if len(x) > 8]
            if when and lines:
                out.append(Change(package, version, author.strip(), int(email.utils.mktime_tz(when)), lines))
    for i, p in enumerate(packages(n) if len(out) < n else ()):  # nor changelogs
        out.append(Change(p.name, p.version, ("Anna", "Ben", "Cleo")[i % 3] + " Example", 1_500_000_000 + i * 86400,
                          [t for _, t in _parts(p.text)]))
    return sorted(spread(out, n), key=lambda c: (c.when, c.package, c.version))
