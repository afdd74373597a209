"""A shop as shops are: session ids in links, tracking, index.html, slashes. site.py FOLDER writes its pages; nginx.conf
serves them.

Where a link has no session the server begins one, and all links of that page carry it on; so each page exists under as
many URLs as there are links without a session. ?view=print is another page and ?page= matters.

SPDX-License-Identifier: Apache-2.0
"""
import random
import sys
from pathlib import Path

WORDS = ("amber basin copper dune ember fjord glacier harbor island jetty kelp lagoon meadow nectar orchard prairie "
         "quarry ridge summit tundra upland valley willow yarrow zephyr canyon delta estuary forest grove").split()
ARTICLES, CATEGORIES, LISTS = 60, 4, 3


def page(title, links, extra=""):
    r = random.Random(title)
    text = " ".join(r.choice(WORDS) for _ in range(60))
    items = "\n".join(f'<li><a href="{link}">{r.choice(WORDS)}</a></li>' for link in links)
    return f"<html><head><title>{title}</title></head><body><p>{text}</p>{extra}<ul>{items}</ul></body></html>\n"


def write(folder):
    pages = {}
    session = "sid=@SID@"
    everywhere = [f"/c/{k}/?{session}" for k in range(CATEGORIES)]
    pages["index.html"] = page("Home", [*everywhere, "/news.html", f"/list?page=0&{session}"])
    tracked = [f"/article/{i}.html?utm_source=feed&utm_medium=rss&{session}" for i in range(ARTICLES)]
    pages["news.html"] = page("News", tracked)
    for n in range(LISTS):
        following = [f"/list?page={(n + 1) % LISTS}&{session}"]
        articles = [f"/article/{i}.html?{session}" for i in range(n, ARTICLES, LISTS)]
        pages[f"lists/{n}.html"] = page(f"List {n}", following + articles)
    for k in range(CATEGORIES):
        articles = [f"/article/{i}.html?{session}" for i in range(k, ARTICLES, CATEGORIES)]
        pages[f"c/{k}/index.html"] = page(f"Category {k}", articles)
    for i in range(ARTICLES):
        k = i % CATEGORIES
        links = [*everywhere, f"/c/{k}/index.html?{session}", f"/article/{i}.html?view=print"]
        if i < CATEGORIES:
            links += [f"/c/{k}/", f"/c/{k}"]  # typed by hand: without a session, without a slash
        pages[f"article/{i}.html"] = page(f"Article {i}", links)
        pages[f"print/{i}.html"] = page(f"Article {i}, to be printed", [])
    for name, text in pages.items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return len(pages)


if __name__ == "__main__":
    print(write(sys.argv[1]), "pages")
