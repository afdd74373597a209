"""What pyproject.toml cannot say: the version, that there is a library to build, and where.

SPDX-License-Identifier: Apache-2.0
"""
import os
import re
from pathlib import Path

from setuptools import setup

# Who calls it may be anywhere; what it makes belongs into the build folder, not between the sources.
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PLACE = ROOT / os.environ.get("DUSTPAN_BUILD", "build") / "python"
os.chdir(HERE)
PLACE.mkdir(parents=True, exist_ok=True)

setup(
    version=re.search(r"^VERSION\s*:=\s*(\S+)", (ROOT / "Makefile").read_text(), re.M)[1],
    cffi_modules=["native.py:builder"],
    options={"build": {"build_base": str(PLACE)}, "egg_info": {"egg_base": str(PLACE)}},
)
