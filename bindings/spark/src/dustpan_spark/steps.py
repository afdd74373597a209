"""The steps of learning, one call each: what runs inside the tasks and, at the end, on the driver.

    pack      lines of JSON ─► rows of domain, facts, data          (dp_learner_pack)
    look      the rows of a domain ─► its presences, its survey     (dp_study)
    teach     the rows of a site ─► its fragment                    (dp_study_learn)
    merge     all fragments ─► Learned                              (dp_learner_merge)

Nothing here knows of Spark: rows come and go as batches of Apache Arrow.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Callable, Dict, Iterable, Iterator, List, Sequence, Tuple

import pyarrow as pa

from dustpan import Learned, _c
from dustpan._c import ffi, lib
from dustpan.learner import _Learner as Learner
from dustpan_spark.records import memory_file

Options = Dict[str, Any]
Batches = Iterator[pa.RecordBatch]

TOTALS = int(lib.DP_READ_COUNTS)

PACKED = pa.schema([("domain", pa.string()), ("facts", pa.int64()), ("data", pa.binary()),
                    ("totals", pa.list_(pa.int64()))])
SEEN = pa.schema([("domain", pa.string()), ("survey", pa.binary()), ("cluster", pa.int64()), ("id", pa.int64()),
                  ("urls", pa.int64())])
TAUGHT = pa.schema([("site", pa.string()), ("fragment", pa.binary())])


def learner_of(options: Options) -> Any:
    """A learner with these options that reads JSON; a task has one thread unless they say otherwise."""
    return Learner({"threads": 1, **options, "format": "jsonl"}, None)


def check(options: Options) -> None:
    """Raise what a task would raise about the options: UsageError."""
    _study(learner_of(options), ["a.example"])


# ---- records to parcels ---------------------------------------------------------------------------------------------


def pack(batches: Batches, options: Options) -> Batches:
    """Lines of JSON, each with its end, to parcels; one row more a batch has what was counted."""
    learner = learner_of(options)
    for batch in batches:
        yield _pack(learner, batch.column(0))


def _pack(learner: Any, lines: pa.Array) -> pa.RecordBatch:
    out, e = ffi.new("dp_parcels **"), _c.new_error()
    with memory_file(_text_of(lines)) as path:
        names, kept = _c.paths([path])
        _c.check(lib.dp_learner_pack(out, learner._l, names, len(kept), e), e)
    parcels = _c.owned(out, lib.dp_parcels_free)
    count = range(lib.dp_parcels_count(parcels))
    domain = [_c.borrowed(lib.dp_parcels_domain, parcels, i) for i in count]
    data = [_c.borrowed(lib.dp_parcels_data, parcels, i) for i in count]
    facts = [lib.dp_parcels_facts(parcels, i) for i in count]
    totals = [lib.dp_parcels_total(parcels, which) for which in range(TOTALS)]
    return pa.record_batch([pa.array([*domain, None], pa.binary()).cast(pa.string()), pa.array([*facts, 0], pa.int64()),
                            pa.array([*data, None], pa.binary()),
                            pa.array([None] * len(domain) + [totals], PACKED.field("totals").type)], schema=PACKED)


def _text_of(lines: pa.Array) -> Any:
    """The lines as they lie in memory, one behind the other."""
    if not len(lines):
        return b""
    _, offsets, text = lines.buffers()
    at = memoryview(offsets).cast("i")
    return memoryview(text)[at[lines.offset]:at[lines.offset + len(lines)]] if text else b""


# ---- parcels to studies ---------------------------------------------------------------------------------------------


def studies(batches: Batches, learner: Any, by: str,
            domains: Callable[[str], Sequence[str]]) -> Iterator[Tuple[str, Any]]:
    """A study for each run of equal names in column `by`, when all its parcels are in."""
    name, study = None, None
    for batch in batches:
        for next_name, data in zip(batch.column(by).to_pylist(), batch.column("data")):
            if next_name is None:
                continue
            if next_name != name:
                if study is not None:
                    yield name, study
                name, study = next_name, _study(learner, domains(next_name))
            e, parcel = _c.new_error(), data.as_buffer()
            _c.check(lib.dp_study_add(study, ffi.from_buffer(parcel), parcel.size, e), e)
    if study is not None:
        yield name, study


def _study(learner: Any, domains: Sequence[str]) -> Any:
    names, kept = _c.paths([domain.encode() for domain in domains])
    out, e = ffi.new("dp_study **"), _c.new_error()
    _c.check(lib.dp_study_new(out, learner._l, names, len(kept), e), e)
    return _c.owned(out, lib.dp_study_free)


def look(batches: Batches, options: Options, surveyed: frozenset[str], linked: bool) -> Batches:
    """Rows sorted by domain: one row a domain with its id, URLs and survey, and one a presence."""
    learner = learner_of(options)
    for name, study in studies(batches, learner, "domain", lambda domain: [domain]):
        yield from _presences(name, study, linked, surveyed)


def _presences(name: str, study: Any, linked: bool, surveyed: frozenset[str]) -> Batches:
    n, where = ffi.new("size_t *"), [ffi.new("uint64_t **"), ffi.new("uint64_t **"), ffi.new("uint32_t **")]
    if linked:
        _c.check(lib.dp_study_presences(study, n, *where))
    cluster, on = (pa.array(memoryview(ffi.buffer(p[0], n[0] * 8)).cast("q") if n[0] else [], pa.int64())
                   for p in where[:2])
    urls = pa.array(memoryview(ffi.buffer(where[2][0], n[0] * 4)).cast("I") if n[0] else [], pa.uint32())
    own = int(lib.dp_study_urls(study))
    survey = _survey(study) if name in surveyed else None
    nothing = pa.nulls(n[0])
    yield pa.record_batch([[name], [survey], [None], [domain_id(name)], [own]], schema=SEEN)
    if n[0]:
        yield pa.record_batch([nothing.cast(pa.string()), nothing.cast(pa.binary()), cluster, on,
                               urls.cast(pa.int64())], schema=SEEN)


def _survey(study: Any) -> bytes:
    out, e = ffi.new("dp_text **"), _c.new_error()
    _c.check(lib.dp_study_survey(out, study, e), e)
    return _c.take_text(out)


def domain_id(domain: str) -> int:
    """64 bits, as a signed number."""
    name = domain.encode()
    return int(ffi.cast("int64_t", lib.dp_domain_hash(name, len(name))))


def teach(batches: Batches, options: Options, shared: bytes, sites: Dict[str, List[str]],
          rehearsed: Dict[str, int]) -> Batches:
    """Rows sorted by site to fragments; `sites` has the domains of those that have several, `rehearsed` how many URLs
    are learned once more, of those of which any are."""
    learner = learner_of(options)
    for name, study in studies(batches, learner, "site", lambda site: sites.get(site, [site])):
        out, e = ffi.new("dp_text **"), _c.new_error()
        lib.dp_study_rehearse(study, rehearsed.get(name, 0))
        _c.check(lib.dp_study_learn(out, study, shared, len(shared), e), e)
        yield pa.record_batch([[name], [_c.take_text(out)]], schema=TAUGHT)


# ---- on the driver --------------------------------------------------------------------------------------------------


def has_survey(options: Options) -> bool:
    return bool(lib.dp_learner_surveys(learner_of(options)._l))


def rehearsals(options: Options, facts: Dict[str, int]) -> Dict[str, int]:
    """Of the sites with so many facts: those that are learned once more, and how many of their URLs."""
    names, kept = _c.paths([site.encode() for site in facts])
    urls = ffi.new("uint64_t[]", len(kept))
    _c.check(lib.dp_learner_rehearsals(urls, learner_of(options)._l, names, ffi.new("uint64_t[]", list(facts.values())),
                                       len(kept)))
    return {site: int(n) for site, n in zip(facts, urls) if n}


def combine(options: Options, surveys: Iterable[bytes]) -> bytes:
    """The sum of surveys, given in the order of their domains' names."""
    learner, all_of_them = learner_of(options), b"".join(surveys)
    out, e = ffi.new("dp_text **"), _c.new_error()
    _c.check(lib.dp_learner_combine(out, learner._l, all_of_them, len(all_of_them), e), e)
    return _c.take_text(out)


def merge(options: Options, fragments: Sequence[bytes], totals: Sequence[int]) -> Learned:
    learner, e = learner_of(options), _c.new_error()
    kept = [ffi.from_buffer(fragment) for fragment in fragments]
    sizes = ffi.new("size_t[]", [len(fragment) for fragment in fragments])
    _c.check(lib.dp_learner_merge(learner._l, ffi.new("const char *[]", kept), sizes, len(kept),
                                  ffi.new("uint64_t[]", list(totals)), e), e)
    return learner._result()
