"""record(): a page that was fetched, as a record for learn().

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import base64
import hashlib
from typing import Any, Dict

from dustpan import _c
from dustpan._c import Text
from dustpan._native import ffi, lib

_FIELDS = {"title": lib.DP_FIELD_TITLE, "canonical": lib.DP_FIELD_CANONICAL, "sketch": lib.DP_FIELD_SKETCH,
           "simhash": lib.DP_FIELD_SIMHASH, "cluster": lib.DP_FIELD_CLUSTER}


def record(url: Text, body: bytes, header: bytes = b"", **more: Any) -> Dict[str, Any]:
    """A record of a page, made from its bytes: ``size``, ``digest``, and for pages with text ``title``,
    ``canonical``, ``sketch``, ``simhash`` and ``cluster``, a hash of the visible text.

    `header` is its HTTP header block; the line Content-Type matters most. Other fields, such as ``status`` and
    ``time``, are added unchanged.

    >>> page = record("http://a.com/x?sid=1", b"<title>A page</title><link rel=canonical href=/x>", status=200)
    >>> page["title"], page["canonical"], page["status"]
    ('A page', 'http://a.com/x', 200)
    """
    name = _c.encode(url)
    known: Dict[str, Any] = {"url": _c.decode(name), **more, "size": len(body)}
    if not body:
        return known
    known["digest"] = "sha1:" + base64.b32encode(hashlib.sha1(body).digest()).decode()
    out = ffi.new("dp_content **")
    _c.check(lib.dp_content_new(out))
    content = _c.owned(out, lib.dp_content_free)
    _c.check(lib.dp_content_read(content, name, len(name), header, len(header), ffi.from_buffer(body), len(body)))
    for field, number in _FIELDS.items():
        text = _c.borrowed(lib.dp_content_text, content, number)
        if text:
            known[field] = _c.decode(text)
    return known
