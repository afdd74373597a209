# dustpan learn: the line about held-out clusters is what dividing, learning and evaluating by hand gives; it does not
# depend on threads, memory or the order of the input; the rules do not depend on it.
# SPDX-License-Identifier: Apache-2.0
. "$ROOT/tests/cli/common"

number() { # NAME FILE: out of JSON
    tr '{,' '\n\n' <"$2" | sed -n "s/^\"$1\":\([0-9.]*\).*/\1/p" | head -n 1
}

# What was saved of what can be saved, and pages lost, of a summary or of an evaluation.
saved() { # URLS FETCHED CLUSTERS
    awk -v u="$1" -v f="$2" -v c="$3" 'BEGIN { printf "%.3f\n", (u - f) / (u - c) }'
}

# Mirrors are named: what is held out is judged site by site, so that a page on domains of two owners is two.
plant --urls 4000 --hosts 8 --seed 111 --hard --clusters all.tsv --truth truth
sed -n 's|^http://\([^/]*\)/{\*\*} => http://\([^/]*\)/{\*\*}.*# mirror.*|\2 \1|p' truth >owners

echo "== by hand: one cluster in ten, five times"
dustpan learn --same-owner owners --json -o all.rules all.tsv 2>line
by_hand=0
for seed in 1 2 3 4 5; do
    dustpan split -q --test .1 --seed $seed all.tsv -o part
    dustpan learn -q --same-owner owners -o part.rules part.train.tsv
    dustpan eval --json -q -r part.rules part.test.tsv >eval
    by_hand="$by_hand $(saved "$(number urls eval)" "$(number fetched eval)" "$(number clusters eval)")"
done
line=$(saved "$(number held_out_urls line)" "$(number held_out_fetched line)" "$(number held_out_clusters line)")
echo "$line $by_hand" | awk '{
    for (i = 3; i <= NF; i++) { sum += $i; square += $i * $i }
    n = NF - 2; mean = sum / n; d = $1 - mean; sd = sqrt(square / n - mean * mean)
    print (d < 0 ? -d : d) < 2 * sd + .02 ? "near" : "far: " $0
}'
number rehearsed_sites line
[ "$(number rehearsed_urls line)" = "$(number urls line)" ] && echo "all URLs"

echo
echo "== the same for any order, threads and memory"
sort -r all.tsv | grep -v '^#' >turned.tsv
dustpan learn --same-owner owners --json --threads 3 -o turned.rules --columns cluster,url turned.tsv 2>turned
cmp line turned && cmp all.rules turned.rules && echo same
dustpan learn --same-owner owners --json --memory 24M --tmp . -o spilt.rules all.tsv 2>spilt
cmp line spilt && cmp all.rules spilt.rules && echo same

echo
echo "== larger inputs: some sites, or all"
plant --urls 9000 --hosts 30 --seed 112 --clusters more.tsv
dustpan learn --json -o more.rules more.tsv 2>line
[ "$(number rehearsed_urls line)" -lt 8000 ] && echo "some URLs"
dustpan learn -o again.rules more.tsv 2>&1 | sed 's/[0-9][0-9.]*/N/g'
grep -v '^#' more.tsv | sort -r >turned.tsv
dustpan learn --json --threads 2 -o again.rules --columns cluster,url turned.tsv 2>turned
cmp line turned && cmp more.rules again.rules && echo same
dustpan learn --json --rehearse -o again.rules more.tsv 2>line
cmp more.rules again.rules && [ "$(number rehearsed_urls line)" = "$(number urls line)" ] && echo "the same rules, all URLs"

echo
echo "== one large site: a part"
plant --urls 9000 --hosts 1 --seed 112 --clusters one.tsv
dustpan learn -o one.rules one.tsv 2>&1 | sed -n '/tested on/s/[0-9][0-9.]*/N/gp'

echo
echo "== nobody asks"
dustpan learn --no-test --json -o none.rules one.tsv 2>line
cmp one.rules none.rules && number rehearsed_urls line
dustpan learn --no-test --rehearse -o none.rules one.tsv 2>&1 | grep -c 'kept out of learning'
dustpan learn --quiet -o none.rules one.tsv && cmp one.rules none.rules && echo "the same rules"

echo
echo "== where the method says what is accepted, nothing is measured"
dustpan learn --method tree --accept paper -o paper.rules all.tsv 2>&1 | grep -c 'held out'
