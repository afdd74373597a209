"""fill_hyperkitty.py - the site by its name; the mails are imported by HyperKitty's own command.
SPDX-License-Identifier: Apache-2.0
"""
import django

django.setup()

from django.contrib.sites.models import Site  # noqa: E402
from django_mailman3.models import MailDomain  # noqa: E402

Site.objects.filter(pk=1).update(domain="hyperkitty.test", name="hyperkitty.test")
MailDomain.objects.get_or_create(site=Site.objects.get(pk=1), mail_domain="hyperkitty.test")
