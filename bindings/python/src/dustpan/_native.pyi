# dustpan._native is made by native.py out of include/dustpan.h; cffi objects have no static types.
# SPDX-License-Identifier: Apache-2.0
from typing import Any

ffi: Any
lib: Any
