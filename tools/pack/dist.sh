#!/bin/sh
# dist.sh - the tarball: the files of the last commit. Made twice, it must be the same bytes. See pack.sh.
# SPDX-License-Identifier: Apache-2.0
set -eu
name=dustpan-$VERSION
make_tarball() { git archive --format=tar --prefix="$name/" HEAD | gzip -9n; }
make_tarball >"$TARBALL"
make_tarball | cmp - "$TARBALL"
# Other places that must name the version.
debian=$(git show HEAD:debian/changelog | sed -n '1s/.*(\(.*\)).*/\1/p')
[ "$debian" = "$VERSION" ] || { echo "debian/changelog is of version $debian, the Makefile of $VERSION" >&2; exit 1; }
git show HEAD:CHANGELOG.md | grep -q "^## $VERSION\b" || { echo "CHANGELOG.md has no version $VERSION" >&2; exit 1; }
ls -l "$TARBALL"
