# the pack out of data: names that planted sites share are found, those that matter on one of them are not
. "$ROOT/tests/cli/common"

# 12 sites of 150 URLs; of the six shared names t1, t3, t5 and t2_, t4_, t6_ some decide what is shown on a site or two.
plant --urls 1800 --hosts 12 --host-zipf 0 --seed 4 --clusters - |
    python3 "$ROOT/tools/common/decorate.py" --seed 3 --share .6 --trap .06 >sites.tsv
families() { python3 "$ROOT/tools/common/families.py" --dustpan dustpan "$@"; }
families sites.tsv >table.tsv
echo "== shared names: sites for and against, holds"
awk -F '\t' '$1 ~ /^t[0-9]/ && $3 + $4 > 1 { print $1, $3, $4, $8 }' table.tsv

echo
echo "== the pack"
families --rules sites.tsv >pack.rules
grep '^drop' pack.rules
t dustpan rules check pack.rules

echo
echo "== a site held out: the others say of its names what it says"
site=$(cut -f 2 sites.tsv | sed 's,.*://,,; s,[/:].*,,' | awk -F . '{ print $(NF - 1) "." $NF }' | sort | uniq -c | sort -k 1,1nr -k 2 | awk 'NR == 1 { print $2 }')
grep "[./]$site/" sites.tsv >one.tsv
grep -v "[./]$site/" sites.tsv >others.tsv
families --rules others.tsv >pack.rules
families one.tsv | awk -F '\t' '$3 == 1 { print "?" $1 } $4 == 1 { print "!" $1 }' >said
for name in $(sed -n 's/^drop ?\([^ ]*\) .*/\1/p' pack.rules); do
    grep -q -x -F "?$name" said && echo "$name: it says so, too"
    grep -q -x -F "!$name" said && echo "$name: it does not"
done

echo
echo "== it helps a site that is small"
printf 'c1\thttp://tiny.org/a\nc1\thttp://tiny.org/a?t1=x7f\nc2\thttp://tiny.org/b\nc2\thttp://tiny.org/b?t1=y9a\nc3\thttp://tiny.org/c\n' >tiny.tsv
families --rules sites.tsv >pack.rules
dustpan learn -q --min-precision .95 --common none tiny.tsv | grep -c '^drop'
dustpan learn -q --min-precision .95 --common pack.rules tiny.tsv | sed -n 's/p=[.0-9]*/p=./; /^drop/p'
