"""page.py - what a crawler takes out of a response: links, and the text that a reader sees.

Not dustpan's own reader of pages (src/content): truth is made without what it is the measure of.
SPDX-License-Identifier: Apache-2.0
"""
import re
import urllib.parse

import lxml.etree
import lxml.html

UNSEEN = ("script", "style", "template", "noscript", "noframes", "head", "title", "object", "iframe")
INLINE = {"a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "label", "mark",
          "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"}
SEARCHED = ("file", "option", "command", "library", "error", "kernel", "memory", "network")  # what is typed into a form
OPTIONS = 6  # values of one <select> that are tried


def is_html(kind):
    return kind in ("text/html", "application/xhtml+xml")


def is_feed(kind):
    return kind.endswith("xml") and not is_html(kind)


def charset(header, body):
    found = re.search(r"charset=[\"']?([\w-]+)", header, re.I) or re.search(rb"<meta[^>]+charset=[\"']?([\w-]+)", body[:2048], re.I)
    name = found.group(1) if found else "utf-8"
    return name.decode("ascii") if isinstance(name, bytes) else name


def parse(header, body):
    """The tree of an HTML page; None where there is nothing in it."""
    try:
        text = body.decode(charset(header, body), "replace")
    except LookupError:
        text = body.decode("utf-8", "replace")
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text.replace("\0", ""))
    try:
        return lxml.html.document_fromstring(text)
    except (lxml.etree.ParserError, ValueError):
        return None


def visible(tree):
    """The text of a page, white space squeezed: no scripts, no title, nothing hidden by its attributes."""
    words = []

    def walk(e):
        if not isinstance(e.tag, str):
            return
        style = (e.get("style") or "").replace(" ", "").lower()
        if e.tag in UNSEEN or e.get("hidden") is not None or "display:none" in style or "visibility:hidden" in style:
            return
        apart = "" if e.tag in INLINE else " "
        words.append(apart + (e.text or ""))
        for child in e:
            walk(child)
            words.append(child.tail or "")
        words.append(apart)

    walk(tree)
    return " ".join("".join(words).split())


def _form_urls(form):
    """What a reader could send with a form: the defaults, and each choice of a list or button by itself."""
    fixed, choices = [], []
    for e in form.iter("input", "select", "textarea", "button"):
        name, kind = e.get("name"), (e.get("type") or "text").lower()
        if not name or e.get("disabled") is not None:
            continue
        if e.tag == "select":
            values = [o.get("value", o.text or "").strip() for o in e.iter("option")]
            chosen = [o.get("value", o.text or "").strip() for o in e.iter("option") if o.get("selected") is not None]
            fixed.append((name, (chosen or values[:1] or [""])[0]))
            choices += [(name, v) for v in values[:OPTIONS]]
        elif e.tag == "button" or kind in ("submit", "image"):
            choices.append((name, e.get("value") or ""))
        elif kind == "radio":
            choices.append((name, e.get("value") or "on"))
            if e.get("checked") is not None:
                fixed.append((name, e.get("value") or "on"))
        elif kind == "checkbox":
            if e.get("checked") is not None:
                fixed.append((name, e.get("value") or "on"))
        elif kind in ("text", "search") and not e.get("value"):
            fixed.append((name, ""))
            choices += [(name, w) for w in SEARCHED[:3]]
        elif kind not in ("file", "reset", "password"):
            fixed.append((name, e.get("value") or ""))
    yield urllib.parse.urlencode(fixed)
    for name, value in choices:
        sent = [(n, value if n == name else v) for n, v in fixed]
        if name not in dict(fixed):
            sent.append((name, value))
        yield urllib.parse.urlencode(sent)


def links(url, kind, tree, body):
    """The URLs that a page leads to, in its order: links, feeds, frames, forms with GET, rel=canonical."""
    out = []
    if tree is not None:
        base = urllib.parse.urljoin(url, next((b.get("href") for b in tree.iter("base") if b.get("href")), ""))
        for e in tree.iter("a", "area", "link", "iframe", "frame", "form"):
            if e.tag == "form":
                if (e.get("method") or "get").lower() == "get":
                    action = urllib.parse.urljoin(base, e.get("action") or "").partition("#")[0].partition("?")[0]
                    out += [f"{action}?{query}" for query in _form_urls(e)]
                continue
            to = e.get("src") if e.tag in ("iframe", "frame") else e.get("href")
            if to and (e.tag != "link" or set((e.get("rel") or "").lower().split()) & {"alternate", "canonical", "next", "prev"}):
                out.append(urllib.parse.urljoin(base, to.strip()))
    elif is_feed(kind):
        text = body.decode("utf-8", "replace")
        found = re.findall(r"<link>\s*([^<\s]+)\s*</link>|<link[^>]+href=[\"']([^\"']+)|<loc>\s*([^<\s]+)", text)
        out += [urllib.parse.urljoin(url, next(filter(None, f)).replace("&amp;", "&")) for f in found]
    return out
