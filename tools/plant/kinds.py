#!/usr/bin/env python3
"""Kinds of duplicates as real software makes them, one small site each: kinds.txt says what they are, this program makes and scores them.

  kinds.py list                                          the catalogue
  kinds.py make OUT [--seed S] [--kinds a,b] [--pages N]   OUT/KIND/train.tsv and test.tsv, half of the pages each, and ideal.rules
  kinds.py score OUT [--kinds a,b] [--dustpan PROGRAM]     learns each train.tsv and scores the rules on test.tsv

Solved: F1 of the crawl simulation at least .99 of what ideal.rules reach, no wrong merge, at most 5 rules (none for traps that want none).
Half of the kinds, by the hash of their names, are `aside`: nobody looks at them while the learner is changed.

kinds.txt, a line each:
  [NAME] WORDS                 a kind begins; the words say what it is; `trap`: fewer rules are right than the evidence suggests
  = RULE                       one of the ideal rules
  X: var=GEN ...               a thing (a topic, an article); the first variable is its name, no two things share it
  WEIGHT X var=GEN ...  TEMPLATE | 2*TEMPLATE    a page of thing X (- for none) and more variables, and the ways to write its URL
Templates: <var>, <var:FILTER>, <~var> (a title as somebody else wrote it), <!GEN> (new in each URL), [a|b] (one of them), [?text] (one time
in three). The first ? or & becomes ?, the others &. $D is the domain. GEN: id, id4 (four digits), title, words3, one6 (one of six words of
this site), hex32, low8 (a-z0-9), up8 (A-Z0-9), 1..9, a/b/c. FILTER: what stands between words (- _ + %20), `cap` (Each Word), `first` (The
first), 5 (zeros to five digits), latin, utf8, upper, lower.
SPDX-License-Identifier: Apache-2.0
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import urllib.parse
import zlib

WORDS = """amber anchor apple arrow autumn badge baker barrel basket beacon birch blanket border bottle branch bridge bronze bucket button
cabin candle canvas carpet castle cedar chapel cherry circle clay cliff clock coast copper corner cotton cradle crown dairy desert dome
dragon drum eagle east ember engine falcon farm feather fence field flame forest fountain garden ginger glass globe grain granite grove
hammer harbor harvest hazel helmet hill honey horizon island ivory jacket jasmine jewel kettle kitchen ladder lake lantern leather lemon
linen lion maple marble market meadow mill mirror moon mountain nest north oak ocean olive orchard otter paper pearl pepper pine planet
pocket pond prairie quarry rabbit rain raven ribbon ridge river rocket rope rose saddle sail salt sand scarf shadow shell shore silver
smoke snow south spice spring stable star stone storm straw summer sun swan table temple thorn thunder timber tower trail tulip valley
velvet village violet wagon walnut water wave west wheat whistle willow window winter wolf wool yard zebra""".split()
FOREIGN = ["caf\u00e9", "m\u00fchle", "stra\u00dfe", "ni\u00f1o", "fa\u00e7ade", "k\u00f6nig", "cr\u00e8me", "\u00e4pfel", "se\u00f1or", "f\u00eate"]
HALF = "1234567"


class Site:
    def __init__(self, kind, seed):
        self.rng = random.Random(f"{kind.name} {seed}")
        self.domain = f"{self.rng.choice(WORDS)}{self.rng.choice(WORDS)}.example"
        self.sections, self.ids, self.things = {}, {}, {}
        self.top = self.rng.choice((5000, 80000, 2000000))

    def value(self, gen):
        r = self.rng
        if ".." in gen:
            return str(r.randint(*map(int, gen.split(".."))))
        if "/" in gen:
            return r.choice(gen.split("/"))
        name, n = re.fullmatch(r"([a-z]+)(\d*)", gen).groups()
        n = int(n or 0)
        if name == "id":
            return str(r.randint(10 ** (n - 1), 10 ** n - 1) if n else int(10 + self.top * r.random() ** .6))
        if name == "title":
            return r.sample(WORDS, r.randint(2, 5))
        if name == "foreign":
            return r.sample(FOREIGN, 1) + r.sample(WORDS, r.randint(1, 3))
        if name == "words":
            return r.sample(WORDS, n)
        if name == "one":
            return r.choice(self.sections.setdefault(gen, r.sample(WORDS, n)))
        letters = {"hex": "0123456789abcdef", "low": "abcdefghijklmnopqrstuvwxyz0123456789", "up": "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"}
        return "".join(r.choice(letters[name]) for _ in range(n))

    def thing(self, name, fields):
        old = self.things.setdefault(name, [])
        if old and self.rng.random() < .25:
            return self.rng.choice(old)
        for _ in range(40):
            values = {v: self.value(g) for v, g in fields}
            if all(values[fields[0][0]] != o[fields[0][0]] for o in old):
                old.append(values)
                return values
        return self.rng.choice(old)

    def other_title(self, title):
        r, t = self.rng, list(title)
        how = r.random()
        if how < .45:
            return t
        if how < .6 and len(t) > 2:
            del t[r.randrange(len(t))]
        elif how < .75:
            t.insert(r.randint(0, len(t)), r.choice(WORDS))
        elif how < .85:
            t[r.randrange(len(t))] = r.choice(WORDS)
        else:
            t = r.sample(WORDS, r.randint(1, 4))
        return t

    def write(self, template, values):
        def choose(m):
            inside = m.group(1)
            if inside.startswith("?"):
                return inside[1:] if self.rng.random() < .33 else ""
            return self.rng.choice(inside.split("|"))

        def fill(m):
            mark, name, filters = re.fullmatch(r"([!~]?)([^:]+)((?::[^:]*)*)", m.group(1)).groups()
            v = self.value(name) if mark == "!" else self.other_title(values[name]) if mark == "~" else values[name]
            return dressed(v, filters.split(":")[1:])

        before = None
        while before != template:
            before, template = template, re.sub(r"\[([^\[\]]*)\]", choose, template)
        path, mark, query = re.sub(r"<([^<>]*)>", fill, template.replace("&", "?", 1) if "?" not in template else template).partition("?")
        url = path + mark + query.replace("?", "&")
        if url.startswith("/") and not url.startswith("//"):
            url = "//www.$D" + url
        return ("https:" if url.startswith("//") else "") + url.replace("$D", self.domain)


def dressed(v, filters):
    v, between = v if isinstance(v, list) else [v], "-"
    for f in filters:
        if f in ("cap", "first"):
            v = [w.capitalize() if f == "cap" or i == 0 else w for i, w in enumerate(v)]
        elif f in ("latin", "utf8"):
            v = [urllib.parse.quote(w.encode("latin-1" if f == "latin" else "utf-8")) for w in v]
        elif f in ("upper", "lower"):
            v = [getattr(w, f)() for w in v]
        elif f.isdigit():
            v = [w.zfill(int(f)) for w in v]
        else:
            between = f
    return between.join(v)


class Kind:
    def __init__(self, name, words):
        self.name, self.words, self.trap = name, words, words.startswith("trap")
        self.rules, self.things, self.pages = [], {}, []
        self.aside = zlib.crc32(name.encode()) % 2 == 1

    def line(self, text):
        if text.startswith("= "):
            self.rules.append(text[2:])
        elif re.match(r"[A-Z]: ", text):
            self.things[text[0]] = [tuple(f.split("=", 1)) for f in text[3:].split()]
        else:
            head, templates = re.fullmatch(r"(.*?) +((?:\d\*)?(?:https?:|/).*)", text).groups()
            weight, thing, *fields = head.split()
            ways = []
            for t in templates.split(" | "):
                times, t = re.fullmatch(r"(?:(\d)\*)?(.*)", t.strip()).groups()
                ways += [t] * int(times or 1)
            self.pages.append((int(weight), thing, [tuple(f.split("=", 1)) for f in fields], ways))

    def rows(self, seed, count):
        """[(cluster, URL)], a page after the other; and the domain."""
        s, pages, owner = Site(self, seed), {}, {}
        for _ in range(20 * count):
            if len(pages) == count:
                break
            at = s.rng.choices(range(len(self.pages)), [p[0] for p in self.pages])[0]
            _, thing, fields, ways = self.pages[at]
            values = dict(s.thing(thing, self.things[thing])) if thing != "-" else {}
            name = [values[self.things[thing][0][0]]] if thing != "-" else []
            more = {v: s.value(g) for v, g in fields}
            key = (at, str(name + list(more.values())))
            if key in pages:
                continue
            values.update(more)
            size, urls = 1, {}
            if s.rng.random() > .35:
                size = 2
                while size < 8 and s.rng.random() < .45:
                    size += 1
            for _ in range(4 * size):
                url = s.write(s.rng.choice(ways), values)
                if len(urls) < size and owner.setdefault(url, key) == key:
                    urls[url] = 1
            if urls:
                pages[key] = list(urls)
        return [(c, u) for c, urls in enumerate(pages.values()) for u in urls], s


def kinds():
    out = []
    for line in pathlib.Path(__file__).with_name("kinds.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            out.append(Kind(*re.fullmatch(r"\[([a-z0-9-]+)\] (.*)", line).groups()))
        elif line and not line.startswith("#"):
            out[-1].line(line)
    return out


def make(kind, seed, count, folder):
    rows, s = kind.rows(seed, count)
    folder.mkdir(parents=True, exist_ok=True)
    half = {c: s.rng.random() < .5 for c in sorted({c for c, _ in rows})}
    for name, want in (("train", True), ("test", False)):
        (folder / f"{name}.tsv").write_text("".join(f"{c}\t{u}\n" for c, u in rows if half[c] == want))
    rules = [r.replace("$D", s.domain) for r in kind.rules]
    (folder / "ideal.rules").write_text("\n".join(["dustpan-rules 1", f"host *.{s.domain}, {s.domain}"] + rules) + "\n")


def judged(program, folder, rules):
    said = json.loads(subprocess.run([program, "eval", "--json", "-r", rules, folder / "test.tsv"], check=True, capture_output=True).stdout)
    lines = [line.split() for line in rules.read_text().splitlines()[1:] if line.strip() and not line.startswith("#")]
    return said["f1"], said["bad_merges"], sum(w[0] not in ("host", "order", "keep", "off", "likely") for w in lines)


def score(chosen, out, program):
    solved = {False: [0, 0], True: [0, 0]}
    print("kind                      none    f1  of     wrong rules")
    for kind in chosen:
        folder = out / kind.name
        (folder / "none.rules").write_text("dustpan-rules 1\n")
        (folder / "auto.rules").unlink(missing_ok=True)
        subprocess.run([program, "learn", "-q", "--threads", "1", "--columns", "cluster,url", "-o", folder / "auto.rules", folder / "train.tsv"],
                       check=True, stdout=subprocess.DEVNULL)
        none, ideal, (f1, wrong, rules) = (judged(program, folder, folder / f"{n}.rules") for n in ("none", "ideal", "auto"))
        if ideal[1] or ideal[0] <= none[0] and not kind.trap:
            sys.exit(f"{kind.name}: the ideal rules are not: F1 {ideal[0]:.3f}, {ideal[1]} wrong merges")
        ok = f1 >= .99 * ideal[0] and not wrong and rules <= (5 if kind.rules else 0)
        solved[kind.aside][0] += ok
        solved[kind.aside][1] += 1
        print(f"{kind.name:22} {'A' if kind.aside else ' '}{'T' if kind.trap else ' '} {none[0]:.3f} {f1:.3f} {ideal[0]:.3f} {wrong:5} {rules:5}{'*' if ok else ''}", flush=True)
    print(f"solved: {solved[False][0]} of {solved[False][1]} that are looked at, {solved[True][0]} of {solved[True][1]} aside (A)")


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("verb", choices=("list", "make", "score"))
    p.add_argument("out", nargs="?", type=pathlib.Path)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--kinds", help="names joined by commas, or `aside`, or `seen`: those that are not")
    p.add_argument("--pages", type=int, default=400)
    p.add_argument("--dustpan", default="build/dustpan")
    a = p.parse_args()
    words = a.kinds.split(",") if a.kinds else []
    chosen = [k for k in kinds() if not words or k.name in words or ("aside" if k.aside else "seen") in words]
    if a.verb == "list":
        for k in chosen:
            print(f"{k.name}\t{'aside' if k.aside else 'seen'}\t{k.words}")
    elif a.verb == "make":
        for k in chosen:
            make(k, a.seed, a.pages, a.out / k.name)
    else:
        score(chosen, a.out, a.dustpan)


main()
