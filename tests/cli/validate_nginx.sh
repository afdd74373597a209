# dustpan validate against nginx: directory indexes, aliases, pages by parameter. True rules are found, false ones fall;
# robots.txt, rate and "never twice" are read off the server's own log.
. "$ROOT/tests/servers/common"
mkdir site
start_nginx 127.0.0.1 site
python3 "$ROOT/tests/servers/site.py" site "http://127.0.0.1:$nginx" >urls

cat >site.rules <<'END'
dustpan-rules 1
host 127.0.0.1
# true: a directory index, aliases, a redirect, two forms of a story, a session id
likely sub "/index.html$" -> "/$"                            [n=40 by=list]
likely sub "d7/index.html$" -> "d7/$"
likely sub "/people/anna/" -> "/~anna/"
likely sub "/docs/" -> "/manual/"
likely /old/{f} => /docs/{f}
likely sub "/story?id=" -> "/story_"
likely drop ?sid
likely erase ?sid on /item
# false: parallel sub-sites, the id of an item, numbered pages
likely sub "/movies/" -> "/politics/"
likely drop ?id on /item
drop ?id on /story
/d{n:int}/ => /d0/
# a soft error, what robots.txt forbids, and nothing to test on
likely /soft/{n} => /soft/1
likely drop ?s on /private/{f}
likely drop ?nobody
off drop ?nothing
pin sub "/d3/" -> "/politics/"
END

dustpan validate -r site.rules --urls urls --tests 30 --rate 200 --allow-private --cache pages -o out.rules >report 2>&1
echo "exit $?"
echo "== verdicts"
grep -v -e '^      ' -e 'pairs* of pages compared' report | sed -e 's/^dustpan: [0-9]* requests.*/dustpan: N requests/' -e 's/at most [0-9]*/at most N/'
echo "== rules"
cat out.rules
echo "== the server's log"
awk '{ print $3 }' nginx.log | sort | uniq -d | head
awk '$3 == "/robots.txt"' nginx.log | wc -l
awk '$3 ~ "^/private/"' nginx.log | wc -l
echo "== again: all is in the cache"
before=$(wc -l <nginx.log)
dustpan validate -q -r site.rules --urls urls --tests 30 --rate 200 --allow-private --cache pages -o again.rules
echo "exit $?, $(($(wc -l <nginx.log) - before)) requests"
cmp out.rules again.rules
echo "== private addresses"
dustpan validate -r site.rules --urls urls 2>&1 >/dev/null | grep -e '^ ' -e '^dustpan' | sort | uniq -c | sed -e 's/^ *//' -e 's/at most [0-9]*/at most N/'
echo "$(($(wc -l <nginx.log) - before)) requests"
echo "== budget"
dustpan validate -q -r site.rules --urls urls --rate 200 --allow-private --max-fetches 50 -o few.rules
[ $? -le 1 ] && echo "$(($(wc -l <nginx.log) - before)) requests" # 1: a false rule fell already; which come first depends on the port
ls
