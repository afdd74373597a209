"""Texts, errors and handles between Python and C.

    str ── UTF-8, surrogateescape ──► bytes ──► C          C ──► dp_text, dp_error ──► bytes, exceptions

URLs are bytes to the library. A str is encoded so that any bytes survive the way there and back, as those of file
names do in Python: os.fsdecode() and its error handler "surrogateescape".

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import Any, Union

from dustpan._native import ffi, lib

Text = Union[str, bytes]
Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


class Error(Exception):
    """An error of dustpan. str() of it is what the command would print."""

    def __init__(self, message: str, file: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(message, file, line, column)
        self.args = (message, file, line, column)  # those of OSError would be fewer
        self.message = message
        self.file = file  #: "" if there is none
        self.line = line  #: from 1; 0 if there is none
        self.column = column  #: from 1, in bytes; 0 if there is none

    def __str__(self) -> str:
        place = "".join(f"{part}:" for part in (self.file, self.line, self.column) if part)
        return f"{place} {self.message}" if place else self.message


class FileError(Error, OSError):
    """A file could not be opened, read or written."""


class ParseError(Error, ValueError):
    """A rule file, a compiled file or a line of input is not valid; see file and line."""


class LimitError(Error, ValueError):
    """The data exceeds a documented limit."""


class UsageError(Error, ValueError):
    """Invalid arguments, such as an option that does not exist."""


class AbsentError(Error):
    """A library that this needs is absent; dustpan --version -v lists them."""


_KINDS = {lib.DP_EIO: FileError, lib.DP_ESYNTAX: ParseError, lib.DP_ELIMIT: LimitError, lib.DP_EINVALID: UsageError,
          lib.DP_EABSENT: AbsentError}


def encode(text: Text) -> bytes:
    return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else bytes(text)


def decode(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def new_error() -> Any:
    return ffi.new("dp_error *")


def error_of(e: Any) -> Error:
    """The exception for a dp_error."""
    message, file = decode(ffi.string(e.message)), decode(ffi.string(e.file))
    return _KINDS.get(e.code, Error)(message, file, e.line, e.column)


def check(code: int, e: Any = None) -> None:
    """Raise the exception for a dp_err; `e` is the dp_error that was passed along."""
    if code == lib.DP_OK:
        return
    if code == lib.DP_ENOMEM:
        raise MemoryError("dustpan: out of memory")
    if e is not None and e.message[0] != b"\0":
        e.code = code
        raise error_of(e)
    raise _KINDS.get(code, Error)(decode(ffi.string(lib.dp_err_name(code))))


def owned(out: Any, free: Any) -> Any:
    """The handle that arrived in a `**out`; given back with its last reference."""
    return ffi.gc(out[0], free)


def take_text(out: Any) -> bytes:
    """The bytes of a dp_text that arrived in a `**out`, which is freed."""
    text = out[0]
    try:
        return bytes(ffi.unpack(lib.dp_text_data(text), lib.dp_text_size(text)))
    finally:
        lib.dp_text_free(text)


def borrowed(call: Any, *args: Any) -> bytes | None:
    """What a function with a last argument `size_t *n` returns; None for NULL."""
    n = ffi.new("size_t *")
    p = call(*args, n)
    return bytes(ffi.unpack(p, n[0])) if p != ffi.NULL else None


def paths(files: list[bytes]) -> tuple[Any, list[Any]]:
    """A `const char *const *` of these names, and what keeps them alive."""
    kept = [ffi.new("char[]", name) for name in files]
    return ffi.new("const char *[]", kept), kept
