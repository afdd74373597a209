#!/bin/sh
# venv.sh - the virtual environment $BUILD/venv with the package installed, for tests and bench/run.
#
#     BUILD=build bindings/python/venv.sh     prints what it does; needs PyPI the first time
#
# It is made once, again when requirements.txt has changed; the package is built when something in it, or the library
# in DUSTPAN_BUILD (default: BUILD), is newer. Calls at the same time wait for each other.
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
DUSTPAN_BUILD=${DUSTPAN_BUILD:-$BUILD}
export DUSTPAN_BUILD
venv=$BUILD/venv
package=bindings/python
mkdir -p "$BUILD"
exec 9>"$BUILD/venv.lock"
flock 9

if ! cmp -s $package/requirements.txt "$venv/requirements.txt"; then
    echo "making $venv with packages of PyPI"
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install -q --disable-pip-version-check -r $package/requirements.txt
    cp $package/requirements.txt "$venv/requirements.txt"
fi

make -s -j "$(nproc)" BUILD="$DUSTPAN_BUILD" "$DUSTPAN_BUILD/libdustpan.a" "$DUSTPAN_BUILD/dustpan"
lib=$(cd "$DUSTPAN_BUILD" && pwd)/libdustpan.a
if [ "$(cat "$venv/installed" 2>/dev/null)" != "$lib" ] ||
    find "$lib" include/dustpan.h $package -type f ! -path '*/tests/*' ! -name '*.pyc' -newer "$venv/installed" | grep -q .; then
    echo "building the package with $lib"
    rm -rf "$DUSTPAN_BUILD/python"
    "$venv/bin/pip" install -q --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall ./$package
    echo "$lib" >"$venv/installed"
fi
