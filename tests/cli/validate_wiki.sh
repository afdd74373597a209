# dustpan validate against DokuWiki under Apache and PHP: what the application makes of its parameters.
. "$ROOT/tests/servers/common"
start_wiki 127.0.0.2
# Without do=edit: it locks the page for others, and the page shows it from then on.
for page in "$ROOT"/tests/servers/wiki-data/pages/*.txt; do
    id=$(basename "$page" .txt)
    upper=$(echo "$id" | tr '[:lower:]' '[:upper:]')
    for query in "id=$id" "id=$upper" "id=$id&do=show" "id=$id&do=revisions" "id=$id&utm_source=mail" "id=$id&do=backlink" \
        "id=$id&do=delete" "id=:$id"; do
        echo "http://127.0.0.2:$wiki/doku.php?$query"
    done
    echo "http://127.0.0.2:$wiki/doku.php/$id"
done >urls

cat >wiki.rules <<'END'
dustpan-rules 1
host 127.0.0.2
likely drop ?utm_source
likely drop ?do if =show
likely drop ?do                      # not with revisions and backlink
likely sub "?id=:" -> "?id="
likely fold case query on /doku.php
likely drop ?id on /doku.php
likely /doku.php/{id} => /doku.php?id={id}
END

dustpan validate -r wiki.rules --urls urls --tests 16 --rate 100 --allow-private -o out.rules >report 2>&1
echo "exit $?"
grep -v -e '^      ' -e 'pairs* of pages compared' report | sed -e 's/^dustpan: [0-9]* requests.*/dustpan: N requests/' -e 's/at most [0-9]*/at most N/'
sed '/^off/s/ *\[.*//' out.rules # how many pages it took depends on the port
grep -c 'do=delete' wiki.log
awk '{ print $3 }' wiki.log | sort | uniq -d | head
