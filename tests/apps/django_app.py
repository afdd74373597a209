"""django_app.py - applications made with Django: settings, tables, a script that fills them, gunicorn.
SPDX-License-Identifier: Apache-2.0
"""
import os

import app

COMMON = '''
import os
BASE_DIR = os.path.dirname(os.path.abspath(__file__))
SECRET_KEY = "not a secret: loopback only"
DEBUG = False
ALLOWED_HOSTS = ["*"]
SITE_ID = 1
ROOT_URLCONF = "urls"
WSGI_APPLICATION = "wsgi.application"
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": BASE_DIR + "/db.sqlite3", "OPTIONS": {"timeout": 30}}}
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True
STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR + "/static"
MEDIA_URL = "/media/"
MEDIA_ROOT = BASE_DIR + "/media"
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
LOGGING_CONFIG = None
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware", "django.contrib.messages.middleware.MessageMiddleware"]
PROCESSORS = ["django.template.context_processors." + n for n in ("debug", "request", "i18n", "media", "static", "tz")] + [
    "django.contrib.auth.context_processors.auth", "django.contrib.messages.context_processors.messages"]
FROZEN = bool(os.environ.get("FREEZE_AT"))
'''
WSGI = '''import os
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings")
from django.core.wsgi import get_wsgi_application
application = get_wsgi_application()
'''


class App(app.App):
    settings, routes = "", ""
    together = 3

    def environment(self):
        return {**super().environment(), "DJANGO_SETTINGS_MODULE": "settings", "PYTHONPATH": self.site}

    def manage(self, *words):
        self.run([self.python(), "-m", "django", *words], cwd=self.site)

    def fill(self):
        self.write("settings.py", COMMON + self.settings)
        self.write("urls.py", self.routes)
        self.write("wsgi.py", WSGI)
        self.manage("migrate", "-v", "0")
        self.run([self.python(), os.path.join(app.HERE, f"fill_{self.name}.py")])

    def start(self, port):
        self.gunicorn(port, "wsgi:application")
