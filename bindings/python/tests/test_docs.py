"""The examples of the manual and of the docstrings give what they say. SPDX-License-Identifier: Apache-2.0"""
import doctest

import pytest
from conftest import ROOT

import dustpan.content
import dustpan.engine
import dustpan.rules
import dustpan.seen


def test_examples_of_the_manual():
    pytest.importorskip("pyarrow")
    failed, tried = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False)
    assert tried > 15 and not failed


MODULES = [dustpan.content, dustpan.engine, dustpan.rules, dustpan.seen]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_examples_of_docstrings(module):
    failed, tried = doctest.testmod(module)
    assert tried and not failed
