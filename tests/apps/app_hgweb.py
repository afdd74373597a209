"""app_hgweb.py - Mercurial's web server: a repository browser, with ages in its graphs.
SPDX-License-Identifier: Apache-2.0
"""
import os
import time

import app
import material


class App(app.App):
    name = "hgweb"
    packages = ("mercurial",)
    avoid = r"/archive/|/static/|/rss-|cmd="
    urls = 2500
    volatile = "ages in graphs ('by anna, 3 hours ago')"

    def hg(self, *words, **more):
        self.run(["hg", *words], env={"HGRCPATH": self.path("hgrc"), "HOME": self.site}, **more)

    def fill(self):
        """Manual pages as files; every changelog entry is a commit, some on branches, some with a tag or bookmark."""
        self.write("hgrc", "[ui]\nusername = anna\n[web]\nstyle = gitweb\nallow-archive = gz\nname = manual\n"
                   "description = Manual pages and their history\nmaxchanges = 12\nmaxshortchanges = 30\nmaxfiles = 8\n")
        tree = self.path("repo")
        self.hg("init", tree)
        now, texts, log = time.time(), material.pages(50), material.changes(90)
        names = set()
        for i, change in enumerate(log):
            page = texts[i % len(texts)]
            path = os.path.join(tree, f"man{page.section}", page.name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "a", encoding="utf-8") as f:
                f.write("\n\n".join(t for _, t in page.paragraphs[i // len(texts) * 3:][:6]) + "\n" + "\n".join(change.lines) + "\n")
            age = (len(log) - i) ** 2 / len(log) ** 2 * 390 * 86400 + 600
            if i % 15 == 8 and change.package not in names:
                self.hg("branch", change.package, cwd=tree)
                names.add(change.package)
            self.hg("commit", "-A", "-d", f"{int(now - age)} 0", "-u", change.author, "-m",
                    f"{change.package} {change.version}: " + "\n".join(change.lines), cwd=tree)
            if i % 15 == 11:
                self.hg("update", "default", cwd=tree)
            tag = change.version.replace(":", "-")
            if i % 10 == 5 and tag not in names:
                self.hg("tag", "-d", f"{int(now - age + 60)} 0", tag, cwd=tree)
                names.add(tag)
            if i % 13 == 7:
                self.hg("bookmark", f"mark-{change.package}-{i}", cwd=tree)

    def start(self, port):
        self.spawn(["hg", "serve", "-R", self.path("repo"), "-a", "127.0.0.1", "-p", str(port)],
                   {"HGRCPATH": self.path("hgrc"), "HOME": self.site})
