# The man page is good mdoc, and its examples do what it says.
groff -mdoc -ww -Tascii "$ROOT/man/dustpan.1" 2>&1 >/dev/null
cp "$ROOT/examples/site.rules" "$ROOT/examples/urls.txt" "$ROOT/examples/access.log" .
awk '/^\.Sh /{ on = $2 == "EXAMPLES" } on && /^\$ /' "$ROOT/man/dustpan.1" | sed 's/^\$ //' >examples
[ "$(wc -l <examples)" -gt 5 ] || echo "no examples found"
while IFS= read -r line; do
    echo "\$ $line"
    sh -c "$line" </dev/null
    echo "exit $?"
done <examples 2>&1 | sed 's/"set":"[0-9a-f]*"/"set":"..."/' # which may change
