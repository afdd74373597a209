#!/usr/bin/env python3
"""tables/fpr.py DUSTPAN RULES TEST ALL - Tables 6 and 7 of KDD 2008: rules chosen by their false-positive rate (Definition 5)
on the test set, by how much these reduce train and test together.

A rule that has no pairs on the test set has no rate, and is in the last line alone.
SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import subprocess
import sys
import tempfile


def evaluate(dustpan, rules, urls, *options):
    out = subprocess.run([dustpan, "eval", "-q", "--json", *options, "-r", rules, urls], stdout=subprocess.PIPE, check=True)
    return json.loads(out.stdout)


def lines_of(path):
    """The rules of a file as (host line, line)."""
    host = ""
    for line in open(path):
        if line.startswith("host "):
            host = line
        elif line.strip() and not line.startswith(("#", "dustpan-rules")):
            yield host, line


def main():
    dustpan, rules, test, both = sys.argv[1:]
    rate = [r.get("fpr") if r["support"] else None for r in evaluate(dustpan, rules, test, "--by-rule")["by_rule"]]
    kept = [(host, line) for host, line in lines_of(rules)]
    actual = [i for i, (_, line) in enumerate(kept) if not line.startswith(("order ", "keep "))]
    if len(actual) != len(rate):
        sys.exit(f"{rules}: {len(actual)} lines, {len(rate)} rules")
    fpr = dict(zip(actual, rate))
    with tempfile.TemporaryDirectory() as folder:
        chosen = os.path.join(folder, "chosen.rules")
        for name, most in ("0", 0), (".05", .05), (".1", .1), (".2", .2), ("any", None):
            n, host = 0, None
            with open(chosen, "w") as out:
                out.write("dustpan-rules 1\n")
                for i, (at, line) in enumerate(kept):
                    if i in fpr and most is not None and (fpr[i] is None or fpr[i] > most):
                        continue
                    if at != host:
                        out.write(at)
                        host = at
                    out.write(line)
                    n += i in fpr
            score = evaluate(dustpan, chosen, both)
            print(f"  {name:4} {n:7} {100 * n / max(1, len(actual)):6.1f} % of the rules, reduction {score['reduction']:.4f}, lost {score['lost']}")


main()
