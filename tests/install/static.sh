#!/bin/sh
# The command as one file works in an empty root folder (tools/pack/static.sh); the tarball is the same bytes twice.
# SPDX-License-Identifier: Apache-2.0
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
version=$(sed -n 's/^VERSION *:= *//p' Makefile)
export PACKAGES="$scratch" TARBALL="$scratch/dist" VERSION="$version" OBJECTS="$BUILD/gcc" WERROR=1 CC=gcc
sh tools/pack/static.sh
sh tools/pack/dist.sh
