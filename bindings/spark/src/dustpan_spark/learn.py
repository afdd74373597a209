"""Learning over a DataFrame of records.

    records ── pack ──► facts, in parcels ─┬─ look, by domain ──► presences ─► sites.linked ─► which are one site
                                           │                      surveys   ─► combine
                                           └─ teach, by site ──► fragments ─► merge, on the driver ─► one rule file

Domains and sites of more facts than --site-sample are looked at and learned from a sample of their parcels; then all of
them are counted (large.py). Parcels stay where they were made: only those of small domains, and samples, are brought
together by domain.

What runs in the tasks is the C library (steps.py); Spark brings rows of bytes together. A task that is lost is run
again: every step depends on its rows alone, and not on their order.

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
from dustpan_spark import large, sites, steps
from dustpan_spark.records import records


def learn(df: DataFrame, **options: Any) -> Learned:
    """Learn which URLs show the same page, and write the rules that say so.

    `df` has the columns of records(): url, and of cluster, digest, status, ... what is known. Options are those of
    dustpan.learn(), and so is the result: the same rules, byte for byte, that one machine learns from the same records.
    """
    steps.check(options)
    parcels = _parcels(df, options).persist(StorageLevel.MEMORY_AND_DISK)
    try:
        totals = parcels.agg(*(F.sum(F.element_at("totals", i + 1)) for i in range(steps.TOTALS))).first()
        fragments = _learn(parcels.where("domain is not null").drop("totals"), options)
    finally:
        parcels.unpersist()
    return steps.merge(options, fragments, [int(n or 0) for n in totals])


def _parcels(df: DataFrame, options: Dict[str, Any]) -> DataFrame:
    """Rows of domain, facts and data, where they were read."""
    fields = records(df).drop("place")
    lines = fields.select(F.concat(F.to_json(F.struct(*fields.columns)), F.lit("\n")).alias("line"))
    return lines.mapInArrow(lambda batches: steps.pack(batches, options), from_arrow_schema(steps.PACKED))


def _learn(parcels: DataFrame, options: Dict[str, Any]) -> List[bytes]:
    """The fragments of all sites."""
    most = large.most_facts(options)
    sizes = _sizes(parcels, most)
    by_domain, saved = _by_domain(parcels, sizes, options)
    facts = by_domain.persist(StorageLevel.MEMORY_AND_DISK)
    try:
        linked, shared = _look(facts, parcels, options)
        joined = _joined_sizes(parcels, linked, most)
        taught_rows, more = _teach(facts, parcels, options, shared, linked, joined)
        fragments = taught_rows.collect()
    finally:
        facts.unpersist()
    taught = {row.site: bytes(row.fragment) for row in fragments}
    alone = {domain: n for domain, n in sizes.items() if not any(domain in group for group in linked.values())}
    sizes = {**alone, **joined}
    again = {site: taught[site] for site in sizes}
    if again:
        taught.update(large.recount(_of_sites(parcels, list(sizes), linked), again, sizes, {**saved, **more}, linked,
                                    options))
    return list(taught.values())


# ---- what is large ---------------------------------------------------------------------------------------------------


def _sizes(parcels: DataFrame, most: int) -> Dict[str, int]:
    """Domains of more facts than one task learns from, and how many they have."""
    if not most:
        return {}
    counts = parcels.groupBy("domain").agg(F.sum("facts").alias("n")).where(F.col("n") > most)
    return {row.domain: int(row.n) for row in counts.collect()}


def _joined_sizes(parcels: DataFrame, linked: Dict[str, List[str]], most: int) -> Dict[str, int]:
    """The same of sites of several domains."""
    if not most or not linked:
        return {}
    rows = parcels.join(F.broadcast(_site_of(parcels, linked)), "domain")
    counts = rows.groupBy("site").agg(F.sum("facts").alias("n")).where(F.col("n") > most)
    return {row.site: int(row.n) for row in counts.collect()}


def _site_of(parcels: DataFrame, linked: Dict[str, List[str]]) -> DataFrame:
    pairs = [(domain, site) for site, group in linked.items() for domain in group]
    return parcels.sparkSession.createDataFrame(pairs, "domain string, site string")


def _of_sites(parcels: DataFrame, names: List[str], linked: Dict[str, List[str]]) -> DataFrame:
    """All parcels of some sites, with their names, where they are."""
    pairs = [(domain, site) for site in names for domain in linked.get(site, [site])]
    site_of = parcels.sparkSession.createDataFrame(pairs, "domain string, site string")
    return parcels.join(F.broadcast(site_of), "domain").select("site", "data")


def _by_domain(parcels: DataFrame, sizes: Dict[str, int],
               options: Dict[str, Any]) -> tuple[DataFrame, Dict[str, bytes]]:
    """Parcels, all of a domain in one partition, one behind the other; of large ones a sample, and which it is."""
    rows, saved = parcels.select("domain", "data"), {}
    if sizes:
        taken, saved = large.sample(_of_sites(parcels, list(sizes), {}), sizes, options)
        rows = rows.where(~F.col("domain").isin(list(sizes))).union(taken.withColumnRenamed("site", "domain"))
    return rows.repartition("domain").sortWithinPartitions("domain"), saved


# ---- the steps -------------------------------------------------------------------------------------------------------


def _look(facts: DataFrame, parcels: DataFrame, options: Dict[str, Any]) -> tuple[Dict[str, List[str]], bytes]:
    """The sites of several domains, and the sum of what domains tell each other."""
    wants_links = str(options.get("site", "linked")) == "linked"
    surveyed = _surveyed(parcels) if steps.has_survey(options) else []
    if parcels.select("domain").distinct().limit(2).count() < 2:
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


def _surveyed(parcels: DataFrame) -> List[str]:
    """The first domains by name, until enough facts are among them: enough to know what rules are like."""
    most, names, sum_of_facts = int(lib.DP_SURVEYED_FACTS), [], 0
    first = parcels.groupBy("domain").agg(F.sum("facts").alias("n")).orderBy("domain")
    for row in first.limit(most).collect():
        if sum_of_facts >= most:
            break
        names.append(row.domain)
        sum_of_facts += row.n
    return names


def _rehearsed(parcels: DataFrame, options: Dict[str, Any], linked: Dict[str, List[str]]) -> Dict[str, int]:
    """How many URLs of which sites are learned once more, to see what the rules are worth."""
    site_of = {domain: site for site, group in linked.items() for domain in group}
    facts: Dict[str, int] = {}
    for row in parcels.groupBy("domain").agg(F.sum("facts").alias("n")).collect():
        site = site_of.get(row.domain, row.domain)
        facts[site] = facts.get(site, 0) + int(row.n)
    return steps.rehearsals(options, facts)


def _teach(facts: DataFrame, parcels: DataFrame, options: Dict[str, Any], shared: bytes, linked: Dict[str, List[str]],
           joined: Dict[str, int]) -> tuple[DataFrame, Dict[str, bytes]]:
    """Site and fragment of all sites. Only what lies on linked domains is sent anew; of those in `joined`, a sample, and
    which it is."""
    rehearsed = _rehearsed(parcels, options, linked)

    def teach(rows: DataFrame) -> DataFrame:
        return rows.select("site", "data").mapInArrow(
            lambda batches: steps.teach(batches, options, shared, linked, rehearsed), from_arrow_schema(steps.TAUGHT))

    if not linked:
        return teach(facts.withColumn("site", F.col("domain"))), {}
    site_of = F.broadcast(_site_of(parcels, linked))
    alone = facts.join(site_of, "domain", "left_anti").withColumn("site", F.col("domain"))
    moved = facts.join(site_of, "domain").where(~F.col("site").isin(list(joined))).select("site", "data")
    saved: Dict[str, bytes] = {}
    if joined:
        taken, saved = large.sample(_of_sites(parcels, list(joined), linked), joined, options)
        moved = moved.union(taken)
    return teach(alone).union(teach(moved.repartition("site").sortWithinPartitions("site"))), saved
