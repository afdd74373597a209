#!/bin/sh
# arrows.sh - includes point one way: each folder of src/ may use itself, dustpan.h, and what the table says.
#
# Prints wrong arrows as file:line and exits 1. A new folder needs a line here.
# SPDX-License-Identifier: Apache-2.0
set -u
cd "$(dirname "$0")/.." || exit 2

table='
base
url     base
input   base url
content base url
site    base url input content
store   base url input content site
rule    base url
apply   base url rule
exchange base url rule
judge   base url input content site store rule apply
learn   base url input content site store rule apply judge
live    base url input content site store rule apply judge learn
eval    base url input content site store rule apply judge learn
output  base url input content site store rule apply judge learn eval
cli     base
'

find src -name '*.[ch]' -exec grep -Hn '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' {} + | sort |
    awk -v table="$table" '
    BEGIN {
        n = split(table, row, "\n")
        for (i = 1; i <= n; i++) {
            k = split(row[i], word, " ")
            for (j = 1; j <= k; j++)
                allowed[word[1], word[j]] = known[word[1]] = 1
        }
    }
    {
        # src/url/token.c:3:#include "base/str.h"
        split($0, at, ":")
        split(at[1], path, "/")
        from = path[2]
        name = $0
        sub(/^[^"]*"/, "", name)
        sub(/".*/, "", name)
        to = name
        sub(/\/.*/, "", to)
        if (!(from in known))
            why = "src/" from " is not in the table of tools/arrows.sh"
        else if (name == "dustpan.h" || (from, to) in allowed)
            next
        else if (index(name, "/") == 0)
            why = "write the folder too: \"" from "/" name "\""
        else
            why = from " may not use " to
        print at[1] ":" at[2] ": " name ": " why
        wrong = 1
    }
    END { exit wrong }'
