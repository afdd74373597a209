"""Build dustpan._native: the whole of include/dustpan.h for Python, with the library linked into it.

    include/dustpan.h ── declarations() ──► cffi ──► C source ──┐
    Makefile ── make ──► libdustpan.a (position independent) ───┴──► dustpan/_native.abi3.so
                    └──► dustpan, the command

The declarations are those of the header itself, so they cannot differ from it. DUSTPAN_BUILD names another build
folder than build/, DUSTPAN_MAKE has more arguments for make.

SPDX-License-Identifier: Apache-2.0
"""
import os
import re
import shlex
import subprocess
from pathlib import Path

from cffi import FFI

ROOT = Path(__file__).resolve().parents[2]
BUILD = os.environ.get("DUSTPAN_BUILD", "build")


def declarations(header: str) -> str:
    """The header without comments, preprocessor lines, DP_API and what is for C++."""
    header = re.sub(r"/\*.*?\*/", " ", header, flags=re.S)
    header = re.sub(r"#ifdef __cplusplus.*?#endif", "", header, flags=re.S)
    header = re.sub(r"^\s*#.*$", "", header, flags=re.M)
    return re.sub(r"\bDP_API\b", "", header)


# Calls back into Python; `ctx` is an ffi.new_handle().
CALLBACKS = """
extern "Python" int dustpan_progress(void *ctx, uint64_t done, uint64_t total, const char *unit);
"""


def make_library() -> list[str]:
    """Let make build the static library and the command; what the library must be linked with is in the file libs."""
    jobs = str(os.cpu_count() or 1)
    subprocess.run(["make", "-s", "-C", str(ROOT), "-j", jobs, f"BUILD={BUILD}",
                    *shlex.split(os.environ.get("DUSTPAN_MAKE", "")),
                    f"{BUILD}/libdustpan.a", f"{BUILD}/dustpan", f"{BUILD}/libs"], check=True)
    return shlex.split((ROOT / BUILD / "libs").read_text())


builder = FFI()
builder.cdef(declarations((ROOT / "include" / "dustpan.h").read_text()) + CALLBACKS)
builder.set_source(
    "dustpan._native",
    '#include "dustpan.h"',
    include_dirs=[str(ROOT / "include")],
    extra_objects=[str(ROOT / BUILD / "libdustpan.a")],
    # Names of the library stay inside: another dustpan in the same process does not get in its way.
    extra_link_args=[*make_library(), "-Wl,--exclude-libs,ALL", "-Wl,--as-needed"],
    extra_compile_args=["-O2"],
)
