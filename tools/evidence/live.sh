#!/bin/sh
# live.sh - crawl the real web applications of tests/apps; what was crawled, and what of it is saved by rules.
#
#     tools/evidence/live.sh FOLDER [NAME...]      (make evidence-live)
#
# Crawls stay in FOLDER, one folder an application; they are never committed. An application that could not be set up is a
# failure here.
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$(dirname "$0")/../.." || exit 2
folder=$1
shift
tests/apps/run --strict --out "$folder" "$@"
