"""dustpan: learn and apply rules that map all URLs of a page to one key.

    rules = dustpan.learn("crawl.jsonl").rules
    engine = dustpan.Engine(rules)
    engine.key("http://a.com/x?sid=1")

URLs may be str or bytes, and answers have the same type. Bytes that are not UTF-8 survive in a str as they do in file
names (os.fsdecode). Engines and rules can be pickled and shared between threads; long calls let other threads run.
dustpan.scrapy is for Scrapy projects.

SPDX-License-Identifier: Apache-2.0
"""
from dustpan._c import AbsentError, Error, FileError, LimitError, ParseError, UsageError, decode as _decode
from dustpan._native import ffi as _ffi, lib as _lib
from dustpan.content import record
from dustpan.engine import Engine, Explanation, Step
from dustpan.learner import Learned, learn
from dustpan.rules import Rule, Rules
from dustpan.seen import Seen

__version__: str = _decode(_ffi.string(_lib.dp_version()))

__all__ = ["AbsentError", "Engine", "Error", "Explanation", "FileError", "Learned", "LimitError", "ParseError", "Rule", "Rules",
           "Seen", "Step", "UsageError", "learn", "record"]
