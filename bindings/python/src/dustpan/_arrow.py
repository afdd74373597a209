"""Columns of Apache Arrow to C and back, by their buffers.

    pyarrow array ── validity | offsets | text ──► dp_batch_apply ──► offsets | text ──► pyarrow array
                     (where they lie)                                 (the library's, freed with the array)

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dustpan import _c
from dustpan._native import ffi, lib

_NARROW = (pa.string(), pa.binary())
_WIDE = (pa.large_string(), pa.large_binary())


def keys(engine: Any, scratch: Any, form: int, urls: Any) -> Any:
    if isinstance(urls, pa.ChunkedArray):
        chunks = [keys(engine, scratch, form, chunk) for chunk in urls.chunks]
        return pa.chunked_array(chunks, type=urls.type)
    if not isinstance(urls, pa.Array):
        urls = pa.array(urls)
        if isinstance(urls, pa.ChunkedArray):
            return keys(engine, scratch, form, urls)
    if pa.types.is_dictionary(urls.type):
        return pa.DictionaryArray.from_arrays(urls.indices, keys(engine, scratch, form, urls.dictionary))
    if urls.type not in _NARROW + _WIDE:
        raise _c.UsageError(f"expected an array of strings or binaries, not of {urls.type}")
    return _keys(engine, scratch, form, urls)


def _keys(engine: Any, scratch: Any, form: int, urls: Any) -> Any:
    width = 4 if urls.type in _NARROW else 8
    _, offsets, text = urls.buffers()
    out = ffi.new("dp_batch **")
    first = ffi.cast("char *", offsets.address) + urls.offset * width if len(urls) else ffi.NULL
    _c.check(lib.dp_batch_apply(out, engine, scratch, form, ffi.cast("char *", text.address if text else 0),
                                text.size if text else 0, first, width, len(urls)))
    batch = _c.owned(out, lib.dp_batch_free)
    n = ffi.new("size_t *")
    data = _buffer(lib.dp_batch_text(batch, n), n[0], batch)
    ends = _buffer(lib.dp_batch_offsets(batch), (len(urls) + 1) * width, batch)
    valid = pc.is_valid(urls).buffers()[1] if urls.null_count else None
    return pa.Array.from_buffers(urls.type, len(urls), [valid, ends, data], urls.null_count)


def _buffer(p: Any, size: int, owner: Any) -> Any:
    return pa.foreign_buffer(int(ffi.cast("uintptr_t", p)), size, owner)
