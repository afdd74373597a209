# The page of `dustpan report` in a browser: what it says, sorting and filters, light, dark, phone, paper, hostile input.
#
# Runs in the repository's root; BUILD names the build. SHOTS=folder keeps the pictures to be looked at.
# SPDX-License-Identifier: Apache-2.0
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
DUSTPAN = os.path.abspath(os.path.join(BUILD, "san", "dustpan"))
PLANT = os.path.abspath(os.path.join(BUILD, "san", "plant"))
failures = []


def check(what, truth):
    print(("ok: " if truth else "FAILED: ") + what)
    if not truth:
        failures.append(what)


def pixels(png):
    """The set of colours in a PNG of 8-bit RGB or RGBA without interlace: enough to see that it is not blank."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert depth == 8 and kind in (2, 6)
    data, at = b"", 8
    while at < len(png):
        size, name = struct.unpack(">I4s", png[at:at + 8])
        if name == b"IDAT":
            data += png[at + 8:at + 8 + size]
        at += size + 12
    raw, step = zlib.decompress(data), 3 if kind == 2 else 4
    line, colours, before = width * step, {}, bytearray(width * step)
    for y in range(height):
        how, row = raw[y * (line + 1)], bytearray(raw[y * (line + 1) + 1:(y + 1) * (line + 1)])
        for x in range(line):
            a, b, c = row[x - step] if x >= step else 0, before[x], before[x - step] if x >= step else 0
            if how == 1:
                row[x] = row[x] + a & 255
            elif how == 2:
                row[x] = row[x] + b & 255
            elif how == 3:
                row[x] = row[x] + (a + b) // 2 & 255
            elif how == 4:
                p = a + b - c
                pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
                row[x] = row[x] + (a if pa <= pb and pa <= pc else b if pb <= pc else c) & 255
        for x in range(0, line, step * 7):
            colour = bytes(row[x:x + 3])
            colours[colour] = colours.get(colour, 0) + 1
        before = row
    return colours


def light_of(colours):
    """How light the colour is that most of the picture has, 0 to 255."""
    return sum(max(colours, key=colours.get)) // 3


def keep(name, png):
    folder = os.environ.get("SHOTS")
    if folder:
        with open(os.path.join(folder, name + ".png"), "wb") as f:
            f.write(png)


def report(*arguments):
    subprocess.run([DUSTPAN, "report", "-q"] + list(arguments), check=True)


def make_site(folder):
    def at(name):
        return os.path.join(folder, name)
    subprocess.run([PLANT, "--urls", "6000", "--hosts", "280", "--seed", "5", "--crawl", "300", "--all", at("s")],
                   check=True)
    with open(at("s.rules")) as f:
        rules = [line.rstrip("\n").split("  #")[0] for line in f]
    marked, number = [], 0
    for line in rules:
        if line and not line.startswith(("#", "dustpan", "host", "order", "keep")):
            number += 1
            line += "  [p=.%d n=%d neg=0 by=text]" % (990 + number % 9, 20 + number)
        marked.append(line)
    marked += ["host any", "drop ?page,p,start,pg  [p=.9 n=9 neg=1 by=size]", "pin drop ?ref  # by hand"]
    with open(at("site.rules"), "w") as f:
        f.write("\n".join(marked) + "\n")
    report("-r", at("site.rules"), at("s.clean.tsv"), at("s.log"), "-o", at("full.html"))
    report("-r", at("site.rules"), at("s.urls"), "-o", at("bare.html"))
    with open(at("full.json"), "wb") as f:
        subprocess.run([DUSTPAN, "report", "-q", "-r", at("site.rules"), at("s.clean.tsv"), at("s.log"), "--json"],
                       check=True, stdout=f)


HOSTILE = [
    b"A\thttp://a.example/x?q=</script><script>document.title='taken'</script>",
    b"A\thttp://a.example/x?q=</script><script>document.title='taken'</script>&s=1",
    b"B\thttp://a.example/\"onmouseover=\"document.title='taken'\"?s=1",
    b"B\thttp://a.example/\"onmouseover=\"document.title='taken'\"",
    b"C\thttp://a.example/<!--<script>?s=1", b"C\thttp://a.example/<!--<script>",
    b"D\thttp://a.example/<img src=x onerror=document.title='taken'>?s=1",
    b"D\thttp://a.example/<img src=x onerror=document.title='taken'>",
    "E\thttp://a.example/\u202egnp.exe?s=1".encode(), "E\thttp://a.example/\u202egnp.exe".encode(),
    "F\thttp://a.example/\u05d0\u05d1/\u0627\u0628?s=1".encode(), "F\thttp://a.example/\u05d0\u05d1/\u0627\u0628".encode(),
    b"G\thttp://a.example/\xff\xfe\x80?s=1", b"G\thttp://a.example/\xff\xfe\x80",
    b"H\thttp://a.example/{{data}}{{if labels}}?s=1", b"H\thttp://a.example/{{data}}{{if labels}}",
    b"I\thttp://a.example/" + b"long" * 3000 + b"?s=1", b"I\thttp://a.example/" + b"long" * 3000,
    b"J\thttp://a.example/l?page=1'><svg/onload=document.title='taken'>", b"K\thttp://a.example/l?page=2]]>",
]


def look_at_hostile(browser, folder):
    with open(os.path.join(folder, "hostile.tsv"), "wb") as f:
        f.write(b"\n".join(HOSTILE) + b"\n")
    name = os.path.join(folder, "<img src=x onerror=document.title='taken'>.rules")
    with open(name, "w") as f:
        f.write("dustpan-rules 1\nhost a.example\ndrop ?s  # </script><b>\ndrop ?page\n"
                "sub \"</script>\" -> \"</b>\"\nsub \"&lt;\" -> \"<\"\n".replace("<", "%3C").replace(">", "%3E")
                .replace("-%3E", "->"))
    page = os.path.join(folder, "hostile.html")
    report("-r", name, os.path.join(folder, "hostile.tsv"), "--format", "clusters", "--examples", "raw", "-o", page)
    browser.open("file://" + page)
    check("hostile: the title is ours", browser.run("document.title").startswith("dustpan: "))
    check("hostile: two scripts, ours", browser.run("document.scripts.length") == 2)
    check("hostile: no image, no link from outside",
          browser.run("document.querySelectorAll('img,iframe,object,embed,main a,b[onclick],[onmouseover]').length") == 0)
    check("hostile: the data are JSON",
          browser.run("JSON.parse(document.getElementById('data').textContent).urls") == len(HOSTILE))
    check("hostile: URLs are shown as text",
          "</script><script>" in browser.run("document.getElementById('rules').textContent"))
    check("hostile: nothing turns the direction", "\u202e" not in browser.run("document.body.textContent"))
    check("hostile: long URLs are cut", browser.run(
        "Math.max(...Array.from(document.querySelectorAll('code'), c => c.textContent.length))") < 500)
    check("hostile: no overflow on a phone", fits(browser, page))
    check("hostile: no complaint", browser.problems == [])


def fits(browser, page):
    browser.open("file://" + page, width=360, height=740)
    return browser.run("document.documentElement.scrollWidth") <= 360


def has_whole_labels(browser, page):
    """Every text of the chart lies inside of it on a phone, and there is one, or there is no chart."""
    browser.open("file://" + page, width=390, height=740)
    return browser.run("""(() => {
        const chart = document.querySelector("svg.chart");
        if (!chart)
            return true;
        const all = chart.getBoundingClientRect(), texts = [...chart.querySelectorAll("text")];
        return texts.length > 0 && texts.every(t => {
            const box = t.getBoundingClientRect();
            return box.left >= all.left && box.right <= all.right && box.bottom <= all.bottom;
        });
    })()""")


def look_at_full(browser, folder):
    page = os.path.join(folder, "full.html")
    url = "file://" + page
    with open(os.path.join(folder, "full.json"), "rb") as f:
        data = json.load(f)
    browser.open(url)
    text = browser.run("document.body.innerText")
    check("the headline says what is saved and what is lost",
          "fewer fetches" in browser.run("document.querySelector('h1').textContent")
          and "lost" in browser.run("document.querySelector('h1').textContent"))
    check("the numbers are those of --json",
          all("{:,}".format(data[name]) in text for name in ("urls", "fetched", "clusters")))
    check("the data in the page are those of --json",
          json.loads(browser.run("document.getElementById('data').textContent")) == data)
    check("every host has a row",
          browser.run("document.querySelectorAll('#hosts tbody tr').length") == len(data["hosts"]) > 100)
    check("every point of the curve is drawn, but stage 0",
          browser.run("document.querySelectorAll('#curve circle').length") == len(data["curve"]) - 1 > 4)
    check("every rule is there", browser.run("document.querySelectorAll('.rule').length") == len(data["families"]))
    check("crawlers are told", "Googlebot" in text and "CCBot" in text)
    check("no path of this machine is in it", folder not in open(page, encoding="utf-8").read())
    check("no complaint", browser.problems == [])
    check("nothing is asked for but the page", [r for r in browser.requests if not r.startswith("data:")] == [url])
    tables(browser)
    keyboard(browser)
    check("tables have heads, rows have names", browser.run(
        "Array.from(document.querySelectorAll('table')).every(t => t.caption && t.tHead.querySelectorAll("
        "'th[scope=col]').length && t.querySelectorAll('tbody th[scope=row]').length)"))
    check("the curve has a name and a description", browser.run(
        "document.querySelector('svg.chart').getAttribute('aria-labelledby').split(' ').every(i => "
        "document.getElementById(i).textContent.length > 10)"))
    check("ids are there once", browser.run(
        "(ids => ids.length === new Set(ids).size)(Array.from(document.querySelectorAll('[id]'), e => e.id))"))
    check("inputs have labels", browser.run("Array.from(document.querySelectorAll('input')).every(i => i.labels.length)"))
    check("the headings go down one by one", browser.run(
        "(h => h.every((v, i) => !i || v <= h[i - 1] + 1))(Array.from(document.querySelectorAll('h1,h2,h3,h4'), "
        "e => +e.tagName[1]))"))
    for dark in (False, True):
        contrast(browser, url, dark)


# Relative luminance and contrast as WCAG 2 has them, of every text against what lies behind it.
CONTRAST = """(() => {
    const parse = (c) => { const m = c.match(/[\\d.]+/g).map(Number); return m.length < 4 ? [...m, 1] : m; };
    const light = ([r, g, b]) => [r, g, b].map((v) => (v /= 255, v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4))
        .reduce((s, v, i) => s + v * [.2126, .7152, .0722][i], 0);
    const behind = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor);
        if (c[3] === 1) return c; } return [255, 255, 255]; };
    let least = 99;
    for (const e of document.querySelectorAll('h1,h2,h3,h4,p,td,th,a,summary,code,dt,dd,li,span,button,label,text')) {
        if (!e.textContent.trim()) continue;
        const s = getComputedStyle(e), a = light(parse(e.tagName === 'text' ? s.fill : s.color)), b = light(behind(e));
        least = Math.min(least, (Math.max(a, b) + .05) / (Math.min(a, b) + .05));
    }
    return least;
})()"""


def contrast(browser, url, dark):
    name = "dark" if dark else "light"
    browser.open(url, width=1000, height=700, dark=dark)
    check("%s: every text has a contrast of 4.5 or more" % name, browser.run(CONTRAST) >= 4.5)
    shot = browser.shot()
    keep(name, shot)
    colours = pixels(shot)
    check("%s: not blank" % name, len(colours) > 20)
    check("%s: is %s" % (name, name), light_of(colours) < 60 if dark else light_of(colours) > 200)


def column(browser, number):
    return browser.run("Array.from(document.querySelectorAll('#hosts tbody tr:not([hidden])'), r => "
                       "r.cells[%d].textContent.trim())" % number)


def numbers(cells):
    return [float(c.replace(",", "").replace("%", "").replace("<", "").replace(">", "")) for c in cells]


def tables(browser):
    def click(number):
        browser.run("document.querySelectorAll('#hosts thead button')[%d].click()" % number)
        return browser.run("document.querySelectorAll('#hosts thead th')[%d].getAttribute('aria-sort')" % number)
    shown = len(column(browser, 0))
    browser.run("document.querySelector('#hosts .more').click()")
    check("a long table is cut until all is asked for", shown == 250 < len(column(browser, 0)))
    first = numbers(column(browser, 1))
    check("most URLs come first", first == sorted(first, reverse=True))
    check("a click sorts a column of numbers, the largest first", click(2) == "descending" and
          numbers(column(browser, 2)) == sorted(numbers(column(browser, 2)), reverse=True))
    check("a second one the other way", click(2) == "ascending" and
          numbers(column(browser, 2)) == sorted(numbers(column(browser, 2))))
    check("names sort as words", click(0) == "ascending" and column(browser, 0) == sorted(column(browser, 0)))
    check("only one column is called sorted",
          browser.run("document.querySelectorAll('#hosts th[aria-sort]').length") == 1)
    some = column(browser, 0)[7]
    holding = [name for name in column(browser, 0) if some in name]
    browser.run("document.getElementById('find-host').focus()")
    browser.type(some)
    check("the filter leaves what holds the text", column(browser, 0) == holding)
    check("and says how many",
          browser.run("document.querySelector('#hosts output').textContent").startswith("%d of " % len(holding)))
    browser.run("(i => { i.value = ''; i.dispatchEvent(new Event('input')); })(document.getElementById('find-host'))")
    check("and gives all back", len(column(browser, 0)) == len(first))


def keyboard(browser):
    browser.run("document.querySelectorAll('.rule summary')[1].focus()")
    browser.key("Enter", "\r")
    check("a rule opens by the keyboard", browser.run("document.querySelectorAll('.rule')[1].open"))
    browser.run("document.querySelectorAll('#hosts thead button')[3].focus()")
    browser.key("Enter", "\r")
    check("a column sorts by the keyboard",
          browser.run("document.querySelectorAll('#hosts thead th')[3].hasAttribute('aria-sort')"))


def look_at_phone_and_paper(browser, folder):
    for name in ("full", "bare"):
        page = os.path.join(folder, name + ".html")
        check(name + ": no overflow at 360 pixels", fits(browser, page))
        shot = browser.shot()
        keep(name + "-phone", shot)
        check(name + ": not blank on a phone", len(pixels(shot)) > 20)
        check(name + ": the chart's labels are whole at 390 pixels", has_whole_labels(browser, page))
    page = "file://" + os.path.join(folder, "full.html")
    browser.open(page, script=False)
    shot = browser.shot()
    browser.ask("Emulation.setScriptExecutionDisabled", value=False)
    check("without script: all is there", browser.run("document.querySelectorAll('#hosts tbody tr').length") > 100)
    check("without script: no box that does nothing",
          browser.run("getComputedStyle(document.querySelector('.tools')).display") == "none")
    check("without script: not blank", len(pixels(shot)) > 20)
    browser.open(page)
    check("prints", browser.pdf(os.path.join(folder, "full.pdf")).startswith(b"%PDF"))


def look_at_bare(browser, folder):
    browser.open("file://" + os.path.join(folder, "bare.html"))
    text = browser.run("document.body.innerText")
    check("without labels: says so", "these merges are unchecked" in text)
    check("without labels: claims nothing", "lost" not in text.lower() and "fewer fetches" not in text
          and " right on " not in text)
    check("without labels: no complaint", browser.problems == [])


def main():
    if not (shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")):
        print("SKIP: chromium is not installed")
        return 77
    folder = tempfile.mkdtemp()
    try:
        make_site(folder)
        with Browser() as browser:
            look_at_full(browser, folder)
            look_at_phone_and_paper(browser, folder)
            look_at_bare(browser, folder)
            look_at_hostile(browser, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("%d failed" % len(failures))
    return 1 if failures else 0


sys.exit(main())
