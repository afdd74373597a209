#!/bin/sh
# container.sh - the image of the Containerfile, out of the Debian package, and a run of it. See pack.sh.
#
# The base is BASE (an image that buildah can find), or else a Debian that mmdebstrap makes here: it already has the libraries,
# so that no other registry than that of Debian's packages is needed.
# SPDX-License-Identifier: Apache-2.0
set -eu
deb=$(ls "$PACKAGES"/deb/dustpan_*.deb) || { echo "container.sh: make the Debian packages first (X=\"deb container\")" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
in_store() { buildah --root "$work/store" --runroot "$work/run" "$@"; }

if [ -z "${BASE-}" ]; then
    BASE=localhost/base
    libraries=$(dpkg-deb -f "$deb" Depends | sed 's/ ([^)]*)//g; s/ //g')
    mmdebstrap -q --variant=apt --include="$libraries,libcurl4,ca-certificates" bookworm "$work/base.tar"
    container=$(in_store from scratch)
    in_store add "$container" "$work/base.tar" / >/dev/null
    in_store commit -q "$container" "$BASE" >/dev/null
fi
in_store bud -q --build-arg BASE="$BASE" -t "dustpan:$VERSION" -f Containerfile "$PACKAGES/deb" >/dev/null
container=$(in_store from "localhost/dustpan:$VERSION")
in_store copy "$container" examples/crawl.tsv /data/
in_store run "$container" -- dustpan --version -v
in_store run "$container" -- dustpan learn crawl.tsv -o site.rules
rm -f "$PACKAGES/dustpan-$VERSION.oci.tar"
in_store push -q "localhost/dustpan:$VERSION" "oci-archive:$PACKAGES/dustpan-$VERSION.oci.tar:dustpan:$VERSION"
ls -l "$PACKAGES/dustpan-$VERSION.oci.tar"
