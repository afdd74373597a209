"""Learning over a DataFrame of records.

    records ── pack ──► facts, in packed ─┬─ look, by domain ──► presences ─► sites.linked ─► which are linked
                                           │                      surveys   ─► combine
                                           └─ learn_sites, by site ──► results ─► merge, on the driver ─► one rule file

A site is a domain; linked ones are learned once more together, for the rules that lead from one to another. Domains and
sets of more facts than --site-sample are looked at and learned from a sample of their packed; then all of them are
counted (large.py). Packed facts stay where they were made: only those of small domains, and samples, are brought
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
    """Learn which URLs show the same page, and return rules that map them to one key.

    `df` has the columns of records(): url, and what is known of cluster, digest, status, ... Options are those of
    dustpan.learn(), and so is the result: the same rules, byte for byte, that one machine learns from the same records.
    """
    steps.check(options)
    packed = _packed(df, options).persist(StorageLevel.MEMORY_AND_DISK)
    try:
        totals = packed.agg(*(F.sum(F.element_at("totals", i + 1)) for i in range(steps.TOTALS))).first()
        results = _learn(packed.where("domain is not null").drop("totals"), options)
    finally:
        packed.unpersist()
    return steps.merge(options, results, [int(n or 0) for n in totals])


def _packed(df: DataFrame, options: Dict[str, Any]) -> DataFrame:
    """Rows of domain, facts and data, where they were read."""
    fields = records(df).drop("place")
    lines = fields.select(F.concat(F.to_json(F.struct(*fields.columns)), F.lit("\n")).alias("line"))
    return lines.mapInArrow(lambda batches: steps.pack(batches, options), from_arrow_schema(steps.PACKED))


def _learn(packed: DataFrame, options: Dict[str, Any]) -> List[bytes]:
    """The results of all sites."""
    most = large.most_facts(options)
    sizes = _sizes(packed, most)
    by_domain, saved = _by_domain(packed, sizes, options)
    facts = by_domain.persist(StorageLevel.MEMORY_AND_DISK)
    try:
        linked, shared = _look(facts, packed, options)
        joined = _joined_sizes(packed, linked, most)
        learned_rows, more = _learn_sites(facts, packed, options, shared, linked, joined)
        results = learned_rows.collect()
    finally:
        facts.unpersist()
    learned = {row.site: bytes(row.result) for row in results}
    sizes = {**sizes, **joined}
    again = {site: learned[site] for site in sizes}
    if again:
        learned.update(large.recount(_of_sites(packed, list(sizes), linked), again, sizes, {**saved, **more}, linked,
                                    options))
    return list(learned.values())


# ---- what is large ---------------------------------------------------------------------------------------------------


def _sizes(packed: DataFrame, most: int) -> Dict[str, int]:
    """Domains of more facts than one task learns from, and how many they have."""
    if not most:
        return {}
    counts = packed.groupBy("domain").agg(F.sum("facts").alias("n")).where(F.col("n") > most)
    return {row.domain: int(row.n) for row in counts.collect()}


def _joined_sizes(packed: DataFrame, linked: Dict[str, List[str]], most: int) -> Dict[str, int]:
    """The same of linked domains together."""
    if not most or not linked:
        return {}
    rows = packed.join(F.broadcast(_site_of(packed, linked)), "domain")
    counts = rows.groupBy("site").agg(F.sum("facts").alias("n")).where(F.col("n") > most)
    return {row.site: int(row.n) for row in counts.collect()}


def _site_of(packed: DataFrame, linked: Dict[str, List[str]]) -> DataFrame:
    pairs = [(domain, site) for site, group in linked.items() for domain in group]
    return packed.sparkSession.createDataFrame(pairs, "domain string, site string")


def _of_sites(packed: DataFrame, names: List[str], linked: Dict[str, List[str]]) -> DataFrame:
    """All packed of some sites, with their names, where they are."""
    pairs = [(domain, site) for site in names for domain in linked.get(site, [site])]
    site_of = packed.sparkSession.createDataFrame(pairs, "domain string, site string")
    return packed.join(F.broadcast(site_of), "domain").select("site", "data")


def _by_domain(packed: DataFrame, sizes: Dict[str, int],
               options: Dict[str, Any]) -> tuple[DataFrame, Dict[str, bytes]]:
    """Packed facts, all of a domain in one partition, one behind the other; of large ones a sample, and which it is."""
    rows, saved = packed.select("domain", "data"), {}
    if sizes:
        taken, saved = large.sample(_of_sites(packed, list(sizes), {}), sizes, options)
        rows = rows.where(~F.col("domain").isin(list(sizes))).union(taken.withColumnRenamed("site", "domain"))
    return rows.repartition("domain").sortWithinPartitions("domain"), saved


# ---- the steps -------------------------------------------------------------------------------------------------------


def _look(facts: DataFrame, packed: DataFrame, options: Dict[str, Any]) -> tuple[Dict[str, List[str]], bytes]:
    """Linked domains, and the sum of what domains tell each other."""
    wants_links = str(options.get("site", "linked")) == "linked"
    surveyed = _surveyed(packed) if steps.has_survey(options) else []
    if packed.select("domain").distinct().limit(2).count() < 2:
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


def _surveyed(packed: DataFrame) -> List[str]:
    """The first domains by name, until enough facts are among them: enough to know what rules are like."""
    most, names, sum_of_facts = int(lib.DP_SURVEYED_FACTS), [], 0
    first = packed.groupBy("domain").agg(F.sum("facts").alias("n")).orderBy("domain")
    for row in first.limit(most).collect():
        if sum_of_facts >= most:
            break
        names.append(row.domain)
        sum_of_facts += row.n
    return names


def _held_out(packed: DataFrame, options: Dict[str, Any]) -> Dict[str, int]:
    """How many URLs of which sites are learned once more, to see what the rules are worth."""
    counts = packed.groupBy("domain").agg(F.sum("facts").alias("n")).collect()
    return steps.held_out(options, {row.domain: int(row.n) for row in counts})


def _learn_sites(facts: DataFrame, packed: DataFrame, options: Dict[str, Any], shared: bytes, linked: Dict[str, List[str]],
           joined: Dict[str, int]) -> tuple[DataFrame, Dict[str, bytes]]:
    """Site and result of all sites, and of linked domains together. Only what lies on these is sent anew; of those in
    `joined`, a sample, and which it is."""
    relearned = _held_out(packed, options)

    def learn_sites(rows: DataFrame) -> DataFrame:
        return rows.select("site", "data").mapInArrow(
            lambda batches: steps.learn_sites(batches, options, shared, linked, relearned), from_arrow_schema(steps.LEARNED))

    alone = facts.withColumn("site", F.col("domain"))
    if not linked:
        return learn_sites(alone), {}
    site_of = F.broadcast(_site_of(packed, linked))
    moved = facts.join(site_of, "domain").where(~F.col("site").isin(list(joined))).select("site", "data")
    saved: Dict[str, bytes] = {}
    if joined:
        taken, saved = large.sample(_of_sites(packed, list(joined), linked), joined, options)
        moved = moved.union(taken)
    return learn_sites(alone).union(learn_sites(moved.repartition("site").sortWithinPartitions("site"))), saved
