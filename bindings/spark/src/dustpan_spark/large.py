"""Sites that are too large for one task: a sample to learn from, and a last count of their rules on all URLs.

    packed of a site, wherever they are ─┬─ pilot, count: each task what it sees ─► joined on the driver, twice
                                          ├─ take ──► packed of the sample ─► learned in one task, as any other site
                                          └─ split by the keys that its rules give ── shuffle ──► parts, a task each ─┐
                                                 the result, with what was counted on all URLs ◄── driver, sums  ◄──┘

The same as src/learn/run/schedule.c and src/learn/run/recount_pass.c do on one machine; a site of any size is spread over all tasks.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, List, Tuple

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema

from dustpan import _c
from dustpan._c import ffi, lib
from dustpan_spark.steps import Batches, Options, learner_of, studies

SAVED = pa.schema([("site", pa.string()), ("data", pa.binary())])
PARTS = pa.schema([("place", pa.string()), ("data", pa.binary())])

Sizes = Dict[str, int]  # facts of each large site
Saved = Dict[str, bytes]


def most_facts(options: Options) -> int:
    """Facts of a site that are learned from, at most; 0: all."""
    return int(lib.dp_learner_sample(learner_of(options)._l))


# ---- samples ---------------------------------------------------------------------------------------------------------


def sample(rows: DataFrame, sizes: Sizes, options: Options) -> Tuple[DataFrame, Saved]:
    """Of rows with site and data those packed, made smaller, that the sample of their site has; and what says which."""
    saved: Saved = {}
    for _ in range(2):
        seen = rows.select("site", "data").mapInArrow(
            lambda batches, saved=saved: _see(batches, sizes, saved, options), from_arrow_schema(SAVED)).collect()
        saved = _turn(((row.site, bytes(row.data)) for row in seen), sizes, saved, options)
    taken = rows.select("site", "data").mapInArrow(lambda batches: _take(batches, sizes, saved, options),
                                                   from_arrow_schema(SAVED))
    return taken, saved


def _draws(sizes: Sizes, saved: Saved, options: Options) -> Dict[str, Any]:
    learner, draws = learner_of(options), {}
    for site, facts in sizes.items():
        out = ffi.new("dp_site_sample **")
        _c.check(lib.dp_site_sample_new(out, learner._l, facts))
        draws[site] = _c.owned(out, lib.dp_site_sample_free)
        if site in saved:
            _join(lib.dp_site_sample_join, draws[site], saved[site])
    return draws


def _join(function: Any, handle: Any, data: bytes) -> None:
    e = _c.new_error()
    _c.check(function(handle, ffi.from_buffer(data), len(data), e), e)


def _text(function: Any, *arguments: Any) -> bytes:
    out = ffi.new("dp_text **")
    _c.check(function(out, *arguments))
    return _c.take_text(out)


def _see(batches: Batches, sizes: Sizes, saved: Saved, options: Options) -> Batches:
    """What one task sees of each site."""
    draws, seen = _draws(sizes, saved, options), set()
    for site, data in _packed(batches):
        _join(lib.dp_site_sample_add, draws[site], data)
        seen.add(site)
    for site in sorted(seen):
        yield pa.record_batch([[site], [_text(lib.dp_site_sample_save, draws[site])]], schema=SAVED)


def _turn(seen: Iterable[Tuple[str, bytes]], sizes: Sizes, saved: Saved, options: Options) -> Saved:
    draws = _draws(sizes, saved, options)
    for site, data in seen:
        _join(lib.dp_site_sample_join, draws[site], data)
    for draw in draws.values():
        _c.check(lib.dp_site_sample_turn(draw))
    return {site: _text(lib.dp_site_sample_save, draw) for site, draw in draws.items()}


def _take(batches: Batches, sizes: Sizes, saved: Saved, options: Options) -> Batches:
    draws = _draws(sizes, saved, options)
    for site, data in _packed(batches):
        e = _c.new_error()
        some = _text(lib.dp_site_sample_take, draws[site], ffi.from_buffer(data), len(data), e)
        if some:
            yield pa.record_batch([[site], [some]], schema=SAVED)


def _packed(batches: Batches) -> Iterator[Tuple[str, bytes]]:
    """The packed of each batch, those of one site as one."""
    for batch in batches:
        of: Dict[str, List[bytes]] = {}
        for site, data in zip(batch.column("site").to_pylist(), batch.column("data").to_pylist()):
            of.setdefault(site, []).append(data)
        for site, some in of.items():
            yield site, b"".join(some)


# ---- the last count --------------------------------------------------------------------------------------------------


def recount(rows: DataFrame, results: Dict[str, bytes], sizes: Sizes, saved: Saved, domains: Dict[str, List[str]],
            options: Options) -> Dict[str, bytes]:
    """The results that samples have learned, counted on all rows (site, data) of their sites; `domains` has those of
    sites that have several."""
    counts, kept = _recounts(results, sizes, saved, options)
    wanted = [site for site, count in counts.items() if lib.dp_recount_step_count(count)]
    if wanted:
        some = rows.where(F.col("site").isin(wanted)).select("site", "data")
        split = some.mapInArrow(lambda batches: _split(batches, results, sizes, saved, options),
                                from_arrow_schema(PARTS))
        counted = split.repartition("place").sortWithinPartitions("place").mapInArrow(
            lambda batches: _count(batches, results, sizes, saved, domains, options), from_arrow_schema(SAVED))
        for row in counted.collect():
            _join(lib.dp_recount_step_join, counts[row.site], bytes(row.data))
    return {site: _text(lib.dp_recount_step_close, count, _c.new_error()) for site, count in counts.items()}


def _recounts(results: Dict[str, bytes], sizes: Sizes, saved: Saved, options: Options) -> Tuple[Dict[str, Any], Any]:
    """One a site, and what must outlive them."""
    learner, draws, counts = learner_of(options), _draws(sizes, saved, options), {}
    for site, result in results.items():
        out, e = ffi.new("dp_recount_step **"), _c.new_error()
        _c.check(lib.dp_recount_step_new(out, learner._l, ffi.from_buffer(result), len(result), draws[site], e), e)
        counts[site] = _c.owned(out, lib.dp_recount_step_free)
    return counts, (learner, draws)


def _split(batches: Batches, results: Dict[str, bytes], sizes: Sizes, saved: Saved, options: Options) -> Batches:
    """Packed facts of a site to packed of its parts; a place is a part and a site."""
    counts, kept = _recounts(results, sizes, saved, options)
    for site, data in _packed(batches):
        _join(lib.dp_recount_step_split, counts[site], data)
        parts = [(f"{part} {site}", _c.borrowed(lib.dp_recount_step_data, counts[site], part))
                 for part in range(lib.dp_recount_step_count(counts[site]))]
        there = [(place, some) for place, some in parts if some]
        yield pa.record_batch([[place for place, _ in there], [some for _, some in there]], schema=PARTS)


def _count(batches: Batches, results: Dict[str, bytes], sizes: Sizes, saved: Saved, domains: Dict[str, List[str]],
           options: Options) -> Batches:
    counts, kept = _recounts(results, sizes, saved, options)
    for place, step in studies(batches, kept[0], "place", lambda place: _domains(place, domains)):
        part, site = place.split(" ", 1)
        counted = _text(lib.dp_site_step_recount, step, counts[site], int(part), _c.new_error())
        yield pa.record_batch([[site], [counted]], schema=SAVED)


def _domains(place: str, domains: Dict[str, List[str]]) -> List[str]:
    site = place.split(" ", 1)[1]
    return domains.get(site, [site])
