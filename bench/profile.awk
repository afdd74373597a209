# profile.awk - a callgrind file to lines of: instructions an item, share, file:function.
#
#     awk -v items=N -f profile.awk callgrind.out
#
# In such a file fl=, fi= and fe= name the source file of the lines of cost that follow ("line cost", the line often
# relative: +3, -2, *); names stand once in full, "(7) src/url/frame.c", later as "(7)". The line after calls= is the cost
# of the call, counted already inside. Code belongs to the function whose head stands last before its line.
# SPDX-License-Identifier: Apache-2.0
function name_of(text, kind,    id) {
    id = text
    sub(/\).*/, ")", id)
    if (text ~ /\) /)
        name[kind, id] = substr(text, index(text, ") ") + 2)
    return (kind, id) in name ? name[kind, id] : text
}

# The function of `file` that line `at` lies in; read the heads of its functions when it first comes.
function function_at(file, at,    text, i) {
    if (!(file in heads)) {
        heads[file] = 0
        for (i = 1; (getline text < file) > 0; i++)
            if (text ~ /^[A-Za-z_][^;={}]*[A-Za-z0-9_]\([^;]*$/) {
                sub(/\(.*/, "", text)
                sub(/.*[ *]/, "", text)
                head[file, ++heads[file]] = i
                called[file, heads[file]] = text
            }
        close(file)
    }
    for (i = heads[file]; i > 0 && head[file, i] > at; i--) {}
    return i ? called[file, i] : ""
}

/^f[lie]=/ { file = name_of(substr($0, 4), "f"); next }
/^fn=/ { outer = name_of(substr($0, 4), "n"); next }
/^cf[il]=/ { name_of(substr($0, 5), "f"); next }
/^cfn=/ { name_of(substr($0, 5), "n"); next }
/^calls=/ { is_call = 1; next }
/^[-+*0-9]/ {
    line = $1 == "*" ? line : $1 ~ /^[-+]/ ? line + $1 : $1
    if (!is_call)
        cost[file, line, outer] += $2
    is_call = 0
}

END {
    for (key in cost) {
        split(key, part, SUBSEP)
        where = function_at(part[1], part[2])
        short = part[1]
        sub(/.*\//, "", short)
        sum[short ":" (where == "" ? part[3] : where)] += cost[key]
        all += cost[key]
    }
    printf "%.1f\t%.1f %%\tall\n", all / items, 100
    for (key in sum)
        printf "%.1f\t%.1f %%\t%s\n", sum[key] / items, 100 * sum[key] / all, key
}
