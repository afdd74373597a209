# class.awk - the classes of KDD 2008 (section 3.3) of template rules: prints class, TAB, the rule's line.
#
#     DUST  without common tokens at both ends, neither side holds a capture or star: one string for another
#     IRP   what differs is erased (*) or left out, whatever it was
#     REGX  all others
#
# Input is a rule file; host lines and comments go to every class (class "-"). ALGORITHMS.md 1.2, choice 11.
# SPDX-License-Identifier: Apache-2.0

function tokens(s, t,    n) {
    gsub(/[\/?&=;]/, " & ", s)
    n = split(s, t, /  */)
    return n
}
function opaque(s) { return s ~ /[{*]/ }
# A left side without the key that is any value (*) is the right side, or has the same * there.
function irrelevant(l, r,    a, b, n, m, i, j) {
    n = tokens(l, a); m = tokens(r, b)
    for (i = j = 1; i <= n; i++) {
        if (j <= m && a[i] == b[j]) { j++; continue }
        if (opaque(a[i]) && a[i] ~ /^[*]$/) continue
        if (a[i] ~ /^[\/?&=;]$/ || (i + 2 <= n && a[i + 1] == "=" && a[i + 2] == "*")) continue
        return 0
    }
    return j > m
}
function class(l, r,    a, b, n, m, i, k, x, y) {
    n = tokens(l, a); m = tokens(r, b)
    for (i = 1; i <= n && i <= m && a[i] == b[i] && a[i] != "*"; i++) {}
    for (k = 0; n - k > i - 1 && m - k > i - 1 && a[n - k] == b[m - k] && a[n - k] != "*"; k++) {}
    x = y = 0
    for (; n - k >= i && n > 0; n--) x += opaque(a[n - k])
    for (; m - k >= i && m > 0; m--) y += opaque(b[m - k])
    if (x + y == 0) return "DUST"
    return irrelevant(l, r) ? "IRP" : "REGX"
}
/ => / {
    line = $0
    sub(/ +\[.*$/, "", line)
    at = index(line, " => ")
    l = substr(line, 1, at - 1); r = substr(line, at + 4)
    sub(/\?$/, "", l)
    print class(l, r) "\t" $0
    next
}
{ print "-\t" $0 }
