#!/bin/sh
# live.sh - crawl the real web applications of tests/apps, then try every method on the crawls.
#
#     tools/evidence/live.sh FOLDER [NAME...]               (make evidence-live)
#     CRAWL=no tools/evidence/live.sh FOLDER [NAME...]      with the crawls that are in FOLDER
#
# Crawls stay in FOLDER, one folder an application; they are never committed. An application that could not be set up is a
# failure here, but the others are measured. duplicate-url-discarder comes from PyPI; where it cannot be had, its row is missing.
# seq2seq takes a minute or more per application, so it runs on two of them (SEQ2SEQ=all: on all).
# docs/benchmark.md explains the tables, and how to run a method of your own.
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
folder=$1
shift
status=0
if [ "${CRAWL:-yes}" = yes ]; then
    tests/apps/run --strict --out "$folder" "$@" || status=$?
    echo
fi

venv=$BUILD/discarder
if [ ! -x "$venv/bin/python" ]; then
    rm -rf "$venv"
    { python3 -m venv "$venv.new" && "$venv.new/bin/pip" -q install duplicate-url-discarder==0.3.0 duplicate-url-discarder-rules==2024.11.5 &&
        mv "$venv.new" "$venv"; } >"$BUILD/discarder.log" 2>&1 || echo "no row discarder: not installed: $(tail -n 1 "$BUILD/discarder.log")"
fi
discarder=
[ ! -x "$venv/bin/python" ] || discarder="--discarder $venv/bin/python"
# shellcheck disable=SC2086  # two words or none
python3 tools/evidence/benchmark.py "$folder" "$@" --dustpan "$BUILD/dustpan" --seq2seq "${SEQ2SEQ-jspwiki,trac}" $discarder || status=$?
echo
python3 tools/evidence/same.py "$folder" "$@" --dustpan "$BUILD/dustpan" || status=$?
exit $status
