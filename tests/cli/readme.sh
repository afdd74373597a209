# The example of the README, run again: its output must be what stands there.
awk '/^```console/ { on = 1; next } /^```/ { on = 0 } on' "$ROOT/README.md" >shown
# The files it shows with cat are made first, out of what it shows.
awk '/^\$ / { file = /^\$ cat / ? $3 : ""; next } file { print >file }' shown
sed -n 's/^\$ //p' shown >commands
while IFS= read -r line; do
    echo "\$ $line"
    sh -c "$line" </dev/null
done <commands >got 2>&1
diff shown got && echo "as in the README"
