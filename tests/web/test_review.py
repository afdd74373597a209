# The page of `dustpan review` in a browser: order, decisions by mouse and keys, what they save, the file they give.
#
# What the page says of a choice is compared with what `eval` says of the file that it gives. Runs in the repository's
# root; BUILD names the build. SHOTS=folder keeps the pictures to be looked at.
# SPDX-License-Identifier: Apache-2.0
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
DUSTPAN = os.path.abspath(os.path.join(BUILD, "san", "dustpan"))
PLANT = os.path.abspath(os.path.join(BUILD, "san", "plant"))
failures = []


def check(what, truth, seen=""):
    print(("ok: " if truth else "FAILED: ") + what + ("" if truth else " " + str(seen)[:300]))
    if not truth:
        failures.append(what)


def shot(browser, name, **more):
    folder = os.environ.get("SHOTS")
    if folder:
        browser.shot(os.path.join(folder, name + ".png"), **more)


def dustpan(*arguments):
    return subprocess.run([DUSTPAN, *arguments], check=True, stdout=subprocess.PIPE).stdout.decode()


def make_site(folder):
    """Planted hosts; the rules of the first ones in all states, one of them wrong, one certified."""
    def at(name):
        return os.path.join(folder, name)
    subprocess.run([PLANT, "--urls", "4000", "--hosts", "40", "--seed", "7", "--all", at("s")], check=True)
    with open(at("s.rules"), encoding="utf-8") as f:
        lines = [line.rstrip("\n").split("  #")[0].rstrip() for line in f]
    out, number = [], 0
    for line in lines:
        if line.startswith("host "):
            line += " [cert=.99/.95 n=400 pool=9000]" if number < 20 else ""
        elif line and not line.startswith(("#", "dustpan", "order", "keep")):
            number += 1
            line = ("likely ", "off ", "", "", "pin ")[number % 5] + line + "  [p=.%d n=%d neg=0 by=text]" % (990 + number % 9, 20 + number)
        out.append(line)
    out += ["host wrong.example", "drop ?page,start  [p=.2 n=9 neg=1 by=size]"]
    with open(at("s.clean.tsv"), "a", encoding="utf-8") as f:
        f.writelines("wrong%d\thttp://wrong.example/list?page=%d\n" % (i, i) for i in range(50))
    with open(at("site.rules"), "w", encoding="utf-8") as f:
        f.write("\n".join(out) + "\n")
    dustpan("review", "-q", at("site.rules"), at("s.clean.tsv"), "-o", at("review.html"))


def said(browser):
    return browser.run("[parseFloat(document.getElementById('saved').textContent), "
                       "parseInt(document.getElementById('lost').textContent.replace(/,/g, ''))]")


def file_of(browser):
    browser.run("document.getElementById('file-d').open = true")
    time.sleep(.1)
    return browser.run("document.getElementById('file').value")


def measured(folder, text):
    """What eval says of the file: per cent saved, as the page rounds it, and pages lost."""
    path = os.path.join(folder, "edited.rules")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    e = json.loads(dustpan("eval", "-q", "--json", "-r", path, os.path.join(folder, "s.clean.tsv")))
    return [round(100 * e["reduction"] + 1e-9, 1), e["lost"]]


def near(a, b):
    return abs(a[0] - b[0]) < .11 and a[1] == b[1]


def press(browser, number, label):
    browser.run("Array.from(document.querySelectorAll('#rules > li')[%d].querySelectorAll('.acts button'))"
                ".find(b => b.textContent === %s).click()" % (number, json.dumps(label)))


def look(browser, folder):
    with open(os.path.join(folder, "site.rules"), encoding="utf-8") as f:
        rules = f.read()
    count = sum(1 for line in rules.split("\n") if " [p=" in line)
    browser.open("file://" + os.path.join(folder, "review.html"))
    shot(browser, "review")
    check("one card a rule", browser.run("document.querySelectorAll('#rules > li').length") == min(count, 200))
    check("the first could lose the most", "drop ?page,start" in browser.run(
        "(document.querySelector('#rules > li .acts button:last-child').click(), document.querySelector('#rules > li').textContent)"))
    check("it has counter-examples", browser.run("document.querySelectorAll('#rules > li .sides.apart').length") > 0)
    check("rules are said in words", "do not matter" in browser.run("document.querySelector('#rules > li .say').textContent"))
    first = said(browser)
    check("nothing decided: the figures of the file", near(first, measured(folder, rules)), (first, measured(folder, rules)))
    formatted = subprocess.run([DUSTPAN, "rules", "fmt", os.path.join(folder, "site.rules")], stdout=subprocess.PIPE, check=True).stdout.decode()
    check("nothing decided: the file as it is", file_of(browser) == formatted)

    press(browser, 0, "Reject")
    text = file_of(browser)
    check("rejected: off in the file", "off drop ?page,start" in text)
    check("rejected: the figures of that file", near(said(browser), measured(folder, text)), (said(browser), measured(folder, text)))
    check("rejected: fewer pages lost", said(browser)[1] < first[1])

    dice = random.Random(3)
    for turn in range(4):
        for _ in range(12):
            press(browser, dice.randrange(count), dice.choice(["Accept", "Reject", "Accept"]))
        text = file_of(browser)
        check("many decided, %d: the figures of that file" % (turn + 1), near(said(browser), measured(folder, text)),
              (said(browser), measured(folder, text)))
    check("certificates of what was changed are gone", text.count("cert=") < rules.count("cert="))
    browser.run("document.getElementById('undo').click()")
    check("all undone: the file as it is", file_of(browser) == formatted and said(browser) == first)

    look_at_folders(browser, folder, count)
    look_at_keys(browser)
    check("no problem on the console", not browser.problems, browser.problems)
    check("nothing asked of a network", all(u.startswith(("file:", "data:", "blob:")) for u in browser.requests), browser.requests)


def look_at_folders(browser, folder, count):
    """Leave a folder out, and confine to one: the figures are those of the file."""
    for label in ("not here", "only here"):
        done = 0
        for number in range(min(count, 60)):
            found = browser.run(
                "(() => { const li = document.querySelectorAll('#rules > li')[%d];"
                "if (!li.querySelector('.inside')) li.querySelector('.acts button:last-child').click();"
                "const b = Array.from(li.querySelectorAll('.reach button')).find(b => b.textContent === %s);"
                "if (b) b.click(); return !!b; })()" % (number, json.dumps(label)))
            done += bool(found)
            if done == 5:
                break
        text = file_of(browser)
        check(label + ": written into the file", (" unless /" if label == "not here" else " on /") in text and done == 5)
        check(label + ": the figures of that file", near(said(browser), measured(folder, text)), (said(browser), measured(folder, text)))
        browser.run("document.getElementById('undo').click()")


def look_at_keys(browser):
    browser.run("document.querySelector('#rules > li').focus()")
    browser.key("j", "j")
    browser.key("x", "x")
    second = "document.querySelectorAll('#rules > li')[1]"
    check("keys: j and x reject the second", browser.run(second + ".querySelector('[aria-pressed=true]').textContent") == "Reject")
    browser.key("u", "u")
    check("keys: u undoes it", browser.run("document.getElementById('changed').textContent") == "0")
    browser.key("/", "/")
    browser.type("no such rule anywhere")
    check("find: nothing", browser.run("document.querySelectorAll('#rules > li').length") == 0)


def look_at_many(browser, folder):
    """Thousands of rules stay fluid."""
    path, records = os.path.join(folder, "many.rules"), os.path.join(folder, "many.tsv")
    with open(path, "w", encoding="ascii") as f:
        f.write("dustpan-rules 1\nhost a.example\n" + "".join("drop ?x%d [p=.99 n=5 neg=0]\n" % i for i in range(5000)))
    with open(records, "w", encoding="ascii") as f:
        f.write("".join("p%d\thttp://a.example/f%d/?x%d=1\np%d\thttp://a.example/f%d/\n" % (i, i % 7, i, i, i % 7) for i in range(3000)))
    dustpan("review", "-q", path, records, "-o", os.path.join(folder, "many.html"))
    start = time.monotonic()
    browser.open("file://" + os.path.join(folder, "many.html"))
    browser.run("(document.getElementById('find').value = 'x49', document.getElementById('find').dispatchEvent(new Event('input')), 1)")
    press(browser, 0, "Reject")
    check("5,000 rules: found and decided", browser.run("document.getElementById('changed').textContent") == "1")
    print("5,000 rules: opened, searched and decided in %.1f s" % (time.monotonic() - start), file=sys.stderr)


def look_at_phone(browser, folder):
    page = "file://" + os.path.join(folder, "review.html")
    for dark in (False, True):
        browser.open(page, width=390, height=800, dark=dark)
        browser.run("document.querySelector('#rules > li .acts button:last-child').click()")
        shot(browser, "review-phone-" + ("dark" if dark else "light"))
        check("390 px, %s: nothing runs over" % ("dark" if dark else "light"),
              browser.run("document.documentElement.scrollWidth") <= 390, browser.run("document.documentElement.scrollWidth"))


def look_at_hostile(browser, folder):
    path, records = os.path.join(folder, "hostile.rules"), os.path.join(folder, "hostile.tsv")
    with open(path, "w", encoding="ascii") as f:
        f.write("dustpan-rules 1\nhost a.example\ndrop ?s  # </script><b>\n")
    with open(records, "wb") as f:
        f.write(b"A\thttp://a.example/</script><script>document.title='taken'</script>/x?s=1\n"
                b"A\thttp://a.example/</script><script>document.title='taken'</script>/x\nB\thttp://a.example/\xff/?s=1\n")
    dustpan("review", "-q", "--examples", "raw", path, records, "-o", os.path.join(folder, "hostile.html"))
    browser.open("file://" + os.path.join(folder, "hostile.html"))
    check("hostile: the title is ours", browser.run("document.title").startswith("dustpan: "))
    check("hostile: two scripts, ours", browser.run("document.scripts.length") == 2)
    check("hostile: the comment is still in the file", "# </script><b>" in file_of(browser))


def main():
    if not shutil.which("chromium") and not shutil.which("chromium-browser") and not shutil.which("google-chrome"):
        print("FAILED: no browser: install chromium")
        return 1
    folder = tempfile.mkdtemp()
    try:
        make_site(folder)
        with Browser() as browser:
            look(browser, folder)
            look_at_many(browser, folder)
            look_at_phone(browser, folder)
            look_at_hostile(browser, folder)
    finally:
        shutil.rmtree(folder)
    return 1 if failures else 0


sys.exit(main())
