# A real application from start to end: Fossil is set up, crawled, its clock stopped for the truth; learn from the raw crawl, and
# measure the rules on the truth. Sizes depend on the machine's manual pages: what is printed is what must hold.
"$ROOT/tests/apps/run" fossil --urls 700 --seconds 60 --out live >crawl.out 2>&1
status=$?
if [ $status = 77 ]; then
    grep '^SKIP' crawl.out
    exit 77
fi
[ $status = 0 ] || cat crawl.out
echo "crawl: exit $status"
[ "$(wc -l <live/fossil/truth.tsv)" -ge 600 ] && echo "at least 600 URLs with a page"
[ "$(cut -f 1 live/fossil/truth.tsv | sort -u | wc -l)" -lt "$(wc -l <live/fossil/truth.tsv)" ] && echo "some show the same page"
grep -c -v '^127\.0\.[01]\.[0-9]* ' live/fossil/access.log
pgrep -f 'fossil server.*--baseurl http://fossil.test' # whatever was started was stopped

dustpan learn -q -o raw.rules live/fossil/crawl.warc.gz live/fossil/echo.warc.gz
echo "learn from the crawl: exit $?"
dustpan audit -q -r raw.rules live/fossil/crawl.warc.gz live/fossil/echo.warc.gz >audit.out
echo "no rule is broken on the crawl it was learned from: exit $?"
known() { sed -n 's/.*"'$1'":\([0-9.]*\).*/\1/p' "$2"; }
dustpan learn -q --json -o again.rules live/fossil/crawl.warc.gz live/fossil/echo.warc.gz 2>learn.json
dustpan eval -q --json -r again.rules live/fossil/crawl.warc.gz live/fossil/echo.warc.gz | head -c 400 >eval.json
[ "$(known known_reduction learn.json)" = "$(known reduction eval.json)" ] && echo "eval saves what learn says"
dustpan eval -q --fail-under recall=.98 -r raw.rules live/fossil/truth.tsv >eval.out
echo "hardly a page is lost: exit $?"
dustpan learn -q -o truth.rules live/fossil/truth.tsv
echo "learn from the truth: exit $?"
dustpan eval -q --fail-under recall=.98 --fail-under reduction=.03 -r truth.rules live/fossil/truth.tsv >eval.out
echo "hardly a page is lost, and something is saved: exit $?"
