# More input than memory: 600 MB through a process that may have 400 MB of address space. That is no measure under
# sanitizers, so it is asked of the release build; where there is none, less goes through the other.
. "$ROOT/tests/cli/common"
lines=600000
dustpan=dustpan
for release in "$ROOT/${BUILD:-build}/gcc/dustpan" "${BUILD:-build}/gcc/dustpan" "$ROOT/build/dustpan"; do
    if [ -x "$release" ]; then
        dustpan=$release
        break
    fi
done
tail=$(head -c 1000 /dev/zero | tr '\0' x)
for o in '' --unique; do
    (
        [ "$dustpan" = dustpan ] || ulimit -v 400000
        # shellcheck disable=SC2086  # none or one word
        yes "http://example.com/$tail?sid=1" | head -n $lines | "$dustpan" apply -r site.rules --threads 2 $o | wc -l
    )
done
