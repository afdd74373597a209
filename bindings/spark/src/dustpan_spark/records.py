"""Records: DataFrames with dustpan's own column names.

    Parquet, any DataFrame ── names ─────────────┐
    the Common Crawl URL index ── its names ─────┼──►  url, and of cluster status size digest ... what is there
    text: JSONL, CDXJ, TSV, logs ── C reader ────┘

A row whose url is null is a line that could not be read: learn() and evaluate() count it. Text comes with a column
`place`, by which evaluate() knows the order of the input.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import Any, Iterator

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from dustpan import _c
from dustpan._c import ffi, lib

#: The columns of a record, in the order of `dp_field`, and what the readers of text make of them.
COLUMNS = {
    "url": pa.string(), "cluster": pa.string(), "status": pa.int64(), "size": pa.int64(), "digest": pa.string(),
    "sketch": pa.string(), "simhash": pa.string(), "title": pa.string(), "importance": pa.float64(),
    "target": pa.string(), "canonical": pa.string(), "time": pa.int64(), "inlinks": pa.int64(), "hops": pa.int64(),
    "mime": pa.string(), "client": pa.string(), "agent": pa.string(), "hits": pa.int64(),
}

#: What others call them: the URL index of Common Crawl, and the header lines that the command knows.
ALIASES = {
    "content_digest": "digest", "fetch_status": "status", "content_mime_type": "mime", "fetch_redirect": "target",
    "fetch_time": "time", "bytes": "size", "sha1": "digest", "redirect": "target",
}

_INPUT = {"format": lib.DP_INPUT_FORMAT, "columns": lib.DP_INPUT_COLUMNS, "log_format": lib.DP_INPUT_LOG_FORMAT,
          "base_url": lib.DP_INPUT_BASE_URL, "identity": lib.DP_INPUT_IDENTITY}


def records(df: DataFrame, **names: str) -> DataFrame:
    """The columns of `df` that are fields of a record, under dustpan's names.

    Columns are recognised by these names, by those of the Common Crawl index, or by `names`: ``records(df,
    cluster="page_id")``. Others are left out, except `place`. Times may be timestamps or seconds.
    """
    unknown = set(names) - set(COLUMNS) - {"place"}
    if unknown:
        raise ValueError(f"unknown field: {', '.join(sorted(unknown))}; known are {' '.join(COLUMNS)}")
    there = {name.lower(): name for name in df.columns}
    chosen = {}
    for field in [*COLUMNS, "place"]:
        found = names.get(field) or there.get(field) or next(
            (there[alias] for alias, means in ALIASES.items() if means == field and alias in there), None)
        if found:
            chosen[field] = found
    if "url" not in chosen:
        raise ValueError(f"no column 'url' among {', '.join(df.columns)}: name the column with records(df, url=...)")
    return df.select(*(_plain(df, name).alias(field) for field, name in chosen.items()))


def _plain(df: DataFrame, name: str) -> Any:
    """Times as seconds, everything else as it is."""
    kind, column = df.schema[name].dataType, F.col(f"`{name}`")
    return column.cast("timestamp").cast("long") if isinstance(kind, (T.TimestampType, T.TimestampNTZType)) else column


def read(spark: SparkSession, *paths: str, format: str = "parquet", **options: str) -> DataFrame:
    """Read records from files.

    `format` is ``parquet``, or a text format in which each line is a record, as in `dustpan learn --format`:
    ``jsonl cdxj urls tsv clf combined crawllog cdx``; options are its `columns`, `log_format` and `base_url`. Spark
    unpacks gzip, bzip2 and zstd by the names of the files.
    """
    if format == "parquet":
        return records(spark.read.parquet(*paths), **options)
    unknown = set(options) - set(_INPUT)
    if unknown:
        raise ValueError(f"unknown option: {', '.join(sorted(unknown))}")
    if format == "tsv" and "columns" not in options:
        raise ValueError("tsv needs columns, such as columns='cluster,url': lines are read without a header")
    lines = spark.read.text(list(paths), lineSep="\n").select(
        F.struct(F.col("_metadata.file_path").alias("file"), F.col("_metadata.file_block_start").alias("start"),
                 F.monotonically_increasing_id().alias("row")).alias("place"),
        F.col("value").cast("binary").alias("value"))
    fields = [T.StructField(name, T.LongType() if kind == pa.int64() else T.DoubleType() if kind == pa.float64() else
                            T.StringType()) for name, kind in COLUMNS.items()]
    place = T.StructType.fromDDL("file string, start long, row long")
    wanted = {"format": format, **options}
    return lines.mapInArrow(lambda batches: parse(batches, wanted),
                            T.StructType([*fields, T.StructField("place", place)]))


# ---- in the tasks -----------------------------------------------------------------------------------------------


def parse(batches: Iterator[pa.RecordBatch], options: dict[str, str]) -> Iterator[pa.RecordBatch]:
    """Lines (`value`, `place`) to records."""
    for batch in batches:
        values = {name: [] for name in COLUMNS}
        rows = []
        with memory_file(b"\n".join(line or b"" for line in batch.column("value").to_pylist()) + b"\n") as path:
            bad = _read_lines(path, options, values, rows)
        for column in values.values():
            column.extend([None] * bad)
        arrays = [pa.array(column, kind) for column, kind in zip(values.values(), COLUMNS.values())]
        places = batch.column("place").take(pa.array(rows + [None] * bad, pa.int64()))
        yield pa.RecordBatch.from_arrays([*arrays, places], [*COLUMNS, "place"])


class memory_file:
    """Bytes under a path, for functions that read files."""

    def __init__(self, data: Any) -> None:
        self.fd = os.memfd_create("dustpan")
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self.fd, rest):]
        os.lseek(self.fd, 0, os.SEEK_SET)

    def __enter__(self) -> bytes:
        return b"/proc/self/fd/%d" % self.fd

    def __exit__(self, *_: Any) -> None:
        os.close(self.fd)


def _read_lines(path: bytes, options: dict[str, str], values: dict[str, list], rows: list[int]) -> int:
    """Append what each line says to `values` and its row to `rows`; returns how many could not be read."""
    out, e, more = ffi.new("dp_input **"), _c.new_error(), ffi.new("int *")
    _c.check(lib.dp_input_new(out))
    source = _c.owned(out, lib.dp_input_free)
    for name, text in options.items():
        _c.check(lib.dp_input_set(source, _INPUT[name], text.encode()))
    names, kept = _c.paths([path])
    _c.check(lib.dp_input_open(source, names, len(kept), 0, e), e)
    fields = [(i, column, _READERS[COLUMNS[name]] if name not in _OWN else _OWN[name])
              for i, (name, column) in enumerate(values.items())]
    while True:
        _c.check(lib.dp_input_next(source, more, e), e)
        if not more[0]:
            return int(lib.dp_input_bad_lines(source))
        for i, column, value in fields:
            column.append(value(source, i) if lib.dp_input_has(source, i) else None)
        rows.append(int(lib.dp_input_line(source)) - 1)


def _text(source: Any, i: int) -> str | None:
    data = _c.borrowed(lib.dp_input_text, source, i)
    return data.decode("utf-8", "replace") if data is not None else None


def _sketch(source: Any, i: int) -> str | None:
    return _text(source, i) or ",".join(f"{lib.dp_input_hash(source, i, k):016x}" for k in range(4))


_READERS = {pa.string(): _text, pa.int64(): lib.dp_input_number,
            pa.float64(): lambda source, _: lib.dp_input_importance(source)}
_OWN = {"sketch": _sketch, "simhash": lambda source, i: f"{lib.dp_input_hash(source, i, 0):016x}"}
