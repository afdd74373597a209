"""The package brings the command. SPDX-License-Identifier: Apache-2.0"""
import subprocess
import sys
from pathlib import Path

import dustpan


def test_python_m_is_the_command():
    said = subprocess.run([sys.executable, "-m", "dustpan", "--version"], capture_output=True, text=True, check=True)
    assert said.stdout == f"dustpan {dustpan.__version__}\n"


def test_the_script_is_the_command_with_its_exit_status():
    script = Path(sys.executable).with_name("dustpan")
    assert subprocess.run([script, "--version"], check=True).returncode == 0
    assert subprocess.run([script, "aply"], capture_output=True).returncode == 2
