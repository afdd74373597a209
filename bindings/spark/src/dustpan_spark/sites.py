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
    domains = seen.where("domain is not null").select("place", F.col("urls").alias("all"))
    # What two tell of the same domain is the same, or less.
    there = seen.where("cluster is not null").groupBy("cluster", "place").agg(F.max("urls").alias("urls"))
    shared = there.groupBy("cluster").count().where(F.col("count").between(2, int(lib.DP_LINK_SITES))).select("cluster")
    is_few = (F.col("urls") == 1) | (F.col("urls") * 100 <= F.col("all") * int(lib.DP_LINK_PERCENT))
    few = there.join(shared, "cluster").join(domains, "place").where(is_few).select("cluster", "place")
    both = few.alias("a").join(few.alias("b"), "cluster").where("a.place < b.place")
    pairs = both.groupBy("a.place", "b.place").count().where(F.col("count") >= int(lib.DP_LINKS)).select(
        F.col("a.place").alias("one"), F.col("b.place").alias("other"))
    sets = join([(row.one, row.other) for row in pairs.collect()])
    names: Dict[str, List[str]] = {}
    for domain, root in sets.items():
        names.setdefault(root, []).append(domain)
    return {min(group) + "+": sorted(group) for group in names.values()}


def join(pairs: Iterable[Tuple[str, str]]) -> Dict[str, str]:
    """The representative of each domain that is in a pair."""
    up: Dict[str, str] = {}

    def root(x: str) -> str:
        while up.setdefault(x, x) != x:
            up[x] = up[up[x]]
            x = up[x]
        return x

    for a, b in pairs:
        up[root(a)] = root(b)
    return {x: root(x) for x in list(up)}
