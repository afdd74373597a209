#!/usr/bin/env python3
"""site.py - the pages of the static site that tests/servers/nginx.conf serves: site.py FOLDER ORIGIN >urls

Writes pages with texts of their own and prints URLs of them, the duplicates among them.
SPDX-License-Identifier: Apache-2.0
"""
import os
import random
import sys

WORDS = ("amber basin copper dune ember fjord glacier harbor island jetty kelp lagoon meadow nectar orchard prairie "
         "quarry ridge summit tundra upland valley willow yarrow zephyr canyon delta estuary forest grove").split()
N = 40
folder, origin = sys.argv[1:]


def write(path):
    r = random.Random(path)
    words = " ".join(r.choice(WORDS) for _ in range(60))
    path = os.path.join(folder, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(f"<html><head><title>{words[:20]}</title></head><body><p>{words}</p></body></html>\n")


urls = []
for i in range(N):
    write(f"d{i}/index.html")
    urls += [f"/d{i}/", f"/d{i}/index.html"]                      # a directory index
    write(f"people/anna/p{i}.html")
    urls += [f"/~anna/p{i}.html", f"/people/anna/p{i}.html"]      # an alias
    write(f"docs/m{i}.html")
    urls += [f"/docs/m{i}.html", f"/manual/m{i}.html", f"/old/m{i}.html"]
    write(f"stories/{i}.html")
    urls += [f"/story?id={i}", f"/story_{i}"]
    write(f"items/{i}.html")
    urls += [f"/item?id={i}&sid={i * 7}", f"/item?id={i}&sid={i * 3 + 1}"]
    write(f"movies/{i}.html")
    write(f"politics/{i}.html")
    urls += [f"/movies/{i}.html", f"/politics/{i}.html"]          # parallel sub-sites: false friends
    urls += [f"/soft/{i}?v=1"]
    write(f"private/{i}.html")
    urls += [f"/private/{i}.html?s=1"]
write("soft.html")
with open(os.path.join(folder, "robots.txt"), "w") as f:
    f.write("User-agent: *\nDisallow: /private/\n")
print("\n".join(origin + u for u in urls))
