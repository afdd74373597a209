"""app_hyperkitty.py - HyperKitty: a mail archive by month, day, thread and message.
SPDX-License-Identifier: Apache-2.0
"""
import email.message
import email.utils
import mailbox
import time

import app
import django_app
import material

SETTINGS = '''
INSTALLED_APPS = ["hyperkitty", "django_mailman3"] + ["django.contrib." + n for n in (
    "admin", "auth", "contenttypes", "sessions", "sites", "messages", "staticfiles")] + [
    "rest_framework", "django_gravatar", "compressor", "haystack", "django_extensions", "django_q", "allauth", "allauth.account",
    "allauth.socialaccount"]
MIDDLEWARE += ["allauth.account.middleware.AccountMiddleware", "django_mailman3.middleware.TimezoneMiddleware"]
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": [], "APP_DIRS": True, "OPTIONS": {
    "context_processors": PROCESSORS + ["django.template.context_processors.csrf", "django_mailman3.context_processors.common",
                                        "hyperkitty.context_processors.common"]}}]
AUTHENTICATION_BACKENDS = ("django.contrib.auth.backends.ModelBackend", "allauth.account.auth_backends.AuthenticationBackend")
STATICFILES_FINDERS = ("django.contrib.staticfiles.finders.AppDirectoriesFinder", "compressor.finders.CompressorFinder")
COMPRESS_ENABLED = False
COMPRESS_PRECOMPILERS = ()
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.whoosh_backend.WhooshEngine", "PATH": BASE_DIR + "/index"}}
Q_CLUSTER = {"name": "hyperkitty", "sync": True, "orm": "default", "timeout": 60, "retry": 120}
MAILMAN_REST_API_URL, MAILMAN_REST_API_USER, MAILMAN_REST_API_PASS = "http://127.0.0.1:1", "none", "none"
MAILMAN_ARCHIVER_KEY, MAILMAN_ARCHIVER_FROM = "none", ("127.0.0.1",)
LOGIN_URL, LOGIN_REDIRECT_URL, LOGOUT_URL = "account_login", "hk_root", "account_logout"
FILTER_VHOST = False
GRAVATAR_SECURE = False
'''
ROUTES = '''
from django.contrib import admin
from django.urls import include, path
urlpatterns = [path("archives/", include("hyperkitty.urls")), path("mailman3/", include("django_mailman3.urls")),
               path("accounts/", include("allauth.urls")), path("admin/", admin.site.urls)]
'''
LISTS = ("changes", "bugs")


class App(django_app.App):
    name = "hyperkitty"
    requirements = ("hyperkitty==1.3.12", "django-mailman3==1.3.15", "Django==5.0.14", "django-allauth==65.21.1", "django-q2==1.10.0",
                    "django-haystack==3.4.0", "Whoosh==2.7.4", "setuptools==80.9.0", app.GUNICORN)
    seeds = ("/archives/",)
    avoid = r"/(static|admin|mailman3|accounts/(logout|signup))|/export/|/vote|/suggest-tags|/attachment/|/compat"
    urls = 2200
    seconds = 95
    volatile = "ages ('3 weeks ago'), lists of what is active now; form tokens"
    settings, routes = SETTINGS, ROUTES

    def mbox(self, name, log):
        """Each changelog entry starts a thread, its lines are the answers."""
        box = mailbox.mbox(self.path(f"{name}.mbox"))
        now = time.time()
        for i, change in enumerate(log):
            age = (len(log) - i) ** 2 / len(log) ** 2 * 390 * 86400 + 3600
            first = None
            for j, line in enumerate(change.lines[:6]):
                m = email.message.EmailMessage()
                m["From"] = f"{('Anna', 'Ben', 'Cleo', 'Dora')[(i + j) % 4]} Example <{'abcd'[(i + j) % 4]}@example.com>"
                m["To"] = f"{name}@{self.host}"
                m["Subject"] = ("Re: " if j else "") + f"{change.package} {change.version}"
                m["Date"] = email.utils.formatdate(now - age * (1 - j / 20))
                m["Message-ID"] = f"<{name}.{i}.{j}@{self.host}>"
                if first:
                    m["In-Reply-To"] = m["References"] = first
                first = first or m["Message-ID"]
                m.set_content(line + "\n\n> " + change.lines[0] + "\n")
                box.add(mailbox.mboxMessage(m))
        box.close()

    def fill(self):
        log = material.changes(160)
        for i, name in enumerate(LISTS):
            self.mbox(name, log[i::2])
        super().fill()
        for name in LISTS:
            self.manage("hyperkitty_import", "-l", f"{name}@{self.host}", "--no-sync-mailman", self.path(f"{name}.mbox"), "-v", "0")
        self.manage("rebuild_index", "--noinput", "-v", "0")
