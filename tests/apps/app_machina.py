"""app_machina.py - django-machina: a forum whose lists count how often a topic was looked at.
SPDX-License-Identifier: Apache-2.0
"""
import app
import django_app

SETTINGS = '''
from machina import MACHINA_MAIN_STATIC_DIR, MACHINA_MAIN_TEMPLATE_DIR
INSTALLED_APPS = ["django.contrib." + n for n in ("auth", "contenttypes", "sessions", "messages", "sites", "staticfiles", "humanize")] + [
    "mptt", "haystack", "widget_tweaks", "machina"] + ["machina.apps." + n for n in (
    "forum", "forum_conversation", "forum_conversation.forum_attachments", "forum_conversation.forum_polls", "forum_feeds",
    "forum_moderation", "forum_search", "forum_tracking", "forum_member", "forum_permission")]
MIDDLEWARE += ["machina.apps.forum_permission.middleware.ForumPermissionMiddleware"]
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": [MACHINA_MAIN_TEMPLATE_DIR], "APP_DIRS": True,
              "OPTIONS": {"context_processors": PROCESSORS + ["machina.core.context_processors.metadata"]}}]
CACHES = {n: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"} for n in ("default", "machina_attachments")}
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}}
MACHINA_FORUM_NAME = "Changes"
MACHINA_TOPIC_POSTS_NUMBER_PER_PAGE = 5
MACHINA_FORUM_TOPICS_NUMBER_PER_PAGE = 6
LOGIN_URL = "/login/"
DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF"
'''
ROUTES = '''
from django.conf import settings
from django.contrib.auth.views import LoginView
from django.urls import include, path
urlpatterns = [path("login/", LoginView.as_view(template_name="login.html"), name="login"), path("", include("machina.urls"))]
if settings.FROZEN:
    from machina.apps.forum_conversation.receivers import update_topic_counter
    from machina.apps.forum_conversation.signals import topic_viewed
    topic_viewed.disconnect(update_topic_counter)
'''
LOGIN = '''{% extends "board_base.html" %}{% block content %}<h1>Log in</h1>
<form method="post">{% csrf_token %}{{ form.as_p }}<button>Log in</button></form>{% endblock %}
'''


class App(django_app.App):
    name = "machina"
    requirements = ("django-machina==1.3.1", "Django==5.2.19", "django-haystack==3.4.0", "django-mptt==0.20.0", "markdown2==2.5.5",
                    "pillow==13.0.0", app.GUNICORN)
    avoid = r"/(static|media)/"
    urls = 2200
    seconds = 95
    volatile = "how often each topic was viewed, in every list; form tokens"
    frozen_how = "the clock; the counter of views does not count"
    settings, routes = SETTINGS, ROUTES

    def fill(self):
        self.write("templates/login.html", LOGIN)
        self.settings = SETTINGS.replace("[MACHINA_MAIN_TEMPLATE_DIR]", "[BASE_DIR + '/templates', MACHINA_MAIN_TEMPLATE_DIR]")
        super().fill()
