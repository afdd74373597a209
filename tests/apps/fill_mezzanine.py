"""fill_mezzanine.py - manual pages as pages, changelog entries as blog posts with tags, categories and comments.
SPDX-License-Identifier: Apache-2.0
"""
import datetime

import django
import material

django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.db import transaction  # noqa: E402
from django.utils import timezone  # noqa: E402
from mezzanine.blog.models import BlogCategory, BlogPost  # noqa: E402
from mezzanine.generic.models import AssignedKeyword, Keyword, ThreadedComment  # noqa: E402
from mezzanine.pages.models import RichTextPage  # noqa: E402

transaction.set_autocommit(False)

users = [get_user_model().objects.create(username=n, first_name=n.capitalize(), last_name="Example", is_staff=True)
         for n in ("anna", "ben", "cleo")]
now, manual = timezone.now(), material.pages(150)
for section in "12358":
    parent = RichTextPage.objects.create(title=f"Section {section}", content="<p>Manual pages of this section.</p>")
    for page in [p for p in manual if p.section == section][:8]:
        body = "".join(f"<h3>{h}</h3><p>{t}</p>" for h, t in page.paragraphs)
        RichTextPage.objects.create(title=page.name, parent=parent, content=body, in_menus=[2])  # one menu of three: they are slow
log = material.changes(900)
for i, change in enumerate(log):
    age = (len(log) - i) ** 2 / len(log) ** 2 * 390 * 86400 + 900
    post = BlogPost.objects.create(title=f"{change.package} {change.version}"[:100], user=users[i % 3], allow_comments=True,
                                   content="".join(f"<p>{x}</p>" for x in change.lines), status=2,
                                   publish_date=now - datetime.timedelta(seconds=age))
    # Without a short URL everybody who looks at the post changes it.
    BlogPost.objects.filter(pk=post.pk).update(short_url=f"http://mezzanine.test/blog/{post.slug}/", updated=post.publish_date)
    category, _ = BlogCategory.objects.get_or_create(title=f"Packages {change.package[0].upper()}")
    post.categories.add(category)
    words = [w for w in material.WORDS if any(w in x for x in change.lines)][:3] + [change.package] * (i % 10 == 0)
    for word in words:
        keyword, _ = Keyword.objects.get_or_create(title=word)
        post.keywords.add(AssignedKeyword(keyword=keyword), bulk=False)
    for j, line in enumerate(change.lines[:i % 4]):
        ThreadedComment.objects.create(content_object=post, user_name=("Dora", "Emil")[j % 2], comment=line, site_id=1, is_public=True,
                                       submit_date=now - datetime.timedelta(seconds=age * (.9 - j / 10)))
transaction.commit()
