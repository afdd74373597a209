"""app_dokuwiki.py - DokuWiki under Apache and PHP.
SPDX-License-Identifier: Apache-2.0
"""
import glob
import os
import shutil
import time

import apache
import app
import material


class App(app.App):
    name = "dokuwiki"
    packages = ("dokuwiki", "apache2-bin", "libapache2-mod-php")
    seeds = ("/doku.php?id=start",)
    avoid = r"do=(edit|draft|locked|export_)|/lib/exe/(css|js|indexer|taskrunner|xmlrpc|ajax)|\.(png|gif|ico|css)\b"
    urls = 2500
    volatile = "a security token in every form, ages in the list of changes"

    def fill(self):
        """A page for each of the manual pages, in name spaces by section; some with older revisions."""
        pages, meta, attic = (self.path("data", f) for f in ("pages", "meta", "attic"))
        for folder in ("cache", "index", "locks", "log", "media", "media_attic", "media_meta", "tmp", "pages", "meta", "attic"):
            os.makedirs(self.path("data", folder))
        os.makedirs(self.path("conf"))
        for path in glob.glob("/etc/dokuwiki/*.conf") + glob.glob("/etc/dokuwiki/*.php"):
            if os.path.isfile(path) and os.access(path, os.R_OK):
                shutil.copy(path, self.path("conf"))
        self.write("conf/local.php", "<?php\n$conf['title'] = 'Manual';\n$conf['lang'] = 'en';\n$conf['license'] = '';\n"
                   f"$conf['useacl'] = 0;\n$conf['updatecheck'] = 0;\n$conf['savedir'] = '{self.path('data')}';\n"
                   "$conf['recent'] = 10;\n$conf['rss_type'] = 'rss2';\n")
        self.write("first.php", f"<?php define('DOKU_CONF', '{self.path('conf')}/');\n")
        texts, now, changes = material.pages(90), time.time(), []
        for i, text in enumerate(texts):
            id_ = f"man{text.section}:{text.name.lower()}"
            path = os.path.join(pages, id_.replace(":", "/") + ".txt")
            lines = []
            for revision in range(1 + i % 3):
                when = int(now - (len(texts) - i) * 86400 * 3 + revision * 7200)
                other = texts[(i + 7) % len(texts)]
                body = f"====== {text.name} ======\n" + "".join(
                    f"\n===== {h} =====\n{t}\n" for h, t in text.paragraphs[:4 + 3 * revision]) + \
                    f"\nEdition {revision + 1}. See also [[man{other.section}:{other.name}]] and [[start]].\n"
                self.write(path, body)
                os.utime(path, (when, when))
                self.write(os.path.join(attic, id_.replace(":", "/") + f".{when}.txt"), body)
                line = f"{when}\t127.0.0.1\t{'CE'[revision > 0]}\t{id_}\t\tedition {revision + 1}\t\t{len(body)}\n"
                lines.append(line)
                changes.append(line)
            self.write(os.path.join(meta, id_.replace(":", "/") + ".changes"), "".join(lines))
        self.write(os.path.join(meta, "_dokuwiki.changes"), "".join(sorted(changes)))
        self.write(os.path.join(pages, "start.txt"), "====== Manual ======\n" + "".join(
            f"  * [[man{t.section}:{t.name}|{t.title[:50]}]]\n" for t in texts[:40]))
        if os.getuid() == 0:
            for folder, _, names in os.walk(self.site):
                for path in [folder, *(os.path.join(folder, n) for n in names)]:
                    shutil.chown(path, "www-data", "www-data")

    def start(self, port):
        apache.start(self, port, [
            'DocumentRoot "/usr/share/dokuwiki"', "DirectoryIndex doku.php",
            f'php_admin_value auto_prepend_file "{self.path("first.php")}"', "MaxRequestWorkers 4",
            '<FilesMatch "\\.php$">', "SetHandler application/x-httpd-php", "</FilesMatch>",
            '<Directory "/usr/share/dokuwiki">', "Options FollowSymLinks", "AllowOverride None", "Require all granted", "</Directory>"],
            with_php=True)
