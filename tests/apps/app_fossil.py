"""app_fossil.py - Fossil: repository browser, wiki, tickets and forum in one program. Time and its own speed on every page.
SPDX-License-Identifier: Apache-2.0
"""
import os
import time

import app
import material


class App(app.App):
    name = "fossil"
    packages = ("fossil",)
    avoid = r"/(help|logout|zip|tarball|sqlar|uv|login)\b"
    urls = 3000
    volatile = "'This page was generated in about 0.003s'; ages ('3 hours ago'); a captcha in forms"
    frozen_how = "the clock; the footer's seconds and the captcha of forms are hidden by name"
    mask = (("seconds", r"generated in about [\d.]+s"), ("captcha", r"[ _/\\|<>(),.'`V-]{40,}"))

    def fossil(self, *words, **more):
        self.run(["fossil", *words], env={"USER": "anna", "HOME": self.site}, **more)

    def fill(self):
        """A repository with the manual pages as files; every changelog entry is a check-in that touches one of them."""
        repository, tree = self.path("site.fossil"), self.path("tree")
        os.makedirs(tree)
        now = time.time()
        texts = material.pages(20 + int(40 * self.scale))
        log = material.changes(int(100 * self.scale))
        branches = set()
        self.fossil("init", "--date-override", self.date(now - 400 * 86400), "-A", "anna", repository)
        self.fossil("open", repository, "--nested", cwd=tree)
        for i, change in enumerate(log):
            page = texts[i % len(texts)]
            folder = f"man{page.section}"
            os.makedirs(os.path.join(tree, folder), exist_ok=True)
            with open(os.path.join(tree, folder, page.name), "a", encoding="utf-8") as f:
                f.write("\n\n".join(t for _, t in page.paragraphs[i // len(texts) * 3:][:6]) + "\n" + "\n".join(change.lines) + "\n")
            self.fossil("add", folder, cwd=tree)
            age = (len(log) - i) ** 2 / len(log) ** 2 * 390 * 86400 + 600
            words = ["commit", "--no-warnings", "--allow-empty", "--date-override", self.date(now - age), "-m",
                     f"{change.package} {change.version}: {change.lines[0][:200]}", "--user-override", change.author.split()[0]]
            if i % 9 == 4:
                words += ["--tag", f"v{change.version.split(':')[-1].replace('~', '-')}"]
            if i % 17 == 8 and change.package not in branches:
                words += ["--branch", change.package]
                branches.add(change.package)
            self.fossil(*words, cwd=tree)
            if i % 17 == 11:
                self.fossil("update", "trunk", cwd=tree)
        for page in texts[:int(25 * self.scale)]:
            source = os.path.join(self.work, "wiki")
            with open(source, "w", encoding="utf-8") as f:
                f.write(f"<h1>{page.name}</h1>\n" + "\n\n".join(t.replace("<", "&lt;") for _, t in page.paragraphs))
            self.fossil("wiki", "create", f"{page.name}", source, "-R", repository)
        for i, change in enumerate(log[:int(40 * self.scale)]):
            self.fossil("ticket", "add", "title", change.lines[-1][:90], "type", ("Code_Defect", "Feature_Request")[i % 2], "status",
                        ("Open", "Fixed", "Closed")[i % 3], "comment", " ".join(change.lines), "-R", repository)
        self.fossil("close", "--force", cwd=tree)
        self.fossil("user", "capabilities", "nobody", "cghijorz234", "-R", repository)

    @staticmethod
    def date(when):
        return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(when))

    def start(self, port):
        self.spawn(["fossil", "server", "--localhost", "--port", str(port), "--nojail", "--baseurl", f"http://{self.host}",
                    self.path("site.fossil")], {"HOME": self.site, "USER": "anna"})
