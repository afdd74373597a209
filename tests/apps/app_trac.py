"""app_trac.py - Trac: tickets, wiki, milestones, timeline.
SPDX-License-Identifier: Apache-2.0
"""
import os

import app


# Trac looks for garbage after every page: what is there from the start need not be looked at.
WSGI = '''import gc
import os
from trac.env import open_environment
from trac.web.main import dispatch_request
open_environment(os.environ["TRAC_ENV"], use_cache=True)
gc.collect()
gc.freeze()
'''


class App(app.App):
    name = "trac"
    requirements = ("Trac==1.6", "Pygments==2.19.2", "Jinja2==3.1.6", "MarkupSafe==3.0.4", "setuptools==80.9.0", app.GUNICORN)
    avoid = r"/(logout|login|chrome)\b|[?&]action=(delete|edit|new)\b"
    urls = 2200
    seconds = 95
    together = 3
    volatile = "ages ('3 weeks ago'), a form token in hidden fields"

    def fill(self):
        self.run([f"{self.venv}/bin/trac-admin", self.path("env"), "initenv", "Manual", "sqlite:db/trac.db"])
        self.run([f"{self.venv}/bin/trac-admin", self.path("env"), "config", "set", "query", "items_per_page", "20"])
        self.run([self.python(), os.path.join(app.HERE, "fill_trac.py"), self.path("env")])
        self.write("wsgi.py", WSGI)

    def start(self, port):
        self.gunicorn(port, "wsgi:dispatch_request", {"TRAC_ENV": self.path("env")})
