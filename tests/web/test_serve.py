# `dustpan review --serve`: a browser saves the rule file in place; whoever else asks gets nothing.
#
# Runs in the repository's root; BUILD names the build.
# SPDX-License-Identifier: Apache-2.0
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from urllib.parse import urlsplit

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

BUILD = os.environ.get("BUILD", "build")
DUSTPAN = os.path.abspath(os.path.join(BUILD, "san", "dustpan"))
RULES = """dustpan-rules 1
host shop.example
drop ?sid                                                    [p=.99 n=18 neg=0 by=text]
likely drop ?page                                            [p=.5 n=2 neg=1 by=size]
"""
failures = []


def check(what, truth, seen=""):
    print(("ok: " if truth else "FAILED: ") + what + ("" if truth else " " + str(seen)[:300]))
    if not truth:
        failures.append(what)


class Served:
    """The command, while it runs."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([DUSTPAN, "review", "--serve", *arguments], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        self.address = urlsplit(self.url)
        self.port = self.address.port

    def end(self, number=signal.SIGINT):
        """Its exit status, and what it said."""
        self.process.send_signal(number)
        said = self.process.communicate(timeout=30)[1]
        return self.process.returncode, said

    def ask(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body, {name.replace("_", "-"): v for name, v in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def send(self, text, most=10):
        """Bytes as they are; what comes back within a few seconds, or None: the connection was cut."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=most) as s:
            try:
                s.sendall(text)
                s.shutdown(socket.SHUT_WR)
                return s.recv(4096).split(b"\r\n")[0].decode()
            except OSError:
                return None


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def make_site(folder):
    def at(name):
        return os.path.join(folder, name)
    os.mkdir(at("rules"))
    write(at("rules/site.rules"), RULES)
    os.chmod(at("rules/site.rules"), 0o640)
    os.symlink("rules/site.rules", at("site.rules"))
    lines = []
    for i in range(60):
        lines += ["a%d\thttp://shop.example/i/%d?sid=%d" % (i, i, i * 7), "a%d\thttp://shop.example/i/%d" % (i, i),
                  "b%d\thttp://shop.example/list?page=%d" % (i, i)]
    write(at("crawl.tsv"), "cluster\turl\n" + "\n".join(lines) + "\n")
    return at("site.rules"), at("crawl.tsv")


# ---- a browser ----


def press(browser, rule, label):
    browser.run("Array.from(Array.from(document.querySelectorAll('#rules > li')).find(l => l.textContent.includes(%s))"
                ".querySelectorAll('.acts button')).find(b => b.textContent === %s).click()" % (json.dumps(rule), json.dumps(label)))


def save(browser):
    browser.run("document.getElementById('save').click()")
    for _ in range(300):
        said = browser.run("document.getElementById('said').textContent")
        if said != "Saving":
            return said
        time.sleep(.1)
    return "no answer"


def text_of(browser, name):
    return browser.run("document.getElementById('%s').textContent" % name)


def look(browser, rules, records):
    folder = os.path.dirname(os.path.realpath(rules))
    served = Served(rules, records)
    browser.open(served.url)
    check("the page is there", browser.run("document.title") == "dustpan: review of site.rules", browser.problems)
    check("nothing to save yet", save(browser) == "Nothing to save" and read(rules) == RULES)
    press(browser, "page", "Accept")
    press(browser, "sid", "Pin")
    check("saved", save(browser) == "Saved", text_of(browser, "said"))
    text = read(rules)
    check("the file says it", "pin drop ?sid " in text and "\ndrop ?page " in text, text)
    check("a link to it stays, its permissions, nothing beside it", os.path.islink(rules)
          and os.stat(rules).st_mode & 0o777 == 0o640 and os.listdir(folder) == ["site.rules"], os.listdir(folder))
    e = json.loads(subprocess.run([DUSTPAN, "eval", "-q", "--json", "-r", rules, records], check=True,
                                  stdout=subprocess.PIPE).stdout)
    check("the figures are those of the file", int(text_of(browser, "lost")) == e["lost"] > 0, e["lost"])
    press(browser, "page", "Reject")
    check("saved again", save(browser) == "Saved" and "\noff drop ?page " in read(rules))
    check("no problem, nothing asked elsewhere", not browser.problems
          and all(u.startswith((served.url, "data:")) for u in browser.requests), [browser.problems, browser.requests])

    browser.open(served.url)
    check("reloaded: as it was saved", text_of(browser, "changed") == "0" and text_of(browser, "lost") == "0")
    check("reloaded: rejected", "off" in text_of(browser, "rules"))
    edited = read(rules) + "drop ?utm_source\n"
    write(rules, edited)
    press(browser, "page", "Accept")
    check("changed by an editor: not written over", "Not saved: the rule file has changed" in save(browser)
          and read(rules) == edited, text_of(browser, "said"))
    press(browser, "page", "Reject")
    browser.open(served.url)
    check("reloaded: the editor's rule is there", "utm_source" in text_of(browser, "rules"))
    write(rules, edited + "no rule\n")
    browser.open(served.url)
    check("a broken file: its error is shown", "site.rules:6:1" in browser.run("document.body.textContent"))
    write(rules, RULES)
    browser.open(served.url)
    press(browser, "sid", "Reject")
    code, said = served.end()
    check("Ctrl-C: exit 0", code == 0 and "saved " in said, said)
    check("gone: the page says so", "Not saved: dustpan does not run any more" in save(browser) and read(rules) == RULES)


# ---- others ----


def harass(rules, records):
    served = Served("-q", rules, records)
    home, port = served.address.path, served.port
    own = "http://127.0.0.1:%d" % port
    good = {"Origin": own, "If_Match": '"1"'}
    check("the token is long", len(home.strip("/")) == 32)
    other = Served("-q", rules, records)
    check("and never the same", other.address.path != home)
    check("SIGTERM: exit 0", other.end(signal.SIGTERM)[0] == 0)

    for path in ("/", "/" + "0" * 32 + "/", home[:-1], home[:-2] + "/", home + "x", home + "../", "/favicon.ico",
                 home + "%2e%2e/rules", home.upper() + "x", "/../../etc/passwd"):
        check("GET " + path.replace(home.strip("/"), "TOKEN"), served.ask("GET", path)[0] == 404)
    for host in ("evil.example", "evil.example:%d" % port, "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:%d" % port, ""):
        check("Host: " + host.replace(str(port), "PORT"), served.ask("GET", home, Host=host)[0] in (400, 421))
    check("Host: localhost", served.ask("GET", home, Host="localhost:%d" % port)[0] == 200)
    check("no Host", served.send(b"GET %s HTTP/1.0\r\n\r\n" % home.encode()) in ("HTTP/1.0 421 Misdirected Request", "HTTP/1.1 421 Misdirected Request"))
    for method in ("POST", "DELETE", "OPTIONS", "PATCH", "TRACE"):
        check(method, served.ask(method, home, Origin=own)[0] == 405)
    check("HEAD", served.ask("HEAD", home) == (200, ""))

    put = home + "rules"
    for name, headers, want in (
            ("no Origin", {"If_Match": '"1"'}, 403), ("another Origin", {**good, "Origin": "http://evil.example"}, 403),
            ("Origin null", {**good, "Origin": "null"}, 403), ("Origin https", {**good, "Origin": own.replace("http:", "https:")}, 403),
            ("another port", {**good, "Origin": "http://127.0.0.1:1"}, 403), ("no version", {"Origin": own}, 428),
            ("another version", {**good, "If_Match": '"2"'}, 412), ("version *", {**good, "If_Match": "*"}, 428)):
        check("PUT, " + name, served.ask("PUT", put, RULES, **headers)[0] == want)
    check("PUT without the token", served.ask("PUT", "/rules", RULES, **good)[0] == 404)
    check("PUT on the page", served.ask("PUT", home, RULES, **good)[0] == 404)
    check("GET with another Origin", served.ask("GET", home, Origin="http://evil.example")[0] == 403)
    for name, text in (("no rules", "hello\n"), ("nothing", ""), ("a bad rule", RULES + "dorp ?x\n"), ("zeros", "\0" * 1000)):
        status, said = served.ask("PUT", put, text, **good)
        check("PUT of " + name, status == 422 and "the edited file" in said, (status, said))
    check("more than it takes", served.send(b"PUT %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: %s\r\nIf-Match: \"1\"\r\nContent-Length: 99999999999\r\n\r\n"
          % (put.encode(), port, own.encode())) == "HTTP/1.1 413 Content Too Large")
    check("a head without end", served.send(b"GET %s HTTP/1.1\r\nX: " % home.encode() + b"x" * 200000) in (None, "HTTP/1.1 431 Request Header Fields Too Large", ""))
    check("no HTTP", served.send(b"\x16\x03\x01\x00\xff\0\0\r\n\r\n") in (None, "", "HTTP/1.0 400 Bad Request", "HTTP/1.1 400 Bad Request", "HTTP/1.1 505 HTTP Version Not Supported"))
    flood(served, put, own)
    check("nothing was changed by all that", read(rules) == RULES)
    for address in ("127.0.0.2", socket.gethostbyname(socket.gethostname())):
        check("not on " + ("another address" if address != "127.0.0.2" else address), address == "127.0.0.1" or not reaches(address, port))
    check("localhost may save, too", served.ask("PUT", put, RULES + "# 1\n", Host="localhost:%d" % port, Origin="http://localhost:%d" % port,
                                                If_Match='"1"') == (200, "2") and read(rules).endswith("# 1\n"))
    check("the same version twice", served.ask("PUT", put, RULES, **good)[0] == 412)
    check("it still runs", served.ask("GET", home)[0] == 200)
    code, said = served.end()
    check("and ends in peace", code == 0 and said == "", (code, said))


def flood(served, put, own):
    """A body in pieces that goes on and on is cut off; silent connections do not keep others out for ever."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=30) as s:
        s.sendall(b"PUT %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: %s\r\nIf-Match: \"1\"\r\nTransfer-Encoding: chunked\r\n\r\n"
                  % (put.encode(), served.port, own.encode()))
        piece, sent = b"100000\r\n" + b"x" * 0x100000 + b"\r\n", 0
        try:
            while sent < 200:
                s.sendall(piece)
                sent += 1
        except OSError:
            pass
    check("a body without end", sent < 80, sent)
    silent = [socket.create_connection(("127.0.0.1", served.port), timeout=30) for _ in range(20)]
    check("silent neighbours", served.ask("GET", served.address.path)[0] == 200)
    for s in silent:
        s.close()


def reaches(address, port):
    try:
        socket.create_connection((address, port), timeout=2).close()
        return True
    except OSError:
        return False


def main():
    if not shutil.which("chromium") and not shutil.which("chromium-browser") and not shutil.which("google-chrome"):
        print("FAILED: no browser: install chromium")
        return 1
    folder = tempfile.mkdtemp()
    try:
        rules, records = make_site(folder)
        with Browser() as browser:
            look(browser, rules, records)
        harass(rules, records)
    finally:
        shutil.rmtree(folder)
    return 1 if failures else 0


sys.exit(main())
