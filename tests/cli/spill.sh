# learn on records that do not fit into --memory: the same rules, from any number of threads; work files go whatever
# happens, but for kill -9, after which the same command goes on where that run stopped.
. "$ROOT/tests/cli/common"
plant --urls 12000 --hosts 60 --seed 3 --clusters sites.tsv
mkdir tmp
learn() {
    dustpan learn -q --method tree "$@"
}

echo "== the same bytes"
learn -o whole.rules sites.tsv
learn --memory 2M --tmp tmp -o 1.rules sites.tsv && cmp whole.rules 1.rules && echo same
learn --memory 2M --tmp tmp --threads 3 sites.tsv | cmp - whole.rules && echo same
{ head -n 1 sites.tsv && tail -n +2 sites.tsv | sort -r; } >turned.tsv
learn --memory 2M --tmp tmp - <turned.tsv | cmp - whole.rules && echo same
ls -A tmp

echo
echo "== few sites, which divide the threads"
plant --urls 5000 --hosts 3 --host-zipf 1 --seed 4 --clusters few.tsv
for method in auto tree; do
    dustpan learn -q --method $method --threads 1 few.tsv >few.rules
    for n in 2 3 8; do
        dustpan learn -q --method $method --threads $n few.tsv | cmp - few.rules && echo same
    done
done

echo
echo "== digests, sketches, redirects and canonical links, within domains and across, mirrors among them"
awk 'BEGIN {
    srand(11)
    print "url\tstatus\tsize\tdigest\tsketch\ttarget\tcanonical\tclient"
    for (i = 0; i < 8000; i++) {
        d = int(rand() * 40)
        host = (rand() < .1 ? "www." : "") "d" d ".com"
        path = substr("abc", 1 + int(rand() * 3), 1) "/" int(rand() * 80)
        page = "http://" host "/" path
        url = page (rand() < .3 ? "" : rand() < .5 ? "?s=" int(rand() * 50) : "/")
        there = "http://d" (d % 6 < 2 || rand() < .02 ? d - d % 2 + (d + 1) % 2 : d) ".com/" path
        content = d % 6 < 2 ? int(d / 2) "-" path : d "=" path
        k = rand()
        print url "\t" (k < .15 ? 301 : 200) "\t" 600 + int(rand() * 9000) "\t" \
            (k > .15 && d % 4 && rand() < .8 ? content : "-") "\t" (k > .15 && d % 4 == 0 ? content : "-") "\t" \
            (k < .15 ? there : "-") "\t" (k > .15 && k < .25 ? there : "-") "\tc" int(rand() * 20)
    }
}' >mixed.tsv
{ head -n 1 mixed.tsv && tail -n +2 mixed.tsv | sort; } >turned.tsv
for method in tree dust; do
    dustpan learn -q --method $method --trust canonical,near mixed.tsv >mixed.rules
    dustpan learn -q --method $method --trust canonical,near --memory 1200K --tmp tmp --threads 3 turned.tsv |
        cmp - mixed.rules && echo same
    dustpan learn -q --method $method --trust canonical,near --memory 1200K --tmp tmp --threads 1 mixed.tsv |
        cmp - mixed.rules && echo same
done
ls -A tmp

echo
echo "== kill -9, and once more"
begin() {
    rm -f out.rules
    dustpan learn -q --method tree --memory 2M --threads 1 --tmp tmp -o out.rules sites.tsv &
    pid=$!
    i=0
    until [ -n "$(find tmp -name "$1")" ] || [ $i -ge 400 ]; do
        sleep .05
        i=$((i + 1))
    done
}
begin 1282
kill -KILL $pid
wait $pid 2>/dev/null
echo "exit $?"
ls out.rules 2>/dev/null
find tmp -name 1281 | wc -l
parts=$(find tmp -name '1[23][0-9]*' -newer sites.tsv | wc -l)
[ "$parts" -lt 60 ] && echo "some partitions are done"
learn --memory 2M --tmp tmp -o out.rules sites.tsv && cmp whole.rules out.rules && echo same
ls -A tmp
begin 0001
kill -KILL $pid
wait $pid 2>/dev/null
learn --memory 2M --threads 1 --tmp tmp -o out.rules sites.tsv && cmp whole.rules out.rules && echo same
ls -A tmp

echo
echo "== a signal leaves nothing"
begin 1280
kill -TERM $pid
wait $pid 2>/dev/null
echo "exit $?"
ls -A tmp
find . -name '.out.rules*' | wc -l

echo
echo "== the same command twice at a time: each has its own folder, and a signal to one leaves the other's"
begin 1280
kill -STOP $pid
first=$pid
dustpan learn -q --method tree --memory 2M --threads 1 --tmp tmp -o second.rules sites.tsv &
pid=$!
i=0
until [ "$(find tmp -name 1280 | wc -l)" = 2 ] || [ $i -ge 400 ]; do
    sleep .05
    i=$((i + 1))
done
find tmp -name lock | wc -l
kill -TERM $pid
wait $pid 2>/dev/null
echo "exit $?"
find tmp -name lock | wc -l
dustpan learn -q --method tree --memory 2M --tmp tmp -o second.rules sites.tsv && cmp whole.rules second.rules && echo same
kill -CONT $first
wait $first
echo "exit $?"
cmp whole.rules out.rules && echo same
ls -A tmp

echo
echo "== no room, no folder, no memory"
(ulimit -f 8 && dustpan learn -q --method tree --memory 2M --tmp tmp -o full.rules sites.tsv) 2>&1 |
    sed 's/dustpan-[0-9a-f]*/dustpan-HASH/; s/[0-9]*: cannot/FILE: cannot/'
ls -A tmp full.rules 2>&1 | sed 's/^ls: //'
t learn --memory 2M --tmp nowhere sites.tsv
t learn --memory 100K --tmp tmp sites.tsv 2>&1 | sed 's/[0-9][0-9]* /N /g; s/site [a-z.]*/site NAME/'
ls -A tmp

echo
echo "== apply --unique"
{ seq 120000 && seq 3 7 120000; } | sed 's|^|http://a.com/|' >many
dustpan apply -q -u -r site.rules many >all.keys
dustpan apply -q -u --memory 2M --tmp tmp -r site.rules many | cmp - all.keys && wc -l <all.keys
ls -A tmp
