"""fill_trac.py - tickets from changelogs, wiki pages from manual pages: fill_trac.py ENVIRONMENT
SPDX-License-Identifier: Apache-2.0
"""
import datetime
import sys
import time

import material
from trac.env import Environment
from trac.ticket.api import TicketSystem  # noqa: F401  (registers the components)
from trac.ticket.model import Component, Milestone, Ticket, Version
from trac.util.datefmt import utc
from trac.wiki.model import WikiPage

env = Environment(sys.argv[1])
now = time.time()


def date(age):
    return datetime.datetime.fromtimestamp(now - age, utc)


texts, log = material.pages(80), material.changes(300)
for name in sorted({c.package for c in log})[:12]:
    component = Component(env)
    component.name, component.owner = name, "anna"
    component.insert()
for i in range(5):
    milestone = Milestone(env)
    milestone.name, milestone.description = f"release {i + 1}", texts[i].paragraphs[0][1]
    milestone.due = date((5 - i) * 40 * 86400 - 30 * 86400)
    milestone.insert()
    version = Version(env)
    version.name, version.time = f"{i + 3}.0", date((5 - i) * 40 * 86400)
    version.insert()
components = [c.name for c in Component.select(env)]
for i, change in enumerate(log):
    age = (len(log) - i) ** 2 / len(log) ** 2 * 390 * 86400 + 900
    ticket = Ticket(env)
    ticket.populate({"summary": change.lines[0][:120], "description": "\n\n".join(change.lines), "reporter": change.author,
                     "component": change.package if change.package in components else components[i % len(components)],
                     "milestone": f"release {i % 5 + 1}", "version": f"{i % 4 + 3}.0", "owner": ("anna", "ben", "cleo")[i % 3],
                     "keywords": change.package, "status": "new", "type": ("defect", "enhancement", "task")[i % 3],
                     "priority": ("blocker", "critical", "major", "minor", "trivial")[i % 5]})
    ticket.insert(when=date(age))
    for j, line in enumerate(change.lines[1:4]):
        ticket["status"] = ("assigned", "accepted", "closed")[j]
        if j == 2:
            ticket["resolution"] = ("fixed", "wontfix", "duplicate")[i % 3]
        ticket.save_changes(("ben", "cleo")[j % 2], line, when=date(age * (.9 - j / 10)))
for i, text in enumerate(texts):
    page = WikiPage(env, "Man" + "".join(w.capitalize() for w in text.name.replace("_", "-").split("-")))
    for revision in range(1 + i % 4):
        body = f"= {text.name} =\n" + "".join(f"\n== {h} ==\n{t}\n" for h, t in text.paragraphs[:3 + 3 * revision])
        page.text = body + f"\nEdition {revision + 1}. See also #{i + 1}, milestone:\"release {i % 5 + 1}\", ManIndex.\n"
        page.save(("anna", "ben", "cleo")[revision % 3], f"revision {revision + 1}", t=date((80 - i) * 86400 * 3 - revision * 7200))
index = WikiPage(env, "ManIndex")
index.text = "= Manual pages =\n[[TitleIndex(Man)]]\n[[RecentChanges]]\n"
index.save("anna", "", t=date(7200))
