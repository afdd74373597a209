"""learn(): records in, rules out.

    files ───────────────────────────────► dp_learner ──► rules, summary, warnings
    dicts ── JSON lines, through a pipe ──►

Records are written to a pipe as the library reads them, so an iterator of any length takes no memory here. The
caller's thread iterates; another one is in the library.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import json
import os
import threading
from dataclasses import dataclass
from itertools import chain
from typing import Any, Callable, Dict, Iterable, Iterator, Mapping, Optional, Union

from dustpan import _c
from dustpan._c import Error, Path, UsageError
from dustpan._native import ffi, lib
from dustpan.rules import Rules

Record = Mapping[str, Any]
Progress = Callable[[int, int, str], Optional[bool]]

_INPUT = {"format": lib.DP_INPUT_FORMAT, "columns": lib.DP_INPUT_COLUMNS, "log_format": lib.DP_INPUT_LOG_FORMAT,
          "base_url": lib.DP_INPUT_BASE_URL, "identity": lib.DP_INPUT_IDENTITY}
_PIECE = 1 << 16  # bytes of JSON that go into the pipe at a time
RECORDS = "records"  # what messages call the file when there is none


@dataclass(frozen=True)
class Learned:
    """What learn() found."""

    rules: Rules
    summary: Dict[str, Any]  #: what was read and learned; what is saved and lost on pages kept out of learning
    warnings: tuple[str, ...]  #: read them together with the numbers
    bad_lines: int  #: records that could not be read
    bad: tuple[Error, ...]  #: the first few of them, with file and line (the number of the record)
    text: str  #: the summary as the command prints it

    def __str__(self) -> str:
        return self.text


def learn(records: Union[Path, Iterable[Union[Path, Record]]], *, progress: Optional[Progress] = None,
          **options: Any) -> Learned:
    """Learn which URLs show the same page, and return rules that map them to one key.

    `records` is the path of a file, several paths, a pyarrow table, record batch or reader of batches, or an iterable of
    dicts with the names of a JSON record: ``url``, and those of ``cluster status size digest sketch simhash title
    importance target canonical time inlinks hops mime client agent hits`` that are known. Files may have any format
    that the command reads; Parquet files are read with pyarrow.

    Options are those of ``dustpan learn``, with ``_`` for ``-``: ``method``, ``min_precision``, ``keep``, ``trust``,
    ``threads``, ``strict``, ``identity``, ``format``, ``columns`` ...; a flag is True, several names are a list.
    `progress` is called about ten times per second with done, total (0: not known) and unit; it can stop the work by
    returning True.

    The same records and options give the same rules, in any order and on any number of threads.
    UsageError for an option that does not exist, ParseError with ``strict``, FileError.
    """
    learner = _Learner(options, progress)
    if isinstance(records, (str, bytes, os.PathLike)):
        return _from_files(learner, [os.fsencode(records)])
    if hasattr(records, "schema"):  # a table, a batch or a reader of pyarrow
        return learner.run_records(_arrow_rows(records))
    rest = iter(records)
    first = next(rest, None)
    if isinstance(first, (str, bytes, os.PathLike)):
        return _from_files(learner, [os.fsencode(path) for path in chain([first], rest)])  # type: ignore[arg-type]
    everything = chain([first], rest) if first is not None else iter(())
    return learner.run_records(everything)  # type: ignore[arg-type]


def _from_files(learner: _Learner, files: list[bytes]) -> Learned:
    tables = [path for path in files if _is_parquet(path)]
    if not tables:
        return learner.run(files)
    if len(tables) < len(files):
        raise UsageError(f"{os.fsdecode(tables[0])} is a Parquet file, but others are not: learn from one kind only")
    return learner.run_records(chain.from_iterable(map(_parquet_rows, tables)))


def _is_parquet(path: bytes) -> bool:
    if path.endswith(b".parquet"):
        return True
    try:
        with open(path, "rb") as file:
            return os.path.isfile(path) and file.read(4) == b"PAR1"
    except OSError:
        return False  # the library says why


def _arrow_rows(data: Any) -> Iterator[Record]:
    """The rows of a pyarrow table, record batch or record batch reader, without what is null."""
    batches = data.to_batches() if hasattr(data, "to_batches") else [data] if hasattr(data, "to_pylist") else data
    for batch in batches:
        for row in batch.to_pylist():
            yield {name: value for name, value in row.items() if value is not None}


def _parquet_rows(path: bytes) -> Iterator[Record]:
    import pyarrow.parquet

    with pyarrow.parquet.ParquetFile(os.fsdecode(path)) as file:
        for batch in file.iter_batches():
            yield from _arrow_rows(batch)


class _Learner:
    def __init__(self, options: Dict[str, Any], progress: Optional[Progress]) -> None:
        out = ffi.new("dp_learner **")
        _c.check(lib.dp_learner_new(out))
        self._l = _c.owned(out, lib.dp_learner_free)
        self._progress = progress
        self._raised: Optional[BaseException] = None
        self._stop = False
        self._file = b""
        for name, value in options.items():
            self._set(name, value)
        self._handle = ffi.new_handle(self)
        lib.dp_learner_progress(self._l, lib.dustpan_progress, self._handle)

    def _set(self, name: str, value: Any) -> None:
        if value is None or value is False:
            return
        text = "1" if value is True else ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
        if name in _INPUT:
            _c.check(lib.dp_learner_input(self._l, _INPUT[name], os.fsencode(text)))
            return
        e = _c.new_error()
        _c.check(lib.dp_learner_set(self._l, name.replace("_", "-").encode(), os.fsencode(text), e), e)

    def tell(self, done: int, total: int, unit: str) -> bool:
        """Called by the library; an exception of the caller's function stops it and is raised in learn()."""
        try:
            if self._progress and not self._stop:
                self._stop = bool(self._progress(done, total, unit))
        except BaseException as e:  # Control-C among them
            self._raised, self._stop = e, True
        return self._stop

    def _learn(self, files: list[bytes]) -> None:
        names, kept = _c.paths(files)
        e = _c.new_error()
        code = lib.dp_learner_run(self._l, names, len(kept), e)
        if self._raised:
            raise self._raised
        try:
            _c.check(code, e)
        except Error as error:
            raise self._renamed(error) from None

    def _renamed(self, error: Error) -> Error:
        """With the pipe called by a better name."""
        file = RECORDS if self._file and error.file == _c.decode(self._file) else error.file
        return type(error)(error.message, file, error.line, error.column)

    def run(self, files: list[bytes]) -> Learned:
        self._learn(files)
        return self._result()

    def run_records(self, records: Iterator[Record]) -> Learned:
        source, sink = os.pipe()
        self._file = b"/dev/fd/%d" % source
        self._set("format", "jsonl")
        failed: list[BaseException] = []

        def work() -> None:
            try:
                self._learn([self._file])
            except BaseException as e:
                failed.append(e)
            finally:
                os.close(source)  # who still writes is told

        thread = threading.Thread(target=work, name="dustpan-learn")
        thread.start()
        try:
            try:
                with open(sink, "wb", buffering=_PIECE) as pipe:
                    _write(pipe, records)
            except BrokenPipeError:
                pass  # `failed` knows why
            thread.join()
        except BaseException:
            self._stop = True
            raise
        finally:
            thread.join()
        if failed:
            raise failed[0]
        return self._result()

    def _result(self) -> Learned:
        texts = []
        for shape in lib.DP_PLAIN, lib.DP_JSON:
            out = ffi.new("dp_text **")
            _c.check(lib.dp_learner_summary(out, self._l, shape))
            texts.append(_c.decode(_c.take_text(out)))
        out = ffi.new("dp_text **")
        _c.check(lib.dp_learner_rules(out, self._l))
        bad: list[Error] = []
        e = _c.new_error()
        while lib.dp_learner_bad(self._l, len(bad), e) == lib.DP_OK:
            bad.append(self._renamed(_c.error_of(e)))
        summary = json.loads(texts[1])
        return Learned(rules=Rules(_c.take_text(out), "learned.rules"), summary=summary,
                       warnings=tuple(summary.pop("warnings")), bad_lines=lib.dp_learner_bad_lines(self._l),
                       bad=tuple(bad), text=texts[0].rstrip("\n"))


def _write(pipe: Any, records: Iterator[Record]) -> None:
    line = json.JSONEncoder(ensure_ascii=False, default=_plain, separators=(",", ":")).encode
    for record in records:
        pipe.write(_c.encode(line(record)) + b"\n")


def _plain(value: Any) -> Any:
    """What JSON has no word for: bytes, and numbers of other libraries."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _c.decode(bytes(value))
    if hasattr(value, "item"):
        return value.item()
    return str(value)


@ffi.def_extern(error=1)  # type: ignore[untyped-decorator]
def dustpan_progress(ctx: Any, done: int, total: int, unit: Any) -> int:
    learner: _Learner = ffi.from_handle(ctx)
    return learner.tell(done, total, _c.decode(ffi.string(unit)))
