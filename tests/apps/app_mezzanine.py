"""app_mezzanine.py - Mezzanine: a content management system with pages, a blog, tags, feeds, search and comments.
SPDX-License-Identifier: Apache-2.0
"""
import app
import django_app

SETTINGS = '''
USE_MODELTRANSLATION = False
USE_I18N = False
LANGUAGES = (("en", "English"),)
AUTHENTICATION_BACKENDS = ("mezzanine.core.auth_backends.MezzanineBackend",)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
PROJECT_ROOT = BASE_DIR
PROJECT_APP = ""
NEVERCACHE_KEY = "never"
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": [], "APP_DIRS": True, "OPTIONS": {
    "context_processors": PROCESSORS + ["mezzanine.conf.context_processors.settings", "mezzanine.pages.context_processors.page"],
    "builtins": ["mezzanine.template.loader_tags"]}}]
INSTALLED_APPS = ["django.contrib." + n for n in ("admin", "auth", "contenttypes", "redirects", "sessions", "sites", "sitemaps",
                                                  "messages", "staticfiles")] + ["mezzanine." + n for n in (
    "boot", "conf", "core", "generic", "pages", "blog", "forms", "galleries")]
MIDDLEWARE = [m for m in MIDDLEWARE if "locale" not in m] + [
    "mezzanine.core.request.CurrentRequestMiddleware", "mezzanine.core.middleware.RedirectFallbackMiddleware",
    "mezzanine.core.middleware.SitePermissionMiddleware", "mezzanine.pages.middleware.PageMiddleware"]
PACKAGE_NAME_FILEBROWSER = "filebrowser_safe"
PACKAGE_NAME_GRAPPELLI = "grappelli_safe"
OPTIONAL_APPS = (PACKAGE_NAME_FILEBROWSER, PACKAGE_NAME_GRAPPELLI)
RATINGS_ACCOUNT_REQUIRED = False
COMMENTS_DISQUS_SHORTNAME = ""
from mezzanine.utils.conf import set_dynamic_settings
set_dynamic_settings(globals())
'''
ROUTES = '''
from django.contrib import admin
from django.urls import include, path
from django.views.generic import TemplateView
admin.autodiscover()
urlpatterns = [path("admin/", include(admin.site.urls)), path("", TemplateView.as_view(template_name="index.html"), name="home"),
               path("", include("mezzanine.urls"))]
'''


class App(django_app.App):
    name = "mezzanine"
    requirements = ("Mezzanine==6.1.1", "Django==4.2.30", "setuptools==80.9.0", "pillow==13.0.0", "bleach==6.4.0",
                    "filebrowser-safe==1.1.1", "grappelli-safe==1.1.1", app.GUNICORN)
    avoid = r"/(static|media|admin)/|/edit/"
    urls = 2200
    seconds = 105
    volatile = "ages of posts ('3 weeks, 2 days ago'); form tokens"
    settings, routes = SETTINGS, ROUTES
