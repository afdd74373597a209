#!/bin/sh
# deb.sh - the Debian packages: built out of the tarball, looked at by lintian, unpacked and tried. See pack.sh.
# SPDX-License-Identifier: Apache-2.0
set -eu
work=$PACKAGES/deb
rm -rf "$work"
mkdir -p "$work/tree"
tar -xzf "$TARBALL" -C "$work"
(cd "$work/dustpan-$VERSION" && unset BUILD && DEB_BUILD_OPTIONS="parallel=$(nproc)" dpkg-buildpackage -us -uc -b >"$work/log" 2>&1) || {
    tail -n 40 "$work/log"
    exit 1
}
cd "$work"
lintian --allow-root --fail-on error,warning ./*.changes
for package in dustpan libdustpan0 libdustpan-dev python3-dustpan; do
    ls "${package}"_*.deb
    dpkg-deb -x "${package}"_*.deb tree
done

# What was unpacked works, although it lies elsewhere.
lib=$(dirname "$(find "$work/tree/usr/lib" -name libdustpan.a)")
"$work/tree/usr/bin/dustpan" --version -v
sed -n '/^ \*     #include <dustpan\.h>/,/^ \*     }/s/^ \*     //p' tree/usr/include/dustpan.h >example.c
export PKG_CONFIG_PATH="$lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$work/tree"
# shellcheck disable=SC2046  # flags are meant to split
gcc -o example example.c $(pkg-config --cflags --libs dustpan)
[ "$(LD_LIBRARY_PATH=$lib ./example)" = http://example.com/a ]
cd /
PYTHONPATH=$work/tree/usr/lib/python3/dist-packages PATH=$work/tree/usr/bin:$PATH /usr/bin/python3 -m dustpan --version
PYTHONPATH=$work/tree/usr/lib/python3/dist-packages /usr/bin/python3 -c 'import dustpan; print("import dustpan:", dustpan.__version__)'
