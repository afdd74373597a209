"""What rules save and lose on records that show which URLs are the same page.

    records ─► stage-0 form, key ─► a row a form, the first ─┬─► by key:   URLs, clusters, who is fetched
                                                             └─► by label: clusters

The numbers are those of `dustpan eval --json`, by the same definitions: a crawl in the order of the input fetches the
first URL of every key. No group is ever in one place: all is sums, which Spark combines before it sends them, so that a
host of any size is spread.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Iterator

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from dustpan_spark.apply import engine_of, rules_of
from dustpan_spark.records import records


def evaluate(df: DataFrame, rules: Any, *, order: str | None = None, with_likely: bool = False,
             min_precision: float = 0.0) -> dict[str, float]:
    """The metrics of `rules` on records with a `cluster`, or else a `digest` (of pages answered 200).

    `order` names the column to order records by; without it `place` is used, which read() adds to text, or else
    the order in which Spark has the rows. Only `covered`, and what is computed from it, depends on the order.
    """
    text, choice = bytes(rules_of(rules)), (with_likely, min_precision)
    rows = _labelled(df, order)

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        engine = engine_of(text, *choice)
        for batch in batches:
            urls, at, label = batch.columns
            form, is_url = forms(urls)
            answer = [at, label, form, engine.keys_arrow(urls)]
            yield pa.RecordBatch.from_arrays(answer, ["at", "label", "form", "key"]).filter(is_url)

    schema = T.StructType([rows.schema["at"], rows.schema["label"], T.StructField("form", T.StringType()),
                           T.StructField("key", T.StringType())])
    first = rows.mapInArrow(work, schema).groupBy("form").agg(
        F.min_by(F.struct("at", "label", "key"), "at").alias("f")).select("f.*").cache()
    try:
        keys = first.groupBy("key").agg(
            F.count("*").alias("n"), F.count_distinct("label").alias("d"), F.min_by("label", "at").alias("fetched"))
        sums = keys.agg(F.sum("n"), F.count("*"), F.sum(F.col("n") - F.col("d")), F.sum(F.col("d") - 1),
                        F.count_distinct("fetched")).first()
        clusters = first.agg(F.count_distinct("label")).first()[0]
    finally:
        first.unpersist()
    return _score(*(int(n or 0) for n in sums), int(clusters))


def _labelled(df: DataFrame, order: str | None) -> DataFrame:
    """Rows of url, at, label: the cluster, else the digest of a page."""
    there = records(df, **({"place": order} if order else {}))
    at = F.col("place") if "place" in there.columns else F.monotonically_increasing_id()
    label = F.col("cluster").cast("string") if "cluster" in there.columns else F.lit(None).cast("string")
    label = F.when(~label.isin("", "-"), label)
    if "digest" in there.columns:
        digest = F.when(~F.col("digest").isin("", "-"), F.col("digest"))
        if "status" in there.columns:
            status = F.col("status").cast("string")
            digest = F.when(status.isNull() | status.isin("200", "", "-"), digest)
        label = F.coalesce(label, digest)
    return there.select("url", at.alias("at"), label.alias("label")).where("url is not null and label is not null")


def forms(urls: pa.Array) -> tuple[pa.Array, pa.Array]:
    """The stage-0 forms of URLs, and which of them are URLs."""
    without = engine_of(b"", False, 0.0)
    # Text that is not a URL comes back unchanged; no URL looks like its own SURT form, which has a ')' behind the host.
    return without.keys_arrow(urls, "stage0"), pc.not_equal(without.keys_arrow(urls, "surt"), urls)


def _score(urls: int, fetched: int, good: int, bad: int, covered: int, clusters: int) -> dict[str, float]:
    def share(part: float, of: float) -> float:
        return part / of if of else 0.0

    precision, recall = share(covered, fetched), share(covered, clusters)
    return {
        "urls": urls, "clusters": clusters, "fetched": fetched, "covered": covered, "lost": clusters - covered,
        "reduction": share(urls - fetched, urls), "best_reduction": share(urls - clusters, urls),
        "precision": precision, "recall": recall, "f1": share(2 * precision * recall, precision + recall),
        "good_merges": good, "bad_merges": bad,
    }
