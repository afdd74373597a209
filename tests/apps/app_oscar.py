"""app_oscar.py - django-oscar: a shop with categories, sorting, search, reviews, offers, slugs and a basket.
SPDX-License-Identifier: Apache-2.0
"""
import app
import django_app

SETTINGS = '''
from oscar.defaults import *
import oscar
INSTALLED_APPS = oscar.INSTALLED_APPS + ["sorl.thumbnail"]
MIDDLEWARE += ["oscar.apps.basket.middleware.BasketMiddleware", "django.contrib.flatpages.middleware.FlatpageFallbackMiddleware"]
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": [BASE_DIR + "/templates"], "APP_DIRS": True,
              "OPTIONS": {"context_processors": PROCESSORS + [
                  "oscar.apps.search.context_processors.search_form", "oscar.apps.checkout.context_processors.checkout",
                  "oscar.apps.communication.notifications.context_processors.notifications", "oscar.core.context_processors.metadata",
                  "picks.picks"]}}]
AUTHENTICATION_BACKENDS = ("oscar.apps.customer.auth_backends.EmailBackend", "django.contrib.auth.backends.ModelBackend")
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.whoosh_backend.WhooshEngine", "PATH": BASE_DIR + "/index"}}
OSCAR_SHOP_NAME = "Package shop"
OSCAR_DEFAULT_CURRENCY = "EUR"
OSCAR_PRODUCTS_PER_PAGE = 3
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("fr", "French")]
DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF"
'''
ROUTES = '''
from django.apps import apps
from django.urls import include, path
urlpatterns = [path("i18n/", include("django.conf.urls.i18n")), path("", include(apps.get_app_config("oscar").urls[0]))]
'''
PICKS = '''
import random
from django.conf import settings
def picks(request):
    from oscar.core.loading import get_model
    choice = random.Random(1) if settings.FROZEN else random
    ids = choice.sample(range(1, 200), 4)
    return {"picks": sorted(get_model("catalogue", "Product").objects.filter(id__in=ids), key=lambda p: ids.index(p.id))}
'''
FOOTER = '''<footer><h2>You may also like</h2><ul>{% for p in picks %}<li><a href="{{ p.get_absolute_url }}">{{ p.title }}</a></li>
{% endfor %}</ul></footer>
'''


class App(django_app.App):
    name = "oscar"
    requirements = ("django-oscar==4.2.1", "Django==5.2.19", "django-haystack==3.4.0", "Whoosh==2.7.4", "sorl-thumbnail==13.4.0",
                    "django-treebeard==7.0.3", "django-tables2==2.7.0", "pillow==13.0.0", app.GUNICORN)
    avoid = r"/(static|media|dashboard|i18n)/|logout|/basket/add"
    urls = 2150
    seconds = 105
    volatile = "four random products on every page; form tokens"
    frozen_how = "the clock; the random products are always the same four"
    settings, routes = SETTINGS, ROUTES

    def fill(self):
        self.write("picks.py", PICKS)
        self.write("templates/oscar/partials/footer.html", FOOTER)
        super().fill()
        self.manage("rebuild_index", "--noinput", "-v", "0")
