"""Spark against the command, on a cluster of two workers of which one is killed in the middle.

A planted set of which one host has a third, and is learned from a sample; and a small one with mirrors, redirects,
digests and broken lines: what is learned on Spark must be the file that `dustpan learn` writes, byte for byte; keys and
metrics must be those of `apply` and `eval`. Prints TAP, as the other test programs do.

    DUSTPAN=build/dustpan PLANT=build/plant python tests/spark/test_spark.py [NAME...]

SPDX-License-Identifier: Apache-2.0
"""
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from cluster import Cluster  # noqa: E402

from pyspark.sql import functions as F  # noqa: E402

import dustpan_spark  # noqa: E402
from dustpan import Engine, Rules  # noqa: E402
from dustpan_spark import job  # noqa: E402
from dustpan_spark.evaluate import _lines as evaluate_lines  # noqa: E402
from dustpan_spark.labels import decide, name  # noqa: E402

DUSTPAN, PLANT = os.path.abspath(os.environ["DUSTPAN"]), os.path.abspath(os.environ["PLANT"])
URLS = int(os.environ.get("DP_SPARK_URLS", 30000))
SAMPLE = str(min(URLS // 12, 2000000))  # of the first host, which has four times as many
MEMORY = "512m" if URLS <= 100000 else "2g"


def run(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, **more).stdout


def learned(*arguments):
    return run(DUSTPAN, "learn", "--quiet", *arguments)


def summary(*arguments):
    """What the command says of its rules, on held-out clusters too."""
    done = subprocess.run([DUSTPAN, "learn", "--json", "--quiet", *arguments], check=True, capture_output=True)
    return json.loads(done.stderr)


# ---- sets ------------------------------------------------------------------------------------------------------------


def plant(folder):
    """Forty hosts, the first with a third of the URLs."""
    path = str(folder / "planted.tsv")
    run(PLANT, "--urls", str(URLS), "--hosts", "40", "--host-zipf", "1.3", "--crawl", "1000", "--clusters", path)
    return path


def small_set():
    """What a crawl of real sites has: mirrors, redirects within and between sites, canonical links, digests that are
    shared by few and by many, errors, repeated fetches."""
    rows = []
    for i in range(120):
        for host in "www.shop.example", "shop.example", "shop-mirror.test":
            rows.append({"url": f"http://{host}/item/{i}", "digest": f"ITEM{i:04}", "status": 200, "mime": "text/html"})
        rows.append({"url": f"http://shop.example/item/{i}?sid={i * 7}", "digest": f"ITEM{i:04}", "status": 200,
                     "mime": "text/html"})
        rows.append({"url": f"http://news.test/a/{i}", "digest": f"NEWS{i:04}", "status": 200, "mime": "text/html"})
        rows.append({"url": f"http://news.test/a/{i}?utm_source=x{i % 5}", "digest": f"NEWS{i:04}", "status": 200,
                     "mime": "text/html"})
        rows.append({"url": f"https://old.test/{i}", "status": 301, "target": f"http://news.test/a/{i}"})
        rows.append({"url": f"http://news.test/b/{i}", "status": 301, "target": f"/a/{i}"})
        rows.append({"url": f"http://gone.test/{i}", "status": 404})
    for host in "shop.example", "shop-mirror.test", "news.test", "old.test", "other.test":
        rows.append({"url": f"http://{host}/robots.txt", "digest": "ROBOTS", "status": 200, "mime": "text/plain"})
    rows.append({"url": "no url at all", "digest": "NONE", "status": 200})
    return rows + rows[:50]


def odd_set():
    """Names and contents that disagree, small pages, types that are not known, pages fetched again, errors."""
    rows = []
    for i in range(120):
        page = {"cluster": f"p{i}", "digest": f"ITEM{i}", "size": 5000, "status": 200, "mime": "text/html"}
        rows.append({**page, "url": f"http://a.org/item/{i}", "time": 1700000000 + i})
        rows.append({**page, "url": f"http://a.org/item/{i}?sid={i}"})
        rows.append({**page, "url": f"http://a.org/old/{i}", "digest": f"OLD{i}"})
        new = {"url": f"http://b.org/item/{i}", "size": 4000, "status": 200}
        rows.append({**new, "digest": f"B{i}", "mime": "text/html", "time": 1700000500})
        mime = "-" if i % 3 else "image/gif"
        rows.append({**new, "url": f"http://b.org/item/{i}?sid=9", "digest": f"B{i}", "mime": mime})
        rows.append({**new, "digest": f"B{i + 1}", "mime": "text/html", "time": 1700000100 + 900 * (i % 2)})  # again
        rows.append({**new, "url": f"http://b.org/small/{i}", "digest": f"S{i % 5}", "size": 100})
        rows.append({**new, "url": f"http://b.org/small/{i}?sid=1", "digest": f"S{i % 5}", "size": 100})
        rows.append({**new, "url": f"http://b.org/gone/{i}", "digest": "GONE", "status": 404})
        rows.append({**new, "url": f"http://b.org/late/{i}", "digest": f"B{i}"})
        if i % 4 == 0:
            rows.append({**new, "url": f"http://b.org/late/{i}", "cluster": f"p{i}"})  # a name, later
    return rows


def write_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) + "{broken\n")
    return str(path)


def write_cdxj(path, rows):
    objects = [json.dumps({"redirect" if k == "target" else k: str(v) for k, v in row.items()}) for row in rows]
    lines = [f"key 20240101{i // 60:02}{i % 60:02}00 {text}" for i, text in enumerate(objects)]
    path.write_text("!OpenWayback-CDXJ 1.0\n" + "\n".join(lines) + "\n")
    return str(path)


# ---- tests -----------------------------------------------------------------------------------------------------------


def killed_later(cluster, spark):
    """Kill the first worker when two jobs are through and a third is running; returns what to ask when."""
    tracker, when = spark.sparkContext.statusTracker(), []

    def watch():
        while not when:
            jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(None)]
            done = sum(job.status == "SUCCEEDED" for job in jobs if job)
            stages = map(tracker.getStageInfo, tracker.getActiveStageIds())
            busy = any(stage.numActiveTasks for stage in stages if stage)
            if done >= 2 and busy:
                cluster.kill(0)
                when.append(time.time())
            time.sleep(0.02)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return when


class Tests:
    def __init__(self, cluster, spark, folder):
        self.cluster, self.spark, self.folder = cluster, spark, folder
        self.planted = plant(folder)
        self.rules = folder / "planted.rules"
        start = time.time()
        self.rules.write_bytes(learned("--site-sample", SAMPLE, "--columns", "cluster,url", self.planted))
        print(f"# {URLS} URLs; one machine learns in {time.time() - start:.1f} s", flush=True)
        self.records = dustpan_spark.read(spark, self.planted, format="tsv", columns="cluster,url")

    def learns_what_one_machine_learns_with_a_worker_killed(self):
        executors = self.spark.sparkContext._jsc.sc().getExecutorMemoryStatus
        alive, when = executors().size() - 1, killed_later(self.cluster, self.spark)
        found = dustpan_spark.learn(self.records.repartition(max(8, URLS // 250000)), site_sample=SAMPLE)
        ended = time.time()
        assert when and when[0] < ended, "nobody was killed in time"
        left = executors().size() - 1
        print(f"# killed {ended - when[0]:.1f} s before the end; {alive} executors before, {left} after")
        assert left < alive
        same(bytes(found.rules), self.rules.read_bytes())
        print(f"# {len(found.rules)} rules, {len(self.rules.read_bytes())} bytes, the same")
        assert found.summary["urls"] == URLS and len(found.rules) > 0
        assert any("sample" in text for text in found.warnings), found.warnings

    def counts_large_mirrors_and_redirects(self):
        lines = write_lines(self.folder / "small.jsonl", small_set())
        options = {"min_precision": ".9", "site_sample": "400"}
        found = dustpan_spark.learn(dustpan_spark.read(self.spark, lines, format="jsonl"), **options)
        same(bytes(found.rules), learned("--min-precision", ".9", "--site-sample", "400", lines))
        want = summary("--min-precision", ".9", "--site-sample", "400", lines)
        said = {**found.summary, "warnings": list(found.warnings)}
        assert said == want and want["held_out_urls"], (said, want)
        assert b"\nhost shop-mirror.test\n" in bytes(found.rules)
        lines = write_lines(self.folder / "again.jsonl", small_set() * 2)  # more records than that, but not more URLs
        options["site_sample"] = "800"
        found = dustpan_spark.learn(dustpan_spark.read(self.spark, lines, format="jsonl"), **options)
        same(bytes(found.rules), learned("--min-precision", ".9", lines))

    def applies_what_the_command_applies(self):
        rows = dustpan_spark.apply(self.records.select("url", "cluster"), str(self.rules)).collect()
        urls = "".join(row.url + "\n" for row in rows).encode()
        want = run(DUSTPAN, "apply", "--quiet", "-r", str(self.rules), input=urls)
        same("".join(row.key + "\n" for row in rows).encode(), want)
        assert len(rows) == URLS

    def evaluates_as_the_command_evaluates(self):
        found = dustpan_spark.evaluate(self.records, Rules.load(self.rules))
        want = json.loads(run(DUSTPAN, "eval", "--json", "--quiet", "-r", str(self.rules), self.planted))
        for name, value in found.items():
            assert abs(value - want[name]) <= 5e-7, f"{name}: {value}, the command says {want[name]}"

    def labels_as_the_command_labels(self):
        """Which pages are the same is asked of the library: the same labels, the same figures."""
        lines = str(self.folder / "odd.jsonl")
        Path(lines).write_text("".join(json.dumps(row) + "\n" for row in odd_set()))
        rules = self.folder / "odd.rules"
        rules.write_text("dustpan-rules 1\nhost any\ndrop ?sid\n/old/{n} => /item/{n}\n")
        rows = dustpan_spark.read(self.spark, lines, format="jsonl").repartition(5)
        stage0 = Engine(Rules("dustpan-rules 1\n"))
        for identity in "clusters", "content", "clusters,content", None:
            chosen = ["--identity", identity] if identity else []
            found = dustpan_spark.evaluate(rows, str(rules), identity=identity)
            want = json.loads(run(DUSTPAN, "eval", "--json", "--quiet", *chosen, "-r", str(rules), lines))
            for field, value in found.items():
                assert abs(value - want[field]) <= 5e-7, f"{identity}: {field}: {value}, the command says {want[field]}"
            run(DUSTPAN, "split", "--quiet", *chosen, "-o", str(self.folder / "odd"), lines)
            parts = [self.folder / "odd.train.tsv", self.folder / "odd.test.tsv"]
            pairs = [line.split("\t") for part in parts for line in part.read_text().splitlines() if line[:1] != "#"]
            want = sorted({(stage0.key(url), page) for page, url in pairs})
            text = evaluate_lines(rows, None).withColumn("form", F.col("url")).withColumn("key", F.col("url"))
            said = name(decide(text.drop("url"), identity), identity).collect()
            assert sorted((stage0.key(row.key), row.label) for row in said) == want and len(want) > 100, identity
        try:
            dustpan_spark.evaluate(rows, str(rules), identity="text")
        except ValueError as e:
            assert "identity" in str(e), e
        else:
            raise AssertionError("nothing was said about identity='text'")

    def reads_lines_columns_and_indexes_alike(self):
        """Of the same rows as lines, as an index and as the columns of Common Crawl, the same records."""
        rows = small_set()
        lines = dustpan_spark.read(self.spark, write_lines(self.folder / "small.jsonl", rows), format="jsonl")
        cdxj = dustpan_spark.read(self.spark, write_cdxj(self.folder / "small.cdxj", rows), format="cdxj")
        names = "url string, content_digest string, fetch_status short, content_mime_type string, fetch_redirect string"
        crawl = str(self.folder / "index.parquet")
        self.spark.createDataFrame([(row["url"], row.get("digest"), row["status"], row.get("mime"), row.get("target"))
                                    for row in rows], names).write.parquet(crawl)
        fields = ["url", "digest", "status", "mime", "target"]
        want = sorted(tuple(str(row.get(field)) for field in fields) for row in rows)
        for df, bad in (lines, 1), (cdxj, 0), (dustpan_spark.read(self.spark, crawl), 0):
            found = df.select(fields).collect()
            assert sorted(tuple(map(str, row)) for row in found if row.url) == want
            assert sum(row.url is None for row in found) == bad

    def says_what_it_cannot_do(self):
        for call, text in (
                (lambda: dustpan_spark.records(self.records.drop("url")), "no column 'url'"),
                (lambda: dustpan_spark.read(self.spark, self.planted, format="tsv"), "columns="),
                (lambda: dustpan_spark.apply(self.records, self.rules, url="status"), "not a string column"),
                (lambda: dustpan_spark.learn(self.records, min_precision="2"), "min-precision"),
                (lambda: dustpan_spark.learn(self.records, method="seq2seq", model="/tmp/model"), "one machine")):
            try:
                call()
            except ValueError as e:
                assert text in str(e), e
            else:
                raise AssertionError(f"nothing was said about {text}")

    def learns_mirrors_and_redirects_as_a_command(self):
        """The last: the job ends the session."""
        lines, out = str(self.folder / "small.jsonl"), str(self.folder / "small.rules")
        want = learned("--min-precision", ".9", lines)
        assert b"\ndrop ?sid" in want and b"\nhost shop-mirror.test\n" in want, want.decode()
        told = io.StringIO()
        with contextlib.redirect_stderr(told):
            assert job.main(["learn", "--format", "jsonl", "-o", out, lines, "--min-precision", ".9"]) == 0
        same(Path(out).read_bytes(), want)
        assert "1 line that cannot be read (" in told.getvalue() and "1 not a URL," in told.getvalue(), told.getvalue()


def same(found, want):
    if found != want:
        a, b = found.decode(errors="replace").splitlines(), want.decode(errors="replace").splitlines()
        differ = [f"- {y}\n+ {x}" for x, y in zip(a, b) if x != y][:10]
        raise AssertionError(f"{len(a)} lines, wanted {len(b)}:\n" + "\n".join(differ))


def main():
    names = sys.argv[1:] or [name for name in vars(Tests) if not name.startswith("_")]
    print(f"1..{len(names)}", flush=True)
    failed = 0
    with tempfile.TemporaryDirectory(prefix="dustpan-spark-") as folder, Cluster(2, MEMORY) as cluster:
        spark = cluster.session(**{"spark.executor.memory": MEMORY, "spark.driver.memory": MEMORY})
        tests = Tests(cluster, spark, Path(folder))
        for number, name in enumerate(names, 1):
            start = time.time()
            try:
                getattr(tests, name)()
                print(f"ok {number} - {name}  # {time.time() - start:.1f} s", flush=True)
            except Exception:
                failed += 1
                print("# " + traceback.format_exc().replace("\n", "\n# "))
                print(f"not ok {number} - {name}", flush=True)
        spark.stop()
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
