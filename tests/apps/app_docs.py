"""app_docs.py - static documentation under Apache: two versions, an alias for the newest, ten languages, sorted folders.
SPDX-License-Identifier: Apache-2.0
"""
import os
import shutil

import apache
import app
import material

MANUAL = "/usr/share/doc/apache2-doc/manual"


class App(app.App):
    name = "docs"
    packages = ("apache2-bin", "apache2-doc")
    avoid = r"\.(gz|png|gif|jpg|pdf|css|js|svg|ico)$"
    urls = 3000
    frozen_how = "the clock; nothing on these pages changes"

    def fill(self):
        """The manual of Apache as /docs/2.4/ and, with the older number, /docs/2.2/; /docs/current/ and /manual/ are the newest."""
        languages = sorted(n for n in os.listdir(MANUAL) if os.path.exists(f"{MANUAL}/{n}/index.html"))
        for language in languages:
            shutil.copytree(f"{MANUAL}/{language}", self.path("www", "docs", "2.4", language))
            for folder, _, names in os.walk(f"{MANUAL}/{language}"):
                for name in names:
                    if not name.endswith(".html"):
                        continue
                    with open(os.path.join(folder, name), encoding="utf-8", errors="surrogateescape") as f:
                        text = f.read().replace("2.4", "2.2")
                    path = self.path("www", "docs", "2.2", os.path.relpath(os.path.join(folder, name), MANUAL))
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                    with open(path, "w", encoding="utf-8", errors="surrogateescape") as f:
                        f.write(text)
        os.symlink("2.4", self.path("www", "docs", "current"))
        for package in material.packages(120):
            source = f"/usr/share/doc/{package.name}"
            if os.path.isdir(source) and not os.path.islink(source):
                target = self.path("www", "doc", package.name)
                os.makedirs(target)
                self.write(os.path.join(target, "README.txt"), f"{package.summary}\n\n{package.text}\n")
                for name in sorted(os.listdir(source))[:6]:
                    path = os.path.join(source, name)
                    if os.path.isfile(path) and os.path.getsize(path) < 60_000:
                        shutil.copy(path, target)
        places = ["/manual/en/", "/doc/"] + [f"/docs/{v}/{l}/" for v in ("current", "2.4", "2.2") for l in languages]
        self.write("www/index.html", "<title>Documentation</title><h1>Documentation</h1><ul>" +
                   "".join(f'<li><a href="{p}">{p}</a>' for p in places) + "</ul>\n")

    def start(self, port):
        www = self.path("www")
        apache.start(self, port, [
            f'DocumentRoot "{www}"', f'Alias /manual "{www}/docs/2.4"', "DirectoryIndex index.html",
            f'<Directory "{www}">', "Options Indexes FollowSymLinks", "IndexOptions FancyIndexing HTMLTable", "Require all granted",
            "AllowOverride None", "AddDefaultCharset off", "</Directory>"])
