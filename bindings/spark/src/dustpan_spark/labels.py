"""Which page each URL shows: what `dustpan eval` says, asked of the library in the tasks (dp_pagenames of dustpan.h).

    records ─► by URL:    which of its records counts, and what it says  ─┬─ a name of the input ────────────► label
                                                                         └─ digest, type ─► by digest ──────► label

Records of one URL are together in a task, then one record for each digest and type; of a page with many URLs no more
than that. Which records count, and which digests are the same page, is decided by the library alone.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any, Callable, Iterator, Optional

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from dustpan import _c
from dustpan._c import ffi, lib
from dustpan_spark.records import memory_file

_ROWS = 20000  # that are looked at together, at least


def check_identity(identity: Optional[str]) -> None:
    """UsageError for one that the library does not know."""
    for _ in _each(pa.array(['{"url":"http://a.com/","cluster":"1"}']), identity):
        pass


def decide(rows: DataFrame, identity: Optional[str]) -> DataFrame:
    """One row for each URL of `rows` that shows a known page: the first, with what is known of the page.

    `rows` has line (a record as JSON), form, digest, mime, key and at, by which they are ordered. Cache the result:
    name() looks at it twice.
    """
    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return _in_groups(batches, "form", lambda batch: _decide(batch, identity))

    texts = ["key", "name", "digest", "mime", "line"]
    schema = T.StructType([rows.schema["at"], *(T.StructField(text, T.StringType()) for text in texts)])
    return rows.repartition("form").sortWithinPartitions("form", "at").mapInArrow(work, schema)


def name(urls: DataFrame, identity: Optional[str]) -> DataFrame:
    """The at, key and label of each row of decide()."""
    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return _in_groups(batches, "digest", lambda batch: _name(batch, identity))

    known = urls.where("name is null").groupBy("digest", "mime").agg(F.min("line").alias("line"))
    pages = known.repartition("digest").sortWithinPartitions("digest", "mime").mapInArrow(
        work, "digest string, mime string, page string")
    return urls.join(pages, ["digest", "mime"], "left").select("at", "key", F.coalesce("name", "page").alias("label"))


# ---- in the tasks -----------------------------------------------------------------------------------------------


def _in_groups(batches: Iterator[pa.RecordBatch], column: str,
               work: Callable[[pa.RecordBatch], pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Call `work` with many rows at a time, and never with some rows of a value of `column` alone; they are sorted."""
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        waiting.append(batch)
        if sum(map(len, waiting)) < _ROWS:
            continue
        rows = pa.Table.from_batches(waiting).combine_chunks()
        values, end = rows[column].to_pylist(), len(rows)
        while end and values[end - 1] == values[-1]:
            end -= 1
        if end:
            yield work(rows.slice(0, end).combine_chunks().to_batches()[0])
            waiting = rows.slice(end).to_batches()
    if sum(map(len, waiting)):
        yield work(pa.Table.from_batches(waiting).combine_chunks().to_batches()[0])


def _decide(batch: pa.RecordBatch, identity: Optional[str]) -> pa.RecordBatch:
    """Of each URL its first row, with what its decisive record says."""
    first, decisive, names = [], [], []
    for i, names_of in _each(batch.column("line"), identity):
        first.append(int(lib.dp_pagenames_first(names_of, i)) - 1)
        decisive.append(int(lib.dp_pagenames_decisive(names_of, i)) - 1)
        names.append(_page(names_of, i) if lib.dp_pagenames_is_named(names_of, i) else None)
    first, decisive = batch.take(pa.array(first, pa.int64())), batch.take(pa.array(decisive, pa.int64()))
    columns = [first.column("at"), first.column("key"), pa.array(names, pa.string()),
               *(decisive.column(name) for name in ("digest", "mime", "line"))]
    return pa.RecordBatch.from_arrays(columns, ["at", "key", "name", "digest", "mime", "line"])


def _name(batch: pa.RecordBatch, identity: Optional[str]) -> pa.RecordBatch:
    """The page of each row."""
    rows, pages = [], []
    for i, names_of in _each(batch.column("line"), identity):
        rows.append(int(lib.dp_pagenames_first(names_of, i)) - 1)
        pages.append(_page(names_of, i))
    found = batch.take(pa.array(rows, pa.int64()))
    return pa.RecordBatch.from_arrays([found.column("digest"), found.column("mime"), pa.array(pages, pa.string())],
                                      ["digest", "mime", "page"])


def _each(lines: pa.Array, identity: Optional[str]) -> Iterator[tuple[int, Any]]:
    """The number of each URL that the library knows the page of, and the library's answer."""
    out, e = ffi.new("dp_pagenames **"), _c.new_error()
    _c.check(lib.dp_pagenames_new(out))
    names_of = _c.owned(out, lib.dp_pagenames_free)
    _c.check(lib.dp_pagenames_input(names_of, lib.DP_INPUT_FORMAT, b"jsonl"))
    if identity:
        _c.check(lib.dp_pagenames_input(names_of, lib.DP_INPUT_IDENTITY, identity.encode()))
    with memory_file("".join(line + "\n" for line in lines.to_pylist()).encode("utf-8", "surrogateescape")) as path:
        names, kept = _c.paths([path])
        code = lib.dp_pagenames_read(names_of, names, len(kept), e)
        if code == lib.DP_ESYNTAX and not lib.dp_pagenames_count(names_of):
            return  # none of them says what its page is
        _c.check(code, e)
    for i in range(lib.dp_pagenames_count(names_of)):
        yield i, names_of


def _page(names_of: Any, i: int) -> str:
    text = _c.borrowed(lib.dp_pagenames_page, names_of, i)
    return text.decode("utf-8", "replace")
