"""The files of tests/cases, as the C library reads them: does rule file R turn URL U into key K?

SPDX-License-Identifier: Apache-2.0
"""
import re

import pytest
from conftest import ROOT

import dustpan

FILES = sorted((ROOT / "tests" / "cases").glob("*.test"))


def text_of(rest):
    return re.sub(rb"\\x([0-9a-fA-F]{2})|\\\\", lambda m: bytes([int(m[1], 16)]) if m[1] else b"\\", rest)


class Runner:
    def __init__(self):
        self.rules, self.options, self.case, self.count = b"", {}, None, 0
        self.engine = None

    def load(self):
        if self.engine is None:
            self.engine = dustpan.Engine(dustpan.Rules(self.rules), **self.options)
        return self.engine

    def finish(self):
        case, self.case = self.case, None
        if not case:
            return
        self.count += 1
        engine, url = self.load(), case["url"]
        told = engine.explain(url)
        want = case.get("key", url)
        assert engine.key(url) == want
        assert engine.keys([url, url]) == [want, want]
        assert engine.key(dustpan._c.decode(url)) == dustpan._c.decode(want)
        assert told.is_url == ("no-url" not in case)
        assert told.limit == ("limit" in case)
        if "fired" in case:
            ids = engine.rules.ids
            assert [step.id for step in told.steps] == [ids[int(n) - 1] for n in case["fired"].split()]
        if "fetch" in case:
            assert engine.form(url, "fetch") == case["fetch"]
            assert engine.keys([url], "fetch") == [case["fetch"]]

    def line(self, line):
        word, _, rest = line.partition(b" ")
        word, rest = word.decode(), rest.lstrip(b" ")
        if word == "rules":
            self.finish()
            self.rules, self.options, self.engine = b"dustpan-rules 1\n", {}, None
        elif word == "options":
            self.finish()
            words, self.engine = rest.decode().split(), None
            self.options = {"with_likely": "with-likely" in words}
            for option in words:
                if option.startswith("min-precision="):
                    self.options["min_precision"] = float(option.partition("=")[2])
        elif word == "refused":
            self.count += 1
            with pytest.raises(dustpan.ParseError):
                dustpan.Engine(dustpan.Rules(self.rules))
        elif word == "url":
            self.finish()
            self.case = {"url": text_of(rest)}
        else:
            assert word in ("key", "same", "no-url", "limit", "fetch", "fired"), word
            self.case[word] = text_of(rest)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_cases_hold(path):
    runner = Runner()
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        try:
            if line.startswith(b"    "):
                runner.rules += line[4:] + b"\n"
            elif line and not line.startswith(b"#"):
                runner.line(line)
        except AssertionError as e:
            raise AssertionError(f"{path}:{number}: {e}") from e
    runner.finish()
    assert runner.count
