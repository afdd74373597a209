"""Learning over a DataFrame of records.

    records ── pack ──► facts, by domain ─┬─ look ──► presences ─► sites.linked ─► which domains are one site
                                          │          surveys   ─► combine
                                          └─ teach, by site ──► fragments ─► merge, on the driver ─► one rule file

What runs in the tasks is the C library (steps.py); Spark brings rows of bytes together by domain. A task that is lost
is run again: every step depends on its rows alone, and not on their order.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Dict, List

from pyspark import StorageLevel
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema

from dustpan import Learned
from dustpan._c import lib
from dustpan_spark import sites, steps
from dustpan_spark.records import records


def learn(df: DataFrame, **options: Any) -> Learned:
    """Learn which URLs show the same page, and write the rules that say so.

    `df` has the columns of records(): url, and of cluster, digest, status, ... what is known. Options are those of
    dustpan.learn(), and so is the result: the same rules, byte for byte, that one machine learns from the same records.
    """
    steps.check(options)
    facts = _facts(df, options).persist(StorageLevel.MEMORY_AND_DISK)
    try:
        totals = facts.agg(*(F.sum(F.element_at("totals", i + 1)) for i in range(steps.TOTALS))).first()
        linked, shared = _look(facts, options)
        fragments = _teach(facts, options, shared, linked).select("fragment").collect()
    finally:
        facts.unpersist()
    return steps.merge(options, [bytes(row.fragment) for row in fragments], [int(n or 0) for n in totals])


def _facts(df: DataFrame, options: Dict[str, Any]) -> DataFrame:
    """Parcels, all of a domain in one partition, one behind the other."""
    fields = records(df).drop("place")
    lines = fields.select(F.concat(F.to_json(F.struct(*fields.columns)), F.lit("\n")).alias("line"))
    packed = lines.mapInArrow(lambda batches: steps.pack(batches, options), from_arrow_schema(steps.PACKED))
    return packed.repartition("domain").sortWithinPartitions("domain")


def _look(facts: DataFrame, options: Dict[str, Any]) -> tuple[Dict[str, List[str]], bytes]:
    """The sites of several domains, and the sum of what domains tell each other."""
    wants_links = str(options.get("site", "linked")) == "linked"
    surveyed = _surveyed(facts) if steps.has_survey(options) else []
    if facts.where("domain is not null").select("domain").distinct().limit(2).count() < 2:
        return {}, b""
    rows = facts if wants_links else facts.where(F.col("domain").isin(surveyed))
    names = frozenset(surveyed)
    seen = rows.mapInArrow(lambda batches: steps.look(batches, options, names, wants_links),
                           from_arrow_schema(steps.SEEN)).persist(StorageLevel.MEMORY_AND_DISK)
    try:
        linked = sites.linked(seen) if wants_links else {}
        told = seen.where("survey is not null").orderBy("domain").select("survey").collect()
    finally:
        seen.unpersist()
    return linked, steps.combine(options, (bytes(row.survey) for row in told)) if surveyed else b""


def _surveyed(facts: DataFrame) -> List[str]:
    """The first domains by name, until enough facts are among them: enough to know what rules are like."""
    most, names, sum_of_facts = int(lib.DP_SURVEYED_FACTS), [], 0
    first = facts.where("domain is not null").groupBy("domain").agg(F.sum("facts").alias("n")).orderBy("domain")
    for row in first.limit(most).collect():
        if sum_of_facts >= most:
            break
        names.append(row.domain)
        sum_of_facts += row.n
    return names


def _teach(facts: DataFrame, options: Dict[str, Any], shared: bytes, linked: Dict[str, List[str]]) -> DataFrame:
    """Fragments of all sites. Only what lies on linked domains is sent anew."""
    def teach(rows: DataFrame) -> DataFrame:
        return rows.select("site", "data").mapInArrow(lambda batches: steps.teach(batches, options, shared, linked),
                                                      from_arrow_schema(steps.TAUGHT))

    parcels = facts.where("domain is not null")
    if not linked:
        return teach(parcels.withColumn("site", F.col("domain")))
    site_of = facts.sparkSession.createDataFrame([(domain, site) for site, group in linked.items() for domain in group],
                                                 "domain string, site string")
    alone = parcels.join(F.broadcast(site_of), "domain", "left_anti").withColumn("site", F.col("domain"))
    moved = parcels.join(F.broadcast(site_of), "domain").repartition("site").sortWithinPartitions("site")
    return teach(alone).union(teach(moved))
