#!/bin/sh
# Libraries that only some commands need: a dustpan that was built without them does everything else and names what is
# missing; one that was built with them loads the large ones, libcurl, OpenBLAS and libmicrohttpd, only when they are needed.
# SPDX-License-Identifier: Apache-2.0
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
case $BUILD in /*) full=$BUILD/gcc ;; *) full=$PWD/$BUILD/gcc ;; esac
make -s BUILD="$BUILD/gcc" CC=gcc WERROR=1 "$BUILD/gcc/bare/dustpan" "$BUILD/gcc/dustpan"
bare=$full/bare/dustpan

"$bare" --version -v
[ "$("$bare" --version -v | grep -c ' absent ')" = 5 ]
if ldd "$bare" | grep -E 'curl|blas|lmdb|gumbo|microhttpd'; then exit 1; fi

cd "$scratch"
printf 'dustpan-rules 1\nhost a.com\ndrop ?x\n' >a.rules
printf 'http://a.com/?x=%d\n' 1 2 >urls
page='<p>One page of two words or more.'
reply="HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n$page"
length=$(printf "$reply" | wc -c)
printf "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.com/\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n$reply\r\n\r\n" \
    "$length" >page.warc

# What works without them.
[ "$("$bare" apply --quiet -r a.rules urls --unique)" = 'http://a.com/?x=1' ]
"$bare" apply --quiet -r a.rules page.warc
"$bare" learn --quiet "$ROOT/examples/crawl.tsv" -o bare.rules
"$full/dustpan" learn --quiet "$ROOT/examples/crawl.tsv" -o full.rules
cmp bare.rules full.rules

# What does not says which library is missing.
fails() {
    want=$1
    shift
    if "$@" >out 2>err; then echo "did not fail: $*"; exit 1; fi
    cat err
    grep -q "$want" err
}
fails 'a seen-set needs LMDB, and this dustpan was built without it' "$bare" apply -r a.rules urls --unique --seen s
fails 'state needs LMDB' "$bare" learn urls --state s
fails 'fetching pages needs libcurl' "$bare" validate -r a.rules --urls urls
fails 'seq2seq needs OpenBLAS' "$bare" learn --method seq2seq "$ROOT/examples/crawl.tsv"
fails 'serving a page needs libmicrohttpd, and this dustpan was built without it' "$bare" review --serve a.rules urls
fails 'dustpan --version -v' "$bare" cluster page.warc

# The objects that are loaded.
loaded() { LD_DEBUG=files "$@" 2>&1 >/dev/null | grep -c 'calling init: ' || :; }
for command in --version "apply --quiet -r a.rules urls" "learn --quiet $ROOT/examples/crawl.tsv"; do
    # shellcheck disable=SC2086  # words
    n=$(loaded "$full/dustpan" $command)
    echo "$n shared objects: dustpan $command"
    [ "$n" -le 16 ]
done
