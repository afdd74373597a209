"""Rules: a rule file, parsed.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Dict, Iterator, Tuple

from dustpan import _c
from dustpan._c import Path, Text
from dustpan._native import ffi, lib

_STATES = {lib.DP_ACTIVE: "active", lib.DP_PIN: "pin", lib.DP_LIKELY: "likely", lib.DP_OFF: "off"}
_ATTRIBUTES = ("p", "n", "neg", "save", "by", "seen", "until")


@dataclass(frozen=True)
class Rule:
    """One rule of a file."""

    id: str  #: 16 hex digits that depend on its text and hosts
    text: str  #: ``drop ?sid,utm_*``
    hosts: str  #: ``a.com, *.b.com``
    state: str  #: ``active``, ``pin``, ``likely`` or ``off``
    attributes: Dict[str, str]  #: those of ``p n neg save by seen until`` that it has


class Rules:
    """A rule file. It never changes: methods return a new one.

    >>> rules = Rules("dustpan-rules 1\\nhost a.com\\ndrop ?sid\\n")
    >>> len(rules), rules[0].text
    (1, 'drop ?sid')
    """

    def __init__(self, text: Text = b"", name: str = "rules") -> None:
        """Parse the text of a rule file; `name` stands for it in messages. ParseError."""
        data = _c.encode(text)
        self._r = _new_rules()
        if data:
            e = _c.new_error()
            _c.check(lib.dp_rules_parse(self._r, os.fsencode(name), data, len(data), e), e)

    @classmethod
    def load(cls, *paths: Path) -> Rules:
        """Read rule files, text or compiled; several are read as one, in this order. FileError, ParseError."""
        rules = cls()
        for path in paths:
            e = _c.new_error()
            _c.check(lib.dp_rules_read(rules._r, os.fsencode(path), e), e)
        return rules

    @classmethod
    def common(cls) -> Rules:
        """The rules that come with dustpan, for parameters that are the same on every site."""
        return cls(_c.borrowed(lib.dp_common_rules) or b"", "common.rules")

    def save(self, path: Path) -> None:
        """Write the file, completely or not at all."""
        name = os.fsdecode(path)
        fd, aside = tempfile.mkstemp(dir=os.path.dirname(name) or ".", prefix=".dustpan-")
        try:
            with os.fdopen(fd, "wb") as f:
                f.write(bytes(self))
                f.flush()
                os.fsync(f.fileno())
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(aside, 0o666 & ~umask)
            os.replace(aside, name)
        except BaseException:
            os.unlink(aside)
            raise

    def __bytes__(self) -> bytes:
        """The file as ``dustpan rules fmt`` prints it."""
        out = ffi.new("dp_text **")
        _c.check(lib.dp_rules_print(out, self._r))
        return _c.take_text(out)

    def __str__(self) -> str:
        return _c.decode(bytes(self))

    def __repr__(self) -> str:
        return f"<dustpan.Rules: {len(self)} rule{'s' * (len(self) != 1)}, set {self.set_id}>"

    def __len__(self) -> int:
        return int(lib.dp_rules_count(self._r))

    def __getitem__(self, i: int) -> Rule:
        n = len(self)
        if not -n <= i < n:
            raise IndexError("dustpan.Rules: index out of range")
        i %= n
        attributes = {}
        for key in _ATTRIBUTES:
            value = _c.borrowed(lib.dp_rules_attr, self._r, i, key.encode())
            if value is not None:
                attributes[key] = _c.decode(value)
        return Rule(
            id=f"{lib.dp_rules_id(self._r, i):016x}",
            text=_c.decode(_c.borrowed(lib.dp_rules_text, self._r, i) or b""),
            hosts=_c.decode(_c.borrowed(lib.dp_rules_hosts, self._r, i) or b""),
            state=_STATES[lib.dp_rules_state(self._r, i)],
            attributes=attributes,
        )

    def __iter__(self) -> Iterator[Rule]:
        return (self[i] for i in range(len(self)))

    @property
    def ids(self) -> list[str]:
        """The ids of the rules, in line order."""
        return [f"{lib.dp_rules_id(self._r, i):016x}" for i in range(len(self))]

    @cached_property
    def set_id(self) -> str:
        """The version of the rule set, 16 hex digits: it changes when any key can change. Do not mix keys of different
        versions."""
        from dustpan.engine import Engine

        return Engine(self).set_id

    def __eq__(self, other: object) -> bool:
        return bytes(self) == bytes(other) if isinstance(other, Rules) else NotImplemented

    def __hash__(self) -> int:
        return hash(bytes(self))

    def __reduce__(self) -> Tuple[Any, ...]:
        return Rules, (bytes(self),)

    def __add__(self, other: Rules) -> Rules:
        """Both files merged: blocks of the same hosts are joined, repeated rules written once."""
        both, text = _new_rules(), bytes(other)
        for name, data in (b"left", bytes(self)), (b"right", text):
            e = _c.new_error()
            _c.check(lib.dp_rules_parse(both, name, data, len(data), e), e)
        out, e = ffi.new("dp_rules **"), _c.new_error()
        _c.check(lib.dp_rules_merge(out, both, e), e)
        return _wrap(_c.owned(out, lib.dp_rules_free))

    def off(self, id: str) -> Rules:
        """A copy in which every rule whose id begins with `id` is off. UsageError if there is none."""
        return self._turn(id, 0)

    def on(self, id: str) -> Rules:
        """A copy in which these rules are active."""
        return self._turn(id, 1)

    def _turn(self, id: str, on: int) -> Rules:
        copy, e = Rules(bytes(self)), _c.new_error()
        _c.check(lib.dp_rules_turn(copy._r, id.encode(), on, ffi.new("size_t *"), e), e)
        return copy

    def expire(self, when: str, newest: int = 0) -> Rules:
        """A copy in which learned rules are off that were last confirmed (attribute seen) before a day ("2026-08-01"), or
        more than some days ("90d") before the newest of them, or before `newest` (seconds since 1970). UsageError when
        `when` is neither."""
        copy, e = Rules(bytes(self)), _c.new_error()
        _c.check(lib.dp_rules_expire(copy._r, when.encode(), newest, ffi.new("size_t *"), e), e)
        return copy

    def diff(self, new: Rules) -> str:
        """The differences to `new`, as ``dustpan rules diff`` prints them; "" if there are none."""
        out, n = ffi.new("dp_text **"), ffi.new("size_t *")
        _c.check(lib.dp_rules_diff(out, self._r, new._r, lib.DP_PLAIN, n))
        text = _c.decode(_c.take_text(out))
        return text if n[0] else ""

    def show(self) -> str:
        """Each rule once for all its hosts, ranked by risk, as ``dustpan rules show`` prints them."""
        out = ffi.new("dp_text **")
        _c.check(lib.dp_rules_show(out, self._r, lib.DP_PLAIN))
        return _c.decode(_c.take_text(out))


def _new_rules() -> Any:
    out = ffi.new("dp_rules **")
    _c.check(lib.dp_rules_new(out))
    return _c.owned(out, lib.dp_rules_free)


def _wrap(handle: Any) -> Rules:
    rules = Rules.__new__(Rules)
    rules._r = handle
    return rules
