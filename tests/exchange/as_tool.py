#!/usr/bin/env python3
"""as_tool.py - what other tools make of URLs with an exported file.

    as_tool.py TARGET FILE <urls >keys      TARGET as in `dustpan rules export --to TARGET`

Reads the file the way the tool does and follows its documented steps; the regular expressions of Java are run by
Python's re, which means the same by all that the exporter writes (Exchange.java runs them in Java). With --real the
packages duplicate-url-discarder and pywb do it themselves, where they are installed.
SPDX-License-Identifier: Apache-2.0
"""
import json
import re
import sys
import xml.etree.ElementTree as ET


def java_to_python(result):
    """$1 -> \\g<1>, \\x -> x"""
    return re.sub(r"\\(.)|\$([0-9]+)|(\\)", lambda m: m.group(1).replace("\\", r"\\") if m.group(1) else rf"\g<{m.group(2)}>", result)


def replace_all(steps):
    steps = [(re.compile(p), java_to_python(s)) for p, s in steps]

    def run(url):
        for pattern, result in steps:
            url = pattern.sub(result, url)
        return url
    return run


def match_whole(steps):
    steps = [(re.compile(p), java_to_python(s)) for p, s in steps]

    def run(url):
        for pattern, result in steps:
            m = pattern.fullmatch(url)
            url = m.expand(result) if m else url
        return url
    return run


def nutch(path):
    return replace_all([(r.findtext("pattern"), r.findtext("substitution")) for r in ET.parse(path).iter("regex")])


def stormcrawler(path):
    filters = next(iter(json.load(open(path)).values()))
    rules = [f for f in filters if f["class"].endswith("RegexURLNormalizer")][0]["params"]["urlNormalizers"]
    return replace_all([(r["pattern"], r["substitution"]) for r in rules])


def plain_json(path):
    return replace_all([(r["pattern"], r["substitution"]) for s in json.load(open(path))["steps"] for r in s["replace"]])


def heritrix(path):
    steps = []
    for bean in ET.parse(path).iter("bean"):
        p = {x.get("name"): x.get("value") for x in bean.findall("property")}
        if "regex" in p:
            steps.append((p["regex"], p["format"]))
    return match_whole(steps)


def drop_names(url, names):
    base, question, query = url.partition("?")
    pairs = [p for p in query.split("&") if p and p.partition("=")[0] not in names]
    return base + "?" + "&".join(pairs) if pairs else base


def host_of(url):
    return re.match(r"[a-z]+://([^/?]*)", url).group(1).rpartition("@")[2].partition(":")[0]


def clean_param(path):
    """The robots.txt of each host: all its Clean-param lines hold, under the path that they begin with."""
    rules, hosts = [], []
    for line in open(path):
        if line.startswith("# robots.txt of "):
            hosts = line[16:].strip().split(", ")
        elif line.startswith("Clean-param: "):
            names, _, path = line[13:].strip().partition(" ")
            rules.append((hosts, set(names.split("&")), path or "/"))

    def fits(host, scope):
        return scope == "every host" or scope == host or (scope.startswith("*.") and host.endswith(scope[1:]))

    def run(url):
        for hosts, names, path in rules:
            if any(fits(host_of(url), h) for h in hosts) and re.sub("^[a-z]+://[^/]*", "", url).startswith(path):
                url = drop_names(url, names)
        return url
    return run


def discarder(path):
    """url-matcher: "a.com/" is a.com and www.a.com, "a.com" all below, "" all that no other pattern fits.
    The point of "www." is any character; patterns are looked for by registrable domain, here the last two labels."""
    policies = json.load(open(path))

    def clean(url, p):
        if p["processor"] == "queryRemoval":
            return drop_names(url, p["args"])
        base, _, query = url.partition("?")
        stay = [pair for pair in query.split("&") if pair and pair.partition("=")[0] in p["args"]]
        return base + ("?" + "&".join(stay) if stay else "")

    def fits(netloc, pattern):
        host = pattern.rstrip("/")
        below = "" if pattern.endswith("/") else r"(?:.*\.)?"
        return (netloc.split(".")[-2:] == host.split(".")[-2:]
                and re.fullmatch(f"(?:www.)?{below}{re.escape(host)}", netloc) is not None)

    def run(url):
        netloc, universal = re.match(r"[a-z]+://([^/?]*)", url).group(1), True
        for p in policies:
            include, exclude = p["urlPattern"]["include"], p["urlPattern"].get("exclude", [])
            if any(i and fits(netloc, i) for i in include) and not any(fits(netloc, e) for e in exclude):
                url, universal = clean(url, p), False
        for p in policies:
            if universal and not any(p["urlPattern"]["include"]):
                url = clean(url, p)
        return url
    return run


def real_discarder(path):
    from duplicate_url_discarder.url_canonicalizer import UrlCanonicalizer
    return UrlCanonicalizer([path]).process_url


def pywb_key(url):
    """As surt makes it, of URLs in stage-0 form: no scheme, user and www; lower case; pairs sorted."""
    base, _, query = url.partition("?")
    host, _, path = re.sub(r"^[a-z]+://", "", base).partition("/")
    host, colon, port = re.sub(r"^www[0-9]*\.", "", host.rpartition("@")[2]).partition(":")
    key = ",".join(reversed(host.split("."))) + colon + port + ")/" + path
    return (key + ("?" + "&".join(sorted(query.split("&"))) if query else "")).lower()


def pywb_rules(path):
    """The one shape of YAML that is written."""
    steps, match = [], None
    for line in open(path):
        m = re.match(r" *-? *(match|replace): '(.*)'$", line)
        if m and m.group(1) == "match":
            match = m.group(2).replace("''", "'")
        elif m:
            steps.append((re.compile(match), m.group(2)))
    return steps


def pywb(path):
    steps = pywb_rules(path)

    def run(url):
        key = pywb_key(url)
        for pattern, result in steps:
            key = pattern.sub(result, key)
        return key
    return run


def real_pywb(path):
    from pywb.warcserver.index.fuzzymatcher import FuzzyMatcher
    from surt import surt
    matcher = FuzzyMatcher(path)

    def run(url):
        key = surt(url)
        for pattern, result in matcher.url_normalize_rx:
            key = re.sub(pattern, result, key)
        return key
    return run


TOOLS = {"nutch": nutch, "stormcrawler": stormcrawler, "json": plain_json, "heritrix": heritrix, "nginx": None,
         "clean-param": clean_param, "duplicate-url-discarder": discarder, "pywb": pywb,
         "--real:duplicate-url-discarder": real_discarder, "--real:pywb": real_pywb}

if __name__ == "__main__":
    args = sys.argv[1:]
    if args == ["pywb-key"]:  # of keys, to compare with
        tool = pywb_key
    elif args == ["pywb-surt"]:
        from surt import surt as tool
    else:
        name = ":".join(args[:-1])
        tool = TOOLS[name](args[-1])
    for line in sys.stdin:
        print(tool(line.rstrip("\n")))
