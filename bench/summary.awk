# summary.awk - raw lines of bench/run to one line a row, and which targets are met (docs/performance.md).
#
#     name items wall cpu peak allocations reference  ->  name items/s ns/item peak allocations ratio wall reference
#
# SPDX-License-Identifier: Apache-2.0
BEGIN { FS = OFS = "\t" }

{
    if (!($1 in runs))
        order[++rows] = $1
    i = ++runs[$1]
    wall[$1, i] = $3 / $2
    cpu[$1, i] = $4 / $2
    peak[$1] = $5 > peak[$1] ? $5 : peak[$1] + 0
    allocations[$1] = $6
    items[$1] = $2
    reference[$1] = $7
}

# The median of v[name, 1] to v[name, runs].
function median(v, name,    n, i, j, t, s) {
    n = runs[name]
    for (i = 1; i <= n; i++)
        s[i] = v[name, i]
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && s[j] < s[j - 1]; j--) {
            t = s[j]
            s[j] = s[j - 1]
            s[j - 1] = t
        }
    return n % 2 ? s[(n + 1) / 2] : (s[n / 2] + s[n / 2 + 1]) / 2
}

function number(x) { return sprintf(x < 100 ? "%.1f" : "%.0f", x) }

# A target: `value` must be at least `must`, or at most where `sign` is -1; `goal`, the bold one, is "-" where there is none.
function target(what, value, sign, must, goal,    met) {
    met = sign * value < sign * must ? "MISSED" : goal == "-" || sign * value < sign * goal ? "must met" : "goal met"
    print "# target", what, sprintf("%.2f", value), "must " must, "goal " goal, met
}

END {
    for (i = 1; i <= rows; i++) {
        name = order[i]
        walls[name] = median(wall, name)
        ns[name] = name ~ /2 threads/ ? walls[name] : median(cpu, name)
    }
    print "# name", "items/s", "ns/item", "peak bytes", "allocations", "ratio", "wall ns/item", "reference"
    for (i = 1; i <= rows; i++) {
        name = order[i]
        ref = reference[name]
        ratio = ref == "-" ? "-" : sprintf("%.2f", ns[name] / (name ~ /2 threads/ ? walls[ref] : ns[ref]))
        print name, sprintf("%.0f", 1e9 / ns[name]), number(ns[name]), sprintf("%.0f", peak[name]), allocations[name], ratio, number(walls[name]), ref
    }
    hot = "file: apply, hot"
    target("apply hot, million URLs/s/core", 1000 / ns[hot], 1, 5, 10)
    target("apply cold, million URLs/s/core", 1000 / ns["file: apply, cold"], 1, 3, 6)
    target("times as fast as PCRE2", ns["file: pcre2, 1,000 rules"] / ns["file: apply, 1,000 rules"], 1, 1.7, "-")
    target("p99 hot, ns", ns["latency: hot: p99"], -1, 400, 250)
    target("p99 cold, ns", ns["latency: cold: p99"], -1, 1500, 700)
    target("open 10^6 rules, ms", ns["rules: 10^6: open"] * items["rules: 10^6: open"] / 1e6, -1, 100, 30)
    target("10,000 rules against 10, all kinds", ns["engine: all, 10000 rules"] / ns["engine: all, 10 rules"], -1, 1.5, "-")
    target("10,000 rules against 10, {**}", ns["engine: glob, 10000 rules"] / ns["engine: glob, 10 rules"], -1, 1.5, "-")
    target("10,000 rules against 10, sub", ns["engine: sub, 10000 rules"] / ns["engine: sub, 10 rules"], -1, 1.5, "-")
    target("dust, 10^6, thousand URLs/s/core", 1e6 / ns["dust: list, 10^6"], 1, 100, 350)
    target("dust, growth from 10^5 to 10^6", 10 * ns["dust: list, 10^6"] / ns["dust: list, 10^5"], -1, 11, 10.3)
    target("learn tree, thousand URLs/s/core", 1e6 / ns["learn: tree, 10^6"], 1, 400, 1000)
    target("learn tree, bytes a URL", peak["learn: tree, 10^6"] / items["learn: tree, 10^6"], -1, 100, 64)
    target("learn tree, growth from 10^5 to 10^6", 10 * ns["learn: tree, 10^6"] / ns["learn: tree, 10^5"], -1, 11, 10.3)
    print "# --unique takes " sprintf("%.1f", (peak[hot ", --unique"] - peak[hot]) / items[hot]) " bytes a key"
}
