#!/usr/bin/env python3
"""names.py - find names of files, sections, headings and functions that do not exist.

    tools/names.py [FILE...]      print file:line: name, exit 1; all files of the repository when none is given

Looked at are documents, man pages and comments. A name counts when it is

    docs/flow.md, src/url/token.h   a path that begins with a folder of the repository and has an extension
    url/token.h, live/http          a path that begins with a folder of src/ or tests/, with or without .h or .c
    vote/ballot.h                   a path to a C file: some folder of the repository has it
    token.h, flow.md                a file name alone: some file of the repository has it
    [text](flow.md#the-flow)        a link of a document, with its heading
    docs/rule-format.md 8.10        a numbered section of a document
    dp_engine_free, dp_seen_*       in documents: a name of the C sources

A star stands for anything, and so do the words NAME, METHOD, CASE and X. What is not ours, on purpose, stands in ALLOWED.
SPDX-License-Identifier: Apache-2.0
"""
import fnmatch
import os
import re
import subprocess
import sys

# Headers of the system and files of users.
ALLOWED = re.compile(r"(std\w+|xxhash|math|string|lmdb)\.h|settings\.py")
# History, results of earlier commits, and what tests feed to the programs.
UNREAD = re.compile(r"CHANGELOG\.md|docs/results/.*|fuzz/(corpus|crashes)/.*|tests/golden/.*/.*/.*")

EXTENSIONS = "c|h|def|md|sh|py|awk|tsv|txt|rules|test|out|js|css|html|in|toml"
READ = re.compile(rf".*\.({EXTENSIONS}|[1-9])|(.*/)?[\w-]+")  # by its extension, or without one: a script
ANY = re.compile(r"(?<![A-Za-z])(NAME|METHOD|CASE|X)(?![A-Za-z])")
PATH = re.compile(r"(?<![\w/.$~:@{}<>*\\-])((?:\.\./)*[\w.-]+(?:/[\w.*-]+)+)")
ALONE = re.compile(r"(?<![\w/.$~:@*\\-])([A-Za-z][\w*-]*\.(?:c|h|py|awk|md))(?![\w/.(-])")
SYMBOL = re.compile(r"\bdp_\w+\*?")
LINK = re.compile(r"\]\(([^)\s:]+)\)")
SECTION = re.compile(r"(docs/[\w/-]+\.md) (\d+(?:\.\d+)*)")

C_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
PYTHON_COMMENT = re.compile(r'""".*?"""|^\s*#[^\n]*|  # [^\n]*', re.S | re.M)
SHELL_COMMENT = re.compile(r"^\s*#[^\n]*|  # [^\n]*", re.M)


class Tree:
    """The files of the repository: those that git knows, and new ones that it does not ignore; without git, all but build/."""

    def __init__(self):
        command = "git ls-files --cached --others --exclude-standard 2>/dev/null || find * -path build -prune -o -type f -print"
        listed = subprocess.run(command, shell=True, capture_output=True, text=True, check=True).stdout.split("\n")
        self.files = {f for f in listed if os.path.isfile(f)}
        self.folders = {f[:i] for f in self.files for i, c in enumerate(f) if c == "/"}
        self.names = {os.path.basename(f) for f in self.files}
        self.top = {f.split("/")[0] for f in self.folders}
        self.inner = {f.split("/")[1] for f in self.folders if re.match(r"(src|tests)/[^/]+", f)}

        sources = (f for f in self.files if f.endswith((".c", ".h")))
        self.symbols = {s for f in sources for s in SYMBOL.findall(read(f))}

    def has(self, name, near):
        """Whether a file or folder is called so: from the root, from src/, tests/ or tools/, or beside the file `near`."""
        for base in ("", "src/", "tests/", "tools/", os.path.dirname(near) + "/"):
            path = os.path.normpath(base + name)
            if path in self.folders or any(fnmatch.filter(self.files, path + e) for e in ("", ".[ch]")):
                return True
        return name.endswith((".c", ".h")) and bool(fnmatch.filter(self.files, "*/" + name))


def comments(name, text):
    """`text` with everything but its comments blanked out, line by line."""
    pattern = SHELL_COMMENT
    if name.endswith((".c", ".h", ".def", ".js", ".css")):
        pattern = C_COMMENT
    elif name.endswith(".py"):
        pattern = PYTHON_COMMENT
    out, at = [], 0
    for m in pattern.finditer(text):
        out += [re.sub(r"[^\n]", " ", text[at : m.start()]), m.group()]
        at = m.end()
    return "".join(out) + re.sub(r"[^\n]", " ", text[at:])


def read(name):
    with open(name, encoding="utf-8", errors="replace") as f:
        return f.read()


def has_heading(page, slug):
    heads = re.findall(r"^#+ +(.*)$", read(page), re.M)
    return slug in {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in heads}


def has_section(page, number):
    return re.search(rf"^#+ {re.escape(number)}\.? ", read(page), re.M)


def findings(tree, name):
    """(line number, name) of all that does not exist."""
    text = read(name)
    document = name.endswith(".md") or name.startswith("man/")
    if not document:
        text = comments(name, text)
    for number, line in enumerate(text.split("\n"), 1):
        line = ANY.sub("*", re.sub(r"\w+://\S*", "", line))
        for path in PATH.findall(line):
            path = path.rstrip(".").removeprefix("../")
            first = path.split("/")[0]
            meant = first in tree.inner or path.endswith((".c", ".h"))
            meant = meant or first in tree.top and re.search(rf"\.({EXTENSIONS})$", path)
            if meant and not tree.has(path, name):
                yield number, path
        for alone in ALONE.findall(line):
            if not fnmatch.filter(tree.names, alone) and not ALLOWED.fullmatch(alone):
                yield number, alone
        for symbol in SYMBOL.findall(line) if document else ():
            if not fnmatch.filter(tree.symbols, symbol):
                yield number, symbol
        for page, section in SECTION.findall(line):
            if page in tree.files and not has_section(page, section):
                yield number, f"{page} {section}"
        for link in LINK.findall(line) if name.endswith(".md") else ():
            target, _, heading = link.partition("#")
            path = os.path.normpath(os.path.join(os.path.dirname(name), target)) if target else name
            if path not in tree.files | tree.folders or heading and not has_heading(path, heading):
                yield number, link


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    tree = Tree()
    bad = 0
    for name in sys.argv[1:] or sorted(tree.files):
        if READ.fullmatch(name) and not UNREAD.fullmatch(name):
            for number, what in findings(tree, name):
                print(f"{name}:{number}: there is no {what}")
                bad += 1
    return bad > 0


sys.exit(main())
