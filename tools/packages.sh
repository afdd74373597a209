#!/bin/sh
# packages.sh - install the Debian packages that dustpan needs and that are missing.
#
#     tools/packages.sh build        to compile it (./quickstart)
#     tools/packages.sh build test   to compile and to test it (./check)
#     tools/packages.sh bench        those that `make bench` compares with, where they are there
#     tools/packages.sh pack         to make packages of it (make packages)
#
# Says what it installs; touches nothing when all are there. Needs root or sudo only to install.
# SPDX-License-Identifier: Apache-2.0
set -eu

build='gcc libc6-dev make pkg-config libxxhash-dev libpsl-dev libidn2-dev zlib1g-dev libzstd-dev libbz2-dev libjansson-dev libgumbo-dev libssl-dev libcurl4-openssl-dev liblmdb-dev libmicrohttpd-dev libopenblas0-pthread'
test='clang clang-format libclang-rt-14-dev libcmocka-dev libpcre2-dev libunistring-dev shellcheck bzip2 gzip zstd fish groff-base zsh chromium nginx openssl apache2-bin dokuwiki fossil python3 python3-dev python3-lxml python3-numpy python3-venv openjdk-17-jre-headless'
bench='goaccess redis-server'
pack='debhelper lintian dh-python fakeroot libunistring-dev python3-dev python3-setuptools python3-cffi python3-venv buildah mmdebstrap'

wanted=
for list in "$@"; do
    case $list in
    build) wanted="$wanted $build" ;;
    test) wanted="$wanted $test" ;;
    bench) wanted="$wanted $bench" ;;
    pack) wanted="$wanted $pack" ;;
    *) echo "packages.sh: no list '$list': use build, test, bench, pack" >&2; exit 2 ;;
    esac
done

if ! command -v dpkg-query >/dev/null; then
    echo "This is no Debian system; what dustpan needs goes there by the names:$wanted" >&2
    exit 0
fi

missing=
for package in $wanted; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

root=
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "These packages are missing, and installing them needs root or sudo:$missing" >&2
        exit 2
    fi
    root=sudo
fi
echo "Installing with apt${root:+ (sudo)}:$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086  # lists are meant to split
if ! { $root apt-get update && $root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } \
    >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    echo "apt could not install the packages above" >&2
    exit 2
fi
