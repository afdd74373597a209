#!/bin/sh
# arrows.sh - includes point one way: each folder of src/ may use itself, dustpan.h, and what the table says.
#
# The first word of a row is a folder, the others are the folders, or single headers, that it may use. A folder may use
# only what stands above it, so the table is also an order in which the code can be read. The folders inside learn/ have
# rows of their own; "learn" alone is the files that lie in src/learn itself.
#
# Prints wrong arrows as file:line and exits 1. A new folder needs a row here.
# SPDX-License-Identifier: Apache-2.0
set -u
cd "$(dirname "$0")/.." || exit 2

# What every part of learn/ may use of the folders beside it.
below='base base/words url input/record.h content site store rule apply judge'

table="
base
base/words         base
url                base base/words
input/bytes        base base/words
input/format       base base/words url input/bytes input/record.h input/reader.h
input              base base/words url input/bytes input/format
content            base base/words url
site               base base/words url input content
store              base base/words url input content site
rule               base base/words url
apply              base base/words url rule
exchange           base base/words url rule
judge              base base/words url input content site store rule apply
learn/method       $below
learn/phrase       $below
learn/sample       $below
learn/dust         $below learn/method
learn/rewrite      $below learn/method learn/phrase
learn/tree         $below learn/method learn/phrase
learn/duster       $below learn/method learn/phrase
learn/seq2seq      $below learn/method
learn/auto/forms   $below learn/method
learn/auto/layout  $below
learn/auto/propose $below learn/auto/thresholds.h learn/auto/forms learn/auto/layout
learn/auto/vote    $below learn/auto/thresholds.h learn/auto/forms learn/auto/layout learn/auto/propose
learn/auto/confine $below learn/auto/thresholds.h learn/auto/forms learn/auto/layout learn/auto/vote
learn/auto/priors  $below learn/auto/thresholds.h learn/sample learn/auto/forms learn/auto/propose learn/auto/vote
learn/auto/rounds  $below learn/auto/thresholds.h learn/method learn/sample learn/auto/forms learn/auto/propose learn/auto/vote learn/auto/confine learn/auto/priors
learn/auto         $below learn/method learn/dust learn/auto/propose learn/auto/vote learn/auto/rounds
learn/sizes        $below learn/method
learn/accept       $below learn/method learn/sizes
learn/recount      $below learn/sample learn/accept
learn/run          $below input learn/method learn/sample learn/accept learn/recount
learn              $below input learn/run learn/dust learn/rewrite learn/tree learn/duster learn/seq2seq learn/auto
learn/steps        $below input learn/sample learn/accept learn/recount learn/run learn
eval               base base/words url input content site store rule apply judge
live               base base/words url input input/format content site store rule apply judge learn/dust eval
output             base base/words url input input/bytes input/format content site store rule apply judge learn/seq2seq eval
output/report      base base/words url rule apply judge eval output
absent             base base/words content site store learn/seq2seq live
cli                base base/words
"

find src -name '*.[ch]' -exec grep -Hn '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' {} + | sort |
    awk -v table="$table" '
    BEGIN {
        n = split(table, row, "\n")
        for (i = 1; i <= n; i++) {
            k = split(row[i], word, " ")
            for (j = 1; j <= k; j++) {
                if (j > 1 && word[j] !~ /\.h$/ && !(word[j] in known)) {
                    print "tools/arrows.sh: " word[1] " uses " word[j] ", which does not stand above it"
                    wrong = 1
                }
                allowed[word[1], word[j]] = 1
            }
            if (k)
                known[word[1]] = 1
        }
    }
    {
        # src/url/token.c:3:#include "base/str.h"
        split($0, at, ":")
        from = at[1]
        sub(/^src\//, "", from)
        sub(/\/[^\/]*$/, "", from)
        name = $0
        sub(/^[^"]*"/, "", name)
        sub(/".*/, "", name)
        to = name
        sub(/\/[^\/]*$/, "", to)
        if (!(from in known))
            why = "src/" from " is not in the table of tools/arrows.sh"
        else if (name == "dustpan.h" || from == to || (from, to) in allowed || (from, name) in allowed)
            next
        else if (index(name, "/") == 0)
            why = "write the folder too: \"" from "/" name "\""
        else
            why = from " may not use " to
        print at[1] ":" at[2] ": " name ": " why
        wrong = 1
    }
    END { exit wrong }'
