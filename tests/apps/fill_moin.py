"""fill_moin.py - manual pages as wiki pages with sub-pages and older revisions; run in the folder of the wiki.
SPDX-License-Identifier: Apache-2.0
"""
import io
import time

import material
from flask import g as flaskg
from moin.app import create_app
from moin.constants.keys import ACTION, COMMENT, CONTENTTYPE, ITEMTYPE, MTIME, NAME, NAMESPACE, REV_NUMBER, TAGS

app = create_app()
texts, now = material.pages(90), time.time()


def put(name, body, when, tags=(), number=1):
    flaskg.data_mtime = int(when)
    meta = {NAME: [name], NAMESPACE: "", ITEMTYPE: "default", CONTENTTYPE: "text/x.moin.wiki;charset=utf-8", ACTION: "SAVE",
            MTIME: int(when), TAGS: list(tags), COMMENT: f"revision {number}", REV_NUMBER: number}
    app.storage[name].store_revision(meta, io.BytesIO(body.replace("\n", "\r\n").encode()), overwrite=False)


with app.test_request_context("/"):
    flaskg.add_lineno_attr = False
    for i, text in enumerate(texts):
        other = texts[(i + 7) % len(texts)]
        for revision in range(1 + i % 2):
            body = f"= {text.name} =\n" + "".join(f"\n== {h} ==\n{t}\n" for h, t in text.paragraphs[:3 + 3 * revision])
            put(f"man{text.section}/{text.name}", f"{body}\nEdition {revision + 1}. See [[man{other.section}/{other.name}]], [[Home]].\n",
                now - (len(texts) - i) * 86400 * 3 + revision * 7200, [w for w in material.WORDS if w in body][:3], revision + 1)
    for section in "12345678":
        put(f"man{section}", f"= Section {section} =\n<<ItemList(item=\"man{section}\")>>\n", now - 86400)
    put("Home", "= Manual =\n" + "".join(f" * [[man{t.section}/{t.name}]]\n" for t in texts[:50]), now - 7200)
