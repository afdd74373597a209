# Help, the version, and command lines that make no sense.
. "$ROOT/tests/cli/common"
t dustpan
t dustpan --help
t dustpan help
t dustpan help rules
for verb in apply audit cluster eval explain learn report review 'rules check' 'rules show' 'rules fmt' 'rules diff' 'rules merge' 'rules compile' 'rules export' 'rules import' 'rules on' 'rules off' seen split validate; do
    # shellcheck disable=SC2086  # one or two words
    t dustpan $verb --help
done
dustpan apply --help >1 && dustpan help apply >2 && dustpan apply -h >3 && cmp 1 2 && cmp 1 3 && echo "all the same"
# What only reproduces papers and experiments comes with --help-all; a verb without such options shows the same.
t dustpan learn --help-all
dustpan learn --help | awk 'END { print NR <= 60 ? "learn --help: at most 60 lines" : "learn --help: " NR " lines" }'
for verb in eval learn validate; do
    dustpan $verb --help >1 && dustpan $verb --help-all >2 && dustpan --help-all $verb >3 && cmp 2 3 &&
        echo "$verb: $(diff 1 2 | grep -c '^>     *--') options more"
done
dustpan apply --help >1 && dustpan apply --help-all >2 && cmp 1 2 && echo "apply: the same"
dustpan --help >1 && dustpan --help-all >2 && cmp 1 2 && echo "all verbs: the same"
dustpan rules diff --help >1 && dustpan help rules diff >2 && dustpan rules help diff >3 && cmp 1 2 && cmp 1 3 && echo "all the same"
dustpan --version | sed 's/[0-9][0-9.]*/N/'
dustpan -V | sed 's/[0-9][0-9.]*/N/'
dustpan --version -v | sed 's/[0-9][0-9]*\.[0-9.]* *\|yes  */N /; s/ *$//'
dustpan -V --verbose | wc -l

echo
echo "== not understood"
t dustpan aply
t dustpan frobnicate
t dustpan rules chekc
t dustpan help frobnicate
t dustpan apply --uniqe
t dustpan apply --frobnicate
t dustpan apply -x
t dustpan apply
t dustpan apply -r
t dustpan apply --rules
t dustpan apply -r site.rules --unique=yes
t dustpan apply -r site.rules --form=keys
t dustpan apply -r site.rules --threads two
t dustpan apply -r site.rules --threads -1
t dustpan apply -r site.rules --threads 100000
t dustpan apply -r site.rules --min-precision 1.5
t dustpan apply -r site.rules --min-precision x
t dustpan apply -r site.rules --min-precision nan
t dustpan apply -r site.rules --source nothing urls
t dustpan apply -r - -
t dustpan explain -r site.rules
t dustpan explain http://a.com/
t dustpan explain -r site.rules a b c
t dustpan explain -r site.rules --form surt a.com/ b.com/
t dustpan rules diff site.rules
t dustpan rules compile site.rules
t dustpan rules off site.rules

echo
echo "== spelled in several ways"
dustpan apply -rsite.rules -uq urls >1
dustpan apply --rules=site.rules --unique --quiet urls >2
dustpan apply urls --unique --rules site.rules --quiet >3
dustpan apply --unique --rules site.rules --quiet -- urls >4
dustpan apply --unique --rules site.rules --quiet <urls >5
dustpan apply --unique --rules site.rules --quiet - <urls >6
for i in 2 3 4 5 6; do cmp 1 $i; done
cat 1
