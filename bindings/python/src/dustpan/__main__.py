"""The command: `dustpan` and `python -m dustpan`, as the wheel brings it, or else the one on the PATH.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path


def command() -> str | None:
    """Where the program is; None if there is none."""
    own = Path(__file__).with_name("bin") / "dustpan"
    if own.is_file():
        return str(own)
    found = shutil.which("dustpan")
    # A script of ours would only lead here again.
    return found if found and Path(found).resolve() != Path(sys.argv[0]).resolve() else None


def main() -> None:
    """Become that program."""
    program = command()
    if program is None:
        sys.exit("dustpan: this installation has the Python module alone; install the command (Debian: apt install dustpan)")
    os.execv(program, ["dustpan", *sys.argv[1:]])


if __name__ == "__main__":
    main()
