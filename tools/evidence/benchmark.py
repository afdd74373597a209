#!/usr/bin/env python3
"""benchmark.py - every method on crawls of real web applications, by two protocols, from labels and from raw crawls.

    benchmark.py FOLDER [NAME...]                 the crawls that tests/apps/run wrote to FOLDER/NAME/
    benchmark.py FOLDER --method-command ./mine   your own method beside ours (docs/benchmark.md says what it reads and writes)
    benchmark.py FOLDER --seq2seq all             also the slow one (or only on these applications: fossil,trac), along the
                                                  crawl and from labels; "(model)": its networks themselves give the keys

Whatever a method learned from, it is judged by truth.tsv.

    protocol   learned from                            judged on
    pages      a half of the pages, all their URLs     the other half; sums of several ways to divide (--seeds)
    crawl      the first half of the lines of truth    the rest, as `dustpan eval --crawl` does it

    input      the part to learn from is
    labels     those lines of truth.tsv
    raw        the records of crawl.warc.gz whose URL is in those lines; answers that show no page are left out
    echo       the same, and the records of echo.warc.gz for these URLs: some are seen twice

A crawler with several connections stores records in another order than it asked for them. Raw crawls are therefore cut by URL,
not by place: labels and raw crawl show exactly the same URLs.

Columns: saved (duplicates that are not fetched, of all that need not be; a lost page is not a saving), lost (pages of which no URL
is fetched), bad (wrong merges), rules, s (CPU seconds of learning on one thread).
SPDX-License-Identifier: Apache-2.0
"""
import argparse
import collections
import dataclasses
import gzip
import json
import multiprocessing
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BASELINES = (("none", "identity"), ("cleanup", "stage0"), ("common.rules", "common"))
PROTOCOLS = ("pages", "crawl")
SLOW = "seq2seq"


@dataclasses.dataclass
class Score:
    possible: int = 0       # fetches that show nothing new
    saved: int = 0
    lost: int = 0
    bad: int = 0
    rules: int = 0
    seconds: float = 0.0
    runs: int = 0

    def add(self, other):
        for f in dataclasses.fields(self):
            setattr(self, f.name, getattr(self, f.name) + getattr(other, f.name))

    def share(self):
        return 100 * self.saved / self.possible if self.possible else 0.0


class Failed(Exception):
    """A method gave no answer; the text says why."""


# ---- records ----------------------------------------------------------------------------------------------------------


def read_tsv(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        return [tuple(line.rstrip("\n").split("\t")[:2]) for line in f if "\t" in line]


def write_tsv(path, rows):
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as f:
        f.writelines(f"{cluster}\t{url}\n" for cluster, url in rows)
    return path


def warc_records(path):
    """(URL, bytes) of every response."""
    with gzip.open(path, "rb") as f:
        while line := f.readline():
            head = [line]
            while (line := f.readline()).strip():
                head.append(line)
            head.append(line)
            fields = {k.strip().lower(): v.strip() for k, _, v in (h.partition(b":") for h in head[1:-1])}
            body = f.read(int(fields[b"content-length"])) + f.readline() + f.readline()
            if fields.get(b"warc-type") == b"response":
                yield fields[b"warc-target-uri"].decode("utf-8", "surrogateescape"), b"".join(head) + body


def cut_warc(path, urls, out):
    """Write the records of these URLs; how many."""
    n = 0
    with open(out, "wb") as f:
        for url, record in warc_records(path):
            if url in urls:
                f.write(record)
                n += 1
    return n


# ---- parts: what is learned from, what is judged on ---------------------------------------------------------------------


class Part:
    """One application, divided one way."""

    def __init__(self, bench, app, protocol, seed):
        self.bench, self.protocol = bench, protocol
        self.folder = os.path.join(bench.work, f"{app}-{protocol}-{seed}")
        os.mkdir(self.folder)
        self.crawl = os.path.join(bench.folder, app)
        self.truth = os.path.join(self.crawl, "truth.tsv")
        rows = read_tsv(self.truth)
        if protocol == "crawl":
            self.train, self.judged = rows[:len(rows) // 2], self.truth
            self.met = rows[len(rows) // 2:]
        else:
            prefix = os.path.join(self.folder, "half")
            bench.call("split", "-q", "--seed", seed, "-o", prefix, self.truth)
            self.train, self.judged = read_tsv(prefix + ".train.tsv"), prefix + ".test.tsv"
            self.met = read_tsv(self.judged)

    def path(self, name):
        return os.path.join(self.folder, name)

    def files(self, kind):
        """What to learn from, made when it is first asked for; nothing where there is none."""
        if kind == "labels":
            return [write_tsv(self.path("labels.tsv"), self.train)]
        urls, files = {url for _, url in self.train}, []
        for name in ("crawl", "echo") if kind == "echo" else ("crawl",):
            out, source = self.path(name + ".warc"), os.path.join(self.crawl, name + ".warc.gz")
            if not os.path.exists(out):
                if not os.path.exists(source) or not cut_warc(source, urls, out):
                    return []
            files.append(out)
        return files

    def urls(self):
        """A file of all URLs whose keys are asked for."""
        known = self.train if self.protocol == "crawl" else []
        with open(self.path("urls.txt"), "w", encoding="utf-8", errors="surrogateescape") as f:
            f.writelines(url + "\n" for url in dict.fromkeys(url for _, url in known + self.met))
        return f.name

    def of_rules(self, rules, *options):
        """(score of the rules, scores of the baselines)"""
        how = ["--crawl"] if self.protocol == "crawl" else []
        said = json.loads(self.bench.call("eval", "-q", "--json", *how, *options, "-r", rules, self.judged))
        if how and said["learned_from"] != len(self.train):
            raise Failed(f"eval took {said['learned_from']} URLs as the first half, not {len(self.train)}")
        return self.score(said), {name: self.score({**said, **said["baselines"][field]}) for name, field in BASELINES}

    def score(self, said):
        if self.protocol == "crawl":
            possible, saved = said["avoidable"], said["avoided"]
        else:
            possible = said["urls"] - said["clusters"]
            saved = possible - (said["fetched"] - said["covered"])
        return Score(possible, saved, said["lost"], said["bad_merges"], said["rules"], 0, 1)

    def of_keys(self, keys):
        """The same numbers for keys that no rule file gives: docs/evaluation.md has the definitions."""
        past = self.train if self.protocol == "crawl" else []
        shown, pages_of = {page for page, _ in past}, collections.defaultdict(set)
        for page, url in past:
            pages_of[keys.get(url, url)].add(page)
        first, fetched, bad, pages = {url for _, url in past}, set(), 0, set()
        rest = [(page, url) for page, url in dict((u, (p, u)) for p, u in reversed(self.met)).values() if url not in first]
        n = 0
        for page, url in reversed(rest):
            pages.add(page)
            key = keys.get(url, url)
            if key not in pages_of:
                pages_of[key].add(page)
                fetched.add(page)
                n += 1
            elif page not in pages_of[key]:
                bad += 1
                if self.protocol == "pages":    # there a wrong merge counts once a page, along a crawl once a URL
                    pages_of[key].add(page)
        needed = pages - shown
        lost = len(needed - fetched)
        possible = len(rest) - len(needed)
        return Score(possible, len(rest) - n - lost, lost, bad, 0, 0, 1)


# ---- methods ----------------------------------------------------------------------------------------------------------


class Bench:
    def __init__(self, options, work):
        self.o, self.folder, self.work = options, options.folder, work
        self.missing = collections.OrderedDict()    # reason -> cells

    def call(self, *args):
        done = subprocess.run([self.o.dustpan, *map(str, args)], check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode:
            raise Failed(f"dustpan {args[0]}: {done.stderr.decode(errors='replace').strip()[-200:]}")
        return done.stdout

    def timed(self, command, **more):
        """(standard output, CPU seconds)"""
        def used():
            r = resource.getrusage(resource.RUSAGE_CHILDREN)
            return r.ru_utime + r.ru_stime
        before = used()
        try:
            done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=self.o.limit, **more)
        except subprocess.TimeoutExpired as e:
            raise Failed(f"took longer than {self.o.limit} s") from e
        except OSError as e:
            raise Failed(str(e)) from e
        if done.returncode:
            raise Failed(f"exit status {done.returncode}: {done.stderr.decode(errors='replace').strip()[-200:]}")
        return done.stdout, used() - before

    def methods(self):
        """Those of this build, the default one last."""
        text = self.call("learn", "--help-all").decode()
        names = re.search(r"--method ([a-z0-9|]+)", text).group(1).split("|")
        return sorted((n for n in names if n != SLOW), key=lambda n: n == "auto")

    def learn(self, part, method, kind, files):
        rules = part.path(f"{kind}-{method}.rules")        # learn keeps rules that are there when it finds none
        more = ["--model", part.path("model")] if method == SLOW else []
        command = [self.o.dustpan, "learn", "-q", "--threads", "1", "--method", method, *more, "-o", rules, *files]
        _, seconds = self.timed(command)
        score = part.of_rules(rules)[0]
        score.seconds = seconds
        return score

    def model(self, part):
        """The keys that the networks of seq2seq give, not its rules."""
        if not os.path.exists(part.path("model")):
            raise Failed("there are no networks")
        out = self.call("apply", "-q", "--model", part.path("model"), part.urls())
        with open(part.urls(), encoding="utf-8", errors="surrogateescape") as f:
            return part.of_keys(dict(zip(f.read().splitlines(), out.decode("utf-8", "surrogateescape").splitlines())))

    def own(self, part, command, kind, files):
        """A command of the user: cluster<TAB>url in; rules, or key<TAB>url, out."""
        labels = files[0]
        if kind != "labels":
            labels = part.path("clusters.tsv")
            with open(labels, "wb") as f:
                f.write(self.call("cluster", "-q", *files))
        env = {**os.environ, "URLS": part.urls(), "CRAWL": "" if kind == "labels" else " ".join(files)}
        with open(labels, "rb") as f:
            out, seconds = self.timed(shlex.split(command), stdin=f, env=env)
        if out.startswith(b"dustpan-rules"):
            with open(part.path("own.rules"), "wb") as f:
                f.write(out)
            score = part.of_rules(part.path("own.rules"), "--with-likely")[0]
        else:
            lines = [line.split("\t") for line in out.decode("utf-8", "surrogateescape").splitlines()]
            if any(len(line) != 2 for line in lines):
                raise Failed("wrote neither rules ('dustpan-rules 1' first) nor lines of key, TAB, URL")
            score = part.of_keys({url: key for key, url in lines})
        score.seconds = seconds
        return score

    def cells(self, part, app, kind):
        """(method, function of no arguments) of a part, in the order of the table."""
        files = part.files(kind)
        if not files:
            return
        empty = part.path("none.rules")
        with open(empty, "w", encoding="ascii") as f:
            f.write("dustpan-rules 1\n")
        if kind == "labels":
            for name, score in part.of_rules(empty)[1].items():
                yield name, lambda score=score: score
            if self.o.discarder:
                tool = f"{shlex.quote(self.o.discarder)} {shlex.quote(os.path.join(HERE, 'discarder.py'))}"
                yield "discarder", lambda: self.own(part, tool, kind, files)
        for method in self.o.methods:
            yield method, lambda method=method: self.learn(part, method, kind, files)
        if kind == "labels" and part.protocol == "crawl" and {app, "all"} & self.o.seq2seq:
            yield SLOW, lambda: self.learn(part, SLOW, kind, files)
            yield " (model)", lambda: self.model(part)
        for name, command in self.o.own:
            yield name, lambda command=command: self.own(part, command, kind, files)

    def run(self, app):
        """(input, method) -> protocol -> score"""
        out = collections.OrderedDict()
        seeds = {"crawl": [0], "pages": range(1, self.o.seeds + 1)}
        parts = [Part(self, app, protocol, seed) for protocol in PROTOCOLS for seed in seeds[protocol]]
        for kind in self.o.inputs:
            for part in parts:
                for method, score in self.cells(part, app, kind):
                    cell = out.setdefault((kind, method), {})
                    try:
                        cell.setdefault(part.protocol, Score()).add(score())
                    except Failed as e:
                        cell[part.protocol].runs = -len(parts)      # one answer of several is none
                        self.missing.setdefault(str(e), []).append(f"{app} {kind} {part.protocol} {method}")
        for cell in out.values():
            for protocol in [p for p, score in cell.items() if score.runs <= 0]:
                del cell[protocol]
        return out

    def alone(self, app):
        """(results, what is missing) of one application, in a process of its own: its children's seconds are its own."""
        return self.run(app), self.missing

    def all(self, apps):
        """application -> results; as many at once as there are cores, those that take long first."""
        first = sorted(apps, key=lambda app: app not in self.o.seq2seq)
        with multiprocessing.get_context("fork").Pool(os.cpu_count(), maxtasksperchild=1) as pool:
            done = dict(zip(first, pool.map(self.alone, first, chunksize=1)))
        for app in apps:
            for reason, cells in done[app][1].items():
                self.missing.setdefault(reason, []).extend(cells)
        return {app: done[app][0] for app in apps}


# ---- tables -----------------------------------------------------------------------------------------------------------


def cells_of(score, width=("6.1f", "5d", "5d", "6.1f", "7.2f")):
    if score is None:
        return "".join(f"{'-':>{w.split('.')[0].rstrip('d')}}" for w in width)
    values = (score.share(), score.lost, score.bad, score.rules / score.runs, score.seconds / score.runs)
    return "".join(f"{v:{w}}" for v, w in zip(values, width))


def head(left):
    one = f"{'saved':>6}{'lost':>5}{'bad':>5}{'rules':>6}{'s':>7}"
    print(f"{left:<34}{'by page':^29}   {'along the crawl':^29}")
    print(f"{'':<34}{one}   {one}")


def in_order(names):
    """Baselines first, auto after the other methods, the user's own last; each once."""
    return list(dict.fromkeys(names))


def summary(results, inputs):
    """One row an input and method: the mean of what is saved over the applications, sums of lost and bad."""
    print("All applications: mean of saved, sums of lost and bad (by page: of all ways to divide), means of rules and seconds\n")
    one = f"{'saved':>6}{'lost':>6}{'bad':>6}{'rules':>6}{'s':>7}"
    print(f"{'input':<8}{'method':<14}{'apps':>4}  {'by page':^31}   {'along the crawl':^31}\n{'':<28}{one}   {one}")
    for kind in inputs:
        methods = in_order(m for got in results.values() for k, m in got if k == kind)
        for method in methods:
            texts, apps = [], 0
            for protocol in PROTOCOLS:
                cells = {a: g[kind, method][protocol] for a, g in results.items() if protocol in g.get((kind, method), {})}
                apps = max(apps, len(cells))
                if not cells:
                    texts.append(f"{'-':>6}{'-':>6}{'-':>6}{'-':>6}{'-':>7}")
                    continue
                n, v = len(cells), cells.values()
                texts.append(f"{sum(s.share() for s in v) / n:6.1f}{sum(s.lost for s in v):6d}{sum(s.bad for s in v):6d}"
                             f"{sum(s.rules / s.runs for s in v) / n:6.1f}{sum(s.seconds / s.runs for s in v) / n:7.2f}")
            print(f"{kind:<8}{method:<14}{apps:4d}  {'   '.join(texts)}")
        print()


def matrix(results, inputs, protocol, title):
    """Applications by methods: saved, and lost pages behind a stroke."""
    for kind in inputs:
        methods = in_order(m for got in results.values() for k, m in got if k == kind)
        if not methods:
            continue
        print(f"{title}, from {kind}: saved/lost\n")
        print(f"{'':<11}" + "".join(f"{m:>13}" for m in methods))
        for app, got in results.items():
            row = [got.get((kind, m), {}).get(protocol) for m in methods]
            print(f"{app:<11}" + "".join(f"{'-' if s is None else f'{s.share():.1f}/{s.lost}':>13}" for s in row))
        print()


def table(results, sizes):
    for app, got in results.items():
        urls, pages, possible = sizes[app]
        print(f"{app}: {urls} URLs show {pages} pages; {possible} fetches of the second half show nothing new\n")
        head("input   method")
        for (kind, method), cell in got.items():
            print(f"{kind:<8}{method:<26}{cells_of(cell.get('pages'))}   {cells_of(cell.get('crawl'))}")
        print(flush=True)


def sizes_of(path, got):
    rows = read_tsv(path)
    crawl = next((c["crawl"] for c in got.values() if "crawl" in c), Score())
    return len({u for _, u in rows}), len({p for p, _ in rows}), crawl.possible


# ---- command ----------------------------------------------------------------------------------------------------------


def options():
    p = argparse.ArgumentParser(description="every method on crawls of real web applications")
    p.add_argument("folder", help="what tests/apps/run wrote")
    p.add_argument("names", nargs="*", metavar="NAME", help="only these applications")
    p.add_argument("--dustpan", default="build/dustpan")
    p.add_argument("--methods", type=lambda s: s.split(","), help="of dustpan, separated by commas; default: all but seq2seq")
    p.add_argument("--method-command", action="append", default=[], help="your own method; NAME=COMMAND gives it a name")
    p.add_argument("--inputs", type=lambda s: s.split(","), default=["labels", "raw"],
                   help="of labels, raw, echo; default labels,raw")
    p.add_argument("--seeds", type=int, default=3, help="ways to divide the pages; default 3")
    p.add_argument("--limit", type=int, default=600, help="seconds that a method may take to learn once")
    p.add_argument("--seq2seq", type=lambda s: set(s.split(",")), default=set(), help="applications on which it is tried, or all")
    p.add_argument("--discarder", help="a Python that has duplicate-url-discarder and its rules")
    o = p.parse_args()
    o.own = [c.split("=", 1) if re.match(r"[\w.-]+=", c) else (os.path.basename(shlex.split(c)[0]), c) for c in o.method_command]
    return o


def finished(o):
    """Applications whose crawl is complete, and whose truth is one."""
    for name in o.names or sorted(n for n in os.listdir(o.folder) if os.path.isdir(os.path.join(o.folder, n))):
        about = os.path.join(o.folder, name, "about.json")
        if not os.path.exists(about) or not os.path.exists(os.path.join(o.folder, name, "truth.tsv")):
            print(f"{name}: no finished crawl, passed over")
            continue
        with open(about, encoding="utf-8") as f:
            if json.load(f).get("unstable"):
                print(f"{name}: some pages changed while its clock stood still, so there is no truth; passed over")
                continue
        yield name


def main():
    o = options()
    with tempfile.TemporaryDirectory(prefix="dustpan-benchmark-") as work:
        bench = Bench(o, work)
        o.methods = o.methods or bench.methods()
        taken = [name for name, _ in BASELINES] + ["discarder", SLOW] + o.methods + [name for name, _ in o.own]
        if len(taken) > len(set(taken)):
            sys.exit("two methods have the same name: call yours --method-command NAME=COMMAND")
        results = bench.all(list(finished(o)))
    if not results:
        sys.exit(f"{o.folder}: no finished crawl (tests/apps/run --out {o.folder} makes them)")
    summary(results, o.inputs)
    matrix(results, o.inputs, "crawl", "Along the crawl")
    matrix(results, o.inputs, "pages", "By page")
    table(results, {app: sizes_of(os.path.join(o.folder, app, "truth.tsv"), got) for app, got in results.items()})
    for reason, cells in bench.missing.items():
        print(f"no row: {', '.join(cells)}: {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
