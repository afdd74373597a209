"""What pyproject.toml cannot say: the version, which is that of the Makefile.

SPDX-License-Identifier: Apache-2.0
"""
import re
from pathlib import Path

from setuptools import setup

makefile = Path(__file__).resolve().parents[2] / "Makefile"
setup(version=re.search(r"^VERSION\s*:=\s*(\S+)", makefile.read_text(), re.M)[1])
