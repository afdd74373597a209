"""What rules save and lose on records that show which URLs are the same page.

    records ─► stage-0 form, key ─► labels.py: a row a URL ─┬─► by key:   URLs, clusters, who is fetched
                                                            └─► by label: clusters

The numbers are those of `dustpan eval --json`, by the same definitions: a crawl in the order of the input fetches the
first URL of every key. Which pages are the same is asked of the library, as `dustpan eval` does. No host is ever in one
place: all else is sums, which Spark combines before it sends them, so that a host of any size is spread.

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
from dustpan_spark.labels import check_identity, decide, name
from dustpan_spark.records import records


def evaluate(df: DataFrame, rules: Any, *, order: str | None = None, with_likely: bool = False,
             min_precision: float = 0.0, identity: str | None = None) -> dict[str, float]:
    """The metrics of `rules` on records with a `cluster`, or else a `digest` (of pages answered 200).

    `order` names the column to order records by; without it `place` is used, which read() adds to text, or else
    the order in which Spark has the rows. Only `covered`, and what is computed from it, depends on the order.
    `identity` is that of the command: clusters, content, or clusters,content.
    """
    text, choice = bytes(rules_of(rules)), (with_likely, min_precision)
    check_identity(identity)
    rows = _lines(df, order)

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        engine = engine_of(text, *choice)
        for batch in batches:
            urls, *others = batch.columns
            form, is_url = forms(urls)
            yield pa.RecordBatch.from_arrays([*others, form, engine.keys_arrow(urls)], names).filter(is_url)

    schema = T.StructType([*rows.schema.fields[1:], T.StructField("form", T.StringType()),
                           T.StructField("key", T.StringType())])
    names = schema.names
    urls = decide(rows.mapInArrow(work, schema), identity).cache()
    first = name(urls, identity).cache()
    try:
        keys = first.groupBy("key").agg(
            F.count("*").alias("n"), F.count_distinct("label").alias("d"), F.min_by("label", "at").alias("fetched"))
        sums = keys.agg(F.sum("n"), F.count("*"), F.sum(F.col("n") - F.col("d")), F.sum(F.col("d") - 1),
                        F.count_distinct("fetched")).first()
        clusters = first.agg(F.count_distinct("label")).first()[0]
    finally:
        first.unpersist()
        urls.unpersist()
    return _score(*(int(n or 0) for n in sums), int(clusters))


def _lines(df: DataFrame, order: str | None) -> DataFrame:
    """Rows of url, at, line (the record as JSON), digest, mime."""
    there = records(df, **({"place": order} if order else {}))
    at = F.col("place") if "place" in there.columns else F.monotonically_increasing_id()
    line = F.to_json(F.struct(*(field for field in there.columns if field != "place")))
    content = [F.coalesce(F.col(field).cast("string"), F.lit("")) if field in there.columns else F.lit("")
               for field in ("digest", "mime")]
    return there.select("url", at.alias("at"), line.alias("line"), content[0].alias("digest"),
                        content[1].alias("mime")).where("url is not null")


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
