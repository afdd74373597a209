"""app_roundup.py - Roundup: an issue tracker whose lists are sorted, filtered and grouped by parameters.
SPDX-License-Identifier: Apache-2.0
"""
import os

import app


class App(app.App):
    name = "roundup"
    requirements = ("roundup==2.6.0", app.GUNICORN)
    seeds = ("/",)
    avoid = r"@action=(?!search)|/@@file/"
    urls = 2200
    together = 3
    volatile = "ages ('3 days ago'), a nonce in every form"

    def fill(self):
        home, admin = self.path("home"), f"{self.venv}/bin/roundup-admin"
        self.run([admin, "-i", home, "install", "classic", "sqlite"])
        config = os.path.join(home, "config.ini")
        with open(config, encoding="utf-8") as f:
            text = f.read()
        for name, value in (("web", f"http://{self.host}/"), ("domain", "localhost"), ("host", "localhost")):
            text = text.replace(f"#{name} = NO DEFAULT", f"{name} = {value}")
        with open(config, "w", encoding="utf-8") as f:
            f.write(text)
        os.remove(os.path.join(home, "detectors", "nosyreaction.py"))  # it sends mail
        self.run([admin, "-i", home, "initialise", "secret"])
        self.write("wsgi.py", f"from roundup.cgi.wsgi_handler import RequestDispatcher\napp = RequestDispatcher({home!r})\n")
        self.run([self.python(), os.path.join(app.HERE, "fill_roundup.py"), home])

    def start(self, port):
        self.gunicorn(port, "wsgi:app")
