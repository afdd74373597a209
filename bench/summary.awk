# summary.awk - raw lines of bench/run to one line a row; bench/goals.awk then compares them with the goals.
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
}
