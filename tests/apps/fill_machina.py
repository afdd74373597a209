"""fill_machina.py - a topic for each changelog entry, a post for each of its lines.
SPDX-License-Identifier: Apache-2.0
"""
import datetime

import django
import material

django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.db import transaction  # noqa: E402
from django.utils import timezone  # noqa: E402
from machina.core.db.models import get_model  # noqa: E402

transaction.set_autocommit(False)

Forum, Topic, Post, Permission, Granted = (get_model(*n.split(".")) for n in (
    "forum.Forum", "forum_conversation.Topic", "forum_conversation.Post", "forum_permission.ForumPermission",
    "forum_permission.UserForumPermission"))

for codename in ("can_see_forum", "can_read_forum"):
    permission, _ = Permission.objects.get_or_create(codename=codename, defaults={"is_global": False, "is_local": True})
    Granted.objects.create(permission=permission, anonymous_user=True, has_perm=True)
users = [get_user_model().objects.create(username=n, email=f"{n}@localhost") for n in ("anna", "ben", "cleo", "dora", "emil")]
log = material.changes(340)
parts, forums, now = {}, {}, timezone.now()
for i, change in enumerate(log):
    letter = change.package.removeprefix("lib")[0].upper()
    part = "Packages A to L" if letter < "M" else "Packages M to Z"
    if part not in parts:
        parts[part] = Forum.objects.create(name=part, type=Forum.FORUM_CAT)
    if letter not in forums:
        forums[letter] = Forum.objects.create(name=f"Packages with {letter}", parent=parts[part], type=Forum.FORUM_POST,
                                              description=f"Changes of {change.package} and others")
    topic = Topic.objects.create(forum=forums[letter], subject=f"{change.package} {change.version}: {change.lines[0]}"[:100], type=Topic.TOPIC_POST,
                                 status=Topic.TOPIC_UNLOCKED, poster=users[i % 5], approved=True, views_count=i * 7 % 90)
    age = (len(log) - i) ** 2 / len(log) ** 2 * 390 * 86400 + 900
    for j, line in enumerate((change.lines * 3)[:1 + i % 9]):
        post = Post.objects.create(topic=topic, subject=topic.subject, content=f"{line}\n\nAnswer {j + 1}.", poster=users[(i + j) % 5],
                                   approved=True)
        when = now - datetime.timedelta(seconds=age * (1 - j / 20))
        Post.objects.filter(pk=post.pk).update(created=when, updated=when)
    Topic.objects.filter(pk=topic.pk).update(created=now - datetime.timedelta(seconds=age), last_post_on=when)
transaction.commit()
