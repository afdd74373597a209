"""mypy --strict has nothing to say. SPDX-License-Identifier: Apache-2.0"""
import subprocess
import sys

from conftest import ROOT


def test_types_hold():
    folder = ROOT / "bindings" / "python"
    run = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", str(ROOT / "build" / "mypy")], cwd=folder,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert run.returncode == 0, run.stdout
