# learn --method seq2seq and apply --model: a network is trained, distilled, kept and applied; what cannot be learned
# from, and files that are no models, are said.
# SPDX-License-Identifier: Apache-2.0
. "$ROOT/tests/cli/common"

# 300 questions under three URLs each, and users with one.
awk 'BEGIN {
    for (i = 0; i < 300; i++) {
        print "q" i "\thttp://q.example/q/" 1000 + i
        print "q" i "\thttp://q.example/questions/" 1000 + i "/title-" 7 * i
        print "q" i "\thttp://q.example/questions/" 1000 + i "/title-" 7 * i "?sort=votes"
        print "u" i "\thttp://q.example/users/" 9000 + i
    }
}' >clusters.tsv
cat >new <<'END'
http://q.example/questions/77/never-seen?sort=votes
http://q.example/questions/77/never-seen
http://q.example/users/77
http://other.example/questions/77/never-seen
no URL
END

t dustpan learn --method seq2seq --hidden 24 --epochs 20 --model m -o site.rules clusters.tsv
t grep -v '^#' site.rules
t dustpan apply --model m new
t dustpan apply -r site.rules --model m --unique --quiet new
t dustpan apply -r site.rules --model m --unique --form key --quiet new
t dustpan apply --model m --json --quiet --unique new | sed 's/"set":"[^"]*"/"set":"..."/'

echo "== the same bytes again, for any number of threads, and from the model that is there"
cp site.rules first.rules
cp m first.m
t dustpan learn --quiet --method seq2seq --hidden 24 --epochs 20 --model m --threads 4 -o site.rules clusters.tsv
t cmp site.rules first.rules
t cmp m first.m

echo "== with --accept paper rules are of the network in the file: all clusters train one, and one only"
learn="dustpan learn --quiet --method seq2seq --accept paper --answers network --hidden 24"
t $learn --epochs 1 --model p -o one.rules clusters.tsv
t $learn --epochs 20 --model p -o p.rules clusters.tsv
t $learn --epochs 20 --model q -o q.rules clusters.tsv
t $learn --epochs 20 -o none.rules clusters.tsv
grep -c '=>' one.rules p.rules q.rules none.rules
t cmp q.rules none.rules
rm none.rules

echo "== rules that several templates are cases of: four folders have moved, one rule says so"
for folder in api faq news shop; do
    for i in $(seq 40); do
        printf '%s%d\thttp://q.example/docs/%s/%d\n%s%d\thttp://q.example/help/%s/%d\n' $folder "$i" $folder "$i" $folder "$i" $folder "$i"
    done
done >moved.tsv
grep users clusters.tsv >>moved.tsv
dustpan learn --quiet --method seq2seq --answers table -o moved.rules moved.tsv
grep '=>' moved.rules

echo "== nothing to learn from"
head -n 3 clusters.tsv >three.tsv
grep users clusters.tsv >users.tsv
for input in three.tsv users.tsv; do
    t dustpan learn --quiet --method seq2seq --epochs 5 --model none -o none.rules $input
    t grep -c '=>' none.rules
done
t dustpan apply --quiet --model none new
{
    for i in 1 2 3 4 5 6 7 8 9; do
        echo "a$i http://x.example/$(seq -s / $i 99)"
        echo "a$i http://x.example/$(seq -s / $i 99)/"
    done
} | tr ' ' '\t' >long.tsv
t dustpan learn --quiet --method seq2seq --epochs 5 -o none.rules long.tsv

echo "== files that are no models"
t dustpan apply --model clusters.tsv new
head -c 2000 m >cut
t dustpan apply --model cut new
t dustpan apply --model absent new
t dustpan learn --method seq2seq --model cut -o none.rules clusters.tsv
t dustpan apply --model m --form fetch new 2>&1 | head -n 2
