"""Where things are: the repository, the command to compare with, the data sets.

SPDX-License-Identifier: Apache-2.0
"""
import gzip
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def command():
    """Run the C command: command("apply", "-r", "x.rules", input=b"...") -> standard output."""
    path = os.environ.get("DUSTPAN") or shutil.which("dustpan") or str(ROOT / "build" / "dustpan")

    def run(*args, input=b""):
        return subprocess.run([path, *map(str, args)], input=input, stdout=subprocess.PIPE, check=True).stdout

    return run


@pytest.fixture(scope="session")
def real_urls():
    """URLs of the data sets, as bytes."""
    if not DATA.is_dir():
        pytest.skip("../shared/data absent")
    urls = []
    for name in sorted(DATA.glob("urls-*/*.txt.gz")):
        urls += gzip.open(name).read().split(b"\n")
    for name in sorted(DATA.glob("*/clusters.tsv.gz")) + sorted(DATA.glob("*/pairs.tsv.gz")):
        for line in gzip.open(name).read().split(b"\n"):
            urls += [field for field in line.split(b"\t") if b"://" in field]
    return [url for url in urls if url]
