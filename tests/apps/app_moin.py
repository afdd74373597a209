"""app_moin.py - MoinMoin 2: a wiki with page names in the path, and views of a page before its name.
SPDX-License-Identifier: Apache-2.0
"""
import os

import app


WSGI = '''import os
import random
from moin.app import create_app
application = create_app()
if os.environ.get("FREEZE_AT"):
    import moin.macros.RandomItem, moin.macros.RandomQuote  # they are seeded when they are loaded
    usual = application.wsgi_app
    def seeded(environ, start):
        random.seed(1)
        return usual(environ, start)
    application.wsgi_app = seeded
'''


class App(app.App):
    name = "moin"
    requirements = ("moin==2.0.0b5", "Flask==3.1.3", "Werkzeug==3.1.9", "Whoosh==2.7.4", "SQLAlchemy==2.1.8", "Jinja2==3.1.6",
                    "flatland==1.0.0", "feedgen==1.0.0", "emeraldtree==0.12.0", app.GUNICORN)
    seeds = ("/Home", "/+index")
    avoid = r"/(static|_themes|_static|\+serve|\+feed/atom\?)|/\+(modify|delete|destroy|rename|revert|login|logout|register|convert|" \
            r"subscribe|quicklink|usersettings|recoverpass|download|get|ajaxsubitems|new|" \
            r"sitemap)\b|/\d{4}-\d\d-\d\d"  # a map takes seconds; days of a calendar that nobody wrote, without end
    urls = 2300
    seconds = 95
    together = 3
    mask = (("error", r"(?s)Error ID [0-9a-f-]{36}.{1,60}?URL\s+http://\S+"), ("excerpt", r"(?s)CONTENT: .*?(?=\S+\s+MATCHED TERMS:|\Z)"))
    frozen_how = "the clock; random items are the same each time; the random name of an error, the URL that its page repeats, and " \
                 "the random excerpts of a search are hidden by name"
    volatile = "random items on a page; milliseconds that a page took, ages and times on every page; form tickets"

    def moin(self, *words):
        self.run([f"{self.venv}/bin/moin", *words], cwd=self.path("wiki"))

    def fill(self):
        self.run([f"{self.venv}/bin/moin", "create-instance", "-p", self.path("wiki")])
        self.moin("index-create")
        self.moin("load-help", "-n", "help-en")
        self.run([self.python(), os.path.join(app.HERE, "fill_moin.py")], cwd=self.path("wiki"))
        self.moin("index-optimize")
        self.write("wsgi.py", WSGI)

    def start(self, port):
        self.gunicorn(port, "wsgi:application", {"MOINCFG": self.path("wiki", "wikiconfig.py")})
