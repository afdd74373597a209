"""What pyproject.toml cannot say: the version, that there is a library and a command to build, and where.

SPDX-License-Identifier: Apache-2.0
"""
import os
import re
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

# Who calls it may be anywhere; what it makes belongs into the build folder, not between the sources.
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = ROOT / os.environ.get("DUSTPAN_BUILD", "build")
PLACE = BUILD / "python"
os.chdir(HERE)
PLACE.mkdir(parents=True, exist_ok=True)


class WithCommand(build_py):
    """The module, and beside it the command, which native.py has had made."""

    def run(self):
        super().run()
        folder = Path(self.build_lib) / "dustpan" / "bin"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy2(BUILD / "dustpan", folder / "dustpan")


setup(
    version=re.search(r"^VERSION\s*:=\s*(\S+)", (ROOT / "Makefile").read_text(), re.M)[1],
    cffi_modules=["native.py:builder"],
    cmdclass={"build_py": WithCommand},
    # One wheel is for all versions of Python from this one on.
    options={"build": {"build_base": str(PLACE)}, "egg_info": {"egg_base": str(PLACE)},
             "bdist_wheel": {"py_limited_api": "cp39"}},
)
