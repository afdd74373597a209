#!/bin/sh
# The program in the opening comment of dustpan.h compiles against the installed library, shared, static, and as a program
# without any shared library, with what pkg-config says, and works; uninstall leaves nothing behind.
# SPDX-License-Identifier: Apache-2.0
set -eu
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
install() { make -s BUILD="$BUILD/gcc" CC=gcc WERROR=1 PREFIX=/usr DESTDIR="$tree" "$@" >/dev/null; }

install install
find "$tree" ! -type d | sed "s|^$tree||" | sort
for page in man/*.[1-9]; do
    [ -e "$tree/usr/share/man/man${page##*.}/${page##*/}" ] || { echo "$page is not installed"; exit 1; }
done
export PKG_CONFIG_PATH="$tree/usr/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$tree"

# From the line with the include to the closing bracket in the first column.
sed -n '/^ \*     #include <dustpan\.h>/,/^ \*     }/s/^ \*     //p' "$tree/usr/include/dustpan.h" >"$tree/example.c"
cat "$tree/example.c"
# shellcheck disable=SC2046  # flags are meant to split
{
    gcc -o "$tree/shared" "$tree/example.c" $(pkg-config --cflags --libs dustpan)
    gcc -o "$tree/static" "$tree/example.c" $(pkg-config --cflags dustpan) "$tree/usr/lib/libdustpan.a" \
        -Wl,--as-needed $(pkg-config --static --libs dustpan)
    gcc -static -o "$tree/alone" "$tree/example.c" $(pkg-config --static --cflags --libs dustpan) 2>"$tree/warnings"
}
if ldd "$tree/alone"; then exit 1; fi
for how in shared static alone; do
    if [ $how = shared ]; then path=$tree/usr/lib; else path=; fi
    said=$(LD_LIBRARY_PATH=$path "$tree/$how")
    echo "$how: $said"
    [ "$said" = http://example.com/a ]
done
rm "$tree/example.c" "$tree/shared" "$tree/static" "$tree/alone" "$tree/warnings"

install uninstall
left=$(find "$tree" ! -type d)
[ -z "$left" ] || { echo "uninstall left: $left"; exit 1; }
