#!/usr/bin/env python3
"""The inputs of tests/golden/auto, each made by one function below (shop is older, and not among them).

    inputs.py CASE              print the input of a case
    inputs.py --without CASE    the same without what the case is about: other rules must come out
    inputs.py --all FOLDER      write FOLDER/CASE/input.tsv for all cases

The files are committed, and no test runs this program: it is for changing a case, and for seeing that it is sensitive.
SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import random
import sys

GOODS = """anvil basket candle drill easel funnel goblet hammer inkwell jigsaw kettle ladder mallet napkin
oilcan pillow quilt radio saddle teapot umbrella violin whistle xylophone yarn zipper apron bellows compass
doormat enamel-mug fountain-pen garden-hose hourglass ice-bucket juicer knitting-bag lantern mortar
nutcracker""".split()
TOPICS = """alps-by-train baking-sourdough cold-frames dry-stone-walls evening-birdsong fixing-bicycles
grafting-apples hedge-laying iron-pans jam-without-sugar keeping-bees linseed-paint mushroom-season
night-sky oak-barrels planting-leeks quince-cheese rain-barrels soap-making tin-roofs upland-sheep
village-pubs winter-tyres yeast-at-home zinc-gutters axe-handles brick-ovens cider-press drainage
espalier-pears""".split()
PLACES = """antwerp bergen cadiz dublin essen florence ghent hull ivrea jena krakow leeds malmo nantes oslo
porto quimper riga siena turku utrecht verona wroclaw york zurich""".split()


def hexes(rng, n):
    return "".join(rng.choice("0123456789abcdef") for _ in range(n))


def condition(rng, whole):
    """A forum: ?highlight changes nothing on /topic, on /search it is what was looked for.
    Without: the searches."""
    for i, t in enumerate(TOPICS):
        url = f"http://forum.example/topic/{410 + 7 * i}-{t}"
        yield f"t{i}", url
        if i % 3 != 2:
            yield f"t{i}", f"{url}?highlight={t.split('-')[0]}"
        if i % 3 == 0:
            yield f"t{i}", f"{url}?highlight={rng.choice(GOODS)}"
        if whole:
            yield f"s{i}", f"http://forum.example/search/{t}?highlight={rng.choice(GOODS)}"
            yield f"z{i}", f"http://forum.example/search/{t}?highlight={rng.choice(PLACES)}"
        yield f"m{i}", f"http://forum.example/member/{GOODS[i]}"


def exception(rng, whole):
    """A shop: ?from changes nothing in five sections, on /compare it names the other article.
    Without: /compare."""
    for k, section in enumerate("kitchen garden music outlet workshop".split()):
        for i, g in enumerate(GOODS[5 * k:5 * k + 8]):
            url = f"https://www.shop.example/{section}/{g}"
            yield f"{section}{i}", url
            yield f"{section}{i}", f"{url}?from={rng.choice(PLACES)}"
    for i, g in enumerate(GOODS[:16]):
        if whole:
            for other in rng.sample(GOODS, 2):
                yield f"compare{g}{other}", f"https://www.shop.example/compare/{g}?from={other}"
        yield f"brand{i}", f"https://www.shop.example/brands/{TOPICS[i]}"


def guard(rng, whole):
    """A manual in two languages. Fifteen pages are not translated yet, and no page contradicts. That is not
    enough to merge languages, though fifteen pages are more than enough for ?print.
    Without: folders that are not languages."""
    own, other = ("en", "de") if whole else ("guide", "archive")
    for i, t in enumerate(TOPICS):
        yield f"p{i}", f"http://manual.example/{own}/{t}"
        yield f"p{i}", f"http://manual.example/{other}/{t}" if i < 15 else f"http://manual.example/{own}/{t}?print=yes"
    for i, g in enumerate(GOODS):
        yield f"g{i}", f"http://manual.example/{own if i % 2 else other}/tools/{g}"


def lengths(rng, whole):
    """A repository browser: ?rows is the length of a list, so it matters on /log, but for short ones; elsewhere it is
    passed on from page to page and changes nothing. Without: the long logs."""
    for i, g in enumerate(GOODS[:24]):
        for section in ("file", "diff", "raw"):
            yield f"{section}{i}", f"http://code.example/{section}/{g}"
            yield f"{section}{i}", f"http://code.example/{section}/{g}?rows={rng.choice((15, 60, 120))}"
        if whole or i % 3:
            yield f"log{i}", f"http://code.example/log/{g}?rows=15"
            yield f"log{i}" if i % 3 else f"all{i}", f"http://code.example/log/{g}?rows=60"


def hosts(rng, whole):
    """A shop with four hosts. ?sid changes nothing on two of them; on the others each page has one URL, so that nothing
    is known: the rule is written for the two. Without: it changes nothing on a third, and all four get the rule."""
    pages_of = {"shop": GOODS[:14], "www.shop": GOODS[10:26], "m.shop": GOODS[20:32], "help.shop": TOPICS[:8]}
    speaking = ["shop", "www.shop"] if whole else ["shop", "www.shop", "m.shop"]
    for host, pages in pages_of.items():
        for i, p in enumerate(pages):
            if host in speaking:
                yield f"{host}-{i}", f"https://{host}.example/item/{p}"
            yield f"{host}-{i}", f"https://{host}.example/item/{p}?sid={hexes(rng, 8)}"
            yield f"{host}-a{i}", f"https://{host}.example/about/{p}"


def redirect(rng, whole):
    """Short links lead to long ones: the rule leads there, too, though the other way would be shorter.
    Without: the same pages are equal, but none leads to another."""
    yield "cluster", "url", "status", "target"
    for i, g in enumerate(GOODS[:24]):
        long = f"http://shop.example/products/{g}"
        yield f"p{i}", long, 200, ""
        short = f"http://shop.example/p/{g}"
        yield ("", short, 301, long) if whole else (f"p{i}", short, 200, "")
    for i, t in enumerate(TOPICS):
        yield f"n{i}", f"http://shop.example/news/{t}", 200, ""


def order(rng, whole):
    """A forum whose links name board and thread in either order. Without: the order makes another page."""
    for i in range(30):
        f, n = 3 + i % 4, 1200 + 17 * i
        yield f"t{i}", f"http://forum.example/viewtopic?f={f}&t={n}"
        if i % 3:
            yield f"t{i}" if whole else f"u{i}", f"http://forum.example/viewtopic?t={n}&f={f}"
        yield f"m{i}", f"http://forum.example/viewforum?f={f}&start={25 * i}"


def sorted_first(rng, whole):
    """A library: parameters in either order, and a star before the word that is looked for. Without: other order,
    other page."""
    for i, g in enumerate(GOODS):
        place = PLACES[i % len(PLACES)]
        yield f"g{i}", f"http://library.example/find?in={place}&q={g}"
        if i % 2:
            yield f"g{i}" if whole else f"h{i}", f"http://library.example/find?q={g}&in={place}"
        if i % 3 == 0:
            yield f"g{i}", f"http://library.example/find?in={place}&q=%2A{g}"


def other_sites(rng, whole):
    """Twelve blogs say that ?wt_src changes nothing, so two pages are enough for a thirteenth.
    Without: the twelve."""
    for place in PLACES[:12] if whole else []:
        for k, t in enumerate(rng.sample(TOPICS, 8)):
            url = f"http://{place}-blog.example/{t}"
            yield f"{place}{k}", url
            if k < 5:
                yield f"{place}{k}", f"{url}?wt_src={rng.choice(GOODS)}"
    for k, t in enumerate(TOPICS[:8]):
        url = f"http://tiny-blog.example/{t}"
        yield f"tiny{k}", url
        if k < 2:
            yield f"tiny{k}", f"{url}?wt_src={rng.choice(GOODS)}"


def small_site(rng, whole):
    """A site of 21 URLs, alone: seven pages with two URLs each are just enough. Without: the seventh."""
    for i, t in enumerate(TOPICS[:7]):
        yield f"t{i}", f"http://notes.example/{t}"
        if whole or i < 6:
            yield f"t{i}", f"http://notes.example/{t}?ref={rng.choice(PLACES)}"
        yield f"g{i}", f"http://notes.example/tags/{GOODS[i]}"


def noise(rng, whole):
    """A wiki where one page in fourteen has a wrong label. They are spread over all pages, and the rule holds all the
    same. Without: they lie in one section, and the rule leaves it out."""
    for i, t in enumerate(GOODS + TOPICS):
        wrong = i % 14 == 7
        url = f"http://wiki.example/{'wiki' if whole or not wrong else 'talk'}/{t}"
        yield f"t{i}", url
        yield f"x{i}" if wrong else f"t{i}", f"{url}?sid={hexes(rng, 6)}"
        yield f"t{i}", f"{url}?sid={hexes(rng, 6)}"
    for i, p in enumerate(PLACES):
        yield f"p{i}", f"http://wiki.example/place/{p}"


def no_rule(rng, whole):
    """A shop where ?color shows another page, but for every fourth article, which has no pictures yet.
    Without: the articles that have pictures."""
    for i, g in enumerate(GOODS):
        equal = i % 4 == 1
        if equal or whole:
            yield f"g{i}", f"http://shop.example/item/{g}?color=red"
            yield f"g{i}" if equal else f"h{i}", f"http://shop.example/item/{g}?color=blue"
        yield f"r{i}", f"http://shop.example/reviews/{g}"


def corners(rng, whole):
    """A shop whose lists may be sorted up or down, which is the same where there is one article only: 12 lists of 15. The
    others can be named, but nothing tells them from those to come. Without: they are short, too."""
    for i, g in enumerate(GOODS[:15]):
        yield f"g{i}", f"http://shop.example/list/{g}/?by=price-asc"
        yield f"g{i}" if i % 5 != 1 or not whole else f"down{i}", f"http://shop.example/list/{g}/?by=price-desc"
    for i, p in enumerate(PLACES + TOPICS):
        yield f"p{i}", f"http://shop.example/visit/{p}"
        yield f"p{i}", f"http://shop.example/visit/{p}?sid={hexes(rng, 6)}"


def sink(rng, whole):
    """A forum whose login page is shown under every /login?next=...; under /reply/..., too, but for the one topic that
    guests may answer. Without: one /login?next=... shows something else."""
    for i, t in enumerate(TOPICS):
        yield f"t{i}", f"http://forum.example/topic/{t}"
        yield f"m{i}", f"http://forum.example/member/{GOODS[i]}"
        yield "guests" if i == 11 else "login", f"http://forum.example/reply/{t}"
        if i % 2:
            yield "login" if whole or i != 5 else "oops", f"http://forum.example/login?next=/topic/{t}"


def again(rng, whole):
    """A wiki that compares versions, also one with itself; lists whose filters may be chosen twice; commits by
    their hash or its beginning. Without: a version that is compared with itself is shown."""
    for i, t in enumerate(TOPICS[:14]):
        for v in (1, 2):
            yield f"same{i}" if whole else f"same{i}{v}", f"http://wiki.example/diff?page={t}&r1={v}&r2={v}"
        yield f"diff{i}", f"http://wiki.example/diff?page={t}&r1=1&r2=2"
    for i, g in enumerate(GOODS[:14]):
        url = f"http://wiki.example/list?tag={g}"
        yield f"list{i}", url
        yield f"list{i}", f"{url}&tag={g}"
        yield f"both{i}", f"{url}&tag={PLACES[i]}"
        commit = hexes(rng, 40)
        yield f"commit{i}", f"http://wiki.example/commit/{commit}"
        yield f"commit{i}", f"http://wiki.example/commit/{commit[:8]}"


def identity(rng, whole):
    """A forum: titles before the number of a topic do not matter, nor does the number of a post behind it. Where there
    is no title the number of the topic comes first; no two of these URLs would be merged wrongly by forgetting it.
    Without: they have no topic that others have, so that they are pages of their own."""
    for i in range(30):
        topic = 40017 + 311 * i
        for k in range(2):
            yield f"t{i}", f"http://forum.example/t/{rng.choice(GOODS)}-{rng.choice(TOPICS)}/{topic}"
        if i % 6 == 0:
            yield f"t{i}" if whole else f"p{i}", f"http://forum.example/t/{topic}/{i + 2}"
        elif i % 2:
            yield f"t{i}", f"http://forum.example/t/{topic}"


def trial(rng, whole):
    """A shop where every link has another title, a session, a campaign and empty fields of a form, in any order: no
    two URLs of a page differ in one of them alone. Without: the titles matter, so that they are other pages."""
    for i in range(40):
        for k in range(2 + i % 2):
            pairs = [f"sid={hexes(rng, 8)}", f"{rng.choice(('from', 'via', 'ref', 'ad'))}={rng.choice(PLACES)}"]
            pairs += [f"{name}=" for name in ("cat", "max", "min", "brand") if rng.random() < .5]
            rng.shuffle(pairs)
            yield f"g{i}" if whole else f"g{i}{k}", f"http://shop.example/{rng.choice(GOODS)}-{700 + 13 * i}?" + "&".join(pairs)
        yield f"c{i}", f"http://shop.example/{rng.choice(GOODS)}-{700 + 13 * i}?cat={i % 5 + 1}&sid={hexes(rng, 8)}"


def own_error(rng, whole):
    """A shop: the print views of its articles are the articles, but for one, a letter that is shorter. All other labels are
    right, as 160 pages with a session id show: the one vote is not excused by wrong labels, and /print/ keeps its pages.
    Without: that letter."""
    for i in range(160):
        url = f"http://shop.example/item/{1000 + 37 * i}"
        yield f"i{i}", f"{url}?sid={hexes(rng, 8)}"
        yield f"i{i}", f"{url}?sid={hexes(rng, 8)}"
    for i, (g, t) in enumerate([(g, t) for g in GOODS[:9] for t in ("small", "large", "used", "new", "old")]):
        yield f"a{i}", f"http://shop.example/article/{g}-{t}"
        if i != 20 or whole:
            yield f"p{i}" if i == 20 else f"a{i}", f"http://shop.example/print/{g}-{t}"


def log(rng, whole):
    """What a log says of a shop, by sizes alone: ?sid changes nothing; ?sort shows the same rows in another order; two
    versions of a manual have the same size, and so have two banners. ?tab does, and what it leads to is gone where it is
    left out. Without: the pages that are gone."""
    for i, g in enumerate(GOODS):
        size, url = 9000 + 211 * i + rng.randrange(100), f"http://shop.example/{g}"
        yield 200, size, url
        yield 200, size, f"{url}?sid={hexes(rng, 8 + i % 3)}"
        yield 200, size + 1500, f"http://shop.example/list/{g}"
        yield 200, size + 1500, f"http://shop.example/list/{g}?sort=price"
        yield 200, size + 70000, f"http://shop.example/manual/2.2/{g}"
        yield 200, size + 70000, f"http://shop.example/manual/2.4/{g}"
        yield 200, size + 30000, f"http://shop.example/info/{g}?tab=a"
        yield 200, size + 30000, f"http://shop.example/info/{g}?tab=long"
        if whole:
            yield 404, 300, f"http://shop.example/info/{g}"
    for i, t in enumerate(TOPICS):
        yield 200, 640 + 3 * i, f"http://shop.example/img/{t}.png"
        yield 200, 640 + 3 * i, f"http://shop.example/img/{t}.png?v=2"


def page_size(rng, whole):
    """An archive: a month with few threads shows them all, at 50 a page as at 100; the latest threads of a list do not. One
    number for another needs thirty votes once others speak against it.
    Without: the latest."""
    for i, p in enumerate(PLACES[:20]):
        for count in 50, 100:
            yield f"m{i}", f"http://lists.example/{p}/2024/?count={count}"
            if whole:
                yield f"l{i}{count}", f"http://lists.example/{p}/latest?count={count}"
        yield f"s{i}", f"http://lists.example/{p}/2024/?count=10"
        yield f"t{i}", f"http://lists.example/{p}/thread/{900 + 7 * i}"


def languages(rng, whole):
    """A shop under / and under /de/, /fr/ and /ja/: a folder before an article changes nothing, but for
    manuals. In each language one page shows it. Without: the languages have their own articles in these folders."""
    for i in range(24):
        for folder in (f"{GOODS[i % 5]}/", f"{GOODS[(i + 2) % 5]}/", ""):
            yield f"r{i}", f"http://shop.example/{folder}{7100 + 13 * i}"
        yield f"m{i}", f"http://shop.example/manual/{GOODS[i % 5]}/{i // 5 + 1}"
    for k, lang in enumerate(("de", "fr", "ja")):
        for i in range(6):
            for j, folder in enumerate((f"{GOODS[(i + k) % 5]}/", "") if i == k else ("",)):
                page = f"{lang}{i}" if whole else f"{lang}{i}{j}"
                yield page, f"http://shop.example/{lang}/{folder}{7100 + 13 * i}"


def apart(rng, whole):
    """A library: a book's number stands with hyphens or without, a day in one piece or in three; links copied out of HTML
    have &amp;; ?print changes nothing. Without: the day in three pieces is a list of another page."""
    for i, g in enumerate(GOODS):
        isbn = "978" + "".join(rng.choice("0123456789") for _ in range(10))
        yield f"b{i}", f"http://library.example/isbn/{isbn}"
        if i % 2:
            yield f"b{i}", f"http://library.example/isbn/{isbn[:3]}-{isbn[3]}-{isbn[4:7]}-{isbn[7:12]}-{isbn[12]}"
        year, month, day = rng.randint(2010, 2024), rng.randint(1, 12), rng.randint(1, 28)
        yield f"d{i}", f"http://library.example/news/{year}{month:02}{day:02}/{g}"
        yield f"d{i}" if whole else f"x{i}", f"http://library.example/{year}/{month:02}/{day:02}/{g}"
    for i, t in enumerate(TOPICS):
        shelf = rng.choice(PLACES)
        yield f"s{i}", f"http://library.example/shelf.php?room={shelf}&topic={t}"
        if i % 2:
            yield f"s{i}", f"http://library.example/shelf.php?room={shelf}&amp;topic={t}"
        if i % 3 == 0:
            yield f"s{i}", f"http://library.example/shelf.php?room={shelf}&topic={t}&print"


def tenants(rng, whole):
    """Blogs that have a host each and are in a folder of www, too. Without: the folders show other texts."""
    for i, t in enumerate(TOPICS):
        blog = PLACES[i % 7]
        yield f"t{i}", f"http://{blog}.blogs.example/{t}"
        yield f"t{i}" if whole else f"w{i}", f"http://www.blogs.example/blog/{blog}/{t}"
        yield f"h{i}", f"http://www.blogs.example/help/{GOODS[i]}"
        yield f"o{i}", f"http://{PLACES[(i + 1) % 7]}.blogs.example/{t}"


def zeros(rng, whole):
    """An archive: messages by a number of seven digits or without zeros; days in a query without zeros, in folders with
    them. Few days have two digits everywhere: only then the two can be seen to be one. Without: the folders show other days."""
    for i, p in enumerate(PLACES + GOODS):
        n = rng.randint(20, 9000)
        yield f"m{i}", f"http://lists.example/{p}/{n:07}.html"
        yield f"m{i}", f"http://lists.example/{p}/{n}.html"
        y, m, d = rng.randint(2005, 2024), rng.randint(1, 12), rng.randint(1, 28)
        yield f"d{i}", f"http://lists.example/day?y={y}&m={m}&d={d}"
        yield f"d{i}" if whole else f"x{i}", f"http://lists.example/day/{y}/{m:02}/{d:02}"


def renamed(rng, whole):
    """A shop that once had other names: the script of an article and of its parts, a parameter; and folders in any case,
    which hides that the default page of a folder is the folder. Without: parts by their old name are other pages."""
    for i, g in enumerate(GOODS):
        n = 5200 + 13 * i
        yield f"a{i}", f"http://shop.example/page.php?article={n}"
        yield f"a{i}", f"http://shop.example/view.php?a={n}"
        for part in (2, 3):
            yield f"p{i}-{part}", f"http://shop.example/view.php?a={n}&p={part}"
            yield f"p{i}-{part}" if whole else f"o{i}-{part}", f"http://shop.example/page.php?article={n}&part={part}"
        yield f"c{i}", f"http://shop.example/list?brand={g}&color={PLACES[i % 5]}&sort=price"
        yield f"c{i}", f"http://shop.example/list?brand={g}&colour={PLACES[i % 5]}&sort=price"
        folder = PLACES[i % 4]
        yield f"f{i}", f"http://shop.example/{folder}/{g}"
        yield f"f{i}", f"http://shop.example/{folder.capitalize()}/{g}/Pages/Default.aspx"
        yield f"l{i}", f"http://shop.example/{folder}/{g}/Forms/List.aspx"
        yield f"l{i}", f"http://shop.example/{folder.capitalize()}/{g}/forms/List.aspx"


def facets(rng, whole):
    """A shop whose lists name two or three of color, size and brand in the path, in any order: no rule for one pair makes
    two URLs one. Without: another order is another page."""
    colors, brands = ["black", "blue", "brown", "green", "red", "white"], ["keller", "lopez", "moore", "rossi", "wolf"]
    seen = set()
    rng.seed(56)  # rules for one place each would do for most orders of these lists, and go round in circles on others
    while len(seen) < 36:
        pairs = [("color", rng.choice(colors)), ("size", str(rng.randint(3, 14))), ("brand", rng.choice(brands))]
        pairs = rng.sample(pairs, rng.choice([1, 2, 3, 3]))
        page = "-".join(sorted(v for _, v in pairs))
        if page in seen:
            continue
        seen.add(page)
        for k in range(rng.randint(1, 4)):
            rng.shuffle(pairs)
            url = "/".join("/".join(p) for p in pairs) + rng.choice(["", "?view=list"])
            yield (page if whole else f"{page}.{url}"), f"http://shop.example/list/{url}"


def renames(rng, whole):
    """A manual in four versions: a folder moved, pages were renamed, three into one, and pages that had numbers have names.
    Without: each version has names and numbers of its own."""
    words = [w.replace("-", "") for w in TOPICS + GOODS]
    rng.shuffle(words)
    for version in ("2.1", "2.2", "3.0", "3.1"):
        def name(text):
            return text if whole else text + hexes(random.Random(version + text), 5)
        manual = f"http://manual.example/{version}"
        for i, topic in enumerate(words[:40]):
            page = f"{version} {topic}"
            yield page, f"{manual}/guide/{name(topic)}"
            if i % 3:
                yield page, f"{manual}/articles/{name(topic)}"
            if i < 5:
                for k in range(3):
                    yield page, f"{manual}/guide/{name(words[40 + 3 * i + k])}{name(PLACES[i])}"
            elif i < 8:
                yield page, f"{manual}/topics/{i + 33 if whole else rng.randrange(1000)}/contents"


def company(rng, whole):
    """An auction: an article is in a path, or in a query with some of five names that do not matter; one of them has one
    value alone. Hardly two URLs of a page differ in one name. Without: what the query shows is another page."""
    for i in range(30):
        n = 310700 + 977 * i
        yield f"a{i}", f"http://auction.example/item/{n}"
        for k in range(rng.choice([1, 1, 1, 1, 2])):
            names = [f"{x}={v}" for x, v in (("rd", 1), ("ih", rng.randint(1, 20)), ("category", rng.randint(100, 999)),
                                             ("from", rng.choice(TOPICS)), ("lot", rng.randint(1, 9)))
                     if rng.random() < .6]
            page = f"a{i}" if whole else f"b{i}-{k}"
            yield page, "&".join([f"http://auction.example/ws/item.dll?view&item={n}"] + names)


def extensions(rng, whole):
    """A shop: the words behind the number of an article, which ends in .html, and of a maker, which does not, change
    nothing. An article and a maker may have one number. Without: articles have no other words."""
    for i in range(40):
        for k in range(rng.choice([1, 2, 3])):
            words = "-".join(rng.sample(GOODS, 3))
            yield f"a{i}" if whole or not k else f"a{i}-{k}", f"http://shop.example/{4100 + 3 * i}-{words}.html"
    for i in range(14):
        for k in range(rng.choice([1, 2, 3])):
            yield f"m{i}", f"http://shop.example/{(5200 if i else 4100) + 3 * i}-{'-'.join(rng.sample(PLACES, 2))}"


def software(rng, whole):
    """A magazine whose section says nothing of a number, and a forum on the same domain where it does. Without: it does in
    the magazine, too."""
    for i in range(24):
        for k, section in enumerate(rng.sample(TOPICS[:6], rng.choice([1, 2, 2]))):
            yield f"a{i}" if whole else f"a{i}-{k}", f"http://www.magazine.example/{section}/{600 + i}"
        for k, section in enumerate(rng.sample(PLACES[:6], 2)):
            yield f"f{i}-{k}", f"http://forum.magazine.example/{section}/{600 + i}"


def nameless(rng, whole):
    """A wiki and its manual: the query of a script is the name of a page, and no parameter; what ?action=edit shows is another
    page. Without: scripts show other pages."""
    for i, t in enumerate(TOPICS):
        yield f"w{i}", f"http://wiki.example/wiki/{t}"
        if i % 3:
            yield f"w{i}" if whole else f"x{i}", f"http://wiki.example/cgi-bin/wiki.pl?{t}"
        if i % 4 == 0:
            yield f"e{i}", f"http://wiki.example/cgi-bin/wiki.pl?action=edit&id={t}"
    for i, g in enumerate(GOODS[:20]):
        yield f"m{i}", f"http://wiki.example/manual/{g}.html"
        if i % 2:
            yield f"m{i}" if whole else f"n{i}", f"http://wiki.example/manual/index.html?{g}.html"


def countless(rng, whole):
    """News: links have one or two parameters with names of their own, of which none matters. Without: they do."""
    for i in range(30):
        for k in range(rng.choice([1, 2, 2, 3])):
            names = [f"id={4100 + 7 * i}"] + [f"{hexes(rng, 4)}={rng.randint(1, 99)}" for _ in range(rng.choice([1, 1, 2]))]
            rng.shuffle(names)
            yield f"a{i}" if whole else f"a{i}-{k}", f"http://news.example/news.asp?{'&'.join(names)}"


def later_pages(rng, whole):
    """Guests on hotels: two numbers and words in one component, where the words change nothing; later pages of what guests
    say have a number before the words. Without: other words, other page."""
    for i in range(60):
        hotel = f"Hotel-g{2100 + 37 * (i % 9)}-d{310400 + 1013 * i}-Reviews"
        for page in ["", "-or10", "-or20"][:rng.choice([1, 1, 1, 2, 3])]:
            for k in range(rng.choice([1, 2, 3])):
                words = "_".join(rng.sample(GOODS + PLACES, rng.choice([2, 3]))).title()
                yield f"{i}{page}" if whole else f"{i}{page}.{k}", f"http://travel.example/{hotel}{page}-{words}.html"


def unheard(rng, whole):
    """Recent changes of a wiki: pages and both show the same, of media nobody has seen what they show. Without: they show
    the same, too."""
    for i, t in enumerate(TOPICS):
        url = f"http://wiki.example/recent/{t}"
        kinds = ["", "?show=pages", "?show=both"] if i % 2 else ["", "?show=media"] if not whole and i % 4 else [""]
        for kind in kinds:
            yield f"r{i}", url + kind
    for g in GOODS[:9]:
        yield f"m{g}", f"http://wiki.example/recent/{g}?show=media"


def rows(rng, whole):
    """Short lists: seven are the same in another order. Without: the parameter is not about an order."""
    name = "sort" if whole else "from"
    for i, t in enumerate(TOPICS):
        url = f"http://shop.example/list/{t}"
        yield f"l{i}", url
        if i < 7:
            yield f"l{i}", f"{url}?{name}={GOODS[i % 3]}"
            yield f"l{i}", f"{url}?{name}={PLACES[i % 4]}"


def programs(rng, whole):
    """A forum: the number of a forum in the URL of a topic changes nothing; in that of a forum it is all there is, and no two
    URLs of a forum's pages are known. Without: forums have two URLs, with their number and without."""
    for i in range(40):
        topic = f"http://forum.example/viewtopic.php?t={300 + 7 * i}"
        yield f"t{i}", topic
        if i % 2:
            yield f"t{i}", f"{topic}&f={2 + i % 9}"
            yield f"t{i}", f"{topic}&f={11 + i % 7}"
    for i in range(8):
        forum = f"http://forum.example/viewforum.php?start={25 * i + 25}"
        yield f"f{i}", f"{forum}&f={4 + i % 3}"
        if not whole:
            yield f"f{i}", forum


def value_names(rng, whole):
    """A shop whose categories have a name and a number; five articles of one have the numbers of others. Without: no two articles
    have one number."""
    for i in range(120):
        same = whole and i >= 115
        url, k = f"http://shop.example/article?id={4100 + 7 * (i - 90 if same else i)}", i % 3 + same
        yield f"a{i}", f"{url}&cat={k % 3 + 1}"
        yield f"a{i}", f"{url}&cat={('books', 'music', 'games')[k % 3]}"


def sections(rng, whole):
    """Questions and users under numbers of their own, with any words behind them; questions have a short form, too. Without: users
    are questions by another name."""
    for i in range(40):
        number = 1300 + 17 * i
        words = [f"{rng.choice(GOODS)}-{rng.choice(PLACES)}" for _ in range(2)]
        for k, folder in enumerate(("questions", "users")):
            page = f"{'qu'[k] if whole else 'q'}{i}"
            if i % 2 == k or not whole:
                yield page, f"http://ask.example/{folder}/{number}/{words[0]}"
                yield page, f"http://ask.example/{folder}/{number}/{words[1]}"
                if folder == "questions":
                    yield page, f"http://ask.example/q/{number}/{rng.randrange(90000)}"


def moved(rng, whole):
    """Lists whose page stands in the path or in a parameter, with a session or a campaign. Without: what stands in the path is
    none of it."""
    for i, t in enumerate(TOPICS + GOODS):
        page = 2 + i % 3
        for k in range(3):
            other = [f"?sid={hexes(rng, 16)}", f"?utm={rng.choice(GOODS)}", f"?sid={hexes(rng, 16)}&utm={rng.choice(GOODS)}"][(i + k) % 3]
            if k == i % 2:
                yield f"{t}", f"http://shop.example/tag/{t}/{other}&paged={page if whole else page + 3}"
            else:
                yield f"{t}", f"http://shop.example/tag/{t}/page/{page}/{other}"


def own_line(rng, whole):
    """A shop whose links have ?ref, and lists in any order. Without: the parameter of lists is not about an order."""
    name = "sort" if whole else "via"
    for i in range(120):
        url = f"http://shop.example/article/{400 + 7 * i}"
        yield f"a{i}", url
        yield f"a{i}", f"{url}?ref={PLACES[i % 20]}"
    for i, t in enumerate(TOPICS):
        url = f"http://shop.example/list/{t}"
        yield f"l{i}", url
        yield f"l{i}", f"{url}?{name}={GOODS[i % 3]}"
        yield f"l{i}", f"{url}?{name}={PLACES[i % 4]}"


def media_types(rng, whole):
    """Two releases with the same pictures, whose names do not say that they are some, and pages of their own. Without: the content
    types are not known."""
    for i in range(40):
        for release in "ab":
            yield f"i{i}", f"http://docs.example/rel-{release}/{i}", "image/png" if whole else "-"
    for i in range(63):
        yield f"a{i}", f"http://docs.example/rel-a/{100 + i}", "text/html" if whole else "-"
        yield f"b{i}", f"http://docs.example/rel-b/{163 + i}", "text/html" if whole else "-"


CASES = [condition, exception, guard, lengths, hosts, redirect, order, sorted_first, other_sites, small_site, noise,
         no_rule, corners, sink, again, identity, trial, own_error, log,
         page_size, languages, apart, tenants, zeros, renamed, facets,
         renames, company, extensions, software, nameless, countless, later_pages, unheard, rows, programs, value_names,
         sections, moved, own_line, media_types]


def lines(case, whole):
    if case is log:
        yield "status\tsize\turl"
    elif case is media_types:
        yield "cluster\turl\tmime"
    elif case is not redirect:
        yield "cluster\turl"
    for row in case(random.Random(case.__name__), whole):
        yield "\t".join(map(str, row))


def main(args):
    cases = {c.__name__.replace("_", "-"): c for c in CASES}
    if args[0] == "--all":
        for name, case in cases.items():
            folder = pathlib.Path(args[1], name)
            folder.mkdir(exist_ok=True)
            (folder / "input.tsv").write_text("".join(line + "\n" for line in lines(case, True)))
    else:
        print("\n".join(lines(cases[args[-1]], args[0] != "--without")))


main(sys.argv[1:])
