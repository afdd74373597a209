"""Engine: rules, compiled; URL in, key out.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import json
import os
from dataclasses import dataclass
from itertools import islice
from typing import Any, AnyStr, Iterable, Optional, Tuple

from dustpan import _c
from dustpan._c import Path, Text
from dustpan._native import ffi, lib
from dustpan.rules import Rules

_FORMS = {"key": lib.DP_KEY, "fetch": lib.DP_FETCH, "surt": lib.DP_SURT, "stage0": lib.DP_STAGE0,
          "url": lib.DP_FOUND}
_ROOM = 4096  # bytes for the answer to one URL, at first
_PIECE = 8192  # URLs of a list that go to C at a time: they and their keys stay in the caches

_apply, _unpack = lib.dp_apply, ffi.unpack


@dataclass(frozen=True)
class Step:
    """A rule that fired."""

    id: str  #: 16 hex digits
    rule: str  #: its text with state and attributes
    hosts: str
    line: int  #: in the rule file
    after: str  #: the URL after this rule


@dataclass(frozen=True)
class Explanation:
    """What rules did to a URL. str() of it is what ``dustpan explain`` prints."""

    url: str
    key: str
    is_url: bool
    stage0: str  #: after the basic URL cleanup (RFC 3986), before any rule
    steps: Tuple[Step, ...]  #: in order of firing
    limit: bool  #: stopped after 64 rewrites: the key is only cleaned up (stage0)
    set_id: str
    text: str

    def __str__(self) -> str:
        return self.text


class Engine:
    """Compiled rules, ready to apply. An engine never changes; share it between threads.

    >>> engine = Engine(Rules("dustpan-rules 1\\nhost a.com\\ndrop ?sid\\n"))
    >>> engine.key("http://a.com/x?sid=1")
    'http://a.com/x'
    """

    def __init__(self, rules: Rules, *, with_likely: bool = False, min_precision: float = 0.0) -> None:
        """Compile. Rules whose attribute p is below `min_precision` are not used, unless they are pinned;
        `with_likely`: also use rules in state likely. ParseError if a rule fires again on its own result."""
        out, e = ffi.new("dp_engine **"), _c.new_error()
        flags = lib.DP_WITH_LIKELY if with_likely else 0
        _c.check(lib.dp_engine_new(out, rules._r, flags, min_precision, e), e)
        self._start(out, with_likely, min_precision)

    @classmethod
    def load(cls, *paths: Path, with_likely: bool = False, min_precision: float = 0.0) -> Engine:
        """Load rule files. A compiled file (``dustpan rules compile``, save()) is mapped into memory, not read."""
        e = _c.new_error()
        compiled = len(paths) == 1 and lib.dp_is_compiled(os.fsencode(paths[0]), e)
        if not compiled:
            return cls(Rules.load(*paths), with_likely=with_likely, min_precision=min_precision)
        if compiled < 0:
            _c.check(compiled, e)
        out, flags = ffi.new("dp_engine **"), lib.DP_WITH_LIKELY if with_likely else 0
        _c.check(lib.dp_engine_open(out, os.fsencode(paths[0]), flags, min_precision, e), e)
        engine = cls.__new__(cls)
        engine._start(out, with_likely, min_precision)
        return engine

    def _start(self, out: Any, with_likely: bool, min_precision: float) -> None:
        self._e = _c.owned(out, lib.dp_engine_free)
        self._choice = (with_likely, min_precision)
        # Scratch memory with room for an answer, for as many threads as ever asked at the same time; list.pop and
        # list.append are atomic.
        self._idle: list[Tuple[Any, Any, int]] = []

    def save(self, path: Path) -> None:
        """Write a compiled file, for load()."""
        e = _c.new_error()
        _c.check(lib.dp_engine_save(self._e, os.fsencode(path), e), e)

    @property
    def rules(self) -> Rules:
        """The rules it was made from."""
        return Rules(_c.borrowed(lib.dp_engine_rules, self._e) or b"")

    @property
    def set_id(self) -> str:
        """The version of the rule set, 16 hex digits: it changes when any key can change. Do not mix keys of different
        versions."""
        return f"{lib.dp_engine_set_id(self._e):016x}"

    def __len__(self) -> int:
        return int(lib.dp_engine_count(self._e))

    def __repr__(self) -> str:
        return f"<dustpan.Engine: {len(self)} rule{'s' * (len(self) != 1)}, set {self.set_id}>"

    def __reduce__(self) -> Tuple[Any, ...]:
        return _again, (_c.borrowed(lib.dp_engine_rules, self._e), *self._choice)

    # ---- one URL -------------------------------------------------------------------------------------------

    def _room(self) -> Tuple[Any, Any, int]:
        """An idle one, or a new one; to be given back with self._idle.append()."""
        try:
            return self._idle.pop()
        except IndexError:
            out = ffi.new("dp_scratch **")
            _c.check(lib.dp_scratch_new(out))
            return _c.owned(out, lib.dp_scratch_free), ffi.new("char[]", _ROOM), _ROOM

    def key(self, url: AnyStr) -> AnyStr:
        """The key of a URL, of the same type as the URL. Text that is not a URL is returned unchanged."""
        data = url.encode("utf-8", "surrogateescape") if isinstance(url, str) else url
        try:
            room = self._idle.pop()  # _room() without a call
        except IndexError:
            room = self._room()
        scratch, out, cap = room
        n = _apply(self._e, scratch, data, len(data), out, cap)
        if n > cap:
            return self.form(url, "key")
        key = _unpack(out, n)
        self._idle.append(room)
        return key.decode("utf-8", "surrogateescape") if data is not url else key  # type: ignore[no-any-return]

    def form(self, url: AnyStr, form: str) -> AnyStr:
        """Another form of a URL: ``fetch`` (may be fetched instead of it), ``surt`` (the key in the shape of CDX
        index keys), ``stage0`` (only cleaned up, without rules), ``url`` (as it is), ``key``."""
        data = _c.encode(url)
        room, n = self._room(), ffi.new("size_t *")
        p = lib.dp_apply_view(self._e, room[0], _form(form), ffi.from_buffer(data), len(data), n)
        if p == ffi.NULL:
            raise MemoryError("dustpan: out of memory")
        answer = bytes(_unpack(p, n[0]))
        self._idle.append(room)
        return _c.decode(answer) if isinstance(url, str) else answer

    def explain(self, url: Text, form: str = "key") -> Explanation:
        """Every rule that fires on the URL, in order, with its evidence."""
        data, texts = _c.encode(url), []
        for shape in lib.DP_PLAIN, lib.DP_JSON:
            out = ffi.new("dp_text **")
            _c.check(lib.dp_explain(out, self._e, _form(form), data, len(data), shape))
            texts.append(_c.decode(_c.take_text(out)))
        told = json.loads(texts[1])
        steps = tuple(Step(**{name: step[name] for name in Step.__annotations__}) for step in told["steps"])
        return Explanation(url=told["url"], key=told["key"], is_url=told["is_url"], stage0=told["stage0"], steps=steps,
                           limit=told["limit"], set_id=told["set"], text=texts[0].rstrip("\n"))

    def same(self, a: Text, b: Text) -> bool:
        """Whether two URLs have the same key."""
        return self.key(_c.encode(a)) == self.key(_c.encode(b))

    def probe(self, url: Text, share: float, salt: str = "") -> Optional[bytes]:
        """What a URL is remembered by if it may be a probe, which is fetched although its key was seen; else None. A
        hash of the URL and `salt` decides which ones may be: a random `share` of all URLs. See docs/trust.md.

        >>> engine = Engine(Rules("dustpan-rules 1\\nhost a.com\\ndrop ?sid\\n"))
        >>> len([i for i in range(1000) if engine.probe(f"http://a.com/{i}?sid=1", .01)])
        12

        Add it to the Seen with the URL: ``fresh, first = seen.add([url, tag])``. The URL is a probe if it is ``first``
        and not ``fresh``."""
        data, known = _c.encode(url), salt.encode("utf-8", "surrogateescape")
        room, n = self._room(), ffi.new("size_t *")
        p = lib.dp_apply_view(self._e, room[0], lib.DP_KEY, ffi.from_buffer(data), len(data), n)
        tag = p and lib.dp_scratch_probe(room[0], share, known, n)
        answer = bytes(_unpack(tag, n[0])) if tag else None
        self._idle.append(room)
        return answer

    def _fired(self, data: bytes) -> list[int]:
        """The ids of the rules that make the key of a URL, as the library has them."""
        room, n = self._room(), ffi.new("size_t *")
        p = lib.dp_apply_view(self._e, room[0], lib.DP_KEY, ffi.from_buffer(data), len(data), n)
        if p == ffi.NULL:
            raise MemoryError("dustpan: out of memory")
        fired = lib.dp_scratch_fired(room[0], n)
        limit = lib.dp_scratch_hit_limit(room[0])
        ids = [] if limit else [int(lib.dp_engine_id(self._e, fired[i])) for i in range(n[0])]
        self._idle.append(room)
        return ids

    # ---- many ----------------------------------------------------------------------------------------------

    def keys(self, urls: Iterable[AnyStr], form: str = "key") -> list[AnyStr]:
        """The keys of all URLs, in order. Other Python threads can run meanwhile. TypeError for a single text: its
        letters are no URLs."""
        if isinstance(urls, (str, bytes)):
            raise TypeError("keys() takes several URLs; key() takes one")
        answers: list[AnyStr] = []
        rest, room = iter(urls), self._room()
        while piece := list(islice(rest, _PIECE)):
            answers += self._keys(piece, room[0], form)
        self._idle.append(room)
        return answers

    def _keys(self, urls: list[Any], scratch: Any, form: str) -> list[Any]:
        is_text = isinstance(urls[0], str)
        data = _c.encode("\n".join(urls)) if is_text else b"\n".join(urls)
        out = ffi.new("dp_batch **")
        _c.check(lib.dp_batch_lines(out, self._e, scratch, _form(form), ffi.from_buffer(data), len(data)))
        batch = _c.owned(out, lib.dp_batch_free)
        text = _c.borrowed(lib.dp_batch_text, batch) or b""
        lines: list[Any] = _c.decode(text).split("\n") if is_text else text.split(b"\n")
        lines.pop()  # what is behind the last line feed
        # Text that is not a URL may contain line feeds itself; then URLs are asked one by one.
        return lines if len(lines) == len(urls) else [self.form(url, form) for url in urls]

    def keys_arrow(self, urls: Any, form: str = "key") -> Any:
        """The keys of a pyarrow array or chunked array of strings or binaries, or of anything that pyarrow.array()
        takes without a copy (a polars series). The URLs are not copied; the answer has the same type, and nulls in the
        same places. Other Python threads can run meanwhile. LimitError if the keys of a string array exceed 2 GiB:
        use large_string."""
        from dustpan import _arrow

        room = self._room()
        answer = _arrow.keys(self._e, room[0], _form(form), urls)
        self._idle.append(room)
        return answer


def _form(name: str) -> int:
    try:
        return int(_FORMS[name])
    except KeyError:
        raise _c.UsageError(f"unknown form '{name}': expected one of {', '.join(_FORMS)}") from None


def _again(text: bytes, with_likely: bool, min_precision: float) -> Engine:
    """What pickle makes of an engine."""
    return Engine(Rules(text), with_likely=with_likely, min_precision=min_precision)
