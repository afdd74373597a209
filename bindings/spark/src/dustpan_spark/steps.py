"""The steps of learning, one call each: what runs inside the tasks and, at the end, on the driver.

    pack      lines of JSON ─► rows of domain, facts, data          (dp_learner_pack)
    look      the rows of a domain ─► its presences, its survey     (dp_site_step)
    learn_sites     the rows of a site ─► its result                    (dp_site_step_learn)
    merge     all results ─► Learned                              (dp_learner_merge)

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
SEEN = pa.schema([("domain", pa.string()), ("survey", pa.binary()), ("cluster", pa.int64()), ("place", pa.string()),
                  ("urls", pa.int64())])
LEARNED = pa.schema([("site", pa.string()), ("result", pa.binary())])


def learner_of(options: Options) -> Any:
    """A learner with these options that reads JSON; a task has one thread unless they say otherwise."""
    return Learner({"threads": 1, **options, "format": "jsonl"}, None)


def check(options: Options) -> None:
    """Raise what a task would raise about the options: UsageError."""
    _step(learner_of(options), ["a.example"])


# ---- records to packed ---------------------------------------------------------------------------------------------


def pack(batches: Batches, options: Options) -> Batches:
    """Lines of JSON, each with its end, to packed; one row more a batch has what was counted."""
    learner = learner_of(options)
    for batch in batches:
        yield _pack(learner, batch.column(0))


def _pack(learner: Any, lines: pa.Array) -> pa.RecordBatch:
    out, e = ffi.new("dp_packed_facts **"), _c.new_error()
    with memory_file(_text_of(lines)) as path:
        names, kept = _c.paths([path])
        _c.check(lib.dp_learner_pack(out, learner._l, names, len(kept), e), e)
    packed = _c.owned(out, lib.dp_packed_facts_free)
    count = range(lib.dp_packed_facts_count(packed))
    domain = [_c.borrowed(lib.dp_packed_facts_domain, packed, i) for i in count]
    data = [_c.borrowed(lib.dp_packed_facts_data, packed, i) for i in count]
    facts = [lib.dp_packed_facts_number(packed, i) for i in count]
    totals = [lib.dp_packed_facts_total(packed, which) for which in range(TOTALS)]
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


# ---- packed to studies ---------------------------------------------------------------------------------------------


def studies(batches: Batches, learner: Any, by: str,
            domains: Callable[[str], Sequence[str]]) -> Iterator[Tuple[str, Any]]:
    """A step for each run of equal names in column `by`, when all its packed are in."""
    name, step = None, None
    for batch in batches:
        for next_name, data in zip(batch.column(by).to_pylist(), batch.column("data")):
            if next_name is None:
                continue
            if next_name != name:
                if step is not None:
                    yield name, step
                name, step = next_name, _step(learner, domains(next_name))
            e, packed = _c.new_error(), data.as_buffer()
            _c.check(lib.dp_site_step_add(step, ffi.from_buffer(packed), packed.size, e), e)
    if step is not None:
        yield name, step


def _step(learner: Any, domains: Sequence[str]) -> Any:
    names, kept = _c.paths([domain.encode() for domain in domains])
    out, e = ffi.new("dp_site_step **"), _c.new_error()
    _c.check(lib.dp_site_step_new(out, learner._l, names, len(kept), e), e)
    return _c.owned(out, lib.dp_site_step_free)


def look(batches: Batches, options: Options, surveyed: frozenset[str], linked: bool) -> Batches:
    """Rows sorted by domain: one row a domain with its URLs and survey, and one a presence."""
    learner = learner_of(options)
    for name, step in studies(batches, learner, "domain", lambda domain: [domain]):
        yield from _presences(name, step, linked, surveyed)


def _presences(name: str, step: Any, linked: bool, surveyed: frozenset[str]) -> Batches:
    n, where = ffi.new("size_t *"), [ffi.new("uint64_t **"), ffi.new("uint32_t **"), ffi.new("uint32_t **")]
    if linked:
        _c.check(lib.dp_site_step_presences(step, n, *where))
    cluster = pa.array(memoryview(ffi.buffer(where[0][0], n[0] * 8)).cast("q") if n[0] else [], pa.int64())
    number, urls = (pa.array(memoryview(ffi.buffer(p[0], n[0] * 4)).cast("I") if n[0] else [], pa.uint32())
                    for p in where[1:])
    on = pa.array([_domain(step, i) for i in number.to_pylist()], pa.string())
    own = int(lib.dp_site_step_urls(step))
    survey = _survey(step) if name in surveyed else None
    nothing = pa.nulls(n[0])
    yield pa.record_batch([[name], [survey], [None], [name], [own]], schema=SEEN)
    if n[0]:
        yield pa.record_batch([nothing.cast(pa.string()), nothing.cast(pa.binary()), cluster, on,
                               urls.cast(pa.int64())], schema=SEEN)


def _survey(step: Any) -> bytes:
    out, e = ffi.new("dp_text **"), _c.new_error()
    _c.check(lib.dp_site_step_survey(out, step, e), e)
    return _c.take_text(out)


def _domain(step: Any, number: int) -> str:
    n = ffi.new("size_t *")
    name = lib.dp_site_step_domain(step, number, n)
    return bytes(ffi.buffer(name, n[0])).decode()


def learn_sites(batches: Batches, options: Options, shared: bytes, sites: Dict[str, List[str]],
          relearned: Dict[str, int]) -> Batches:
    """Rows sorted by site to results; `sites` has the domains of those that are linked, `relearned` how many URLs
    are learned once more, of those of which any are."""
    learner = learner_of(options)
    for name, step in studies(batches, learner, "site", lambda site: sites.get(site, [site])):
        out, e = ffi.new("dp_text **"), _c.new_error()
        lib.dp_site_step_hold_out(step, relearned.get(name, 0))
        _c.check(lib.dp_site_step_learn(out, step, shared, len(shared), e), e)
        yield pa.record_batch([[name], [_c.take_text(out)]], schema=LEARNED)


# ---- on the driver --------------------------------------------------------------------------------------------------


def has_survey(options: Options) -> bool:
    return bool(lib.dp_learner_surveys(learner_of(options)._l))


def held_out(options: Options, facts: Dict[str, int]) -> Dict[str, int]:
    """Of the sites with so many facts: those that are learned once more, and how many of their URLs."""
    names, kept = _c.paths([site.encode() for site in facts])
    urls = ffi.new("uint64_t[]", len(kept))
    _c.check(lib.dp_learner_held_out(urls, learner_of(options)._l, names, ffi.new("uint64_t[]", list(facts.values())),
                                       len(kept)))
    return {site: int(n) for site, n in zip(facts, urls) if n}


def combine(options: Options, surveys: Iterable[bytes]) -> bytes:
    """The sum of surveys, given in the order of their domains' names."""
    learner, all_of_them = learner_of(options), b"".join(surveys)
    out, e = ffi.new("dp_text **"), _c.new_error()
    _c.check(lib.dp_learner_combine(out, learner._l, all_of_them, len(all_of_them), e), e)
    return _c.take_text(out)


def merge(options: Options, results: Sequence[bytes], totals: Sequence[int]) -> Learned:
    learner, e = learner_of(options), _c.new_error()
    kept = [ffi.from_buffer(result) for result in results]
    sizes = ffi.new("size_t[]", [len(result) for result in results])
    _c.check(lib.dp_learner_merge(learner._l, ffi.new("const char *[]", kept), sizes, len(kept),
                                  ffi.new("uint64_t[]", list(totals)), e), e)
    return learner._result()
