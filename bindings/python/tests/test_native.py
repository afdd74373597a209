"""dustpan._native has all of include/dustpan.h. SPDX-License-Identifier: Apache-2.0"""
import re

from conftest import ROOT

import dustpan
from dustpan._native import ffi, lib

HEADER = re.sub(r"/\*.*?\*/", " ", (ROOT / "include" / "dustpan.h").read_text(), flags=re.S)


def test_every_function_is_there():
    names = set(re.findall(r"\b(dp_\w+)\(", re.sub(r"typedef[^;]*\(\*[^;]*;", "", HEADER)))
    assert len(names) > 100
    assert names == {name for name in dir(lib) if name.startswith("dp_")}


def test_every_number_is_there():
    names = set(re.findall(r"\bDP_[A-Z0-9_]+\b", re.sub(r"^\s*#.*$|\bDP_API\b", "", HEADER, flags=re.M)))
    assert names == {name for name in dir(lib) if name.startswith("DP_")}


def test_every_type_is_there():
    names = set(re.findall(r"typedef (?:struct|enum) (dp_\w+)", HEADER))
    callbacks = set(re.findall(r"typedef \w+ \(\*(dp_\w+)\)", HEADER))
    assert len(names) > 20 and len(callbacks) > 3
    assert names | callbacks == {n for n in ffi.list_types()[0] if n.startswith("dp_")}


def test_the_version_is_that_of_the_makefile():
    assert dustpan.__version__ == re.search(r"^VERSION\s*:=\s*(\S+)", (ROOT / "Makefile").read_text(), re.M)[1]
