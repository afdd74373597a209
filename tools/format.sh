#!/bin/sh
# format.sh - compare the spacing of the C sources with .clang-format, gently.
#
#     tools/format.sh [FILE...]          print file:line of what differs, exit 1; all sources when none is named
#     tools/format.sh --fix [FILE...]    let clang-format rewrite those lines, and no others
#
# clang-format would also decide where lines break and undo every table, field and comment aligned by hand; those
# stay the author's. What counts:
#   indent    a line that clang-format has too is indented as there (continuation lines are free)
#   spacing   the words are the same: "char *p", "if (x)", "a + b"; line breaks and runs of blanks do not matter
#   brace     the opening brace of a function stands on its own line
#   length    at most 120 characters;  tabs and blanks at the end of a line are wrong anywhere
# SPDX-License-Identifier: Apache-2.0
set -u
cd "$(dirname "$0")/.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One line in, one line out: outer blanks cut, inner runs made one.
trimmed() { sed 's/^[ \t]*//; s/[ \t]*$//; s/[ \t][ \t]*/ /g' "$1"; }

# The words of a file as "line word", glued where a blank or a line break means nothing: inside brackets.
words() {
    awk '{
        sub(/^[ \t]*#[ \t]*/, "#")
        sub(/\\$/, "")
        for (i = 1; i <= NF; i++) {
            if (n && (word[n] ~ /[({[]$/ || $i ~ /^[])}]/))
                word[n] = word[n] $i
            else {
                word[++n] = $i
                line[n] = NR
            }
        }
    }
    END { for (i = 1; i <= n; i++) print line[i], word[i] }' "$1"
}

# "line what" for each finding in $1, whose formatted text is $2.
findings() {
    words "$1" >"$work/a"
    words "$2" >"$work/b"
    cut -d ' ' -f 2- "$work/a" >"$work/a.words"
    cut -d ' ' -f 2- "$work/b" >"$work/b.words"
    # Words that differ or are missing, by the line they stand on; %df is the first of the group.
    diff --unchanged-group-format='' --changed-group-format='%df
' "$work/a.words" "$work/b.words" |
        awk 'NR == FNR { line[FNR] = $1; next } { print line[$1 in line ? $1 : FNR], "spacing" }' "$work/a" -

    trimmed "$1" >"$work/a"
    trimmed "$2" >"$work/b"
    # Runs of lines that both have: first and last there, first here. Then their indents.
    diff --unchanged-group-format='%df %dl %dF
' --changed-group-format='' "$work/a" "$work/b" >"$work/runs"
    awk '
        function indent(s) { match(s, /^[ \t]*/); return RLENGTH }
        FILENAME == ARGV[1] { have[FNR] = $0; next }
        FILENAME == ARGV[2] { want[FNR] = $0; next }
        {
            for (i = $1; i <= $2; i++) {
                before = have[i - 1]
                sub(/[ \t]*(\/\*.*\*\/)?[ \t]*$/, "", before)
                goes_on = before ~ /[-,(=+*\/%&|<>?!\\]$/ || have[i] ~ /^[ \t]*([?:&|+*\/%<>="]|__attribute__)/
                if (have[i] != "" && !goes_on && indent(have[i]) != indent(want[$3 + i - $1]))
                    print i, "indent"
            }
        }' "$1" "$2" "$work/runs"

    awk '
        length($0) > 120                                                 { print NR, "length" }
        /\t|[ ]$/                                                        { print NR, "blanks" }
        /^[A-Za-z_].*\)[ ]*\{$/ && !/^(struct|union|enum|typedef|extern)/ { print NR, "brace" }' "$1"
}

# $1 as clang-format writes it, or only the lines given as further options. Version 14 breaks enums that stand on
# one line, so these are shown to it as comments.
formatted() {
    from=$1
    shift
    sed 's|^\( *\)\(\(typedef \)\{0,1\}enum [^{]*{.*}.*;.*\)$|\1//E \2|' "$from" |
        clang-format --style=file:"${style:-.clang-format}" --assume-filename="$from" "$@" | sed 's|^\( *\)//E |\1|'
}

# Rewrite the lines of $1 that are numbered in $2.
rewrite() {
    [ -s "$2" ] || return
    # shellcheck disable=SC2046  # one option a line
    formatted "$1" $(sed 's/ .*//; s/.*/--lines=&:&/' "$2") >"$work/fixed" && cat "$work/fixed" >"$1"
}

fix=
if [ "${1-}" = --fix ]; then
    fix=1
    shift
fi
sed 's/^ColumnLimit: .*/ColumnLimit: 120/' .clang-format >"$work/style"
bad=0
# shellcheck disable=SC2046  # names without blanks
[ $# -gt 0 ] || set -- $(find src include tests fuzz bench tools -name '*.[ch]' 2>/dev/null | sort)
for file in "$@"; do
    formatted "$file" >"$work/want"
    findings "$file" "$work/want" | sort -n -u >"$work/found"
    [ -s "$work/found" ] || continue
    if [ -n "$fix" ]; then
        echo "$file: $(wc -l <"$work/found") lines"
        # Long lines first and from the last to the first: breaking one moves those after it.
        for line in $(sed -n 's/ length//p' "$work/found" | sort -rn); do
            echo "$line" >"$work/long"
            style=$work/style rewrite "$file" "$work/long"
        done
        formatted "$file" >"$work/want"
        findings "$file" "$work/want" | sort -n -u | grep -v length >"$work/found"
        rewrite "$file" "$work/found"
    else
        sed "s|^\([0-9]*\) |$file:\1: |" "$work/found"
        bad=1
    fi
done
exit $bad
