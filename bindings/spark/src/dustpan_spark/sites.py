"""Which domains are linked: those that share at least 3 clusters may be mirrors of each other.

    presences: cluster, domain, URLs ─► clusters on 2 to 20 domains ─► pairs of domains ─► those with 3 and more
                                                                                                   │ to the driver
                                                                                sets of domains  ◄─┘

The same as src/site/group.c, on tables: a cluster counts when it has at most 1 % of the URLs (or one URL) of either
domain. Clusters on more than 20 domains are dropped before they are paired, so that no page makes more than 190 pairs.
Each domain is learned alone; linked ones are learned together, too, for what leads from one to another.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Dict, Iterable, List, Tuple

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from dustpan._c import lib


def linked(seen: DataFrame) -> Dict[str, List[str]]:
    """Sets of linked domains out of the rows of steps.look(), by the least domain and a +, which no domain has."""
    domains = seen.where("domain is not null").select(F.col("id"), F.col("urls").alias("all"))
    # What two tell of the same domain is the same, or less.
    there = seen.where("cluster is not null").groupBy("cluster", "id").agg(F.max("urls").alias("urls"))
    shared = there.groupBy("cluster").count().where(F.col("count").between(2, int(lib.DP_LINK_SITES))).select("cluster")
    few = there.join(shared, "cluster").join(domains, "id").where(
        (F.col("urls") == 1) | (F.col("urls") * 100 <= F.col("all") * int(lib.DP_LINK_PERCENT))).select("cluster", "id")
    pairs = few.alias("a").join(few.alias("b"), "cluster").where("a.id < b.id").groupBy("a.id", "b.id").count().where(
        F.col("count") >= int(lib.DP_LINKS)).select(F.col("a.id").alias("one"), F.col("b.id").alias("other"))
    sets = join([(row.one, row.other) for row in pairs.collect()])
    if not sets:
        return {}
    spark = seen.sparkSession
    wanted = spark.createDataFrame([(id,) for id in sets], "id long")
    names: Dict[int, List[str]] = {}
    for row in seen.where("domain is not null").join(F.broadcast(wanted), "id").select("domain", "id").collect():
        names.setdefault(sets[row.id], []).append(row.domain)
    return {min(group) + "+": sorted(group) for group in names.values()}


def join(pairs: Iterable[Tuple[int, int]]) -> Dict[int, int]:
    """The representative of each number that is in a pair."""
    up: Dict[int, int] = {}

    def root(x: int) -> int:
        while up.setdefault(x, x) != x:
            up[x] = up[up[x]]
            x = up[x]
        return x

    for a, b in pairs:
        up[root(a)] = root(b)
    return {x: root(x) for x in list(up)}
