# The man pages are good mdoc, name no page that does not exist, and their examples do what they say.
for page in "$ROOT"/man/*.[1-9]; do
    groff -mdoc -ww -Tascii "$page" 2>&1 >/dev/null
    sed -n 's/^\.Xr \([a-z-]*\) \([1-9]\).*/\1.\2/p' "$page" | sort -u | while read -r other; do
        [ -e "$ROOT/man/$other" ] || echo "$page: no page $other"
    done
done
# Documents and examples that they name.
sed -n 's/^\.Pa \([a-z-]*\.md\).*/\1/p' "$ROOT"/man/*.[1-9] | sort -u | while read -r name; do
    [ -e "$ROOT/docs/$name" ] || echo "no document $name"
done
cp "$ROOT"/examples/*.rules "$ROOT"/examples/*.t* "$ROOT"/examples/*.log .
# The rule file in dustpan-rules.5.
sed -n '/^dustpan-rules 1$/,/^\.Ed/p' "$ROOT/man/dustpan-rules.5" | grep -v '^\.Ed' >page.rules

# The first lines of each; what goes to standard error is the business of other tests, unless the command fails.
for page in "$ROOT"/man/*.[1-9]; do
    echo "== ${page##*/}"
    awk '/^\.Sh /{ on = $2 == "EXAMPLES" } on && /^\$ /' "$page" | sed 's/^\$ //' >examples
    [ -s examples ] || echo "no examples found"
    while IFS= read -r line; do
        echo "\$ $line"
        sh -c "$line" </dev/null >output 2>errors
        status=$?
        awk 'NR <= 6; NR == 7 { print "..." }' output
        [ $status -lt 2 ] || cat errors
        echo "exit $status"
    done <examples
done | sed -e 's/"set":"[0-9a-f]*"/"set":"..."/g' # which may change
