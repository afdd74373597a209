#!/bin/sh
# pack.sh - make the packages and try each: make dist, make packages.
#
#     BUILD=build VERSION=0.1.0 tools/pack.sh [NAME...]      all when none is named; tools/pack/NAME.sh is one kind
#
# Everything is made out of the tarball, in $BUILD/packages, so that what is not in it cannot be missed later. The last line
# says what was made and tried; exit status 1 when something failed.
# SPDX-License-Identifier: Apache-2.0
set -eu
unset MAKEFLAGS MAKELEVEL || : # of the make that calls this
cd "$(dirname "$0")/.."
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
export BUILD VERSION
export PACKAGES="$BUILD/packages" TARBALL="$BUILD/packages/dustpan-$VERSION.tar.gz"
mkdir -p "$PACKAGES"
[ $# -gt 0 ] || set -- dist deb static wheel container
[ "$*" = dist ] || tools/packages.sh build pack

done=
[ "$1" = dist ] || sh tools/pack/dist.sh
for name in "$@"; do
    [ -e "tools/pack/$name.sh" ] || { echo "pack.sh: no package '$name'; there are dist, deb, static, wheel, container" >&2; exit 2; }
    echo "== $name"
    sh "tools/pack/$name.sh"
    done="$done $name"
done
echo "made and tried:$done"
