"""fill_roundup.py - issues and messages from changelogs: fill_roundup.py TRACKER
SPDX-License-Identifier: Apache-2.0
"""
import sys
import time

import material
from roundup import date, instance

tracker = instance.open(sys.argv[1])
db = tracker.open("admin")
now = time.time()


def day(age):
    return date.Date(time.strftime("%Y-%m-%d.%H:%M:%S", time.gmtime(now - age)))


users = {}
for name in ("anna", "ben", "cleo", "dora"):
    users[name] = db.user.create(username=name, address=f"{name}@localhost", realname=name.capitalize(), roles="User")
keywords = {}
log = material.changes(200)
db.tx_Source = "cli"
for i, change in enumerate(log):
    age = (len(log) - i) ** 2 / len(log) ** 2 * 390 * 86400 + 900
    if change.package not in keywords and len(keywords) < 20:
        keywords[change.package] = db.keyword.create(name=change.package)
    messages = [db.msg.create(author=users[sorted(users)[(i + j) % 4]], date=day(age * (1 - j / 10)), content=line,
                              summary=line[:60], recipients=[])
                for j, line in enumerate(change.lines[:4])]
    db.issue.create(title=change.lines[0][:100], messages=messages, priority=str(i % 5 + 1), status=str(i % 8 + 1),
                    keyword=[keywords[change.package]] if change.package in keywords else [],
                    assignedto=users[sorted(users)[i % 4]], nosy=[users["anna"]])
db.commit()
db.close()
