#!/bin/sh
# exchange.sh - 10^5 URLs through C and through each exported form, by the tools themselves where they can be had.
#
#     tools/evidence/exchange.sh [BUILD]     needs sed, nginx, a JDK, python3-venv, PyPI; ../shared/data for real URLs
#
# Half of the URLs are real ones of ../shared/data with parameters put in, half those of tests/exchange/urls.py.
# SPDX-License-Identifier: Apache-2.0
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
PATH=$root/${1:-build}:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export LC_ALL=C

python3 -m venv venv
venv/bin/pip -q install duplicate-url-discarder pywb surt
sed -n '/^cat >hard.rules/,/^END/p' "$root/tests/cli/exchange.sh" | sed '1d;$d' >hard.rules
printf 'dustpan-rules 1\nhost nowhere.invalid\ndrop ?x\n' >none.rules
{
    python3 "$root/tests/exchange/urls.py" 1 52100
    zcat -f "$root"/../shared/data/urls-mixed48k/urls.txt.gz 2>/dev/null | python3 -c '
import random, sys
r = random.Random(2)
for line in sys.stdin:
    url = line.strip()
    for name in r.sample(["fbclid", "ref_src", "a", "utm_source", "sid"], r.choice([0, 1, 2, 3])):
        url += ("&" if "?" in url else "?") + name + "=" + str(r.randrange(100))
    print(url)'
} | dustpan apply -q -r none.rules | grep -E '^https?://([^/?]*@)?[a-z0-9._~-]+(:[0-9]+)?/' >all.urls # what is no URL is not asked
grep -v ';' all.urls >amp.urls
grep -v '[?].*[A-Z]' amp.urls | grep -v '^[^?]*[^a-zA-Z0-9./:?_-]' >plain.urls

compare() { # TARGET URLS COMMAND...
    target=$1 urls=$2
    shift 2
    dustpan rules export --to "$target" hard.rules >file 2>refused || true
    ids=$(sed -n 's/^dustpan: [^:]*:[0-9]*: rule \([0-9a-f]\{8\}\) skipped: .*/\1/p' refused)
    # shellcheck disable=SC2086  # ids are words
    dustpan rules off -o subset.rules hard.rules $ids
    dustpan apply -q -r subset.rules "$urls" >ours
    "$@" <"$urls" >theirs 2>log
    [ "$target" != pywb ] || { venv/bin/python "$root/tests/exchange/as_tool.py" pywb-surt <ours >key 2>log && mv key ours; }
    paste "$urls" ours theirs | awk -F '\t' -v target="$target" -v how="$*" -v refused="$(grep -c '^dustpan: [^:]*:[0-9]*:' refused)" '
        $2 != $3 { differ++; if (differ < 4) print "    " $0 }
        END { printf "%-24s %6d URLs, %d differ, %d rules refused\n", target, NR, differ, refused }'
}
compare sed all.urls sed -E -f file
for target in nutch stormcrawler heritrix; do
    compare $target all.urls java "$root/tests/exchange/Exchange.java" $target file
done
compare nginx all.urls python3 "$root/tests/exchange/as_nginx.py" file
compare json all.urls python3 "$root/tests/exchange/as_tool.py" json file
compare clean-param amp.urls python3 "$root/tests/exchange/as_tool.py" clean-param file
compare duplicate-url-discarder amp.urls venv/bin/python "$root/tests/exchange/as_tool.py" --real duplicate-url-discarder file
compare pywb plain.urls venv/bin/python "$root/tests/exchange/as_tool.py" --real pywb file
