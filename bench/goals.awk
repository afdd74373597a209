# goals.awk - results of bench/run against bench/goals.tsv, as lines or as the tables of docs/performance.md.
#
#     awk -f bench/goals.awk part=goals bench/goals.tsv part=results RESULTS                    a line per goal
#     awk -f bench/goals.awk part=goals bench/goals.tsv part=results RESULTS part=page PAGE     PAGE with its tables made anew
#
# In a page the text from one of these lines to the next `<!-- end -->` is replaced:
#     <!-- machine -->         where and how the results were made
#     <!-- goals -->           floor, measured, must, goal, gap
#     <!-- rows REGEX -->      rows of the results whose name matches
#
# A row that was not measured (its data or its rival were absent) stands as "-".
# SPDX-License-Identifier: Apache-2.0
BEGIN { FS = OFS = "\t" }

part == "goals" && !/^#/ {
    what[++goals] = $1
    row[goals] = $2
    against[goals] = $3
    as[goals] = $4
    floor[goals] = $5
    must[goals] = $6
    goal[goals] = $7
}

part == "results" && /^# (machine|compiler|commit|command|URLs): / {
    text = $0
    sub(/^# [A-Za-z]*: /, "", text)
    head[substr($0, 3, index($0, ":") - 3)] = text
}

part == "results" && !/^#/ {
    name[++rows] = $1
    line[$1] = $0
    ns[$1] = 1e9 / $2
    peak[$1] = $4
    allocations[$1] = $5
}

# The value of goal i, or "-" when a row of it is missing.
function value(i,    a, b, kind) {
    a = row[i]
    b = against[i]
    kind = as[i]
    if (!(a in ns) || b != "-" && !(b in ns))
        return "-"
    if (kind == "M/s")
        return 1000 / ns[a]
    if (kind == "k/s")
        return 1e6 / ns[a]
    if (kind == "ns" || kind == "ms")
        return ns[a] + 0
    if (kind == "times")
        return ns[b] / ns[a]
    if (kind == "ratio")
        return ns[a] / ns[b]
    if (kind == "growth")
        return 10 * ns[a] / ns[b]
    if (kind == "bytes")
        return (peak[a] - (b == "-" ? 0 : peak[b])) / 1e6
    if (kind == "allocations")
        return allocations[a] + 0
    printf "goals.tsv: unknown kind '%s' of '%s'\n", kind, what[i] >"/dev/stderr"
    exit 2
}

# By how many times `x` misses `aim`; 1 or less when it does not.
function factor(i, x, aim) {
    if (x == aim)
        return 1
    if (as[i] ~ /\/s$|^times$/)
        return aim / x
    return aim == 0 ? 1e9 : x / aim
}

function number(x) { return sprintf(x == int(x) ? "%d" : x < 10 ? "%.2f" : x < 100 ? "%.1f" : "%.0f", x) }

function with_unit(i, x) {
    if (x == "-")
        return "-"
    return number(x) (as[i] ~ /^(times|ratio|growth)$/ ? " ×" : as[i] == "allocations" ? "" : " " as[i])
}

# What is missing to the must, or to the goal when the must is met.
function gap(i, x,    f) {
    if (x == "-")
        return "not measured"
    if (must[i] == "-")
        return "-"
    f = factor(i, x, must[i])
    if (f > 1)
        return "**must missed by " sprintf("%.2f", f) " ×**"
    if (goal[i] == "-")
        return "must met"
    f = factor(i, x, goal[i])
    return f > 1 ? "must met; goal missed by " sprintf("%.2f", f) " ×" : "goal met"
}

function print_goals(    i, x) {
    print "| | floor | measured | must | goal | gap |"
    print "|---|---|---|---|---|---|"
    for (i = 1; i <= goals; i++) {
        x = value(i)
        print "| " what[i] " | " with_unit(i, floor[i]) " | " with_unit(i, x) " | " with_unit(i, must[i]) " | " \
            with_unit(i, goal[i]) " | " gap(i, x) " |"
    }
}

function per_second(x) { return x < 1e4 ? x : x < 1e6 ? number(x / 1e3) " k" : number(x / 1e6) " M" }

function print_rows(wanted,    i, f) {
    print "| row | items/s | ns per item | peak MB | ns against |"
    print "|---|---|---|---|---|"
    for (i = 1; i <= rows; i++)
        if (name[i] ~ wanted) {
            split(line[name[i]], f, "\t")
            print "| " f[1] " | " per_second(f[2]) " | " f[3] " | " sprintf("%.1f", f[4] / 1e6) " | " (f[6] == "-" || f[8] == f[1] ? "" : f[6] " × " f[8]) " |"
        }
}

part == "page" {
    if (!skipping)
        print
    if ($0 == "<!-- end -->" && skipping) {
        print
        skipping = 0
    }
    if (!/^<!-- (machine|goals|rows .*) -->$/)
        next
    skipping = FNR
    if ($0 == "<!-- machine -->")
        print head["machine"] "; " head["compiler"] "; commit " head["commit"] "; `" head["command"] "`. URLs: " head["URLs"] "."
    else if ($0 == "<!-- goals -->")
        print_goals()
    else
        print_rows(substr($0, 11, length($0) - 14))
}

END {
    if (part == "page" && skipping) {
        print "no <!-- end --> after line " skipping >"/dev/stderr"
        exit 2
    }
    for (i = 1; part == "results" && i <= goals; i++) {
        plain = gap(i, value(i))
        gsub(/\*\*/, "", plain)
        print what[i], with_unit(i, value(i)), "must " with_unit(i, must[i]), "goal " with_unit(i, goal[i]), plain
    }
}
