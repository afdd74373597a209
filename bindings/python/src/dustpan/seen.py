"""Seen: which keys were seen before, over runs and processes.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import json
import os
import re
from array import array
from itertools import accumulate
from types import TracebackType
from typing import Any, Iterable, Iterator, Optional, Sequence, Tuple, Type

from dustpan import _c
from dustpan._c import Path, Text, UsageError
from dustpan._native import ffi, lib
from dustpan.engine import Engine


class Seen:
    """The keys of URLs that were seen, in a file: exact, crash-safe, shared by processes. See docs/seen.md.

    >>> import tempfile
    >>> from dustpan import Rules
    >>> engine = Engine(Rules("dustpan-rules 1\\nhost a.com\\ndrop ?sid\\n"))
    >>> with Seen(tempfile.mkdtemp() + "/crawl.seen", engine) as seen:
    ...     print(seen.add(["http://a.com/?sid=1", "http://a.com/?sid=2", "http://a.com/b"]))
    [True, False, True]

    Pass on the URLs that add() reports as new before commit(), or before the next add(), which commits what came
    before it: if the process dies in between, they are new again and nothing is lost. As a context manager it
    commits at the end, unless there is an exception, and closes. Use it from one thread at a time, and open it again
    in a forked process.
    """

    def __init__(self, path: Path, engine: Engine, *, rekey: bool = False, remember: bool = False) -> None:
        """Open the file, or create it. UsageError if its keys were made with other rules than the engine's; with
        `rekey` they are converted to these rules. With `remember` a new file remembers the URLs that are not new and the
        rules that made it so, for rollback(); UsageError if the file was made without. FileError."""
        self._engine = engine
        self._waiting = False  # for commit
        self._at, self._answer, self._error = ffi.new("uint64_t[2]"), ffi.new("uint8_t[1]"), _c.new_error()
        out, e = ffi.new("dp_seen **"), _c.new_error()
        set_id = int(engine.set_id, 16)
        flags = (lib.DP_SEEN_ANY_SET if rekey else 0) | (lib.DP_SEEN_REMEMBER if remember else 0)
        _c.check(lib.dp_seen_open(out, os.fsencode(path), set_id, flags, e), e)
        self._s: Any = ffi.gc(out[0], lib.dp_seen_close)
        if lib.dp_seen_set(self._s) != set_id:
            _c.check(lib.dp_seen_rekey(self._s, engine._e, e), e)
        self.remembers = bool(lib.dp_seen_remembers(self._s))

    def add(self, urls: Iterable[Text], found: Optional[Sequence[Optional[Text]]] = None) -> list[bool]:
        """Add the keys of the URLs; True for the first URL of each new key. Other processes wait until commit() or
        forget(). Batches of thousands are much faster than single URLs.

        In a file that remembers URLs, `found` are the URLs themselves where `urls` are their keys already (None: it is
        not the key of a URL)."""
        if self._waiting:
            self.commit()
        if self.remembers:
            urls = list(urls)
            self._tell(urls if found is None else found)
        fresh = self._ask(lib.dp_seen_add, urls)
        self._waiting = True
        return fresh

    def _tell(self, found: Iterable[Optional[Text]]) -> None:
        """Tell the file which URLs the keys of the next batch are of, and which rules fired on them."""
        e = _c.new_error()
        for url in found:
            data = b"" if url is None else _c.encode(url)
            rules = self._engine._fired(data) if data else []
            _c.check(lib.dp_seen_about(self._open(), data, len(data), ffi.new("uint64_t[]", rules), len(rules), 0, e), e)

    def rollback(self, *rules: str) -> Iterator[str]:
        """Take back what some rules (by id) have done: the URLs that were left out because of them, to be fetched after
        all. The keys that they have made are no longer seen; the URLs that had them first are. Pass all of the URLs on,
        then commit(); before that nothing has changed. Then open the file with new rules and `rekey`. UsageError if the
        file does not remember URLs, or for what is not an id.

        >>> import tempfile
        >>> from dustpan import Rules
        >>> engine = Engine(Rules("dustpan-rules 1\\nhost a.com\\ndrop ?view\\n"))
        >>> with Seen(tempfile.mkdtemp() + "/crawl.seen", engine, remember=True) as seen:
        ...     print(seen.add(["http://a.com/?view=1", "http://a.com/?view=2"]))
        ...     seen.commit()
        ...     print(list(seen.rollback(engine.rules[0].id)))
        [True, False]
        ['http://a.com/?view=2']
        """
        if self._waiting:
            self.commit()
        e, url, n = _c.new_error(), ffi.new("const char **"), ffi.new("size_t *")
        for rule in rules:
            if not re.fullmatch("(?:[0-9a-fA-F]{8}){1,2}", rule):
                raise UsageError(f"rollback: expected the id of a rule, 8 hex digits, found {rule!r}")
        ids = [int(rule[:8], 16) << 32 for rule in rules]
        _c.check(lib.dp_seen_rollback(self._open(), ffi.new("uint64_t[]", ids), len(ids), e), e)
        self._waiting = True
        while True:
            _c.check(lib.dp_seen_next(self._open(), url, n, e), e)
            if url[0] == ffi.NULL:
                return
            yield _c.decode(bytes(ffi.buffer(url[0], n[0])))

    @property
    def contents(self) -> dict[str, Any]:
        """How many keys there are, and how many URLs each rule has hidden, as `dustpan seen --json` prints it."""
        out, e = ffi.new("dp_text **"), _c.new_error()
        _c.check(lib.dp_seen_print(out, self._open(), lib.DP_JSON, e), e)
        contents: dict[str, Any] = json.loads(_c.take_text(out))
        return contents

    def has(self, urls: Iterable[Text]) -> list[bool]:
        """Which keys are in the file; adds nothing and never waits."""
        return self._ask(lib.dp_seen_has, urls)

    def __contains__(self, url: Text) -> bool:
        """has() of one, without lists."""
        key, e = self._engine.key(_c.encode(url)), self._error
        self._at[1] = len(key)
        _c.check(lib.dp_seen_has(self._open(), key, self._at, 1, 0, self._answer, e), e)
        return bool(self._answer[0])

    def _ask(self, call: Any, urls: Iterable[Text]) -> list[bool]:
        keys = self._engine.keys(map(_c.encode, urls))
        data, at = b"".join(keys), array("Q", accumulate(map(len, keys), initial=0))
        answers, e = bytearray(len(keys)), _c.new_error()
        _c.check(call(self._open(), ffi.from_buffer(data), ffi.from_buffer("uint64_t[]", at), len(keys), 0,
                      ffi.from_buffer("uint8_t[]", answers), e), e)
        return [bool(answer) for answer in answers]

    def commit(self) -> None:
        """Keep what was added: afterwards the keys are on disk."""
        e = _c.new_error()
        _c.check(lib.dp_seen_commit(self._open(), e), e)
        self._waiting = False

    def forget(self) -> None:
        """Forget what was added since the last commit."""
        lib.dp_seen_forget(self._open())
        self._waiting = False

    def __len__(self) -> int:
        return self._count()[0]

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self._count()[1]

    def _count(self) -> Tuple[int, int]:
        count, size, e = ffi.new("uint64_t *"), ffi.new("uint64_t *"), _c.new_error()
        _c.check(lib.dp_seen_count(self._open(), count, size, e), e)
        return int(count[0]), int(size[0])

    def _open(self) -> Any:
        if self._s is None:
            raise _c.UsageError("this Seen is closed")
        return self._s

    def close(self) -> None:
        """Close the file; what was not committed is forgotten."""
        if self._s is not None:
            ffi.release(self._s)
            self._s = None

    def __enter__(self) -> Seen:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        try:
            if kind is None and self._s is not None:
                self.commit()
        finally:
            self.close()
